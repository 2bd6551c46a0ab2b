/** A backup that is made while others read and import holds exactly one state of the catalog, or does not exist. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { randomBelow } from "../../src/lib/testing/random.ts";
import { duringTests } from "../during-tests.ts";
import { COMMAND, colophon, fetchAs, startColophon } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";
import { BOOK_COUNT_TEXT, createTwoStateCatalog, READER_PAUSE_MS } from "./two-state-catalog.ts";

const catalog = duringTests(createTwoStateCatalog);

function filesOf(path: string): string[] {
  return readdirSync(catalog.folder)
    .filter((name) => name.includes(basename(path)))
    .sort();
}

test("backup and verify succeed while others import and read, and each copy holds one state", async () => {
  const server = await startColophon(["--db", catalog.db]);
  const stop = new AbortController();
  let [imports, lists] = [0, 0];
  const importing = (async () => {
    for (; !stop.signal.aborted; imports++) {
      const { code } = await colophon(["import", "--db", catalog.db, catalog.feeds[imports % 2]!]);
      expect(code).toBe(0);
    }
  })();
  const reading = (async () => {
    for (; !stop.signal.aborted; lists++) {
      await catalog.servedState(server.url);
      await Bun.sleep(READER_PAUSE_MS);
    }
  })();
  const rounds = repetitions(2, 20);
  try {
    for (let round = 0; round < rounds; round++) {
      const copy = join(catalog.folder, `copy-${round}.db`);
      const backup = await colophon(["backup", copy, "--db", catalog.db]);
      expect([backup.code, backup.stderr]).toEqual([0, ""]);
      expect(backup.stdout).toContain(`${BOOK_COUNT_TEXT} records`);
      expect(filesOf(copy)).toEqual([`copy-${round}.db`, `copy-${round}.db.tokens`]);
      await catalog.storedState(copy);
      expect((await colophon(["verify", "--db", copy])).code).toBe(0);
      expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
    }
  } finally {
    stop.abort();
    await Promise.all([importing, reading]);
    await server.stop();
  }
  expect(imports).toBeGreaterThan(0);
  expect(lists).toBeGreaterThan(0);
  reportFault({
    fault: "backup and verify while others read and import",
    tried: rounds,
    lost: "nothing",
    checked: `${imports} imports and ${lists} complete lists meanwhile; each copy has one of the two revisions and passes verify`,
  });
});

test("serve --backups has metrics of the last backup, and of one that failed", async () => {
  const folder = join(catalog.folder, "backups");
  mkdirSync(folder);
  await using server = await startColophon(["--db", catalog.db, "--admin-port", "0", "--backups", folder]);
  const metrics = async () => {
    const text = await (await fetch(`${server.adminUrl}/metrics`)).text();
    const values = text.matchAll(/^colophon_last_backup_(\w+) (.*)$/gm);
    return Object.fromEntries([...values].map(([, name, value]) => [name, Number(value)]));
  };
  expect(await metrics()).toEqual({ timestamp_seconds: 0 });
  const backup = () => colophon(["backup", join(folder, "copy.db"), "--db", catalog.db]);
  const startMs = Date.now();
  expect((await backup()).code).toBe(0);
  const after = await metrics();
  expect(after).toEqual({
    timestamp_seconds: expect.any(Number),
    failed: 0,
    duration_seconds: expect.any(Number),
    bytes: statSync(join(folder, "copy.db")).size,
  });
  expect(after.timestamp_seconds! * 1000).toBeWithin(startMs, Date.now() + 1);
  const failed = await backup();
  expect(failed.code).toBe(1);
  expect(await metrics()).toMatchObject({ timestamp_seconds: after.timestamp_seconds, failed: 1 });
  const note = JSON.parse(readFileSync(join(folder, "colophon-backup.json"), "utf8"));
  expect(failed.stderr).toContain(note.failure);
});

test("a copy is served like the original, with its revoked tokens, and without the secret", async () => {
  const copy = join(catalog.folder, "served.db");
  const revoked = (await colophon(["token", "--name", "Gone", "--db", catalog.db])).stdout.trim();
  const id = JSON.parse(Buffer.from(revoked.split(".")[1]!, "base64url").toString()).jti;
  await colophon(["token", "revoke", id, "--db", catalog.db]);
  expect((await colophon(["backup", copy, "--db", catalog.db])).code).toBe(0);
  expect(existsSync(`${copy}.secret`)).toBe(false);
  expect(statSync(`${copy}.tokens`).mode & 0o777).toBe(0o600);
  expect(statSync(copy).mode & 0o777).toBe(statSync(catalog.db).mode & 0o777);
  const secret = readFileSync(`${catalog.db}.secret`, "utf8").trim();
  const server = await startColophon(["--db", copy], { COLOPHON_JWT_SECRET: secret });
  expect(await catalog.servedState(server.url)).toBe(await catalog.storedState());
  const refused = await fetchAs(revoked, `${server.url}/api/skus`);
  expect(refused.status).toBe(401);
  await server.stop();
});

test("a backup overwrites neither a file of its name nor a token registry beside it", async () => {
  const copy = join(catalog.folder, "existing.db");
  for (const existing of [copy, `${copy}.tokens`]) {
    writeFileSync(existing, "mine");
    const { code, stderr } = await colophon(["backup", copy, "--db", catalog.db]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${existing} already exists`)]);
    expect(filesOf(copy)).toEqual([basename(existing)]);
    expect(readFileSync(existing, "utf8")).toBe("mine");
    rmSync(existing);
  }
  const itself = await colophon(["backup", catalog.db, "--db", catalog.db]);
  expect(itself.code).toBe(1);
  await catalog.storedState();
});

test("a backup does not have the name of the note beside it, which would replace it", async () => {
  const note = join(catalog.folder, "colophon-backup.json");
  rmSync(note, { force: true });
  const { code, stderr } = await colophon(["backup", note, "--db", catalog.db]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("colophon-backup.json is the note about backups"),
  ]);
  expect(existsSync(note)).toBe(false);
});

test("a backup of a catalog on PostgreSQL fails and recommends pg_dump", async () => {
  const { code, stderr } = await colophon(["backup", "x.db", "--db", "postgres://nobody@127.0.0.1:1/none"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("pg_dump")]);
});

test("kill -9 of a backup leaves a complete copy or none", async () => {
  const rounds = repetitions(2, 30);
  const random = randomBelow(31);
  const copy = (round: number | string) => join(catalog.folder, `killed-${round}.db`);
  const start = performance.now();
  expect((await colophon(["backup", copy("complete"), "--db", catalog.db])).code).toBe(0);
  const backupMs = Math.ceil(performance.now() - start);
  let aborted = 0;
  for (let round = 0; round < rounds; round++) {
    const child = Bun.spawn([COMMAND, "backup", copy(round), "--db", catalog.db], {
      stdout: "ignore",
      stderr: "ignore",
    });
    await Bun.sleep(random(backupMs));
    child.kill("SIGKILL");
    await child.exited;
    if (!existsSync(copy(round))) {
      aborted++;
      continue;
    }
    expect(existsSync(`${copy(round)}.tokens`)).toBe(true);
    expect((await colophon(["verify", "--db", copy(round)])).code).toBe(0);
  }
  expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
  reportFault({
    fault: "kill -9 of a backup at a random moment",
    tried: rounds,
    lost: "nothing",
    checked: `${aborted} left no file of that name; the others are complete and pass verify, as does the original`,
  });
});
