import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createDecoder, validUtf8Length } from "./decoder.ts";
import { printable } from "./feed-error.ts";
import { bytesOf, encodeAs, splitAt, streamOf } from "./testing/streams.ts";
import { utf8Document } from "./utf8-document.ts";

interface Outcome {
  readonly text: string;
  readonly warnings: readonly string[];
  readonly error?: string;
}

async function convert(...chunks: readonly Uint8Array[]): Promise<Outcome> {
  const parts: Uint8Array[] = [];
  const warnings: string[] = [];
  const warn = (text: string, line: number, column: number) => warnings.push(`${line}:${column} ${text}`);
  const result = () => ({ text: Buffer.concat(parts).toString(), warnings });
  try {
    // The bytes are valid until the next request only.
    for await (const bytes of utf8Document(streamOf(...chunks), warn)) parts.push(bytes.slice());
  } catch (error) {
    return { ...result(), error: (error as Error).message };
  }
  return result();
}

const BODY = "<a>\r\n añ €… 「中」 😀</a>";
const declared = (encoding: string, body: string) => `<?xml version="1.0" encoding="${encoding}"?>${body}`;

describe("utf8Document", () => {
  test.each([
    ["UTF-8", declared("UTF-8", BODY), "utf-8"],
    ["UTF-8 with a BOM", `\ufeff${BODY}`, "utf-8"],
    ["UTF-8 by another name", `\ufeff${declared("utf8", BODY)}`, "utf-8"],
    ["UTF-16 with a BOM", `\ufeff${declared("UTF-16", BODY)}`, "utf-16le"],
    ["UTF-16 without a BOM", declared("UTF-16", BODY), "utf-16be"],
    ["UTF-32 with a BOM", `\ufeff${declared("UTF-32", BODY)}`, "utf-32be"],
    ["UTF-32 without a BOM", declared("UTF-32", BODY), "utf-32le"],
    ["windows-1252", declared("windows-1252", "<a>\r\n añ €… ’s</a>"), "windows-1252"],
    ["ISO-8859-1 with bytes of windows-1252", declared("ISO-8859-1", "<a>sœur</a>"), "windows-1252"],
    ["US-ASCII with bytes of windows-1252", declared("us-ascii", "<a>sœur</a>"), "windows-1252"],
    ["ISO-8859-15", declared("ISO-8859-15", "<a>œ €</a>"), "iso-8859-15"],
    ["Shift_JIS", declared("Shift_JIS", "<a>「日本」</a>"), "shift_jis"],
  ])("returns UTF-8 without a BOM for %s, however the bytes are split", async (_, text, encoding) => {
    const bytes = encodeAs(text, encoding);
    const expected = { text: text.replace("\ufeff", ""), warnings: [] };
    expect(await convert(bytes)).toEqual(expected);
    expect(await convert(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
    for (let offset = 1; offset < bytes.length; offset++) {
      expect(await convert(...splitAt(bytes, [offset]))).toEqual(expected);
    }
  });

  test("passes the bytes of UTF-8 through without a copy", async () => {
    const first = bytesOf("<a>".padEnd(2000));
    const second = bytesOf("é</a>");
    const parts = await Array.fromAsync(utf8Document(streamOf(first, second), () => {}));
    expect(parts.at(-1)!.buffer).toBe(second.buffer);
  });

  test("returns the text before the first invalid byte, and then the error", async () => {
    const bytes = Buffer.concat([
      encodeAs(`\ufeff<a>${"é".repeat(100_000)}`, "utf-16be"),
      Uint8Array.of(0xdc, 0, 0, 0x20),
    ]);
    const expected = { text: `<a>${"é".repeat(100_000)}`, warnings: [], error: "not valid as UTF-16BE" };
    expect(await convert(bytes)).toEqual(expected);
    expect(await convert(...splitAt(bytes, [9, 70_001, 200_007]))).toEqual(expected);
  });

  test.each([
    ["a high surrogate alone", [0xd8, 0x3d, 0, 0x78]],
    ["a low surrogate alone", [0xde, 0, 0, 0x78]],
    ["a high surrogate at the end", [0xd8, 0x3d]],
    ["half a unit at the end", [0]],
  ])("returns the text before %s in UTF-16, however the bytes are split", async (_, invalid) => {
    const swap = (bytes: Buffer) => (bytes.length % 2 === 0 ? bytes.swap16() : bytes);
    for (const littleEndian of [false, true]) {
      const text = "<a>\ufffdé😀";
      const valid = encodeAs(`\ufeff${text}`, littleEndian ? "utf-16le" : "utf-16be");
      const bytes = Buffer.concat([valid, littleEndian ? swap(Buffer.from(invalid)) : Buffer.from(invalid)]);
      const error = `not valid as UTF-16${littleEndian ? "LE" : "BE"}`;
      for (let offset = 0; offset < bytes.length; offset++) {
        expect(await convert(...splitAt(bytes, [offset]))).toEqual({ text, warnings: [], error });
      }
    }
  });

  test("warns when the bytes contradict the declaration", async () => {
    expect((await convert(encodeAs(`\ufeff${declared("UTF-8", "<a/>")}`, "utf-16le"))).warnings).toEqual([
      "1:1 The feed is declared as UTF-8, but its bytes are UTF-16LE: it was read as that.",
    ]);
    expect((await convert(bytesOf(declared("utf-16", "<a/>")))).warnings).toEqual([
      "1:1 The feed is declared as utf-16, but its bytes are not: it was read as UTF-8.",
    ]);
  });
});

describe("utf8Document warns about UTF-8 that is declared as a single-byte encoding", () => {
  const text = declared("ISO-8859-1", "<a>\r\n<b>\n<c>Año</c> 中</b>\r</a>");
  const expected = [
    '3:5 The feed is declared as ISO-8859-1, but its bytes are valid UTF-8: "Ã±" probably means "ñ".',
  ];

  test("at the first character, however the bytes are split, and reads them as declared", async () => {
    const bytes = bytesOf(text);
    const whole = await convert(bytes);
    expect(whole.warnings).toEqual(expected);
    expect(whole.text).toContain("<c>AÃ±o</c>");
    for (let offset = 1; offset < bytes.length; offset++) {
      expect((await convert(...splitAt(bytes, [offset, offset + 1]))).warnings).toEqual(expected);
    }
    expect((await convert(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).warnings).toEqual(expected);
  });

  test.each([
    ["one character that is not UTF-8", Buffer.concat([bytesOf(text), Uint8Array.of(0xf1)])],
    ["a sequence that is not complete", Buffer.concat([bytesOf(text), Uint8Array.of(0xc3)])],
    ["ASCII only", bytesOf(text.replace(/[^\0-~]/g, "n"))],
    ["another encoding", bytesOf(text.replace("ISO-8859-1", "UTF-8"))],
  ])("but not for %s", async (_, bytes) => {
    expect((await convert(bytes)).warnings).toEqual([]);
    expect((await convert(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).warnings).toEqual([]);
  });

  test("and agrees with a check of the whole document", async () => {
    const piece = fc.constantFrom([0xc3, 0xb1], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98, 0x80], [0xf1], [0x61]);
    await fc.assert(
      fc.asyncProperty(fc.array(piece), fc.array(fc.nat(), { maxLength: 8 }), async (pieces, offsets) => {
        const bytes = Buffer.concat([
          bytesOf(declared("windows-1252", "<a/>")),
          Uint8Array.from(pieces.flat()),
        ]);
        const isAscii = pieces.every(([byte]) => byte === 0x61);
        const isWarned = !isAscii && Buffer.from(bytes.toString()).equals(bytes);
        expect((await convert(...splitAt(bytes, offsets))).warnings).toHaveLength(isWarned ? 1 : 0);
      }),
    );
  });
});

test("utf8Document rejects more than 64 kB of whitespace at the beginning", async () => {
  const bytes = bytesOf(`${"\n".repeat(65_537)}<a/>`);
  const error = "line 1, column 1: the feed begins with more than 64 kB of whitespace";
  expect(await convert(bytes)).toEqual({ text: "", warnings: [], error });
  expect(await convert(...splitAt(bytes, [60_000]))).toEqual({ text: "", warnings: [], error });
  const { text } = await convert(bytes.subarray(1));
  expect(text).toHaveLength(65_540);
});

test("decode holds back half a character in a copy, so that the caller may reuse its buffer", () => {
  for (const [encoding, bytes] of [
    ["utf-16le", Buffer.from("añ", "utf16le")],
    ["utf-32le", Buffer.from([0x61, 0, 0, 0, 0xf1, 0, 0, 0])],
  ] as const) {
    const decoder = createDecoder(encoding);
    const rest = Buffer.from(bytes.subarray(-1));
    const first = decoder.decode(bytes.subarray(0, -1), false);
    bytes.fill(0x78);
    expect([encoding, first.text, decoder.decode(rest, true)]).toEqual([encoding, "a", { text: "ñ" }]);
  }
});

test("validUtf8Length returns the offset of a wrong byte anywhere in a text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (before, after) => {
      const start = Buffer.from(before);
      const bytes = Buffer.concat([start, Uint8Array.of(0xff), Buffer.from(after)]);
      expect(validUtf8Length(bytes)).toBe(start.length);
    }),
  );
});

test("printable returns one line of at most 60 characters without control characters", () => {
  expect(printable("a\n\u001b[31mb")).toBe("a [31mb");
  expect(printable("x".repeat(1000))).toBe(`${"x".repeat(60)}…`);
  expect(printable("😀".repeat(61))).toBe(`${"😀".repeat(60)}…`);
});
