/** A disk that is full, or a limit on file sizes: the command reports it and the catalog is unchanged. */
import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { duringTests } from "../during-tests.ts";
import { COMMAND, colophon, fetchAs, startColophon } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";
import { canMount, mountTestDisk, SKIP_REASON } from "./test-disk.ts";
import { createTwoStateCatalog, type TwoStateCatalog } from "./two-state-catalog.ts";

const catalog = duringTests(createTwoStateCatalog);

const WRITTEN =
  /^colophon: the catalog cannot be written \(.*\); it is unchanged: make its disk writable, .*\n$/;

test.skipIf(!canMount)(
  `a full disk during an import with a reader: exit 1, and the catalog is unchanged${SKIP_REASON}`,
  async () => {
    using disk = mountTestDisk(catalog.folder, 30);
    const db = join(disk.path, "catalog.db");
    const env = { TMPDIR: disk.path, SQLITE_TMPDIR: disk.path };
    await colophon(["import", "--db", db, catalog.feeds[0]]);
    await colophon(["token", "--name", "Any", "--db", db]);
    const server = await startColophon(["--db", db], { COLOPHON_JWT_SECRET: secretOf(catalog) });
    expect(await catalog.servedState(server.url)).toBe(0);
    const rounds = repetitions(2, 12);
    let [rejected, state]: [number, 0 | 1] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      disk.fill(100_000 + Math.floor((round / rounds) * 2_000_000));
      // The size of standard input is not known, so that the import begins.
      const stdin = readFileSync(catalog.feeds[1 - state]!);
      const { code, stderr } = await colophon(["import", "--db", db, "-"], { env, stdin });
      if (code === 0) state = state === 0 ? 1 : 0;
      else {
        expect([code, stderr]).toEqual([1, expect.stringMatching(WRITTEN)]);
        expect(stderr).toMatch(/full|space/);
        rejected++;
      }
      expect(await catalog.servedState(server.url)).toBe(state);
      disk.empty();
      expect(await catalog.storedState(db)).toBe(state);
    }
    // The log keeps its size, which may be enough for the next import.
    expect(rejected).toBeGreaterThan(0);
    expect((await colophon(["import", "--db", db, catalog.feeds[1 - state]!])).code).toBe(0);
    expect(await catalog.servedState(server.url)).not.toBe(state);
    await server.stop();
    expect((await colophon(["verify", "--db", db])).code).toBe(0);
    reportFault({
      fault: "a full disk during an import, with a reader",
      tried: rounds,
      lost: "nothing",
      checked: `${rejected} imports failed with exit 1, complete lists and revision as before; the others complete; with free space the import succeeds; verify`,
    });
  },
  180_000,
);

test.skipIf(!canMount)(
  `import and watch refuse a feed that the disk has no space for, with the numbers${SKIP_REASON}`,
  async () => {
    using disk = mountTestDisk(catalog.folder, 30);
    const db = join(disk.path, "catalog.db");
    await colophon(["import", "--db", db, catalog.feeds[0]]);
    disk.fill(1_000_000);
    const refusal =
      /the import needs about \d+ MB on the disk of the catalog, and 0 MB are free; the catalog is unchanged/;
    const refused = await colophon(["import", "--db", db, catalog.feeds[1]]);
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, "", expect.stringMatching(refusal)]);
    const feeds = join(catalog.folder, "feeds");
    mkdirSync(feeds);
    cpSync(catalog.feeds[1], join(feeds, "a.xml"));
    const watch = ["watch", feeds, "--db", db, "--once", "--settle", "0"];
    const blocked = await colophon(watch);
    expect([blocked.code, blocked.stderr]).toEqual([1, expect.stringMatching(refusal)]);
    expect(existsSync(join(feeds, "a.xml"))).toBe(true);
    const stats = await colophon(["stats", "--db", db]);
    expect(stats.stdout).toMatch(/^disk +file \d+ MB \(\d+ MB unused\), log 0 MB, 0 MB free$/m);
    disk.empty();
    expect((await colophon(watch)).code).toBe(0);
    expect(await catalog.storedState(db)).toBe(1);
  },
  180_000,
);

