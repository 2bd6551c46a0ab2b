import { expect, test } from "bun:test";
import { printable } from "./feed-error.ts";

test("printable returns one line of at most 60 characters without control characters", () => {
  expect(printable("a\n\u001b[31mb")).toBe("a [31mb");
  expect(printable("x".repeat(1000))).toBe(`${"x".repeat(60)}…`);
  expect(printable("😀".repeat(61))).toBe(`${"😀".repeat(60)}…`);
});
