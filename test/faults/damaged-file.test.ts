/** A damaged catalog file, or a file that is no catalog, leads to an error and never to a wrong or empty response. */
import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomBelow } from "../../src/lib/testing/random.ts";
import { waitFor } from "../../src/lib/testing/wait-for.ts";
import {
  COMMAND,
  colophon,
  fetchAs,
  runProgram,
  SAMPLE,
  startColophon,
  temporaryFolder,
} from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";
import { allPaths, fetchAll, type Path, type Responses } from "./responses.ts";

const folder = temporaryFolder();
const original = join(folder, "original.db");
const env = { COLOPHON_JWT_SECRET: "a secret that all of these catalogs share" };
let intact: Buffer;
let token: string;
let paths: readonly Path[];
let expected: Responses;

beforeAll(async () => {
  expect((await colophon(["import", "--db", original, SAMPLE])).code).toBe(0);
  token = (
    await colophon(["token", "--name", "Faults", "--create", "--db", join(folder, "other.db")], { env })
  ).stdout.trim();
  const server = await startColophon(["--db", original], env);
  paths = await allPaths(server.url, token);
  expected = await fetchAll(server.url, token, paths);
  await server.stop();
  intact = readFileSync(original);
  expect([...expected.values()].every(({ outcome }) => outcome === "responded")).toBe(true);
});

function writeDamaged(bytes: Uint8Array): string {
  const path = join(folder, "damaged.db");
  for (const suffix of ["-wal", "-shm", ".tokens"]) rmSync(path + suffix, { force: true });
  writeFileSync(path, bytes);
  return path;
}

interface Outcome {
  /** `colophon serve` did not start. */
  readonly rejected: boolean;
  /** The paths whose responses differ from those of the intact file. */
  readonly wrong: readonly string[];
  /** The number of responses with an error. */
  readonly failed: number;
}

/** Serves a file and compares every response with that of the intact file. An error is never wrong. */
async function serveAndCompare(path: string): Promise<Outcome> {
  const server = await startColophon(["--db", path], env).catch((error: Error) => {
    expect(error.message).toMatch(/colophon: .*\n$/);
    expect(error.message).not.toMatch(/\n +at /);
    return undefined;
  });
  if (!server) return { rejected: true, wrong: [], failed: 0 };
  try {
    const responses = await fetchAll(server.url, token, paths);
    const wrong: string[] = [];
    let failed = 0;
    for (const [path, { outcome, body }] of responses) {
      if (outcome === "failed") failed++;
      else if (body !== expected.get(path)!.body) {
        wrong.push(path);
        expectStoredRecords(path, body);
      }
    }
    return { rejected: false, wrong, failed };
  } finally {
    server.process.kill("SIGKILL");
    await server.process.exited;
  }
}

/** A list may lack records, but each record in it must be as stored. */
function expectStoredRecords(path: string, body: string): void {
  if (!/^\/api\/(isbns?|imprint|news|search\b.*view=record)\b/.test(path)) return;
  const content: unknown = JSON.parse(body);
  const records = Array.isArray(content) ? (content as { RecordReference: string }[]) : [];
  if (!Array.isArray(content)) expect(content).toMatchObject({ status: 404 });
  for (const record of records) {
    const stored = expected.get(`/api/isbn/${record.RecordReference}`)?.body ?? "null";
    expect(record).toEqual(JSON.parse(stored));
  }
}

test("a truncated file is rejected or leads to errors, never to an empty or shorter catalog", async () => {
  const rounds = repetitions(2, 60);
  const random = randomBelow(23);
  let rejected = 0;
  for (let round = 0; round < rounds; round++) {
    // Lacks one byte, has none, or is cut anywhere between.
    const length = round === 0 ? intact.length - 1 : round === 1 ? 0 : random(intact.length);
    const bytes = intact.subarray(0, length);
    const path = writeDamaged(bytes);
    const outcome = await serveAndCompare(path);
    expect(outcome.wrong).toEqual([]);
    expect(outcome.rejected || outcome.failed > 0).toBe(true);
    if (outcome.rejected) rejected++;
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect((await colophon(["verify", "--db", path])).code).toBe(1);
  }
  reportFault({
    fault: "the file is truncated at a random position, also to nothing",
    tried: rounds,
    lost: "nothing; no wrong response, no empty catalog; the file was not changed",
    checked: `${rejected} rejected, ${rounds - rejected} with error responses; every response of the API compared; verify: exit 1`,
  });
});

