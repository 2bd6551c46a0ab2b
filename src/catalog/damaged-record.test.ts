import { expect, test } from "bun:test";
import type { Isbn13 } from "../onix/isbn.ts";
import { isOfOtherBook } from "./damaged-record.ts";

const ISBN = "9789999923019" as Isbn13;
const record = (isbn: string) => Buffer.from(`{"_id":"00000000000${isbn}","RecordReference":"${isbn}"}`);

const summary = (isbn: string) => Buffer.from(`{"isbn":"${isbn}","isbn10":null}`);

test("isOfOtherBook compares the first field of a record or a summary with the ISBN", () => {
  expect(isOfOtherBook(ISBN, record(ISBN))).toBe(false);
  expect(isOfOtherBook(ISBN, record("9789999923026"))).toBe(true);
  expect(isOfOtherBook(ISBN, summary(ISBN))).toBe(false);
  expect(isOfOtherBook(ISBN, summary("9789999923026"))).toBe(true);
  expect(isOfOtherBook(ISBN, Buffer.from("{}"))).toBe(false);
});
