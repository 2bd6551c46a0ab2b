/** Malicious and broken feeds: rejected in one line with the position, in bounded memory, without changing the catalog. */
import { beforeAll, describe, expect, test } from "bun:test";
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { constants, deflateRawSync } from "node:zlib";
import { zipSync } from "fflate";
import { identifier, message, product } from "../src/onix/testing/message.ts";
import { openSqlite } from "../src/stores/sqlite/store.ts";
import { measurePeakMemory } from "./peak-memory.ts";
import { COMMAND, colophon, temporaryFolder } from "./process.ts";

const folder = temporaryFolder();
const db = join(folder, "catalog.db");
const MB = 1 << 20;
/**
 * The memory that a hostile feed may take in addition to a feed with one book. An endless text takes 170 MB on an idle
 * machine and 280 MB on a busy one, which collects garbage later. Without limits, each bomb takes more than 512 MB.
 */
const MAX_EXTRA_BYTES = 400 * MB;

let before: unknown;
let smallImportBytes: number;
beforeAll(async () => {
  const feed = join(folder, "valid.xml");
  writeFileSync(feed, message(product({})));
  const { code, peakBytes } = await measurePeakMemory([COMMAND, "import", "--db", db, feed]);
  expect(code).toBe(0);
  smallImportBytes = peakBytes;
  before = await readStats();
});

/** Without the last import: the store remembers also those that failed. */
async function readStats(): Promise<unknown> {
  const store = openSqlite(db, { create: false });
  try {
    const { lastImport, ...stats } = await store.stats();
    return stats;
  } finally {
    await store.close();
  }
}

const messageStart =
  '<?xml version="1.0"?><ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">';
const valid = message(product({ title: "Changed" }));

/**
 * Writes a gzip file of `start`, and `repeated` as often as it takes to fill so many megabytes. One megabyte is compressed
 * once: blocks that end in a full flush (RFC 1951) can be repeated. The file is cut off: nobody may read to its end.
 */
function bomb(path: string, start: string, repeated: string, megabytes: number): void {
  const block = Buffer.from(repeated.repeat(Math.ceil(MB / repeated.length)));
  const compress = (bytes: string | Buffer) =>
    deflateRawSync(bytes, { level: 1, finishFlush: constants.Z_FULL_FLUSH });
  const compressedBlock = compress(block);
  const file = openSync(path, "w");
  writeSync(file, Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]));
  writeSync(file, compress(start));
  for (let count = 0; count < megabytes; count++) writeSync(file, compressedBlock);
  closeSync(file);
}

/** What the reader refuses, and how much it reads before, is tested in `src/ingest/feed-reader.limits.test.ts`. */
const feeds: [name: string, create: (path: string) => unknown, reason: RegExp][] = [
  [
    "an external entity",
    (path) =>
      writeFileSync(
        path,
        valid
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
        valid
          .replace(
            "<ONIXMessage",
            '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;">]><ONIXMessage',
          )
          .replace("Changed", "&c;"),
      ),
    /&c;/,
  ],
  [
    "an endless text",
    (path) => bomb(path, `${messageStart}<Product><RecordReference>`, "a", 512),
    /larger than 4 MB/,
  ],
  [
    "an endless product",
    (path) => bomb(path, `${messageStart}<Product>`, "<RecordSourceName>a</RecordSourceName>", 512),
    /larger than 16 MB|more than 200,000 elements/,
  ],
  [
    "an endless comment that contains products",
    (path) => bomb(path, `${messageStart}<!--`, "<Product></Product>", 512),
    /a text or comment is larger than 4 MB/,
  ],
  [
    "endless nesting of products that are cut off",
    (path) => bomb(path, `${messageStart}<Product>`, "<a><Product>", 512),
    /nested more than 100 levels deep/,
  ],
  [
    "a broken second product",
    (path) =>
      writeFileSync(
        path,
        message(product({ title: "Changed" }), product({ isbn: "9780199632091", title: "</oops>" })),
      ),
    /line \d+, column \d+/,
  ],
];

describe("import rejects", () => {
  for (const [name, create, reason] of feeds) {
    test(name, async () => {
      const path = join(folder, "feed");
      create(path);
      const { code, stdout, stderr, peakBytes } = await measurePeakMemory([
        COMMAND,
        "import",
        "--db",
        db,
        path,
      ]);
      expect([code, stdout]).toEqual([1, ""]);
      const messages = stderr.split("\n").filter((line) => line.startsWith("colophon: "));
      expect(messages).toHaveLength(1);
      expect(messages[0]).toMatch(reason);
      expect(messages[0]).toContain(path);
      expect(peakBytes - smallImportBytes).toBeLessThan(MAX_EXTRA_BYTES);
      expect(await readStats()).toEqual(before);
    });
  }
});

describe("control characters from a feed are escaped on the terminal", () => {
  /** CSI starts a terminal command, a line feed fakes a line of output, U+202E reverses the text direction. */
  const text = "a\u009b31m\nrejected: everything\u202e";
  const escaped = "a\\u009b31m\\nrejected: everything\\u202e";

  test("in a record reference", async () => {
    const path = join(folder, "controls.xml");
    writeFileSync(path, message(product({ reference: text, identifiers: identifier("01", "x") })));
    const { code, stderr } = await colophon(["check", "--db", db, path]);
    expect([code, stderr.split("\n").length]).toEqual([3, 2]);
    expect(stderr).toContain(`[${escaped}] The product has no ISBN.`);
  });

  test("in a file name within a zip", async () => {
    const path = join(folder, "controls.zip");
    writeFileSync(path, zipSync({ [`\u001b[2J${text}`]: Buffer.from("<a/>") }));
    const { code, stderr } = await colophon(["check", "--db", db, path]);
    expect(code).toBe(1);
    expect(stderr).toStartWith(`colophon: ${path}/\\u001b[2J${escaped}: line 1, column 1: `);
  });
});