test.skipIf(!canMount)(
  `a token can be revoked on a full disk; issuing one fails with one line${SKIP_REASON}`,
  async () => {
    using disk = mountTestDisk(catalog.folder, 30);
    const db = ["--db", join(disk.path, "catalog.db")];
    await colophon(["import", ...db, catalog.feeds[0]]);
    for (const isServed of [false, true]) {
      const token = (await colophon(["token", "--name", "Shop", ...db])).stdout.trim();
      const id = (await colophon(["token", "list", ...db])).stdout.slice(0, 8);
      const server = isServed ? await startColophon(db) : undefined;
      const status = async () => (await fetchAs(token, `${server!.url}/api/imprints`)).status;
      if (server) expect(await status()).toBe(200);
      disk.fill(0);
      const issued = await colophon(["token", "--name", "Other", ...db]);
      expect([issued.code, issued.stdout, issued.stderr]).toEqual([
        1,
        "",
        expect.stringMatching(/^colophon: .*(full|space).*\n$/),
      ]);
      // While nothing has the catalog open, not even reading is possible, and the message says why.
      const stats = await colophon(["stats", ...db]);
      if (isServed) expect(stats.stdout).toMatch(/^disk .* 0 MB free$/m);
      else expect(stats.stderr).toContain("because its disk is full; free some space");
      expect(await colophon(["token", "revoke", id, ...db])).toMatchObject({ code: 0 });
      if (server) expect(await status()).toBe(401);
      server?.process.kill("SIGKILL");
      await server?.process.exited;
      disk.empty();
      expect((await colophon(["token", "list", ...db])).stdout).toMatch(new RegExp(`^${id}.*revoked`));
    }
  },
  180_000,
);

test.skipIf(!canMount)(
  `a full disk during a backup: exit 1, and no file is left${SKIP_REASON}`,
  async () => {
    using disk = mountTestDisk(catalog.folder, 10);
    const rounds = repetitions(1, 8);
    for (let round = 0; round < rounds; round++) {
      disk.fill(50_000 + Math.floor((round / rounds) * 2_000_000));
      const { code, stderr } = await colophon(["backup", join(disk.path, "b.db"), "--db", catalog.db]);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^colophon: the backup .* cannot be written \(.*\); nothing is left of it\. Name a file .*\n$/,
      );
      expect(readdirSync(disk.path).filter((name) => name !== "colophon-backup.json")).toEqual(["filler"]);
      disk.empty();
    }
    reportFault({
      fault: "a full disk during a backup",
      tried: rounds,
      lost: "nothing",
      checked: "exit 1 with the reason; no file of the backup is left",
    });
  },
  60_000,
);

test("a limit on file sizes: the import fails or is killed, and the catalog is unchanged", async () => {
  const before = await catalog.storedState();
  const rounds = repetitions(1, 10);
  for (let round = 0; round < rounds; round++) {
    // In blocks of 512 bytes. The log of this import has about 2 MB.
    const blocks = 500 + Math.floor((round / rounds) * 3000);
    const script = `ulimit -f ${blocks}; exec "${COMMAND}" import --db "${catalog.db}" "${catalog.feeds[1 - before]}"`;
    const child = Bun.spawn(["sh", "-c", script], { stdout: "ignore", stderr: "ignore" });
    expect(await child.exited).not.toBe(0);
    expect(await catalog.storedState()).toBe(before);
  }
  expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
  reportFault({
    fault: "a limit on file sizes (ulimit -f) during an import",
    tried: rounds,
    lost: "nothing",
    checked: "exit not 0; revision as before; verify at the end",
  });
});

/** Returns the secret of a catalog, so that its tokens are valid for a copy. */
function secretOf({ db }: TwoStateCatalog): string {
  return readFileSync(`${db}.secret`, "utf8").trim();
}
