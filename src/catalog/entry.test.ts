import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Isbn13 } from "../onix/isbn.ts";
import { indexFieldsOf } from "../onix/record/index-fields.ts";
import type { RecordFields } from "../onix/record/record-fields.ts";
import { message, product } from "../onix/testing/message.ts";
import { PRODUCT_CASES } from "../onix/testing/product-cases.ts";
import { recordOf, scanMessage } from "../onix/testing/scan-message.ts";
import { etagOf, isIntact, isOfOtherBook, summaryEtagOf } from "./entry.ts";

const imprintOf = (record: RecordFields) => indexFieldsOf(record).imprint;
const languagesOf = (record: RecordFields) => indexFieldsOf(record).languages;
const publicationDay = (record: RecordFields) => {
  const { publishingDay, marketDay } = indexFieldsOf(record);
  return publishingDay ?? marketDay;
};

describe("the imprint of indexFieldsOf", () => {
  const publishing = (fields: RecordFields): RecordFields => ({ PublishingDetail: fields });
  const publisher = (role: string, name: string): RecordFields => ({
    PublishingRole: role,
    PublisherName: name,
  });

  test("is the first ImprintName", () => {
    const Imprint = [{ ImprintIdentifier: [] }, { ImprintName: "One" }, { ImprintName: "Two" }];
    expect(imprintOf(publishing({ Imprint, Publisher: [publisher("01", "P")] }))).toBe("One");
  });

  test("is the publisher when there is no imprint, role 01 before others", () => {
    expect(imprintOf(publishing({ Publisher: [publisher("02", "Other"), publisher("01", "Proper")] }))).toBe(
      "Proper",
    );
    expect(imprintOf(publishing({ Publisher: [publisher("02", "Other")] }))).toBe("Other");
  });

  test("is undefined without an imprint and a publisher", () => {
    expect(imprintOf({})).toBeUndefined();
    expect(imprintOf(publishing({ Publisher: [{ PublishingRole: "01" }] }))).toBeUndefined();
  });
});

test("the languages of indexFieldsOf are those of the text, each once", () => {
  const language = (role: string, code: string): RecordFields => ({ LanguageRole: role, LanguageCode: code });
  const record = (Language: RecordFields | RecordFields[]): RecordFields => ({
    DescriptiveDetail: { Language },
  });
  expect(languagesOf(record(language("01", "spa")))).toEqual(["spa"]);
  expect(
    languagesOf(
      record([language("01", "spa"), language("02", "eng"), language("01", "cat"), language("01", "spa")]),
    ),
  ).toEqual(["spa", "cat"]);
  expect(languagesOf({})).toEqual([]);
});

describe("the day of indexFieldsOf", () => {
  const date = (role: string, text: string): RecordFields => ({ PublishingDateRole: role, Date: text });
  const market = (...dates: [string, string][]): RecordFields => ({
    MarketPublishingDetail: {
      MarketDate: dates.map(([MarketDateRole, text]) => ({ MarketDateRole, Date: text })),
    },
  });

  test("is the PublishingDate of role 01", () => {
    const PublishingDate = [date("19", "20200101"), date("01", "202306"), date("01", "20230701")];
    expect<string | undefined>(
      publicationDay({ PublishingDetail: { PublishingDate }, ProductSupply: [market(["01", "20190101"])] }),
    ).toBe("20230601");
  });

  test("is the earliest MarketDate of role 01 when there is no PublishingDate", () => {
    const ProductSupply = [market(["01", "20230301"], ["04", "20200101"]), market(["01", "20230201"])];
    expect<string | undefined>(publicationDay({ ProductSupply })).toBe("20230201");
  });

  test("is undefined without a date of role 01", () => {
    expect(
      publicationDay({ PublishingDetail: { PublishingDate: [date("11", "20200101")] } }),
    ).toBeUndefined();
  });

  test("follows the date format, an attribute or an element", () => {
    const inFormat = (format: RecordFields): RecordFields => ({
      PublishingDetail: { PublishingDate: [{ ...date("01", "202410"), ...format }] },
    });
    expect<string | undefined>(publicationDay(inFormat({ "Date@dateformat": "02" }))).toBe("20240304");
    expect<string | undefined>(publicationDay(inFormat({ DateFormat: "02" }))).toBe("20240304");
    expect<string | undefined>(publicationDay(inFormat({ DateFormat: "00" }))).toBe("20241001");
    expect(publicationDay(inFormat({ DateFormat: "21" }))).toBeUndefined();
  });

  test("is found in a repeated block", () => {
    const PublishingDate = [date("01", "20240115")];
    expect<string | undefined>(
      publicationDay({ PublishingDetail: {}, "PublishingDetail#more": [{ PublishingDate }] }),
    ).toBe("20240115");
  });

  test("is a MarketDate when the PublishingDate is not a date", () => {
    const PublishingDetail = { PublishingDate: [date("01", "soon")] };
    expect<string | undefined>(
      publicationDay({ PublishingDetail, ProductSupply: [market(["01", "2024"])] }),
    ).toBe("20240101");
    expect(publicationDay({ PublishingDetail })).toBeUndefined();
  });
});

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
