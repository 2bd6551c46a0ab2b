import { describe, expect, test } from "bun:test";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { strToU8, zipSync } from "fflate";
import { type SkipReason, unpackDocuments } from "./container.ts";
import { FeedError } from "./feed-error.ts";
import { bytesOf, splitAt, streamOf } from "./testing/streams.ts";

async function unpackAll(
  bytes: AsyncIterable<Uint8Array>,
  name = "feed",
  skipped?: (name: string, reason: SkipReason) => void,
): Promise<[name: string, text: string][]> {
  const found: [string, string][] = [];
  for await (const document of unpackDocuments(bytes, name, skipped)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of document.bytes) chunks.push(chunk);
    found.push([document.name, Buffer.concat(chunks).toString()]);
  }
  return found;
}

async function errorMessage(...chunks: Uint8Array[]): Promise<string> {
  try {
    await unpackAll(streamOf(...chunks));
  } catch (error) {
    if (error instanceof FeedError) return error.message;
    throw error;
  }
  return "no error";
}

const items = Array.from({ length: 100 }, (_, n) => `<item n="${(n * 7919) % 1000}">é ${n}</item>\n`);
const feed = `<?xml version="1.0" encoding="UTF-8"?>\n<feed>\n${items.join("")}</feed>\n`;
const one = "<a>first</a>".repeat(500);
const two = "<b>second é</b>";

interface Part {
  readonly name: string;
  readonly text: string;
  readonly flags?: number;
  readonly method?: number;
  /** Sizes and checksum follow the data, as programs write them to a pipe. */
  readonly descriptor?: "signed" | "unsigned" | "zip64";
  readonly zip64?: boolean;
  readonly wrongChecksum?: boolean;
}

/** Returns little-endian integers, each of the size that the digit of its place says. */
function pack(sizes: string, ...values: readonly number[]): Buffer {
  const integers = [...sizes].map((size, index) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(values[index]!));
    return bytes.subarray(0, Number(size));
  });
  return Buffer.concat(integers);
}

/** Writes the forms of APPNOTE.TXT that fflate does not write. */
function zipOf(parts: readonly Part[]): Buffer {
  const written: Buffer[] = [];
  const central: Buffer[] = [];
  for (const { name, text, flags = 0, method = 8, descriptor, zip64, wrongChecksum } of parts) {
    const content = bytesOf(text);
    const data = Buffer.from(method === 0 ? content : deflateRawSync(content));
    const checksum = wrongChecksum ? 1 : crc32(content);
    const [packed, size] = [data.length, content.length];
    const extra = zip64 ? pack("2212288", 0x9999, 1, 7, 1, 16, size, packed) : Buffer.alloc(0);
    const known = descriptor ? [0, 0, 0] : [checksum, ...(zip64 ? [0xffffffff, 0xffffffff] : [packed, size])];
    const path = Buffer.from(name);
    const head = pack("22244442", 20, flags | (descriptor ? 8 : 0), method, 0, ...known, path.length);
    written.push(pack("4", 0x04034b50), head, pack("2", extra.length), path, extra, data);
    if (descriptor === "unsigned") written.push(pack("444", checksum, packed, size));
    if (descriptor === "signed") written.push(pack("4444", 0x08074b50, checksum, packed, size));
    if (descriptor === "zip64") written.push(pack("4488", 0x08074b50, checksum, packed, size));
    central.push(
      pack("42", 0x02014b50, 20),
      head,
      pack("22", 0, 3),
      Buffer.alloc(12),
      path,
      Buffer.from("abc"),
    );
  }
  const count = parts.length;
  const end64 = [pack("48", 0x06064b50, 44), Buffer.alloc(44), pack("4", 0x07064b50), Buffer.alloc(16)];
  const end = [pack("4422442", 0x06054b50, 0, count, count, 0, 0, 2), Buffer.from("hi")];
  return Buffer.concat([...written, ...central, ...(count === 0 ? [] : end64), ...end]);
}

/** Returns an archive with one entry. */
const zipped = (part: Partial<Part>) => zipOf([{ name: "a", text: one, ...part }]);

