/** A file that is not what it was, or never was a catalog: refused or an error, never an empty or a wrong catalog. */
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBelow } from "../../bench/random.ts";
import { COMMAND, colophon, startColophon, temporaryFolder } from "../process.ts";
import { type Responses, fetchAll, type Path, allPaths } from "./responses.ts";
import { reportFault, repetitions } from "./fault-report.ts";

const folder = temporaryFolder();
const original = join(folder.path, "original.db");
const sample = join(import.meta.dir, "../../sample/catalog.xml");
const secret = "a secret that all of these catalogs share";
const env = { COLOPHON_JWT_SECRET: secret };
let good: Buffer;
let token: string;
let asked: readonly Path[];
let right: Responses;

beforeAll(async () => {
  expect((await colophon(["import", "--db", original, sample])).code).toBe(0);
  token = (
    await colophon(["token", "--name", "Faults", "--db", join(folder.path, "other.db")], { env })
  ).stdout.trim();
  const server = await startColophon(["--db", original], env);
  asked = await allPaths(server.url, token);
  right = await fetchAll(server.url, token, asked);
  await server.stop();
  good = readFileSync(original);
  expect([...right.values()].every(({ outcome }) => outcome === "answered")).toBe(true);
});
afterAll(() => folder.remove());

function made(bytes: Uint8Array): string {
  const path = join(folder.path, "damaged.db");
  for (const end of ["-wal", "-shm", ".tokens"]) rmSync(path + end, { force: true });
  writeFileSync(path, bytes);
  return path;
}

interface Served {
  readonly refused: boolean;
  /** What was answered, and not as it must be. */
  readonly wrong: readonly string[];
  readonly failed: number;
}

/** Serves a file, and holds every answer against the right one. An error is never wrong. */
async function served(path: string): Promise<Served> {
  const server = await startColophon(["--db", path], env).catch((error: Error) => {
    expect(error.message).toMatch(/colophon: .*\n$/);
    expect(error.message).not.toMatch(/\n +at /);
    return undefined;
  });
  if (!server) return { refused: true, wrong: [], failed: 0 };
  try {
    const answers = await fetchAll(server.url, token, asked);
    const wrong: string[] = [];
    let failed = 0;
    for (const [path, answer] of answers) {
      if (answer.outcome === "failed") failed++;
      else if (answer.body !== right.get(path)!.body) {
        wrong.push(path);
        mustBeOfRightRecords(path, answer.body);
      }
    }
    return { refused: false, wrong, failed };
  } finally {
    server.process.kill("SIGKILL");
    await server.process.exited;
  }
}

/** Whatever a list lacks: the records in it are those that were stored. */
function mustBeOfRightRecords(path: string, body: string): void {
  if (!/^\/api\/(isbns?|imprint|news)\b/.test(path)) return;
  const given: unknown = JSON.parse(body);
  // A problem: the book was not found.
  const records = Array.isArray(given) ? (given as { RecordReference: string }[]) : [];
  if (!Array.isArray(given)) expect(given).toMatchObject({ status: 404 });
  for (const record of records) {
    const stored = right.get(`/api/isbn/${record.RecordReference}`)?.body ?? "null";
    expect(record).toEqual(JSON.parse(stored));
  }
}

test("cut off at random places: refused or an error, never an empty or a shorter catalog", async () => {
  const rounds = repetitions(4, 60);
  const pick = randomBelow(23);
  let refused = 0;
  for (let round = 0; round < rounds; round++) {
    // All of it, but for a byte; nothing of it; and all between.
    const bytes = good.subarray(0, round === 0 ? good.length - 1 : round === 1 ? 0 : pick(good.length));
    const path = made(bytes);
    const outcome = await served(path);
    expect(outcome.wrong).toEqual([]);
    expect(outcome.refused || outcome.failed > 0).toBe(true);
    if (outcome.refused) refused++;
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect((await colophon(["verify", "--db", path])).code).toBe(1);
  }
  reportFault({
    fault: "the file is cut off at a random place, also at its beginning",
    tried: rounds,
    lost: "nothing was served wrongly or as an empty catalog; the file was not changed",
    checked: `${refused} refused, ${rounds - refused} with errors in place of answers; every answer of the API compared; verify: exit 1`,
  });
}, 300_000);

test("a bit flipped at random places: every record is right or an error, and verify finds whatever else is wrong", async () => {
  const rounds = repetitions(8, 300);
  const pick = randomBelow(29);
  const counts = { refused: 0, failed: 0, unseen: 0 };
  const wrong = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const bytes = Buffer.from(good);
    bytes[pick(bytes.length)]! ^= 1 << pick(8);
    const path = made(bytes);
    const outcome = await served(path);
    if (outcome.refused) counts.refused++;
    else if (outcome.failed > 0) counts.failed++;
    else if (outcome.wrong.length === 0) counts.unseen++;
    // SQLite has no checksums of its own: an index may lose an entry, or find it under another key.
    for (const path of outcome.wrong) {
      const kind = path.replace(/^\/api\/(\w+)[^?]*(\?\w+)?.*$/, "$1$2");
      wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
    }
    const { code } = await colophon(["verify", "--db", path]);
    if (outcome.wrong.length > 0 || outcome.failed > 0 || outcome.refused) expect(code).toBe(1);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  }
  const missed = [...wrong].map(([kind, count]) => `${count} of /api/${kind}`).join(", ");
  reportFault({
    fault: "one bit of the file is flipped, at a random place",
    tried: rounds,
    lost:
      wrong.size === 0
        ? "nothing was served wrongly"
        : `no record was served wrongly; answers that were not complete because an index was hit: ${missed}; each found by verify`,
    checked: `every answer of the API compared: ${counts.refused} files refused, ${counts.failed} with errors in place of answers, ${counts.unseen} where no answer depends on the bit; the file was not changed`,
  });
}, 900_000);

