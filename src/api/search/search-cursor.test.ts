import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { SearchKey } from "../../catalog/search/search.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { encodeCursor, sealText } from "../paging/cursor.ts";
import { decodeSearchCursor, encodeSearchCursor } from "./search-cursor.ts";

const ISBN = "9789999923019" as Isbn13;
const KEYS: readonly SearchKey[] = [
  { isbn: ISBN, published: undefined, tier: undefined, titleKey: undefined },
  { isbn: ISBN, published: "20260901" as Day, tier: 5, titleKey: undefined },
  { isbn: "9797999900017" as Isbn13, published: "00010101" as Day, tier: undefined, titleKey: "" },
  { isbn: ISBN, published: undefined, tier: 1, titleKey: '中文 "quoted" 😀' },
];

describe("a cursor of a search", () => {
  test.each(KEYS.map((key) => [key]))("is decoded to what it was made of: %j", (key) => {
    for (const corrected of [undefined, "garcía lorca"]) {
      const cursor = encodeSearchCursor("search a", { key, corrected });
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(decodeSearchCursor("search a", cursor)).toEqual({ key, corrected });
      expect(encodeSearchCursor("search a", { key, corrected })).toBe(cursor);
    }
  });

  test("is refused for another search, and with any other character", () => {
    const cursor = encodeSearchCursor("search a", { key: KEYS[1]! });
    expect(decodeSearchCursor("search b", cursor)).toBeUndefined();
    for (let at = 0; at < cursor.length; at++) {
      const changed = cursor.slice(0, at) + (cursor[at] === "A" ? "B" : "A") + cursor.slice(at + 1);
      expect(decodeSearchCursor("search a", changed)).toBeUndefined();
    }
    for (const text of [
      `${cursor}A`,
      cursor.slice(1),
      "",
      "A".repeat(5000),
      encodeCursor("search a", { key: KEYS[0]! }),
    ])
      expect(decodeSearchCursor("search a", text)).toBeUndefined();
  });

  test.each([
    "null",
    "{}",
    "[",
    "[]",
    `["x","",0,null]`,
    // No number of a book: the store has no place for it.
    `["1234567890123","",0,null]`,
    `["${ISBN}","20260230",0,null]`,
    `["${ISBN}",1,0,null]`,
    `["${ISBN}","",6,null]`,
    `["${ISBN}","",-1,null]`,
    `["${ISBN}","",1.5,null]`,
    `["${ISBN}","","1",null]`,
    `["${ISBN}","",0,7]`,
    `["${ISBN}","",0,"a\\u0000"]`,
    `["${ISBN}","",0,"a\\ud800"]`,
    `["${ISBN}","",0,null,"a\\u0000"]`,
    // A header field cannot have it.
    `["${ISBN}","",0,null,"a\\ud800"]`,
  ])("is refused with values that no search returns, also with the right digest: %s", (text) => {
    expect(decodeSearchCursor("search a", sealText("search a", text))).toBeUndefined();
  });

  test("is refused, whatever else it is", () => {
    const text = fc.oneof(fc.string(), fc.base64String(), fc.string({ unit: "binary", maxLength: 300 }));
    fc.assert(fc.property(text, (any) => decodeSearchCursor("search a", any) === undefined));
    fc.assert(fc.property(fc.json(), (any) => decodeSearchCursor("s", sealText("s", any)) === undefined));
  });
});
