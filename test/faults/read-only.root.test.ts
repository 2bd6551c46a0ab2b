/** A catalog on a read-only file system is served and read. What must be written fails with the reason. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import { duringTests } from "../during-tests.ts";
import { colophon, fetchAs, startColophon } from "../process.ts";
import { reportFault } from "./fault-report.ts";
import { bindReadonly, canMount, mountTestDisk, SKIP_REASON } from "./test-disk.ts";
import { createTwoStateCatalog } from "./two-state-catalog.ts";

const catalog = duringTests(createTwoStateCatalog);

/** Copies the catalog with its registry and secret. */
function copyTo(folder: string): string {
  for (const name of readdirSync(catalog.folder).filter((each) => each.startsWith("catalog.db"))) {
    if (!name.endsWith("-owner")) cpSync(join(catalog.folder, name), join(folder, name));
  }
  return join(folder, "catalog.db");
}

const READ_ONLY = /^colophon: .*catalog\.db is on a read-only file system.*\.\n$/;

test.skipIf(!canMount)(
  `a read-only disk: commands that read work and say so, others exit with 1${SKIP_REASON}`,
  async () => {
    using disk = mountTestDisk(catalog.folder, 30);
    const db = copyTo(disk.path);
    const reading = [["stats"], ["history"], ["verify"], ["export"], ["export", "--format", "onix"]];
    const run = (args: string[]) => colophon([...args, "--db", db]);
    const sent = /<SentDateTime>.*<\/SentDateTime>/;
    const outputs = await Promise.all(
      reading.map(async (args) => (await run(args)).stdout.replace(sent, "")),
    );
    const files = readdirSync(disk.path);
    const bytes = readFileSync(db);
    disk.setWritable(false);
    for (const [index, args] of reading.entries()) {
      const { code, stdout, stderr } = await run(args);
      expect([args, code, stderr]).toEqual([args, 0, expect.stringMatching(READ_ONLY)]);
      expect(stdout.replace(sent, "")).toBe(outputs[index]!);
    }
    for (const workers of ["1", "2"]) {
      const server = await startColophon(["--db", db, "--workers", workers, "--log", "errors"]);
      expect(await catalog.servedState(server.url)).toBe(0);
      const search = await fetchAs(catalog.token, `${server.url}/api/search?q=sello&limit=1`);
      expect([search.status, await server.stop()]).toEqual([200, 0]);
      const notes = (await server.stderr).match(/"event":"catalog","state":"read-only"/g);
      expect(notes).toHaveLength(1);
    }
    const writing = [["import", catalog.feeds[1]], ["token", "--name", "x"], ["compact"], ["migrate"]];
    for (const args of writing) {
      const { code, stdout, stderr } = await run(args);
      expect([args, code, stdout, stderr]).toEqual([args, 1, "", expect.stringMatching(READ_ONLY)]);
    }
    expect([readdirSync(disk.path), readFileSync(db).equals(bytes)]).toEqual([files, true]);
    disk.setWritable(true);
    expect(await catalog.storedState(db)).toBe(0);
    reportFault({
      fault: "a read-only disk",
      tried: reading.length + writing.length + 2,
      lost: "nothing",
      checked:
        "stats, history, verify, export and serve have the same output and say that the disk is read-only; import, token, compact and migrate: exit 1 with the reason; the file has the same bytes; when writable again, it works",
    });
  },
);

test.skipIf(!canMount)(
  `a log that a crash has left on a read-only disk is read, or the catalog is refused${SKIP_REASON}`,
  async () => {
    using disk = mountTestDisk(catalog.folder, 60);
    const crashed = join(disk.path, "crashed");
    mkdirSync(crashed);
    const live = copyTo(disk.path);
    // A reader holds the log, so that the import stays in it.
    const reader = new Database(live, { readonly: true });
    reader.run("BEGIN");
    reader.query("SELECT revision FROM catalog").get();
    await colophon(["import", "--db", live, catalog.feeds[1]]);
    for (const name of readdirSync(disk.path)) {
      if (/^catalog\.db(-wal|-shm)?$/.test(name)) cpSync(join(disk.path, name), join(crashed, name));
    }
    reader.close();
    // The free space of a disk is that of the moment.
    const statsOf = async (path: string) =>
      (await colophon(["stats", "--db", path])).stdout.replace(/^disk .*$/m, "");
    const imported = await statsOf(live);
    const copy = join(crashed, "catalog.db");
    expect(readFileSync(`${copy}-wal`).length).toBeGreaterThan(0);
    disk.setWritable(false);
    expect(await statsOf(copy)).toEqual(imported);
    disk.setWritable(true);
    rmSync(`${copy}-shm`);
    disk.setWritable(false);
    for (const command of ["stats", "verify"]) {
      const { code, stderr } = await colophon([command, "--db", copy]);
      expect([code, stderr]).toEqual([1, expect.stringContaining("has changes in a log beside it")]);
    }
  },
);

test.skipIf(!canMount)(
  `a catalog that others write, through a read-only mount, is never served in an old or mixed state${SKIP_REASON}`,
  async () => {
    using disk = mountTestDisk(catalog.folder, 60);
    const db = copyTo(disk.path);
    using view = bindReadonly(disk.path, catalog.folder);
    const writer = await startColophon(["--db", db]);
    await using reader = await startColophon(["--db", join(view.path, "catalog.db"), "--log", "errors"]);
    expect(await catalog.servedState(reader.url)).toBe(0);
    expect((await colophon(["import", "--db", db, catalog.feeds[1]])).code).toBe(0);
    expect(await catalog.servedState(reader.url)).toBe(1);
    // The last process that writes removes the log, and the file is served as one that never changes.
    await writer.stop();
    const isServed = async (state: number) => {
      const response = await fetchAs(catalog.token, `${reader.url}/api/imprints`);
      return response.status === 200 && (await catalog.servedState(reader.url)) === state;
    };
    await waitFor("it is served without the writer", () => isServed(1));
    // Until somebody writes again.
    await using next = await startColophon(["--db", db]);
    expect((await colophon(["import", "--db", db, catalog.feeds[0]])).code).toBe(0);
    await waitFor("the next import is served", () => isServed(0));
    expect(await catalog.servedState(next.url)).toBe(0);
  },
);
