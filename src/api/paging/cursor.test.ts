import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";

const ISBN = "9789999923019" as Isbn13;
const DAY = "20260901" as Day;

describe("a cursor", () => {
  test.each([
    { key: { isbn: ISBN, published: undefined }, lastDay: undefined },
    { key: { isbn: ISBN, published: DAY }, lastDay: undefined },
    { key: { isbn: "0000000000017" as Isbn13, published: "00010101" as Day }, lastDay: DAY },
  ])("is decoded to what it was made of: %j", (cursor) => {
    const text = encodeCursor("news 20260101", cursor);
    expect(text).toMatch(/^[A-Za-z0-9_-]{20,60}$/);
    expect(decodeCursor("news 20260101", text)).toEqual(cursor);
  });

  test("is the same for the same place, so that a page has one URL", () => {
    const cursor = { key: { isbn: ISBN } };
    expect(encodeCursor("skus", cursor)).toBe(encodeCursor("skus", cursor));
    expect(encodeCursor("skus", cursor)).not.toBe(encodeCursor("imprint/a ", cursor));
  });

  test("is refused for another list", () => {
    const cursor = encodeCursor("imprint/a spa", { key: { isbn: ISBN } });
    for (const list of ["imprint/a ", "imprint/b spa", "skus", ""])
      expect(decodeCursor(list, cursor)).toBeUndefined();
  });

  test("is refused with any other character, and with one more or less", () => {
    const cursor = encodeCursor("skus", { key: { isbn: ISBN } });
    for (let at = 0; at < cursor.length; at++) {
      for (const other of ["A", "B", "_", "=", "+", "%", " "]) {
        if (cursor[at] === other) continue;
        expect(decodeCursor("skus", cursor.slice(0, at) + other + cursor.slice(at + 1))).toBeUndefined();
      }
    }
    for (const text of [`${cursor}A`, `${cursor}=`, cursor.slice(1), cursor.slice(0, -1), ` ${cursor}`, ""])
      expect(decodeCursor("skus", text)).toBeUndefined();
  });

  test("is refused, whatever else it is", () => {
    const text = fc.oneof(fc.string(), fc.base64String(), fc.string({ maxLength: 200 }));
    fc.assert(fc.property(text, (any) => decodeCursor("skus", any) === undefined));
  });
});
