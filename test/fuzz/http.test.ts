/** A short run of the HTTP fuzzing, the same each time; `npm run fuzz` goes on for minutes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { type Serving, serving, temporaryFolder } from "../process.ts";
import { aim, ask, askKeeping, askWildlyKeeping, type Target, wildBytes } from "./http.ts";

const folder = temporaryFolder();
let server: Serving;
let target: Target;

beforeAll(async () => {
  server = await serving(["--sample", "--db", join(folder.path, "catalog.db")]);
  target = await aim(server);
});

afterAll(async () => {
  await server.stop();
  folder.remove();
});

test("every answer to 1,000 requests is as the description says, and none is a failure", async () => {
  await fc.assert(
    fc.asyncProperty(target.requests, (asked) => askKeeping(target, asked)),
    { seed: 20260715, numRuns: 1000, endOnFailure: true },
  );
});

test("500 requests with bytes changed in them leave it as it was", async () => {
  await fc.assert(
    fc.asyncProperty(wildBytes(target), (bytes) => askWildlyKeeping(target, bytes)),
    { seed: 20260715, numRuns: 500, endOnFailure: true },
  );
  await ask(target, { method: "GET", target: "/api/skus", token: "good", headers: [] });
  expect(server.process.exitCode).toBeNull();
});
