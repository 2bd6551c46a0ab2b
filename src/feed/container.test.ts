import { describe, expect, test } from "bun:test";
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { readFeed } from "../onix/reader.ts";
import { message } from "../onix/testing/reader-fixture.ts";
import { documents } from "./container.ts";
import { FeedError } from "./feed-error.ts";
import { bytesOf, cutAt, streamOf } from "./testing/streams.ts";

async function unpack(
  bytes: AsyncIterable<Uint8Array>,
  name = "feed",
): Promise<[name: string, text: string][]> {
  const found: [string, string][] = [];
  for await (const document of documents(bytes, name)) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of document.bytes) chunks.push(chunk);
    found.push([document.name, Buffer.concat(chunks).toString()]);
  }
  return found;
}

async function refusal(...chunks: Uint8Array[]): Promise<string> {
  try {
    await unpack(streamOf(...chunks));
  } catch (error) {
    if (error instanceof FeedError) return error.message;
    throw error;
  }
  return "unpacked";
}

const feed = message({ release: "3.0", tags: "short", namespace: "default" });
const one = "<a>first</a>".repeat(500);
const two = "<b>second é</b>";

interface Part {
  readonly name: string;
  readonly text: string;
  readonly flags?: number;
  readonly method?: number;
  /** Sizes and checksum behind the data, as programs write them that write to a pipe. */
  readonly descriptor?: "signed" | "bare" | "wide";
  readonly wide?: boolean;
  readonly wrong?: boolean;
}

/** As APPNOTE.TXT says; fflate writes none of the rarer forms. */
function zipOf(parts: readonly Part[]): Buffer {
  const entries = parts.length;
  const u = (size: 2 | 4 | 8, value: number) => {
    const bytes = Buffer.alloc(size);
    if (size === 8) bytes.writeBigUInt64LE(BigInt(value));
    else bytes.writeUIntLE(value, 0, size);
    return bytes;
  };
  const written: Buffer[] = [];
  const central: Buffer[] = [];
  for (const { name, text, flags = 0, method = 8, descriptor, wide = false, wrong = false } of parts) {
    const content = bytesOf(text);
    const data = method === 0 ? content : deflateRawSync(content);
    const checksum = wrong ? 1 : crc32(content);
    const bits = flags | (descriptor ? 8 : 0);
    const sizes = (size: 4 | 8) => [u(size, data.length), u(size, content.length)];
    const extra = wide
      ? Buffer.concat([
          u(2, 0x9999),
          u(2, 1),
          Buffer.of(7),
          u(2, 1),
          u(2, 16),
          u(8, content.length),
          u(8, data.length),
        ])
      : Buffer.alloc(0);
    const known = descriptor ? [u(4, 0), u(4, 0)] : wide ? [u(4, 0xffffffff), u(4, 0xffffffff)] : sizes(4);
    const head = [u(2, 20), u(2, bits), u(2, method), u(4, 0), u(4, descriptor ? 0 : checksum), ...known];
    const path = Buffer.from(name);
    written.push(
      u(4, 0x04034b50),
      ...head,
      u(2, path.length),
      u(2, extra.length),
      path,
      extra,
      Buffer.from(data),
    );
    if (descriptor) {
      if (descriptor !== "bare") written.push(u(4, 0x08074b50));
      written.push(u(4, checksum), ...sizes(descriptor === "wide" ? 8 : 4));
    }
    central.push(
      u(4, 0x02014b50),
      u(2, 20),
      ...head,
      u(2, path.length),
      u(2, 0),
      u(2, 3),
      Buffer.alloc(12),
      path,
      Buffer.from("abc"),
    );
  }
  const end = [
    u(4, 0x06054b50),
    u(4, 0),
    u(2, entries),
    u(2, entries),
    u(4, 0),
    u(4, 0),
    u(2, 2),
    Buffer.from("hi"),
  ];
  const end64 = [u(4, 0x06064b50), u(8, 44), Buffer.alloc(44), u(4, 0x07064b50), Buffer.alloc(16)];
  return Buffer.concat([...written, ...central, ...(parts.length === 0 ? [] : end64), ...end]);
}

describe("a plain file", () => {
  test("is its own document", async () => {
    expect(await unpack(streamOf(bytesOf(feed)), "a.xml")).toEqual([["a.xml", feed]]);
  });

  test("may be shorter than a signature, or empty", async () => {
    expect(await unpack(streamOf(bytesOf("PK")))).toEqual([["feed", "PK"]]);
    expect(await unpack(streamOf())).toEqual([["feed", ""]]);
  });
});

