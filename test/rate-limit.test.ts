/** `colophon serve --rate` with several workers. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { waitFor } from "../src/lib/testing/wait-for.ts";
import { duringTests } from "./during-tests.ts";
import { childProcesses, colophon, startWithSample, temporaryFolder } from "./process.ts";

/** In a day, so that no bucket refills while the tests run. */
const LIMIT = 50;
const folder = temporaryFolder();
const db = join(folder, "catalog.db");

const server = duringTests(() => startWithSample(db, ["--workers", "3", "--rate", `${LIMIT}/86400`]));

/** Sends requests on connections of their own, which the system spreads over the workers. Counts by status. */
async function countStatuses(requests: number, token: string): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  const headers = { Authorization: `Bearer ${token}`, Connection: "close" };
  const send = async () => {
    const response = await fetch(`${server.url}/api/imprints`, { headers });
    await response.bytes();
    counts[response.status] = (counts[response.status] ?? 0) + 1;
  };
  await Promise.all(Array.from({ length: requests }, send));
  return counts;
}

test("allows a token exactly its limit over all workers, however many connections it uses", async () => {
  expect(await countStatuses(4 * LIMIT, server.token!)).toEqual({ 200: LIMIT, 429: 3 * LIMIT });
});

test("counts each token by itself, and no request without one", async () => {
  const other = (await colophon(["token", "--name", "Other", "--db", db])).stdout.trim();
  expect(await countStatuses(LIMIT / 2, other)).toEqual({ 200: LIMIT / 2 });
  expect(await countStatuses(LIMIT, other)).toEqual({ 200: LIMIT / 2, 429: LIMIT / 2 });
  expect((await fetch(`${server.url}/api/imprints`)).status).toBe(401);
});

test("goes on counting when workers are replaced", async () => {
  const before = childProcesses(server.process.pid);
  for (const pid of before) process.kill(pid, "SIGKILL");
  await waitFor("three new workers", () => {
    const now = childProcesses(server.process.pid);
    return now.length === 3 && !now.some((pid) => before.includes(pid));
  });
  await waitFor("a new worker listens", () =>
    fetch(`${server.url}/openapi.json`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  expect(await countStatuses(20, server.token!)).toEqual({ 429: 20 });
});
