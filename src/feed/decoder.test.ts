import { expect, test } from "bun:test";
import { createDecoder } from "./decoder.ts";

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