describe("gzip", () => {
  test("is unpacked, wherever its bytes are cut", async () => {
    const packed = gzipSync(feed);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 10 }), async (cuts) => {
        expect(await unpack(streamOf(...cutAt(packed, cuts)), "a.xml.gz")).toEqual([["a.xml.gz", feed]]);
      }),
      { numRuns: 30 },
    );
    expect(await unpack(streamOf(...Array.from(packed, (byte) => Uint8Array.of(byte))))).toEqual([
      ["feed", feed],
    ]);
  });

  test("of several members is one document; zeros that fill a block do not count", async () => {
    const packed = Buffer.concat([
      gzipSync(feed.slice(0, 1000)),
      gzipSync(feed.slice(1000)),
      Buffer.alloc(5000),
    ]);
    expect(await unpack(streamOf(packed))).toEqual([["feed", feed]]);
    expect(await unpack(streamOf(...Array.from(packed, (byte) => Uint8Array.of(byte))))).toEqual([
      ["feed", feed],
    ]);
  });

  test("that is cut off or damaged is refused", async () => {
    const packed = gzipSync(feed);
    for (const length of [2, 10, 11, 100, packed.length - 8, packed.length - 1]) {
      expect([length, await refusal(packed.subarray(0, length))]).toEqual([
        length,
        "gzip: unexpected end of file",
      ]);
    }
    const flipped = (at: number) => packed.map((byte, index) => (index === at ? byte ^ 0xff : byte));
    expect(await refusal(flipped(packed.length - 6))).toBe("gzip: incorrect data check");
    expect(await refusal(flipped(packed.length - 2))).toBe("gzip: incorrect length check");
    expect(await refusal(flipped(2))).toBe("gzip: unknown compression method");
    expect(await refusal(packed, bytesOf("garbage"))).toStartWith("gzip: ");
  });

  test("of a gzip is not unpacked twice", async () => {
    for await (const { bytes } of documents(streamOf(gzipSync(gzipSync(feed))), "x.gz")) {
      expect(readFeed(bytes).next()).rejects.toThrow("line 1, column 1: gzip inside an archive, not XML");
    }
  });
});

