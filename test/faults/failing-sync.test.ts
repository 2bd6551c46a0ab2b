/** A disk whose fsync fails: an import either fails and changes nothing, or succeeds and is durable. */
import { beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { isMissing } from "../../src/lib/testing/requirements.ts";
import { colophon, startColophon } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";
import { BOOK_COUNT_TEXT, createTwoStateCatalog, type TwoStateCatalog } from "./two-state-catalog.ts";

const compiler = ["cc", "gcc", "clang"].find((name) => Bun.which(name));
const isSkipped = process.platform !== "linux" || isMissing(compiler !== undefined);
const skipReason = isSkipped ? " (skipped: needs Linux and a C compiler)" : "";

let catalog: TwoStateCatalog;
/** A shared library that makes fsync fail. */
let shim: string;

beforeAll(async () => {
  if (isSkipped) return;
  catalog = await createTwoStateCatalog();
  shim = join(catalog.folder, "failing-sync.so");
  const source = join(import.meta.dir, "failing-sync.c");
  const compiled = Bun.spawnSync([compiler!, "-shared", "-fPIC", "-o", shim, source, "-ldl"]);
  if (compiled.exitCode !== 0) throw new Error(String(compiled.stderr));
});

/** Runs an import whose fsync calls fail from the `from`-th on, `count` times. */
function importWithFailures(db: string, feed: string, from: number, count: number) {
  const env = { LD_PRELOAD: shim, FAIL_FROM: String(from), FAIL_TIMES: String(count) };
  return colophon(["import", "--db", db, feed], { env });
}

/** An import that takes long prints its progress before it. */
const MESSAGE = /^colophon: .* cannot be (read or )?written \(.*\); .*\n$/m;
const ALWAYS = 1_000_000;

test.skipIf(isSkipped)(
  `EIO on fsync during an import, and kill -9 of the server after it: exit 1 and unchanged, or exit 0 and applied${skipReason}`,
  async () => {
    const cases = [1, ALWAYS].flatMap((count) => [1, 2, 3, 4, 5, 6].map((from) => ({ from, count })));
    // The third call makes the commit durable. Those after it move it from the log into the file.
    const few = cases.filter(({ from, count }) => from === 3 || (from === 4 && count === 1));
    const tried = repetitions(few.length, cases.length) === few.length ? few : cases;
    let [rejected, state] = [0, await catalog.storedState()];
    for (const { from, count } of tried) {
      const server = await startColophon(["--db", catalog.db]);
      const { code, stderr } = await importWithFailures(catalog.db, catalog.feeds[1 - state]!, from, count);
      const expected = code === 0 ? ((1 - state) as 0 | 1) : state;
      if (code !== 0) {
        expect([code, stderr]).toEqual([1, expect.stringMatching(MESSAGE)]);
        rejected++;
      }
      expect(await catalog.servedState(server.url)).toBe(expected);
      // After this, only the log itself tells which of its entries count.
      server.process.kill("SIGKILL");
      await server.process.exited;
      expect(await catalog.storedState()).toBe(expected);
      state = expected;
    }
    expect(rejected).toBeGreaterThan(0);
    expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
    reportFault({
      fault: "EIO on fsync during an import (once, or from then on), and kill -9 of the server after it",
      tried: tried.length,
      lost: "nothing",
      checked: `${rejected} imports failed with exit 1 and the catalog was unchanged; the others exit 0 and complete; verify`,
    });
  },
  120_000,
);

test.skipIf(isSkipped)(
  `EIO on fsync during the first import: exit 1 and no catalog, or exit 0 and applied${skipReason}`,
  async () => {
    const cases = [1, ALWAYS].flatMap((count) => [1, 2, 3, 4, 5, 6, 7, 8].map((from) => ({ from, count })));
    const tried = cases.filter((_, index) => index % repetitions(5, 1) === 0);
    for (const { from, count } of tried) {
      const db = join(catalog.folder, "first.db");
      const { code, stderr } = await importWithFailures(db, catalog.feeds[0], from, count);
      if (code !== 0) expect([code, stderr]).toEqual([1, expect.stringMatching(MESSAGE)]);
      const again = await colophon(["import", "--db", db, catalog.feeds[0]]);
      expect(again.code).toBe(0);
      expect(again.stdout).toContain(` ${BOOK_COUNT_TEXT} ${code === 0 ? "unchanged" : "added"}`);
      expect(await catalog.storedState(db)).toBe(0);
      for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(db + suffix, { force: true });
    }
    reportFault({
      fault: "EIO on fsync during the first import into a new file",
      tried: tried.length,
      lost: "nothing",
      checked: "exit 1: the next import adds every book; exit 0: it finds every book unchanged",
    });
  },
  120_000,
);
