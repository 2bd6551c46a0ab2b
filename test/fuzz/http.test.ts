/** A short run of the HTTP fuzzing, the same each time; `npm run fuzz` goes on for minutes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { type ServeProcess, startColophon, temporaryFolder } from "../process.ts";
import { aim, ask, askKeeping, askWildlyKeeping, type Target, wildBytes } from "./http.ts";

const folder = temporaryFolder();
let server: ServeProcess;
let target: Target;

beforeAll(async () => {
  server = await startColophon(["--sample", "--db", join(folder.path, "catalog.db")]);
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
  // A hundred at a time: some never have an answer, and each of those is waited for.
  const some = fc.array(wildBytes(target), { minLength: 100, maxLength: 100 });
  await fc.assert(
    fc.asyncProperty(some, async (all) => {
      await Promise.all(all.map((bytes) => askWildlyKeeping(target, bytes)));
    }),
    { seed: 20260715, numRuns: 5, endOnFailure: true },
  );
  await ask(target, { method: "GET", target: "/api/skus", token: "good", headers: [] });
  expect(server.process.exitCode).toBeNull();
});
