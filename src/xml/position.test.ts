import { expect, test } from "bun:test";
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