test("a flipped bit never changes a record that is served, and verify finds every other effect", async () => {
  const rounds = repetitions(2, 300);
  const random = randomBelow(29);
  const counts = { rejected: 0, failed: 0, withoutEffect: 0 };
  const wrong = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const bytes = Buffer.from(intact);
    bytes[random(bytes.length)]! ^= 1 << random(8);
    const path = writeDamaged(bytes);
    const outcome = await serveAndCompare(path);
    if (outcome.rejected) counts.rejected++;
    else if (outcome.failed > 0) counts.failed++;
    else if (outcome.wrong.length === 0) counts.withoutEffect++;
    // SQLite has no checksums: an index may lose an entry or have it under another key.
    for (const path of outcome.wrong) {
      const kind = path.replace(/^\/api\/(\w+)[^?]*(\?\w+)?.*$/, "$1$2");
      wrong.set(kind, (wrong.get(kind) ?? 0) + 1);
    }
    const { code } = await colophon(["verify", "--db", path]);
    if (outcome.wrong.length > 0 || outcome.failed > 0 || outcome.rejected) expect(code).toBe(1);
    expect(readFileSync(path).equals(bytes)).toBe(true);
  }
  const incomplete = [...wrong].map(([kind, count]) => `${count} of /api/${kind}`).join(", ");
  reportFault({
    fault: "one bit of the file is flipped, at a random position",
    tried: rounds,
    lost:
      wrong.size === 0
        ? "nothing; no wrong response"
        : `no wrong record; incomplete responses because an index was hit: ${incomplete}; each found by verify`,
    checked: `every response of the API compared: ${counts.rejected} files rejected, ${counts.failed} with error responses, ${counts.withoutEffect} where no response depends on the bit; the file was not changed`,
  });
});

