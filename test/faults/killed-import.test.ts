/** An import that is killed at any moment leaves the catalog as it was, and readers never see a mix. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { randomBelow } from "../../bench/random.ts";
import { COMMAND, colophon, type ServeProcess, startColophon } from "../process.ts";
import { reportFault, repetitions } from "./fault-report.ts";
import { type TwoStateCatalog, createTwoStateCatalog } from "./two-state-catalog.ts";

let catalog: TwoStateCatalog;
let server: ServeProcess;

beforeAll(async () => {
  catalog = await createTwoStateCatalog();
  server = await startColophon(["--db", catalog.db]);
});
afterAll(async () => {
  await server.stop();
  catalog.remove();
});

function startImport(db: string, feed: string) {
  return Bun.spawn([COMMAND, "import", "--db", db, feed], { stdout: "ignore", stderr: "ignore" });
}

/** Milliseconds that an import takes here and now: moments are chosen within it. */
async function duration(db: string, feed: string): Promise<number> {
  const started = performance.now();
  await startImport(db, feed).exited;
  return performance.now() - started;
}

test("kill -9 at random moments, with readers on: before or after, never a mix, never a loss", async () => {
  const rounds = repetitions(12, 50);
  const pick = randomBelow(7);
  let [cut, lists] = [0, 0];
  let within = await duration(catalog.db, catalog.feeds[1 - (await catalog.storedState())]!);
  let before = await catalog.storedState();
  let tried = 0;
  // Until one was cut off at the least: on a busy machine the moments may come late, or the import early.
  for (; tried < rounds || cut === 0; tried++) {
    const child = startImport(catalog.db, catalog.feeds[1 - before]!);
    const end = performance.now() + pick(Math.ceil(within));
    while (performance.now() < end && child.exitCode === null) {
      await catalog.servedState(server.url);
      lists++;
    }
    child.kill("SIGKILL");
    const code = await child.exited;
    const after = await catalog.storedState();
    // Exit 0 is a promise.
    if (code === 0) expect(after).not.toBe(before);
    if (after === before) cut++;
    // Readers slow an import down: the moments follow it, so that some come shortly before its end and some after.
    within *= tried >= rounds ? 0.5 : after === before ? 1.05 : 0.8;
    expect(await catalog.servedState(server.url)).toBe(after);
    before = after;
  }
  const { code, stdout } = await colophon(["verify", "--db", catalog.db]);
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("1,500 records, all of them as they were stored"),
  ]);
  reportFault({
    fault: "kill -9 of an import at a random moment, readers on",
    tried,
    lost: "nothing",
    checked: `${lists} whole lists read meanwhile, each of one state; ${cut} imports cut off, ${tried - cut} whole; verify at the end`,
  });
}, 600_000);

test("the first import of a catalog, killed, leaves none or an empty one, and the next import succeeds", async () => {
  const rounds = repetitions(3, 20);
  const pick = randomBelow(11);
  const path = (round: number | string) => join(catalog.folder, `first-${round}.db`);
  const within = await duration(path("whole"), catalog.feeds[0]);
  let cut = 0;
  for (let round = 0; round < rounds; round++) {
    const child = startImport(path(round), catalog.feeds[0]);
    await Bun.sleep(pick(Math.ceil(within)));
    child.kill("SIGKILL");
    const isDone = (await child.exited) === 0;
    const { code, stdout } = await colophon(["import", "--db", path(round), catalog.feeds[1]]);
    expect(code).toBe(0);
    const first = stdout.includes(" 1,500 added, 0 updated");
    // Killed after its commit and before its end: the import stands.
    if (!first) expect(stdout).toContain(" 0 added, 1,500 updated");
    if (isDone) expect(first).toBe(false);
    if (first) cut++;
    expect(await catalog.storedState(path(round))).toBe(1);
  }
  reportFault({
    fault: "kill -9 of the first import into a new file",
    tried: rounds,
    lost: "nothing",
    checked: `${cut} cut off; the import after it finds nothing or all of it, and succeeds; revision as expected`,
  });
}, 300_000);
