/** A short HTTP fuzzing run with a fixed seed. `npm run fuzz` runs for minutes with a random one. */
import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { duringTests } from "../during-tests.ts";
import { startColophon, temporaryFolder } from "../process.ts";
import {
  checkMutatedSaving,
  checkRequest,
  checkRequestSaving,
  createTarget,
  mutatedRequests,
  type Target,
} from "./http.ts";
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