test("a truncated token registry prevents the start, and leads to 503 for every token in a running service", async () => {
  const path = writeDamaged(intact);
  const name = ["--name", "Revoked", "--db", path];
  const revoked = (await colophon(["token", ...name], { env })).stdout.trim();
  const { jti } = JSON.parse(Buffer.from(revoked.split(".")[1]!, "base64url").toString());
  expect((await colophon(["token", "revoke", jti, "--db", path], { env })).code).toBe(0);
  const registry = readFileSync(`${path}.tokens`);
  const lengths = [0, registry.length - 1, 100, 4096].slice(0, repetitions(2, 4));
  const server = await startColophon(["--db", path], env);
  const statusOf = async (each: string) => {
    return (await fetchAs(each, `${server.url}/api/skus`)).status;
  };
  const putRegistry = (content: Uint8Array) => {
    writeFileSync(`${path}.next`, content);
    renameSync(`${path}.next`, `${path}.tokens`);
  };
  for (const length of lengths) {
    expect([await statusOf(revoked), await statusOf(token)]).toEqual([401, 200]);
    putRegistry(registry.subarray(0, length));
    await waitFor("no token is accepted", async () => (await statusOf(token)) === 503);
    expect(await statusOf(revoked)).toBe(503);
    const { code, stderr } = await colophon(["serve", "--port", "0", "--db", path], { env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${path}.tokens is `)]);
    expect((await colophon(["verify", "--db", path])).code).toBe(1);
    putRegistry(registry);
    await waitFor("the token is accepted", async () => (await statusOf(token)) === 200);
  }
  await server.stop();
  reportFault({
    fault: "the token registry is truncated, also to nothing",
    tried: lengths.length,
    lost: "service, until a backup of the registry is restored; a revoked token stays invalid",
    checked: "503 for a revoked token and for a valid one; a new start is refused; verify: exit 1",
  });
});

describe("every command rejects, in one line and without changing it,", () => {
  const files: [name: string, create: (path: string) => unknown, reason: RegExp][] = [
    [
      "a text file",
      (path) => writeFileSync(path, "Dear reader, ".repeat(1000)),
      /is not a Colophon catalog or any SQLite file; name another/,
    ],
    ["an empty file", (path) => writeFileSync(path, ""), /is empty, not a catalog; restore a backup/],
    [
      "random bytes",
      (path) => writeFileSync(path, crypto.getRandomValues(new Uint8Array(60_000))),
      /or any SQLite file/,
    ],
    [
      "the database of another program",
      (path) => createDatabase(path, "CREATE TABLE record (id)"),
      /but not a Colophon catalog/,
    ],
    [
      "a token registry",
      (path) => createDatabase(path, "PRAGMA application_id = 1131369583", "CREATE TABLE token (id)"),
      /but not a Colophon catalog/,
    ],
    [
      "a catalog of a newer Colophon",
      (path) => createNewerCatalog(path),
      /was made by a newer Colophon \(format 99, .*\); update/,
    ],
    ["a folder", (path) => mkdirSync(path), /is a folder; name a file in it/],
  ];
  for (const [name, create, reason] of files) {
    test(name, async () => {
      const path = join(folder, "rejected.db");
      rmSync(path, { recursive: true, force: true });
      create(path);
      const before = contentOf(path);
      // They open a file in the same way: one that reads and one that writes are enough in a short run.
      const commands = [
        ["serve", "--port", "0"],
        ["import", SAMPLE],
        ["stats"],
        ["export"],
        ["verify"],
        ["backup", join(folder, "b.db")],
      ].slice(0, name === "a text file" ? 6 : repetitions(2, 6));
      const results = commands.map(([command = "", ...args]) => colophon([command, "--db", path, ...args]));
      for (const { code, stdout, stderr } of await Promise.all(results)) {
        expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(reason)]);
        expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      }
      expect(contentOf(path)).toBe(before);
      expect(readdirSync(folder).filter((name) => /^\.|^b\.db/.test(name))).toEqual([]);
      reportFault({
        fault: `the file is ${name}`,
        tried: commands.length,
        lost: "nothing; the file was not changed",
        checked: "serve, import, stats, export, verify and backup: exit 1, the reason in one line",
      });
    });
  }

  test("a catalog without permission to open it", async () => {
    const parent = join(folder, "closed");
    mkdirSync(parent);
    const path = join(parent, "catalog.db");
    writeFileSync(path, intact);
    chmodSync(path, 0o000);
    chmodSync(parent, 0o755);
    chmodSync(folder, 0o755);
    for (const [name = "", ...args] of [["serve", "--port", "0"], ["import", SAMPLE], ["stats"]]) {
      const command = [COMMAND, name, "--db", path, ...args];
      // Root may open every file unless it drops these capabilities.
      const withoutCapabilities = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
      const prefix = process.getuid?.() === 0 ? withoutCapabilities : [];
      const { code, stderr } = await runProgram([...prefix, ...command]);
      expect([name, code, stderr]).toEqual([
        name,
        1,
        // Commands that only read need no more than that.
        expect.stringContaining(
          `give the user who runs this the right to ${name === "import" ? "write" : "read"} it`,
        ),
      ]);
    }
    chmodSync(path, 0o600);
    expect(readFileSync(path).equals(intact)).toBe(true);
    reportFault({
      fault: "the user has no permission to open the file",
      tried: 3,
      lost: "nothing; the file was not changed",
      checked: "serve, import and stats: exit 1, one line that names the missing permission",
    });
  });
});

function createDatabase(path: string, ...statements: string[]): void {
  const db = new Database(path);
  for (const statement of statements) db.run(statement);
  db.close(true);
}

function createNewerCatalog(path: string): void {
  writeFileSync(path, intact);
  createDatabase(path, "PRAGMA user_version = 99");
}

/** Returns the bytes of a file, or the names in a folder. */
function contentOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return readdirSync(path).join();
  }
}
