/** An import that is killed at any moment leaves the catalog as it was, and readers never see a mix of two states. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { randomBelow } from "../../src/lib/testing/random.ts";
import { duringTests } from "../during-tests.ts";
import { COMMAND, colophon, startColophon } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";
import { BOOK_COUNT_TEXT, createTwoStateCatalog, READER_PAUSE_MS } from "./two-state-catalog.ts";

const catalog = duringTests(createTwoStateCatalog);
const server = duringTests(() => startColophon(["--db", catalog.db]));

async function digestOf(path: string): Promise<string> {
  return new Bun.CryptoHasher("sha256").update(await Bun.file(path).bytes()).digest("hex");
}

function start(...args: readonly string[]) {
  return Bun.spawn([COMMAND, ...args], { stdout: "ignore", stderr: "ignore" });
}

const startImport = (db: string, feed: string) => start("import", "--db", db, feed);

/**
 * Returns delays in milliseconds, one in each of `count` equal parts of the duration of an import. The first one is 0,
 * which always ends before the import, however much faster than the measured one that is.
 */
function killDelays(count: number, importMs: number, random: (limit: number) => number): number[] {
  const partMs = importMs / count;
  return Array.from({ length: count }, (_, part) => (part === 0 ? 0 : (part + random(1000) / 1000) * partMs));
}

/** Returns the imports that the history has, oldest first. Each begins with the revision that the one before has left. */
async function readHistory(): Promise<
  readonly { number: number; outcome: string; feeds: readonly { sha256: string }[] }[]
> {
  const { stdout } = await colophon(["history", "--db", catalog.db, "--json", "--limit", "1000"]);
  const runs = JSON.parse(stdout).reverse();
  for (let index = 1; index < runs.length; index++)
    expect(runs[index].revisionBefore).toBe(runs[index - 1].revisionAfter);
  return runs;
}

/** Reads whole lists until the deadline or the end of the import, and returns their number. */
async function readLists(deadline: number, isOver: () => boolean): Promise<number> {
  let lists = 0;
  for (; performance.now() < deadline && !isOver(); lists++) {
    await catalog.servedState(server.url);
    await Bun.sleep(READER_PAUSE_MS);
  }
  return lists;
}

test("kill -9 of an import at random moments leaves the state before or after it, and readers see no mix", async () => {
  const rounds = repetitions(5, 50);
  let before = await catalog.storedState();
  // Readers slow an import down, so its duration is measured with readers.
  const start = performance.now();
  const measured = startImport(catalog.db, catalog.feeds[1 - before]!);
  let lists = await readLists(Number.POSITIVE_INFINITY, () => measured.exitCode !== null);
  const importMs = performance.now() - start;
  expect(await measured.exited).toBe(0);
  before = await catalog.storedState();
  const runsBefore = (await readHistory()).length;
  const digests = await Promise.all(catalog.feeds.map(digestOf));
  const applied: string[] = [];
  let aborted = 0;
  for (const delay of killDelays(rounds, importMs, randomBelow(7))) {
    const child = startImport(catalog.db, catalog.feeds[1 - before]!);
    lists += await readLists(performance.now() + delay, () => child.exitCode !== null);
    child.kill("SIGKILL");
    const code = await child.exited;
    const after = await catalog.storedState();
    // An import that reports success must have been applied.
    if (code === 0) expect(after).not.toBe(before);
    if (after === before) aborted++;
    else applied.push(digests[after]!);
    expect(await catalog.servedState(server.url)).toBe(after);
    before = after;
  }
  expect(aborted).toBeGreaterThan(0);
  expect(lists).toBeGreaterThan(0);
  // The history has exactly the imports that were applied, each with its feed.
  const runs = (await readHistory()).slice(runsBefore);
  expect(runs.map(({ outcome, feeds }) => [outcome, feeds[0]?.sha256])).toEqual(
    applied.map((digest) => ["changed", digest]),
  );
  const { code, stdout } = await colophon(["verify", "--db", catalog.db]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${BOOK_COUNT_TEXT} records, all intact`)]);
  reportFault({
    fault: "kill -9 of an import at a random moment, with readers",
    tried: rounds,
    lost: "nothing",
    checked: `${lists} complete lists read meanwhile, each of one state; ${aborted} imports aborted, ${rounds - aborted} complete; verify at the end`,
  });
});

test("kill -9 of the first import leaves no catalog or an empty one, and the next import succeeds", async () => {
  const rounds = repetitions(2, 20);
  const path = (round: number | string) => join(catalog.folder, `first-${round}.db`);
  const start = performance.now();
  expect(await startImport(path("complete"), catalog.feeds[0]).exited).toBe(0);
  const delays = killDelays(rounds, performance.now() - start, randomBelow(11));
  let aborted = 0;
  for (const [round, delay] of delays.entries()) {
    const child = startImport(path(round), catalog.feeds[0]);
    await Bun.sleep(delay);
    child.kill("SIGKILL");
    const isDone = (await child.exited) === 0;
    const { code, stdout } = await colophon(["import", "--db", path(round), catalog.feeds[1]]);
    expect(code).toBe(0);
    const isFirst = stdout.includes(` ${BOOK_COUNT_TEXT} added`);
    // An import that was killed after its commit and before its exit is applied.
    if (!isFirst) expect(stdout).toContain(` ${BOOK_COUNT_TEXT} updated`);
    if (isDone) expect(isFirst).toBe(false);
    if (isFirst) aborted++;
    expect(await catalog.storedState(path(round))).toBe(1);
  }
  expect(aborted).toBeGreaterThan(0);
  reportFault({
    fault: "kill -9 of the first import into a new file",
    tried: rounds,
    lost: "nothing",
    checked: `${aborted} aborted; the next import finds nothing or all of it, and succeeds; revision as expected`,
  });
});

test("kill -9 of an undo at random moments leaves the state before or after it, and the next one succeeds", async () => {
  const rounds = repetitions(2, 20);
  // The last import can always be undone, also when it is an undo.
  const startUndo = async () => {
    const [last] = (await readHistory()).slice(-1);
    return start("history", "undo", String(last!.number), "--db", catalog.db);
  };
  const startMs = performance.now();
  expect(await (await startUndo()).exited).toBe(0);
  const delays = killDelays(rounds, performance.now() - startMs, randomBelow(13));
  let aborted = 0;
  for (const delay of delays) {
    const before = await catalog.storedState();
    const child = await startUndo();
    await Bun.sleep(delay);
    child.kill("SIGKILL");
    const code = await child.exited;
    const after = await catalog.storedState();
    if (code === 0) expect(after).not.toBe(before);
    if (after === before) aborted++;
    expect(await (await startUndo()).exited).toBe(0);
    expect(await catalog.storedState()).not.toBe(after);
  }
  const { code, stdout } = await colophon(["verify", "--db", catalog.db]);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`${BOOK_COUNT_TEXT} records, all intact`)]);
  reportFault({
    fault: "kill -9 of an undo at a random moment",
    tried: rounds,
    lost: "nothing",
    checked: `${aborted} aborted; the next undo succeeds each time; verify at the end`,
  });
});
