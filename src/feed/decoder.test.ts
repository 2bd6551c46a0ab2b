import { expect, test } from "bun:test";
import { decoderOf } from "./decoder.ts";

test("half a character waits for the other half, whatever becomes of the bytes it came in", () => {
  for (const [encoding, bytes] of [
    ["utf-8", Buffer.from("añ")],
    ["utf-16le", Buffer.from("añ", "utf16le")],
    ["utf-32le", Buffer.from([0x61, 0, 0, 0, 0xf1, 0, 0, 0])],
  ] as const) {
    const decoder = decoderOf(encoding, 0);
    const rest = Buffer.from(bytes.subarray(-1));
    const first = decoder.decode(bytes.subarray(0, -1), false);
    // A reader may use its buffer again.
    bytes.fill(0x78);
    expect([encoding, first.text, decoder.decode(rest, true)]).toEqual([encoding, "a", { text: "ñ" }]);
  }
});
