import { describe, expect, test } from "bun:test";
import type { RecordFields } from "../onix/record-fields.ts";
import { imprintOf, languagesOf, publicationDay, unreadableDate } from "./entry.ts";

describe("imprintOf", () => {
  const publishing = (fields: RecordFields): RecordFields => ({ PublishingDetail: fields });
  const publisher = (role: string, name: string): RecordFields => ({
    PublishingRole: role,
    PublisherName: name,
  });

  test("returns the first ImprintName", () => {
    const Imprint = [{ ImprintIdentifier: [] }, { ImprintName: "One" }, { ImprintName: "Two" }];
    expect(imprintOf(publishing({ Imprint, Publisher: [publisher("01", "P")] }))).toBe("One");
  });

  test("returns the publisher when there is no imprint, role 01 before others", () => {
    expect(imprintOf(publishing({ Publisher: [publisher("02", "Other"), publisher("01", "Proper")] }))).toBe(
      "Proper",
    );
    expect(imprintOf(publishing({ Publisher: [publisher("02", "Other")] }))).toBe("Other");
  });

  test("returns undefined without an imprint and a publisher", () => {
    expect(imprintOf({})).toBeUndefined();
    expect(imprintOf(publishing({ Publisher: [{ PublishingRole: "01" }] }))).toBeUndefined();
  });
});

test("languagesOf returns the languages of the text, each once", () => {
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

describe("publicationDay", () => {
  const date = (role: string, text: string): RecordFields => ({ PublishingDateRole: role, Date: text });
  const market = (...dates: [string, string][]): RecordFields => ({
    MarketPublishingDetail: {
      MarketDate: dates.map(([MarketDateRole, text]) => ({ MarketDateRole, Date: text })),
    },
  });

  test("returns the PublishingDate of role 01", () => {
    const PublishingDate = [date("19", "20200101"), date("01", "202306"), date("01", "20230701")];
    expect<string | undefined>(
      publicationDay({ PublishingDetail: { PublishingDate }, ProductSupply: [market(["01", "20190101"])] }),
    ).toBe("20230601");
  });

  test("returns the earliest MarketDate of role 01 when there is no PublishingDate", () => {
    const ProductSupply = [market(["01", "20230301"], ["04", "20200101"]), market(["01", "20230201"])];
    expect<string | undefined>(publicationDay({ ProductSupply })).toBe("20230201");
  });

  test("returns undefined without a date of role 01", () => {
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
    expect(unreadableDate(inFormat({ DateFormat: "21" }))).toBe("202410");
  });

  test("finds the date in a repeated block", () => {
    const PublishingDate = [date("01", "20240115")];
    expect<string | undefined>(
      publicationDay({ PublishingDetail: {}, "PublishingDetail#more": [{ PublishingDate }] }),
    ).toBe("20240115");
  });

  test("falls back to a MarketDate; unreadableDate returns the text when there is none", () => {
    const PublishingDetail = { PublishingDate: [date("01", "soon")] };
    expect<string | undefined>(
      publicationDay({ PublishingDetail, ProductSupply: [market(["01", "2024"])] }),
    ).toBe("20240101");
    expect(unreadableDate({ PublishingDetail, ProductSupply: [market(["01", "2024"])] })).toBeUndefined();
    expect(unreadableDate({ PublishingDetail })).toBe("soon");
    expect(unreadableDate({})).toBeUndefined();
  });
});
