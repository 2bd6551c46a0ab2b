import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Isbn13 } from "../onix/isbn.ts";
import { indexFieldsOf } from "../onix/record/index-fields.ts";
import type { RecordFields } from "../onix/record/record-fields.ts";
import { message, product } from "../onix/testing/message.ts";
import { PRODUCT_CASES } from "../onix/testing/product-cases.ts";
import { recordOf, scanMessage } from "../onix/testing/scan-message.ts";
import { etagOf, isIntact, isOfOtherBook, summaryEtagOf } from "./entry.ts";

describe("indexFieldsOf returns what the reader returns for", () => {
  test.each(PRODUCT_CASES)("%s", async (_, options) => {
    for (const { record, index } of await scannedRecords(message(product(options)))) {
      expect(indexFieldsOf(record)).toEqual(index);
    }
  });

  test("the sample catalog", async () => {
    const xml = await Bun.file(join(import.meta.dir, "../../sample/catalog.xml")).text();
    const scanned = await scannedRecords(xml);
    expect(scanned).toHaveLength(223);
    for (const { record, index } of scanned) expect(indexFieldsOf(record)).toEqual(index);
  });

  async function scannedRecords(xml: string) {
    const { products } = await scanMessage(xml);
    return products
      .filter(({ body }) => body.length > 0)
      .map((scanned) => ({ record: recordOf(scanned) as RecordFields, index: scanned.index }));
  }
});

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

test("the etag of a summary is that of other versions, and tells whether the bytes are damaged, as that of a record does", () => {
  // XXH3 of nothing, from its specification.
  expect(summaryEtagOf(new Uint8Array())).toBe("s2d06800538d394c2");
  const body = new TextEncoder().encode('{"isbn":"9788400000004"}');
  for (const etag of [summaryEtagOf(body), etagOf(body)]) {
    expect(isIntact({ body, etag })).toBe(true);
    expect(isIntact({ body: body.slice(1), etag })).toBe(false);
  }
  expect(isIntact({ body, etag: null as unknown as string })).toBe(false);
});