const bytewise = (bytes: Uint8Array) => streamOf(...Array.from(bytes, (byte) => Uint8Array.of(byte)));

describe("unpackDocuments with a plain file", () => {
  test("returns the file as its only document", async () => {
    expect(await unpackAll(streamOf(bytesOf(feed)), "a.xml")).toEqual([["a.xml", feed]]);
  });

  test("accepts a file that is empty or shorter than a signature", async () => {
    expect(await unpackAll(streamOf(bytesOf("PK")))).toEqual([["feed", "PK"]]);
    expect(await unpackAll(streamOf())).toEqual([["feed", ""]]);
  });
});

describe("unpackDocuments with gzip", () => {
  test("unpacks a file that comes byte by byte, or is split in two at any byte", async () => {
    const packed = gzipSync(feed);
    expect(await unpackAll(bytewise(packed))).toEqual([["feed", feed]]);
    for (let offset = 0; offset <= packed.length; offset++) {
      const parts = [packed.subarray(0, offset), packed.subarray(offset)];
      expect(await unpackAll(streamOf(...parts), "feed.gz")).toEqual([["feed.gz", feed]]);
    }
  });

  test("joins several members into one document and ignores zero padding", async () => {
    const packed = Buffer.concat([
      gzipSync(feed.slice(0, 1000)),
      gzipSync(feed.slice(1000)),
      Buffer.alloc(5000),
    ]);
    expect(await unpackAll(streamOf(packed))).toEqual([["feed", feed]]);
    expect(await unpackAll(bytewise(packed))).toEqual([["feed", feed]]);
  });

  test("rejects truncated and damaged data", async () => {
    const packed = gzipSync(feed);
    for (const length of [2, 10, 11, 100, packed.length - 8, packed.length - 1]) {
      expect([length, await errorMessage(packed.subarray(0, length))]).toEqual([
        length,
        "gzip: unexpected end of file",
      ]);
    }
    const flipped = (offset: number) => packed.map((byte, index) => (index === offset ? byte ^ 0xff : byte));
    expect(await errorMessage(flipped(packed.length - 6))).toBe("gzip: incorrect data check");
    expect(await errorMessage(flipped(packed.length - 2))).toBe("gzip: incorrect length check");
    expect(await errorMessage(flipped(2))).toBe("gzip: unknown compression method");
    expect(await errorMessage(packed, bytesOf("garbage"))).toStartWith("gzip: ");
  });
});

