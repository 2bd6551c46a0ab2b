import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createDecoder, validUtf8Length } from "./decoder.ts";

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

describe("validUtf8Length", () => {
  test.each([
    ["nothing", [], 0],
    ["ASCII", [0x61, 0x62], 2],
    ["a wrong byte", [0x61, 0xff, 0x62], 1],
    ["a wrong byte after characters of several bytes", [...Buffer.from("é😀"), 0xc3, 0x28], 6],
    ["a truncated character", [0x61, 0xf0, 0x9f, 0x98], 1],
    ["a surrogate", [0x61, 0xed, 0xa0, 0x80], 1],
    ["an overlong sequence", [0xc0, 0xbc], 0],
  ])("returns the offset of the first wrong byte for %s", (_, bytes, length) => {
    expect(validUtf8Length(Uint8Array.from(bytes))).toBe(length);
  });

  test("returns the offset of a wrong byte anywhere in a text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (before, after) => {
        const start = Buffer.from(before);
        const bytes = Buffer.concat([start, Uint8Array.of(0xff), Buffer.from(after)]);
        expect(validUtf8Length(bytes)).toBe(start.length);
      }),
    );
  });
});