test("a ledger of tokens that was emptied or cut off: nobody gets in, least of all who was shut out", async () => {
  const path = made(good);
  const name = ["--name", "Shut out", "--db", path];
  const revoked = (await colophon(["token", ...name], { env })).stdout.trim();
  const { jti } = JSON.parse(Buffer.from(revoked.split(".")[1]!, "base64url").toString());
  expect((await colophon(["token", "revoke", jti, "--db", path], { env })).code).toBe(0);
  const ledger = readFileSync(`${path}.tokens`);
  const lengths = [0, ledger.length - 1, 100, 4096].slice(0, repetitions(2, 4));
  for (const length of lengths) {
    writeFileSync(`${path}.tokens`, ledger.subarray(0, length));
    const server = await startColophon(["--db", path], env);
    for (const each of [revoked, token]) {
      const { status } = await fetch(`${server.url}/api/skus`, {
        headers: { Authorization: `Bearer ${each}` },
      });
      expect(status).toBe(503);
    }
    await server.stop();
    expect((await colophon(["verify", "--db", path])).code).toBe(1);
  }
  reportFault({
    fault: "the ledger of tokens is emptied or cut off",
    tried: lengths.length,
    lost: "service, until a backup of the ledger is put in its place; a revoked token does not count again",
    checked: "503 for a revoked token and for a good one; verify: exit 1",
  });
}, 60_000);

describe("refused in one line, by everyone, and not changed", () => {
  const made: [what: string, make: (path: string) => unknown, reason: RegExp][] = [
    [
      "a text",
      (path) => writeFileSync(path, "Dear reader, ".repeat(1000)),
      /nor any SQLite file; name another/,
    ],
    ["an empty file", (path) => writeFileSync(path, ""), /is empty, and no catalog; put a copy in its place/],
    [
      "noise",
      (path) => writeFileSync(path, crypto.getRandomValues(new Uint8Array(60_000))),
      /nor any SQLite file/,
    ],
    [
      "the database of another program",
      (path) => sqlite(path, "CREATE TABLE record (id)"),
      /but no catalog of Colophon/,
    ],
    [
      "our own ledger of tokens",
      (path) => sqlite(path, "PRAGMA application_id = 1131369583", "CREATE TABLE token (id)"),
      /but no catalog of Colophon/,
    ],
    [
      "a catalog of a newer Colophon",
      (path) => newer(path),
      /was made by a newer Colophon \(format 99, .*\); update/,
    ],
    ["a folder", (path) => mkdirSync(path), /is a folder; name a file in it/],
  ];
  for (const [what, make, reason] of made) {
    test(what, async () => {
      const path = join(folder.path, "refused.db");
      rmSync(path, { recursive: true, force: true });
      make(path);
      const before = bytesOf(path);
      const commands = [
        ["serve", "--port", "0"],
        ["import", sample],
        ["stats"],
        ["export"],
        ["verify"],
        ["backup", join(folder.path, "b.db")],
      ];
      const said = commands.map(([name = "", ...args]) => colophon([name, "--db", path, ...args]));
      for (const { code, stdout, stderr } of await Promise.all(said)) {
        expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(reason)]);
        expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      }
      expect(bytesOf(path)).toBe(before);
      expect(readdirSync(folder.path).filter((name) => /^\.|^b\.db/.test(name))).toEqual([]);
      reportFault({
        fault: `the file is ${what}`,
        tried: commands.length,
        lost: "nothing was served; the file was not changed",
        checked: "serve, import, stats, export, verify and backup: exit 1, one line that says why",
      });
    }, 60_000);
  }

  test("a catalog that this user may not open", async () => {
    const place = join(folder.path, "closed");
    mkdirSync(place);
    const path = join(place, "catalog.db");
    writeFileSync(path, good);
    chmodSync(path, 0o000);
    chmodSync(place, 0o755);
    chmodSync(folder.path, 0o755);
    for (const [name = "", ...args] of [["serve", "--port", "0"], ["import", sample], ["stats"]]) {
      const command = [COMMAND, name, "--db", path, ...args];
      // Root may open everything, unless it is taken from it.
      const withoutRights = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
      const prefix = process.getuid?.() === 0 ? withoutRights : [];
      const child = Bun.spawn([...prefix, ...command], { stdout: "ignore", stderr: "pipe" });
      const [stderr, code] = [await new Response(child.stderr).text(), await child.exited];
      expect([name, code, stderr]).toEqual([
        name,
        1,
        expect.stringContaining("give the user who runs this the right to write"),
      ]);
    }
    expect(readFileSync(path).equals(good)).toBe(true);
    reportFault({
      fault: "the file may not be opened by this user",
      tried: 3,
      lost: "nothing; the file was not changed",
      checked: "serve, import and stats: exit 1, one line that says which right is missing",
    });
  }, 60_000);
});

function sqlite(path: string, ...statements: string[]): void {
  const db = new Database(path);
  for (const statement of statements) db.run(statement);
  db.close(true);
}

function newer(path: string): void {
  writeFileSync(path, good);
  sqlite(path, "PRAGMA user_version = 99");
}

function bytesOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return readdirSync(path).join();
  }
}
