import { describe, expect, test } from "bun:test";
import { growthOf, MAX_LINEAR_GROWTH } from "../lib/testing/cpu-time.ts";
import { isSameBytes, NameTable } from "./names.ts";
import { findPosition, positionOf } from "./position.ts";

const input = new TextEncoder().encode("aé😀b\nx\r\ny\rz");

test("positionOf counts code points from the beginning of the line", () => {
  expect(positionOf(input, 7, 0, 7)).toEqual({ line: 7, column: 4 });
  expect(positionOf(input, 2, 9, 10)).toEqual({ line: 2, column: 2 });
});

test("findPosition counts LF, CR LF and CR as one line end each", () => {
  const places = [0, 1, 3, 7, 8, 9, 10, 12, 14].map((offset) => findPosition(input, offset));
  expect(places.map(({ line, column }) => `${line}:${column}`)).toEqual([
    ...["1:1", "1:2", "1:3", "1:4", "1:5", "2:1", "2:2", "3:1", "4:1"],
  ]);
});

test("positionOf returns the same whatever positions were asked before", () => {
  const line = new TextEncoder().encode("ab\né中😀x".repeat(40));
  const lineStart = line.indexOf(0x0a) + 1;
  const expected = (offset: number) =>
    Array.from(new TextDecoder().decode(line.subarray(lineStart, offset))).length + 1;
  const starts = Array.from(line.keys()).filter(
    (offset) => offset >= lineStart && (line[offset]! & 0xc0) !== 0x80,
  );
  for (let count = 0; count < 2000; count++) {
    const offset = starts[(count * 7919) % starts.length]!;
    expect([offset, positionOf(line, 2, lineStart, offset)]).toEqual([
      offset,
      { line: 2, column: expected(offset) },
    ]);
  }
});

test("positionOf returns the positions of many products on one line in linear time", () => {
  const growth = growthOf(5000, (products) => {
    const line = new TextEncoder().encode("<Product></Product>".repeat(products));
    return () => {
      for (let offset = 0; offset < line.length; offset += 19) positionOf(line, 1, 0, offset);
    };
  });
  expect(growth).toBeLessThan(MAX_LINEAR_GROWTH);
});

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
