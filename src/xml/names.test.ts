import { describe, expect, test } from "bun:test";
import { isSameBytes, NameTable } from "./names.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("NameTable", () => {
  const table = new NameTable(["Text", "TextType", "a", "b_2"]);

  test("returns the symbol of each name, and -1 for others", () => {
    for (const [symbol, name] of table.names.entries()) {
      expect([table.symbolOf(name), table.symbolAt(bytes(`<${name}>`), 1, 1 + name.length)]).toEqual([
        symbol,
        symbol,
      ]);
    }
    for (const name of ["Tex", "TextT", "TextTypes", "", "A", "b-2", "é", "a:b"]) {
      const input = bytes(name);
      expect([name, table.symbolOf(name), table.symbolAt(input, 0, input.length)]).toEqual([name, -1, -1]);
    }
  });

  test("rejects names with other characters", () => {
    expect(() => new NameTable(["a-b"])).toThrow('"a-b" has characters that a known name cannot have');
  });
});

test("isSameBytes compares ranges of every length", () => {
  const text = bytes("0123456789abcdef");
  const view = new DataView(text.buffer);
  for (let length = 0; length <= 12; length++) {
    for (let changed = 0; changed <= length; changed++) {
      const other = text.slice(2, 2 + length);
      if (changed < length) other[changed] = 0;
      const isSame = isSameBytes(view, 2, new DataView(other.buffer), 0, length);
      expect([length, changed, isSame]).toEqual([length, changed, changed === length]);
    }
  }
});
