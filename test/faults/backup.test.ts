/** A backup made while the catalog is served and imported into is one state of it, whole; or there is none. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { randomBelow } from "../../bench/random.ts";
import { COMMAND, colophon, startColophon } from "../process.ts";
import { reportFault, repetitions } from "./fault-report.ts";
import { type TwoStateCatalog, createTwoStateCatalog } from "./two-state-catalog.ts";

let catalog: TwoStateCatalog;

beforeAll(async () => {
  catalog = await createTwoStateCatalog();
});
afterAll(() => catalog.remove());

function filesOf(path: string): string[] {
  return readdirSync(catalog.folder)
    .filter((name) => name.includes(basename(path)))
    .sort();
}

test("backups and verify while imports go on and readers read: each copy is one state, whole", async () => {
  const server = await startColophon(["--db", catalog.db]);
  const over = new AbortController();
  let [imports, lists] = [0, 0];
  const importing = (async () => {
    for (; !over.signal.aborted; imports++) {
      const { code } = await colophon(["import", "--db", catalog.db, catalog.feeds[imports % 2]!]);
      expect(code).toBe(0);
    }
  })();
  const reading = (async () => {
    for (; !over.signal.aborted; lists++) await catalog.servedState(server.url);
  })();
  const rounds = repetitions(3, 20);
  try {
    for (let round = 0; round < rounds; round++) {
      const copy = join(catalog.folder, `copy-${round}.db`);
      const made = await colophon(["backup", copy, "--db", catalog.db]);
      expect([made.code, made.stderr]).toEqual([0, ""]);
      expect(made.stdout).toContain("1,500 records");
      expect(filesOf(copy)).toEqual([`copy-${round}.db`, `copy-${round}.db.tokens`]);
      await catalog.storedState(copy);
      expect((await colophon(["verify", "--db", copy])).code).toBe(0);
      expect((await colophon(["verify", "--db", catalog.db])).code).toBe(0);
    }
  } finally {
    over.abort();
    await Promise.all([importing, reading]);
    await server.stop();
  }
  reportFault({
    fault: "backups and verify of a store that is read and imported into",
    tried: rounds,
    lost: "nothing",
    checked: `${imports} imports and ${lists} whole lists meanwhile; each copy has one of the two revisions and passes verify`,
  });
}, 300_000);

test("a copy is served like the original, with its revocations, and without the secret", async () => {
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
  const refused = await fetch(`${server.url}/api/skus`, { headers: { Authorization: `Bearer ${revoked}` } });
  expect(refused.status).toBe(401);
  await server.stop();
}, 60_000);

test("a backup replaces nothing: neither a file of that name nor a ledger beside it", async () => {
  const copy = join(catalog.folder, "taken.db");
  for (const taken of [copy, `${copy}.tokens`]) {
    writeFileSync(taken, "mine");
    const { code, stderr } = await colophon(["backup", copy, "--db", catalog.db]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${taken} is there already`)]);
    expect(filesOf(copy)).toEqual([basename(taken)]);
    expect(readFileSync(taken, "utf8")).toBe("mine");
    rmSync(taken);
  }
  const itself = await colophon(["backup", catalog.db, "--db", catalog.db]);
  expect(itself.code).toBe(1);
  await catalog.storedState();
}, 60_000);

test("on PostgreSQL: refused, with a word about pg_dump", async () => {
  const { code, stderr } = await colophon(["backup", "x.db", "--db", "postgres://nobody@127.0.0.1:1/none"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("pg_dump")]);
});

test("kill -9 of a backup: nothing is left that looks like one", async () => {
  const rounds = repetitions(4, 30);
  const pick = randomBelow(31);
  const copy = (round: number | string) => join(catalog.folder, `killed-${round}.db`);
  const started = performance.now();
  expect((await colophon(["backup", copy("not"), "--db", catalog.db])).code).toBe(0);
  const within = Math.ceil(performance.now() - started);
  let cut = 0;
  for (let round = 0; round < rounds; round++) {
    const child = Bun.spawn([COMMAND, "backup", copy(round), "--db", catalog.db], {
      stdout: "ignore",
      stderr: "ignore",
    });
    await Bun.sleep(pick(within));
    child.kill("SIGKILL");
    await child.exited;
    if (!existsSync(copy(round))) {
      cut++;
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
    checked: `${cut} left no file of that name; the others are whole and pass verify, as does the original`,
  });
}, 120_000);
