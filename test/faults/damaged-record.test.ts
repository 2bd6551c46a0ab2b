/** A record damaged inside the file is noticed when it is read: 500, by name in the log, and nothing else suffers. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { message, product } from "../../src/onix/testing/message.ts";
import { colophon, startColophon, temporaryFolder } from "../process.ts";
import { reportFault, repetitions } from "./fault-report.ts";
import { isbnOf } from "./two-state-catalog.ts";

const folder = temporaryFolder();
const db = join(folder.path, "catalog.db");
const BOOKS = 400;
const env = { COLOPHON_JWT_SECRET: "a secret for the catalog of damaged records" };
let good: Buffer;
let token: string;

/** Found in the file within the record of a book; perhaps also in what a page has left over from its growth. */
const wordOf = (number: number) => `word-${String(number).padStart(6, "0")}-in-the-text`;

beforeAll(async () => {
  const books = Array.from({ length: BOOKS }, (_, number) => {
    const text = `<Text>${"x".repeat(700)}${wordOf(number)}${"x".repeat(700)}</Text>`;
    return product({ isbn: isbnOf(number), imprint: "Sello", text });
  });
  const feed = join(folder.path, "feed.xml");
  writeFileSync(feed, message(...books));
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
  token = (await colophon(["token", "--name", "Faults", "--db", db], { env })).stdout.trim();
  good = readFileSync(db);
});
afterAll(() => folder.remove());

/** Changes a bit of the record of each of these books. */
function spoil(numbers: readonly number[], bit: number): void {
  const bytes = Buffer.from(good);
  for (const number of numbers) {
    const word = wordOf(number);
    let at = bytes.indexOf(word);
    expect(at).toBeGreaterThan(0);
    for (; at >= 0; at = bytes.indexOf(word, at + 1)) bytes[at + (number % 20)]! ^= 1 << bit;
  }
  writeFileSync(db, bytes);
}

test("500 without a stack, the ISBN in the log, lists break off, and the others are answered as ever", async () => {
  const rounds = repetitions(3, 40);
  for (let round = 0; round < rounds; round++) {
    const hurt = (round * 37 + 3) % BOOKS;
    spoil([hurt], round % 8);
    const server = await startColophon(["--db", db], env);
    const get = (path: string) => fetch(server.url + path, { headers: { Authorization: `Bearer ${token}` } });
    const response = await get(`/api/isbn/${isbnOf(hurt)}`);
    const problem = await response.text();
    expect([response.status, response.headers.get("content-type")]).toEqual([
      500,
      "application/problem+json",
    ]);
    expect(JSON.parse(problem)).toMatchObject({ status: 500, message: "Internal Server Error" });
    expect(problem).not.toMatch(/ at |sqlite|damaged|word-/i);
    for (const path of ["/api/imprint/sello", "/api/news?date=20200101", `/api/isbns/${isbnOf(hurt)}`]) {
      expect(await breaksOff(() => get(path))).toBe(true);
    }
    const other = await get(`/api/isbn/${isbnOf(hurt + 1)}`);
    expect([other.status, await other.text()]).toEqual([200, expect.stringContaining(wordOf(hurt + 1))]);
    await server.stop();
    const log = (await server.stderr).split("\n").filter((line) => line.includes("is damaged"));
    expect(log.length).toBeGreaterThanOrEqual(4);
    expect(log.filter((line) => !line.includes(`The record of ${isbnOf(hurt)} is damaged`))).toEqual([]);
  }
  reportFault({
    fault: "a bit of a record is flipped inside the file",
    tried: rounds,
    lost: "the record, and lists with it, until a backup is put in its place; nothing was served wrongly",
    checked:
      "500 without a word of the inside; its ISBN in the log; lists break off on the wire; the record beside it is answered",
  });
}, 120_000);

/** An error from the start, or a body that does not come to its end. */
async function breaksOff(get: () => Promise<Response>): Promise<boolean> {
  try {
    const response = await get();
    await response.json();
    return response.status >= 500;
  } catch {
    return true;
  }
}

test("verify names every damaged record; export, backup and an update of it are refused by name", async () => {
  const hurt = [3, 77, 200, 399];
  spoil(hurt, 2);
  const before = readFileSync(db);
  const verified = await colophon(["verify", "--db", db]);
  expect(verified.code).toBe(1);
  expect(verified.stdout.trimEnd().split("\n")).toEqual([
    ...hurt.map((number) => `${isbnOf(number)}: its bytes are not those that were stored`),
    expect.stringMatching(/^4 damaged records\. Put a backup in the place of this store/),
  ]);
  const update = join(folder.path, "update.xml");
  const part = "<CollateralDetail></CollateralDetail>";
  writeFileSync(update, message(product({ isbn: isbnOf(77), notification: "04", blocks: part })));
  const named = [
    [["export", "--db", db], isbnOf(3)],
    [["backup", join(folder.path, "b.db"), "--db", db], isbnOf(3)],
    [["import", "--db", db, update], isbnOf(77)],
  ] as const;
  for (const [command, isbn] of named) {
    const { code, stderr } = await colophon(command);
    expect([code, stderr]).toEqual([1, expect.stringContaining(isbn)]);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  }
  expect(readdirSync(folder.path).filter((name) => name.includes("b.db"))).toEqual([]);
  expect(readFileSync(db).equals(before)).toBe(true);
  reportFault({
    fault: "records are damaged, and the store is verified, exported, backed up and updated",
    tried: 1 + named.length,
    lost: "nothing more; the file was not changed",
    checked: `verify names all ${hurt.length} and no other; export, backup and import: exit 1 and named`,
  });
}, 60_000);
