/** A damaged record leads to 500 and to a log line with its ISBN. Other records are not affected. */
import { beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../../src/onix/testing/message.ts";
import { numberedIsbn } from "../during-tests.ts";
import { colophon, fetchAs, startColophon, temporaryFolder } from "../process.ts";
import { repetitions, reportFault } from "./fault-report.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");
const BOOK_COUNT = 400;
const env = { COLOPHON_JWT_SECRET: "a secret for the catalog of damaged records" };
let intact: Buffer;
let token: string;

/** The marker in the record of a book. The file may contain it more than once: SQLite leaves old bytes in pages. */
const markerOf = (number: number) => `marker-${String(number).padStart(6, "0")}-in-the-text`;

beforeAll(async () => {
  const books = Array.from({ length: BOOK_COUNT }, (_, number) => {
    const text = `<Text>${"x".repeat(700)}${markerOf(number)}${"x".repeat(700)}</Text>`;
    return product({ isbn: numberedIsbn(number), imprint: "Sello", text });
  });
  const feed = join(folder, "feed.xml");
  writeFileSync(feed, message(...books));
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
  token = (await colophon(["token", "--name", "Faults", "--db", db], { env })).stdout.trim();
  intact = readFileSync(db);
});

/** Flips a bit in the record of each of these books. */
function damage(numbers: readonly number[], bit: number): void {
  const bytes = Buffer.from(intact);
  for (const number of numbers) {
    const marker = markerOf(number);
    let offset = bytes.indexOf(marker);
    expect(offset).toBeGreaterThan(0);
    for (; offset >= 0; offset = bytes.indexOf(marker, offset + 1))
      bytes[offset + (number % 20)]! ^= 1 << bit;
  }
  writeFileSync(db, bytes);
}

test("a damaged record returns 500, is named in the log and aborts lists; other records are served", async () => {
  const rounds = repetitions(2, 40);
  for (let round = 0; round < rounds; round++) {
    const damaged = (round * 37 + 3) % BOOK_COUNT;
    damage([damaged], round % 8);
    const server = await startColophon(["--db", db], env);
    const get = (path: string) => fetchAs(token, server.url + path);
    const response = await get(`/api/isbn/${numberedIsbn(damaged)}`);
    const problem = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      500,
      "application/problem+json",
    ]);
    expect(JSON.parse(problem)).toMatchObject({ status: 500, message: "Internal Server Error" });
    expect(problem).not.toMatch(/ at |sqlite|damaged|marker-/i);
    for (const path of [
      "/api/imprint/sello",
      "/api/news?date=20200101",
      `/api/isbns/${numberedIsbn(damaged)}`,
    ]) {
      expect(await isAborted(() => get(path))).toBe(true);
    }
    const other = await get(`/api/isbn/${numberedIsbn(damaged + 1)}`);
    expect([other.status, await other.text()]).toEqual([200, expect.stringContaining(markerOf(damaged + 1))]);
    await server.stop();
    const log = (await server.stderr).split("\n").filter((line) => line.includes("is damaged"));
    // Failures of one kind are gathered.
    const counts = log.map((line) => (JSON.parse(line) as { count?: number }).count ?? 1);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(4);
    expect(log.filter((line) => !line.includes(`The record of ${numberedIsbn(damaged)} is damaged`))).toEqual(
      [],
    );
  }
  reportFault({
    fault: "a bit of a record is flipped inside the file",
    tried: rounds,
    lost: "the record and the lists that contain it, until a backup is restored; no wrong response",
    checked:
      "500 without internal details; its ISBN in the log; lists are aborted; the next record is served",
  });
});

/** Returns whether the response is a 5xx or its body is incomplete. */
async function isAborted(get: () => Promise<Response>): Promise<boolean> {
  try {
    const response = await get();
    await response.json();
    return response.status >= 500;
  } catch {
    return true;
  }
}

test("verify names every damaged record; export, backup and an update of it fail and name it", async () => {
  const damaged = [3, 77, 200, 399];
  damage(damaged, 2);
  const verified = await colophon(["verify", "--db", db]);
  expect(verified.code).toBe(1);
  expect(verified.stdout.trimEnd().split("\n")).toEqual([
    ...damaged.map((number) => `${numberedIsbn(number)}: its bytes do not match its checksum`),
    expect.stringMatching(/^4 damaged records\. Restore a backup/),
  ]);
  const update = join(folder, "update.xml");
  const part = "<CollateralDetail></CollateralDetail>";
  writeFileSync(update, message(product({ isbn: numberedIsbn(77), notification: "04", blocks: part })));
  const named = [
    [["export", "--db", db], numberedIsbn(3)],
    [["backup", join(folder, "b.db"), "--db", db], numberedIsbn(3)],
    [["import", "--db", db, update], numberedIsbn(77)],
  ] as const;
  for (const [command, isbn] of named) {
    const { code, stderr } = await colophon(command);
    expect([code, stderr]).toEqual([1, expect.stringContaining(isbn)]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
  expect(readdirSync(folder).filter((name) => name.includes("b.db"))).toEqual([]);
  // The failed import is recorded, so the file is another one. Its records are the same.
  expect((await colophon(["verify", "--db", db])).stdout).toBe(verified.stdout);
  reportFault({
    fault: "verify, export, backup and update of a catalog with damaged records",
    tried: 1 + named.length,
    lost: "nothing more; no record was changed",
    checked: `verify names all ${damaged.length} and no other; export, backup and import: exit 1, the record is named`,
  });
});
