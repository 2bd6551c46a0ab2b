import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChangeHistory } from "../../catalog/changes/change-history.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { encodeCursor, sealText } from "../paging/cursor.ts";
import {
  type ChangeCursor,
  currentCursor,
  decodeChangeCursor,
  encodeChangeCursor,
  faultOf,
  firstCursor,
} from "./cursor.ts";

const number = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const isbn = fc.integer({ min: 9780000000000, max: 9799999999999 }).map((digits) => String(digits) as Isbn13);
const cursors: fc.Arbitrary<ChangeCursor> = fc.record({
  after: fc.record({ number, isbn: fc.option(isbn, { nil: undefined }) }),
  newest: fc.record({ number, id: fc.constantFrom("", "0123456789abcdef") }),
  isLoading: fc.boolean(),
  from: number,
});

const history = (newest: number, changes: Partial<ChangeHistory> = {}): ChangeHistory => ({
  newest: { number: newest, id: "a" },
  knownId: "a",
  forgotten: 0,
  isReplica: false,
  ...changes,
});

describe("a cursor of changes", () => {
  test("is decoded to what was encoded, and has URL-safe characters", () => {
    fc.assert(
      fc.property(cursors, (cursor) => {
        const text = encodeChangeCursor(cursor);
        expect(text).toMatch(/^[A-Za-z0-9_-]{1,100}$/);
        expect(decodeChangeCursor(text)).toEqual(cursor);
      }),
    );
  });

  test("is refused when it is altered, or of another list", () => {
    const text = encodeChangeCursor(currentCursor({ number: 3, id: "0123456789abcdef" }));
    expect(decodeChangeCursor(text)).toBeDefined();
    for (let index = 0; index < text.length; index++) {
      const other = text[index] === "A" ? "B" : "A";
      expect(decodeChangeCursor(text.slice(0, index) + other + text.slice(index + 1))).toBeUndefined();
    }
    const others = ["", "x", `${text}A`, encodeCursor("skus", { key: { isbn: "9780000000001" as Isbn13 } })];
    for (const other of others) expect(decodeChangeCursor(other)).toBeUndefined();
  });

  test("is refused when its digest is right and its numbers are not", () => {
    for (const content of [
      "f.zzzzzzz.9780000000001.0.0.a",
      "f.-1..0.0.a",
      "x.0..0.0.a",
      "f.0.978.0.0.a",
      "f",
    ])
      expect(decodeChangeCursor(sealText("changes", content))).toBeUndefined();
  });

  test("is of another history when the catalog does not have its newest import", () => {
    const cursor = currentCursor({ number: 5, id: "a" });
    expect(faultOf(cursor, history(7))).toBeUndefined();
    expect(faultOf(cursor, history(7, { knownId: "b" }))).toBe("other-history");
    expect(faultOf(cursor, history(4, { knownId: undefined }))).toBe("other-history");
    expect(faultOf(cursor, history(4, { knownId: undefined, isReplica: true }))).toBe("behind");
    expect(faultOf(cursor, history(7, { knownId: "b", isReplica: true }))).toBe("other-history");
    expect(faultOf(currentCursor({ number: 0, id: "" }), history(7, { knownId: undefined }))).toBeUndefined();
  });

  test("is too old when it needs deletions that are forgotten", () => {
    const current = currentCursor({ number: 5, id: "a" });
    expect(faultOf(current, history(9, { forgotten: 5 }))).toBeUndefined();
    expect(faultOf(current, history(9, { forgotten: 6 }))).toBe("too-old");
    // In the middle of an import, the rest of its deletions is needed.
    const middle = { ...current, after: { number: 7, isbn: "9780000000001" as Isbn13 } };
    expect(faultOf(middle, history(9, { forgotten: 6 }))).toBeUndefined();
    expect(faultOf(middle, history(9, { forgotten: 7 }))).toBe("too-old");
    // A client that loads needs no deletion from before.
    const loading = firstCursor(history(8));
    expect(faultOf(loading, history(9, { forgotten: 8 }))).toBeUndefined();
    expect(faultOf(loading, history(9, { forgotten: 9 }))).toBe("too-old");
  });
});
