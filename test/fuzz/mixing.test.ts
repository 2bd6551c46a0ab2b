import { expect, test } from "bun:test";
import { join } from "node:path";
import { duringTests } from "../during-tests.ts";
import { startColophon, temporaryFolder } from "../process.ts";
import { compareMixed } from "./mixing.ts";
import { mixingPaths } from "./mixing-paths.ts";

const folder = temporaryFolder();
const server = duringTests(() =>
  startColophon(["--sample", "--db", join(folder, "catalog.db"), "--log", "none"]),
);

test("responses of 30 connections with pipelined requests are never mixed", async () => {
  const target = { port: server.port, token: server.token!, paths: await mixingPaths(server) };
  expect(await compareMixed(target, 1, 30, 20)).toBeGreaterThan(300);
});
