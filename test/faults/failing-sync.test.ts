/** A disk that says EIO when it is to make writing durable: what was not promised is not there, what was is. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { colophon, startColophon } from "../process.ts";
import { reportFault, repetitions } from "./fault-report.ts";
import { type TwoStateCatalog, createTwoStateCatalog } from "./two-state-catalog.ts";

const compiler = ["cc", "gcc", "clang"].find((name) => Bun.which(name));
/** In CI it must be there. */
const isSkipped = process.platform !== "linux" || (compiler === undefined && !process.env.CI);
const why = isSkipped ? " (skipped: Linux and a C compiler make the failing disk)" : "";

let catalog: TwoStateCatalog;
let shim: string;

beforeAll(async () => {
  if (isSkipped) return;
  catalog = await createTwoStateCatalog();
  shim = join(catalog.folder, "failing-sync.so");
  const source = join(import.meta.dir, "failing-sync.c");
  const made = Bun.spawnSync([compiler!, "-shared", "-fPIC", "-o", shim, source, "-ldl"]);
  if (made.exitCode !== 0) throw new Error(String(made.stderr));
});
afterAll(() => catalog?.remove());

function importing(db: string, feed: string, from: number, howOften: number) {
  const env = { LD_PRELOAD: shim, FAIL_FROM: String(from), FAIL_TIMES: String(howOften) };
  return colophon(["import", "--db", db, feed], { env });
}

const SAID = /^colophon: .* cannot be (read or )?written \(.*\); .*\n$/;
const ALWAYS = 1_000_000;

test.skipIf(isSkipped)(
  `EIO on fsync during an import, a server on that is killed after it: exit 1 and as it was, or exit 0 and done${why}`,
  async () => {
    const cases = [1, ALWAYS].flatMap((howOften) => [1, 2, 3, 4, 5, 6].map((from) => ({ from, howOften })));
    // The third is the one that would make the commit durable, those after it take it from the log into the file.
    const few = cases.filter(({ from, howOften }) => from === 3 || (from === 4 && howOften === 1));
    const tried = repetitions(few.length, cases.length) === few.length ? few : cases;
    let [refused, state] = [0, await catalog.storedState()];
    for (const { from, howOften } of tried) {
      const server = await startColophon(["--db", catalog.db]);
      const { code, stderr } = await importing(catalog.db, catalog.feeds[1 - state]!, from, howOften);
      const expected = code === 0 ? ((1 - state) as 0 | 1) : state;
      if (code !== 0) {
        expect([code, stderr]).toEqual([1, expect.stringMatching(SAID)]);
        refused++;
      }
      expect(await catalog.servedState(server.url)).toBe(expected);
      // Nobody is left who knows what counts of the log but the log itself.
      server.process.kill("SIGKILL");
      await server.process.exited;
      expect(await catalog.storedState()).toBe(expected);
      state = expected;
    }
    expect(refused).toBeGreaterThan(0);
    expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
    reportFault({
      fault: "EIO on fsync during an import (once, or from then on), a server on that is killed -9 after it",
      tried: tried.length,
      lost: "nothing",
      checked: `${refused} imports refused with exit 1, the catalog as before; the others exit 0 and whole; verify`,
    });
  },
  120_000,
);

test.skipIf(isSkipped)(
  `EIO on fsync during the first import: exit 1 and nothing there, or exit 0 and done${why}`,
  async () => {
    const cases = [1, ALWAYS].flatMap((howOften) =>
      [1, 2, 3, 4, 5, 6, 7, 8].map((from) => ({ from, howOften })),
    );
    const tried = cases.filter((_, at) => at % repetitions(5, 1) === 0);
    for (const { from, howOften } of tried) {
      const db = join(catalog.folder, "first.db");
      const { code, stderr } = await importing(db, catalog.feeds[0], from, howOften);
      if (code !== 0) expect([code, stderr]).toEqual([1, expect.stringMatching(SAID)]);
      const again = await colophon(["import", "--db", db, catalog.feeds[0]]);
      expect(again.code).toBe(0);
      expect(again.stdout).toContain(code === 0 ? " 1,500 unchanged" : " 1,500 added");
      expect(await catalog.storedState(db)).toBe(0);
      for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(db + end, { force: true });
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
