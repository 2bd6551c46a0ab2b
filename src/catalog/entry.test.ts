import { describe, expect, test } from "bun:test";
import type { RecordFields } from "../onix/field-builder.ts";
import { imprintOf, languagesOf, publicationDay, unreadableDate } from "./entry.ts";

describe("the imprint of a record", () => {
  const publishing = (fields: RecordFields): RecordFields => ({ PublishingDetail: fields });
  const publisher = (role: string, name: string): RecordFields => ({
    PublishingRole: role,
    PublisherName: name,
  });

  test("is its first ImprintName", () => {
    const Imprint = [{ ImprintIdentifier: [] }, { ImprintName: "One" }, { ImprintName: "Two" }];
    expect(imprintOf(publishing({ Imprint, Publisher: [publisher("01", "P")] }))).toBe("One");
  });

  test("without one, the publisher, role 01 before others", () => {
    expect(imprintOf(publishing({ Publisher: [publisher("02", "Other"), publisher("01", "Proper")] }))).toBe(
      "Proper",
    );
    expect(imprintOf(publishing({ Publisher: [publisher("02", "Other")] }))).toBe("Other");
  });

  test("without either, none", () => {
    expect(imprintOf({})).toBeUndefined();
    expect(imprintOf(publishing({ Publisher: [{ PublishingRole: "01" }] }))).toBeUndefined();
  });
});

test("the languages of a record are those of its text", () => {
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

describe("the day of publication", () => {
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

  test("without one, the earliest market date of that role", () => {
    const ProductSupply = [market(["01", "20230301"], ["04", "20200101"]), market(["01", "20230201"])];
    expect<string | undefined>(publicationDay({ ProductSupply })).toBe("20230201");
  });

  test("without either, none", () => {
    expect(
      publicationDay({ PublishingDetail: { PublishingDate: [date("11", "20200101")] } }),
    ).toBeUndefined();
  });

  test("is read by its format, which is an attribute or an element", () => {
    const inFormat = (format: RecordFields): RecordFields => ({
      PublishingDetail: { PublishingDate: [{ ...date("01", "202410"), ...format }] },
    });
    expect<string | undefined>(publicationDay(inFormat({ "Date@dateformat": "02" }))).toBe("20240304");
    expect<string | undefined>(publicationDay(inFormat({ DateFormat: "02" }))).toBe("20240304");
    expect<string | undefined>(publicationDay(inFormat({ DateFormat: "00" }))).toBe("20241001");
    expect(publicationDay(inFormat({ DateFormat: "21" }))).toBeUndefined();
    expect(unreadableDate(inFormat({ DateFormat: "21" }))).toBe("202410");
  });

  test("may stand in a block that came twice", () => {
    const PublishingDate = [date("01", "20240115")];
    expect<string | undefined>(
      publicationDay({ PublishingDetail: {}, "PublishingDetail#more": [{ PublishingDate }] }),
    ).toBe("20240115");
  });

  test("a date that cannot be read gives way to a market's, and is told of where there is none", () => {
    const PublishingDetail = { PublishingDate: [date("01", "soon")] };
    expect<string | undefined>(
      publicationDay({ PublishingDetail, ProductSupply: [market(["01", "2024"])] }),
    ).toBe("20240101");
    expect(unreadableDate({ PublishingDetail, ProductSupply: [market(["01", "2024"])] })).toBeUndefined();
    expect(unreadableDate({ PublishingDetail })).toBe("soon");
    expect(unreadableDate({})).toBeUndefined();
  });
});