describe("unpackDocuments with zip", () => {
  const expected: [string, string][] = [
    ["z.zip/a.xml", one],
    ["z.zip/b/ñ.xml", two],
  ];

  test("unpacks stored and deflated archives that fflate wrote", async () => {
    for (const level of [0, 6] as const) {
      const packed = zipSync({ "a.xml": strToU8(one), b: { "ñ.xml": strToU8(two) } }, { level });
      expect(await unpackAll(streamOf(packed), "z.zip")).toEqual(expected);
    }
  });

  const forms: [string, Partial<Part>][] = [
    ["deflated", {}],
    ["stored", { method: 0 }],
    ["with a data descriptor", { descriptor: "signed" }],
    ["with a data descriptor without a signature", { descriptor: "unsigned" }],
    ["with a zip64 data descriptor", { descriptor: "zip64" }],
    ["with zip64 sizes", { zip64: true }],
    ["stored with zip64 sizes", { zip64: true, method: 0 }],
  ];
  test.each(forms)("unpacks entries (%s), however the bytes are split into chunks", async (_, form) => {
    const packed = zipOf([
      { name: "a.xml", text: one, ...form },
      { name: "b/ñ.xml", text: two, ...form },
    ]);
    expect(await unpackAll(streamOf(packed), "z.zip")).toEqual(expected);
    for (let offset = 1; offset < packed.length; offset++) {
      expect(await unpackAll(streamOf(...splitAt(packed, [offset])), "z.zip")).toEqual(expected);
    }
    expect(await unpackAll(bytewise(packed), "z.zip")).toHaveLength(2);
  });

  test("returns files in order, without folders, and names hidden files and macOS metadata", async () => {
    const names = ["b.xml", "dir/", "__MACOSX/._b.xml", ".DS_Store", "dir/.hidden/x.xml", "dir/a.xml"];
    const packed = zipOf(
      names.map((name) => (name.endsWith("/") ? { name, text: "", method: 0 } : { name, text: name })),
    );
    const skipped: string[] = [];
    const found = await unpackAll(streamOf(packed), "z", (name, reason) => skipped.push(`${name} ${reason}`));
    expect(found).toEqual([
      ["z/b.xml", "b.xml"],
      ["z/dir/a.xml", "dir/a.xml"],
    ]);
    expect(skipped).toEqual([
      "z/__MACOSX/._b.xml hidden",
      "z/.DS_Store hidden",
      "z/dir/.hidden/x.xml hidden",
    ]);
  });

  test("returns a file whose path has dot segments or backslashes", async () => {
    const names = ["./a.xml", "x/./b.xml", "././/c.xml", "../d.xml", "x\\e.xml"];
    const packed = zipOf(names.map((name) => ({ name, text: one })));
    const skipped: string[] = [];
    const found = await unpackAll(streamOf(packed), "z", (name) => skipped.push(name));
    expect(found.map(([name]) => name)).toEqual([
      "z/a.xml",
      "z/x/b.xml",
      "z/c.xml",
      "z/../d.xml",
      "z/x/e.xml",
    ]);
    expect(skipped).toEqual([]);
  });

  test("tells hidden files that look like a feed from others", async () => {
    const appleDouble = Buffer.from("\0\x05\x16\x07\0\x02\0\0Mac OS X        ", "latin1");
    const packed = zipSync({
      "a.xml": Buffer.from(one),
      ".feed.xml": Buffer.from(one),
      ".old/feed": Buffer.from(`\ufeff${two}`, "utf16le"),
      ".cache/cover.svg": Buffer.from("<svg/>"),
      "__MACOSX/._a.xml": appleDouble,
      "__MACOSX/b.xml": Buffer.from(two),
      ".feed.gz": Buffer.from("\x1f\x8b", "latin1"),
    });
    const skipped: [string, string][] = [];
    await unpackAll(streamOf(packed), "z", (name, reason) => skipped.push([name, reason]));
    expect(Object.fromEntries(skipped)).toEqual({
      "z/.feed.xml": "hidden-feed",
      "z/.old/feed": "hidden-feed",
      "z/.cache/cover.svg": "hidden",
      "z/__MACOSX/._a.xml": "hidden",
      "z/__MACOSX/b.xml": "hidden-feed",
      "z/.feed.gz": "hidden-feed",
    });
  });

  test("skips files that are not feeds by name and content, and names them", async () => {
    const texts: Record<string, string> = {
      "readme.txt": "Please read me",
      "feed.txt": `\n${two}`,
      "feed without a name": one,
      "cover.jpg": "\xff\xd8\xff\xe0\0",
      "cover.svg": "<svg/>",
      "schema/onix.xsd": "<schema/>",
      "page.html": '<?xml version="1.0"?><html/>',
      page: "<!DOCTYPE html>",
      "list.json": "{}",
      nothing: "",
      "broken.XML": "not XML",
      "inner.gz": "\x1f\x8b",
    };
    const packed = zipSync(
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text, "latin1")])),
    );
    const skipped: string[] = [];
    const found = await unpackAll(streamOf(packed), "z", (name) => skipped.push(name));
    expect(found.map(([name]) => name)).toEqual([
      "z/feed.txt",
      "z/feed without a name",
      "z/broken.XML",
      "z/inner.gz",
    ]);
    expect(found[1]).toEqual(["z/feed without a name", one]);
    expect(skipped.toSorted()).toEqual([
      "z/cover.jpg",
      "z/cover.svg",
      "z/list.json",
      "z/nothing",
      "z/page",
      "z/page.html",
      "z/readme.txt",
      "z/schema/onix.xsd",
    ]);
  });

  test("reads a feed in UTF-16 whose name does not tell", async () => {
    const bytes = Buffer.from(`\ufeff${two}`, "utf16le");
    const skipped: string[] = [];
    const packed = zipSync({ feed: bytes });
    const found = await unpackAll(streamOf(packed), "z", (name) => skipped.push(name));
    expect([found.length, skipped]).toEqual([1, []]);
  });

  test("returns the next entry when the consumer stops in the middle of one", async () => {
    const packed = zipOf([
      { name: "a", text: one.repeat(1000), descriptor: "signed" },
      { name: "b", text: two },
    ]);
    const names: string[] = [];
    for await (const document of unpackDocuments(streamOf(packed), "z")) {
      names.push(document.name);
      for await (const _ of document.bytes) break;
    }
    expect(names).toEqual(["z/a", "z/b"]);
  });

  test("closes the source when the consumer stops", async () => {
    let closed = false;
    async function* source() {
      try {
        yield zipOf([
          { name: "a", text: one },
          { name: "b", text: two },
        ]);
        yield new Uint8Array(0);
      } finally {
        closed = true;
      }
    }
    for await (const _ of unpackDocuments(source(), "z")) break;
    expect(closed).toBe(true);
  });

  test("rejects an archive that is truncated anywhere", async () => {
    const packed = zipOf([
      { name: "a.xml", text: two },
      { name: "b.xml", text: two, descriptor: "signed" },
    ]);
    for (let length = 4; length < packed.length - 2; length++) {
      expect([length, await errorMessage(packed.subarray(0, length))]).toEqual([
        length,
        expect.stringMatching(/^zip: /),
      ]);
    }
    expect(await errorMessage(packed.subarray(0, 40))).toBe("zip: the archive is truncated");
  });

  const damaged = 'the entry "a" is damaged: its checksum or size is wrong';
  const endless = "is stored without its size, so its end cannot be found: compress it with Deflate";
  test.each<[string, Uint8Array]>([
    ['the entry "a" is encrypted', zipped({ flags: 1 })],
    ['the entry "a" is compressed with LZMA: only Deflate is supported', zipped({ method: 14 })],
    ['the entry "a" is compressed with method 77: only Deflate is supported', zipped({ method: 77 })],
    [damaged, zipped({ wrongChecksum: true })],
    [damaged, zipped({ wrongChecksum: true, method: 0 })],
    [damaged, zipped({ wrongChecksum: true, descriptor: "unsigned" })],
    [`the entry "a" ${endless}`, zipped({ method: 0, descriptor: "signed" })],
    ["the archive contains no document", zipOf([])],
    ["the archive contains no document", zipped({ name: "a/", text: "", method: 0 })],
    ["the archive contains no XML document, only .a", zipped({ name: ".a", text: "" })],
    [
      "the archive contains no XML document, only a.txt, b.pdf",
      zipSync({ "a.txt": bytesOf("a"), "b.pdf": bytesOf("%PDF") }),
    ],
    [
      "the archive is split into several files: join them first",
      Buffer.concat([bytesOf("PK\x07\x08"), zipOf([])]),
    ],
    [
      "the archive is damaged",
      Buffer.concat([zipped({ text: "", method: 0 }).subarray(0, 31), bytesOf("rubbish")]),
    ],
  ])("rejects with %j", async (reason, packed) => {
    expect(await errorMessage(packed)).toBe(`zip: ${reason}`);
  });

  test("rejects damaged deflated data", async () => {
    const packed = zipped({});
    packed.fill(0xff, 31, 40);
    expect(await errorMessage(packed)).toStartWith('zip: the entry "a" is damaged: ');
  });
});

test("unpackDocuments inflates a gzip bomb in small chunks, at the pace of the consumer", async () => {
  const size = 32 << 20;
  const bomb = gzipSync(Buffer.alloc(size));
  async function* source() {
    for (let offset = 0; offset < bomb.length; offset += 65_536) yield bomb.subarray(offset, offset + 65_536);
  }
  for await (const document of unpackDocuments(source(), "bomb.gz")) {
    let total = 0;
    for await (const chunk of document.bytes) {
      expect(chunk.length).toBeLessThanOrEqual(1 << 20);
      total += chunk.length;
    }
    expect(total).toBe(size);
  }
});
