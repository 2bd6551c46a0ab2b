import { expect, test } from "bun:test";
import { growthOf, MAX_LINEAR_GROWTH } from "../lib/testing/cpu-time.ts";
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
