/** Short runs of HTTP fuzzing, of mixed connections and of head readings, with a fixed seed. `npm run fuzz` runs for minutes with a random one. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { MAX_HEAD_BYTES } from "../../src/server/limits.ts";
import { duringTests } from "../during-tests.ts";
import { startColophon, temporaryFolder } from "../process.ts";
import { cutsOf, differenceInAnyCut, differenceInReadings, longRequest, shortStreams } from "./heads.ts";
import {
  checkMutatedSaving,
  checkRequest,
  checkRequestSaving,
  createTarget,
  mutatedRequests,
  type Target,
} from "./http.ts";
import { compareMixed, mixingPaths } from "./mixing.ts";
import { FUZZ_OPTIONS } from "./requests.ts";

const folder = temporaryFolder();
let target: Target;

const server = duringTests(() => startColophon([...FUZZ_OPTIONS, "--db", join(folder, "catalog.db")]));
beforeAll(async () => {
  target = await createTarget(server);
});

test("every response to generated requests matches the OpenAPI document, and none is a 5xx", async () => {
  await fc.assert(
    fc.asyncProperty(target.requests, (request) => checkRequestSaving(target, request)),
    { seed: 20260715, numRuns: 400, endOnFailure: true },
  );
});

test("mutated requests leave the server running and its responses unchanged", async () => {
  // A hundred at a time: some get no response, and each of those is waited for.
  const batch = fc.array(mutatedRequests(target), { minLength: 100, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(batch, async (requests) => {
      await Promise.all(requests.map((bytes) => checkMutatedSaving(target, bytes)));
    }),
    { seed: 20260715, numRuns: 2, endOnFailure: true },
  );
  await checkRequest(target, { method: "GET", target: "/api/skus", token: "valid", headers: [] });
  expect(server.process.exitCode).toBeNull();
});

test("responses of 30 connections with pipelined requests are never mixed", async () => {
  const target = { port: server.port, token: server.token!, paths: await mixingPaths(server) };
  expect(await compareMixed(target, 1, 30, 20)).toBeGreaterThan(300);
});

test("reads 100 streams of requests alike, cut at each of their bytes", () => {
  fc.assert(
    fc.property(shortStreams, (text) => {
      expect(differenceInAnyCut(text)).toBeUndefined();
    }),
    { seed: 20260715, numRuns: 100, endOnFailure: true },
  );
});

test("reads 2,000 streams of requests alike, cut at several bytes", () => {
  const cutStreams = shortStreams.chain((text) => fc.tuple(fc.constant(text), cutsOf(text.length)));
  fc.assert(
    fc.property(cutStreams, ([text, cuts]) => {
      expect(differenceInReadings(text, cuts)).toBeUndefined();
    }),
    { seed: 20260715, numRuns: 2000, endOnFailure: true },
  );
});

test.each(["head", "target"] as const)(
  "reads a request alike in one piece and in two when its %s is about as long as allowed",
  (part) => {
    for (let over = -5; over <= 5; over++) {
      const text = longRequest(part, over);
      for (let cut = text.length - 8; cut < text.length; cut++)
        expect(differenceInReadings(text, [cut])).toBeUndefined();
    }
  },
);

test("refuses a head of 90 kB after one with the same fields, in one piece and in two", () => {
  const request = (target: string, filler: number) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Filler: ${"y".repeat(filler)}\r\n\r\n`;
  for (const filler of [7000, 60_000]) {
    const first = request("/a", filler);
    const text = first + request(`/${"b".repeat(90_000 - filler)}`, filler);
    for (const second of [[], [text.length - 10], [MAX_HEAD_BYTES]])
      expect(differenceInReadings(text, [first.length, ...second])).toBeUndefined();
  }
});
