/** Feeds that mean harm, or are none: a one-line reason with its place, the catalog untouched, within bounds. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createWriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGzip, gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { identifier, message, product } from "../src/onix/testing/message.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { measurePeakMemory } from "./peak-memory.ts";
import { COMMAND, colophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const db = join(folder.path, "catalog.db");
/** The bound of an import; a test process is not as lean as a bench's. */
const MOST_MB = 350;

let before: unknown;
beforeAll(async () => {
  const feed = join(folder.path, "good.xml");
  writeFileSync(feed, message(product({})));
  expect((await colophon(["import", "--db", db, feed])).code).toBe(0);
  before = await state();
});
afterAll(() => folder.remove());

async function state(): Promise<unknown> {
  const store = openSqlite(db, { create: false });
  try {
    return await store.stats();
  } finally {
    await store.close();
  }
}

const open =
  '<?xml version="1.0"?><ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">';
const good = message(product({ title: "Changed" }));

/** Gzip of a beginning and then the same for a long time: more than the bound, by itself or as what becomes of it. */
async function bomb(path: string, start: string, again: string, megabytes: number): Promise<void> {
  const gzip = createGzip({ level: 1 });
  const file = createWriteStream(path);
  gzip.pipe(file);
  const block = again.repeat(Math.ceil((1 << 20) / again.length));
  gzip.write(start);
  for (let at = 0; at < megabytes; at++) {
    if (!gzip.write(block)) await new Promise<void>((resolve) => gzip.once("drain", resolve));
  }
  gzip.end();
  await new Promise<void>((resolve) => file.once("close", resolve));
}

const feeds: [name: string, make: (path: string) => unknown, reason: RegExp][] = [
  [
    "an external entity",
    (path) =>
      writeFileSync(
        path,
        good
          .replace("<ONIXMessage", '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><ONIXMessage')
          .replace("Changed", "&e;"),
      ),
    /line \d+, column \d+: .*entity.*&e;/i,
  ],
  [
    "an entity bomb",
    (path) =>
      writeFileSync(
        path,
        good
          .replace(
            "<ONIXMessage",
            '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">]><ONIXMessage',
          )
          .replace("Changed", "&c;"),
      ),
    /&c;/,
  ],
  [
    "nesting without end",
    (path) => writeFileSync(path, open + "<Product>".repeat(2_000_000)),
    /nested more than 100 levels deep/,
  ],
  [
    "attributes without end",
    (path) =>
      writeFileSync(
        path,
        `${open}<Product ${Array.from({ length: 100_000 }, (_, at) => `a${at}="x"`).join(" ")}>`,
      ),
    /attributes|tag is larger than/,
  ],
  [
    "a text without end",
    (path) => bomb(path, `${open}<Product><RecordReference>`, "a", 512),
    /larger than 4 MB/,
  ],
  [
    "a product without end",
    (path) => bomb(path, `${open}<Product>`, "<RecordSourceName>a</RecordSourceName>", 256),
    /larger than 16 MB|more than 200,000 elements/,
  ],
  ["blanks without end", (path) => bomb(path, open, " \n", 512), /./],
  ["a NUL", (path) => writeFileSync(path, good.replace("Changed", "a\0b")), /disallowed character/],
  [
    "bytes that are no UTF-8",
    (path) => writeFileSync(path, Buffer.concat([Buffer.from(open), Buffer.from([0xff, 0xfe, 0xfd])])),
    /UTF-8/,
  ],
  ["a wrong encoding", (path) => writeFileSync(path, good.replace("UTF-8", "EBCDIC-CP-ES")), /encoding/i],
  ["two roots", (path) => writeFileSync(path, good + good.replace(/<\?xml.*\?>/, "")), /second root/],
  ["garbage behind the end", (path) => writeFileSync(path, `${good}garbage`), /outside the root/],
  ["a truncated feed", (path) => writeFileSync(path, good.slice(0, -40)), /line \d+, column \d+/],
  [
    "a broken second product",
    (path) =>
      writeFileSync(
        path,
        message(product({ title: "Changed" }), product({ isbn: "9780199632091", title: "</oops>" })),
      ),
    /line \d+, column \d+/,
  ],
  ["a PDF", (path) => writeFileSync(path, "%PDF-1.7\n%âãÏÓ\n"), /PDF/],
  ["a gzip of a gzip of nothing", (path) => writeFileSync(path, gzipSync(gzipSync(""))), /./],
];

describe("is refused", () => {
  for (const [name, make, reason] of feeds) {
    test(name, async () => {
      const path = join(folder.path, "feed");
      await make(path);
      const { code, stdout, stderr, bytes } = await measurePeakMemory([COMMAND, "import", "--db", db, path]);
      expect([code, stdout]).toEqual([1, ""]);
      const said = stderr.split("\n").filter((line) => line.startsWith("colophon: "));
      expect(said).toHaveLength(1);
      expect(said[0]).toMatch(reason);
      expect(said[0]).toContain(path);
      expect(bytes / (1 << 20)).toBeLessThan(MOST_MB);
      expect(await state()).toEqual(before);
    });
  }
});

describe("what a sender writes cannot play tricks on the terminal", () => {
  /** ESC and CSI begin a command to a terminal, a line feed a line that we have not said, U+202E turns the order. */
  const tricks = "a\u009b31m\nrejected: everything\u202e";
  const shown = "a\\u009b31m\\nrejected: everything\\u202e";

  test("in a reference", async () => {
    const path = join(folder.path, "tricks.xml");
    writeFileSync(path, message(product({ reference: tricks, identifiers: identifier("01", "x") })));
    const { code, stderr } = await colophon(["check", "--db", db, path]);
    expect([code, stderr.split("\n").length]).toEqual([3, 2]);
    expect(stderr).toContain(`[${shown}] The product has no ISBN.`);
  });

  test("in the name of a file within a zip", async () => {
    const path = join(folder.path, "tricks.zip");
    writeFileSync(path, zipSync({ [`\u001b[2J${tricks}`]: Buffer.from("<a/>") }));
    const { code, stderr } = await colophon(["check", "--db", db, path]);
    expect(code).toBe(1);
    expect(stderr).toStartWith(`colophon: ${path}/\\u001b[2J${shown}: line 1, column 1: `);
  });
});