describe("zip", () => {
  const expected = [
    ["z.zip/a.xml", one],
    ["z.zip/b/ñ.xml", two],
  ];

  test("as fflate writes it, stored and deflated", async () => {
    for (const level of [0, 6] as const) {
      const packed = zipSync({ "a.xml": strToU8(one), b: { "ñ.xml": strToU8(two) } }, { level });
      expect(await unpack(streamOf(packed), "z.zip")).toEqual(expected as [string, string][]);
    }
  });

  const forms: [string, Partial<Part>][] = [
    ["deflated", {}],
    ["stored", { method: 0 }],
    ["with a descriptor", { descriptor: "signed" }],
    ["with a descriptor that has no signature", { descriptor: "bare" }],
    ["with a descriptor of zip64", { descriptor: "wide" }],
    ["with the sizes of zip64", { wide: true }],
    ["stored with the sizes of zip64", { wide: true, method: 0 }],
  ];
  test.each(forms)("%s, wherever its bytes are cut", async (_, form) => {
    const packed = zipOf([
      { name: "a.xml", text: one, ...form },
      { name: "b/ñ.xml", text: two, ...form },
    ]);
    expect(await unpack(streamOf(packed), "z.zip")).toEqual(expected as [string, string][]);
    for (let at = 1; at < packed.length; at++) {
      expect(await unpack(streamOf(...cutAt(packed, [at])), "z.zip")).toEqual(expected as [string, string][]);
    }
    expect(
      await unpack(streamOf(...Array.from(packed, (byte) => Uint8Array.of(byte))), "z.zip"),
    ).toHaveLength(2);
  });

  test("gives its files in order, without folders and what systems put beside them", async () => {
    const names = ["b.xml", "dir/", "__MACOSX/._b.xml", ".DS_Store", "dir/.hidden/x.xml", "dir/a.xml"];
    const packed = zipOf(
      names.map((name) => ({
        name,
        text: name.endsWith("/") ? "" : name,
        method: name.endsWith("/") ? 0 : 8,
      })),
    );
    expect(await unpack(streamOf(packed), "z")).toEqual([
      ["z/b.xml", "b.xml"],
      ["z/dir/a.xml", "dir/a.xml"],
    ]);
  });

  test("may be left in the middle of an entry: the next one is right", async () => {
    const packed = zipOf([
      { name: "a", text: one.repeat(1000), descriptor: "signed" },
      { name: "b", text: two },
    ]);
    const names: string[] = [];
    for await (const document of documents(streamOf(packed), "z")) {
      names.push(document.name);
      for await (const _ of document.bytes) break;
    }
    expect(names).toEqual(["z/a", "z/b"]);
  });

  test("is closed when it is left", async () => {
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
    for await (const _ of documents(source(), "z")) break;
    expect(closed).toBe(true);
  });

  test("that is cut off anywhere is refused", async () => {
    const packed = zipOf([
      { name: "a.xml", text: two },
      { name: "b.xml", text: two, descriptor: "signed" },
    ]);
    for (let length = 4; length < packed.length - 2; length++) {
      expect([length, await refusal(packed.subarray(0, length))]).toEqual([
        length,
        expect.stringMatching(/^zip: /),
      ]);
    }
    expect(await refusal(packed.subarray(0, 40))).toBe("zip: the archive is cut off");
  });

  test.each<[string, Buffer]>([
    ['zip: the entry "a" is encrypted', zipOf([{ name: "a", text: one, flags: 1 }])],
    [
      'zip: the entry "a" is packed with LZMA: only Deflate is unpacked',
      zipOf([{ name: "a", text: one, method: 14 }]),
    ],
    [
      'zip: the entry "a" is packed with method 77: only Deflate is unpacked',
      zipOf([{ name: "a", text: one, method: 77 }]),
    ],
    [
      'zip: the entry "a" is damaged: its checksum or size is wrong',
      zipOf([{ name: "a", text: one, wrong: true }]),
    ],
    [
      'zip: the entry "a" is damaged: its checksum or size is wrong',
      zipOf([{ name: "a", text: one, wrong: true, method: 0 }]),
    ],
    [
      'zip: the entry "a" is damaged: its checksum or size is wrong',
      zipOf([{ name: "a", text: one, wrong: true, descriptor: "bare" }]),
    ],
    [
      'zip: the entry "a" is stored without its size: it cannot be told where it ends',
      zipOf([{ name: "a", text: one, method: 0, descriptor: "signed" }]),
    ],
    ["zip: no document in the archive", zipOf([])],
    ["zip: no document in the archive", zipOf([{ name: ".a", text: "" }])],
    ["zip: an archive in several parts", Buffer.concat([Buffer.from("PK\x07\x08"), zipOf([])])],
    [
      "zip: the archive is damaged",
      Buffer.concat([zipOf([{ name: "a", text: "", method: 0 }]).subarray(0, 31), Buffer.from("rubbish")]),
    ],
  ])("%s", async (reason, packed) => {
    expect(await refusal(packed)).toBe(reason);
  });

  test("whose deflated data is wrong is refused", async () => {
    const packed = zipOf([{ name: "a", text: one }]);
    packed.fill(0xff, 31, 40);
    expect(await refusal(packed)).toStartWith('zip: the entry "a" is damaged: ');
  });
});

describe("what is small packed and large unpacked", () => {
  const size = 256 << 20;
  const zeros = new Uint8Array(1 << 20);

  async function* source(packed: Uint8Array) {
    for (let at = 0; at < packed.length; at += 65_536) yield packed.subarray(at, at + 65_536);
  }

  test("comes in pieces that fit in memory, at the pace of its reader", async () => {
    const bomb = gzipSync(Buffer.alloc(size));
    for await (const document of documents(source(bomb), "bomb.gz")) {
      let total = 0;
      for await (const chunk of document.bytes) {
        expect(chunk.length).toBeLessThanOrEqual(zeros.length);
        total += chunk.length;
      }
      expect(total).toBe(size);
    }
  });

  test("is refused by the reader long before it is unpacked", async () => {
    let given = 0;
    const bomb = gzipSync(Buffer.concat([bytesOf('<ONIXMessage release="3.0">'), Buffer.alloc(size, 0x20)]));
    async function* counted() {
      for (let at = 0; at < bomb.length; at += 1024) {
        given += 1024;
        yield bomb.subarray(at, at + 1024);
      }
    }
    for await (const { bytes } of documents(counted(), "bomb.gz")) {
      const reading = (async () => {
        for await (const _ of readFeed(bytes));
      })();
      expect(reading).rejects.toThrow("a text or comment of more than 4 MB");
      await reading.catch(() => {});
    }
    expect(given).toBeLessThan(bomb.length / 10);
  });
});
