import { describe, expect, test } from "bun:test";
import { indexFieldsOf } from "../record/index-fields.ts";
import type { RecordFields } from "../record/record-fields.ts";
import { summarize } from "../summary/summary.ts";
import { lackingBits, needsOfBits } from "./book-needs.ts";
import { BOOK_NEEDS, type BookNeed } from "./needs.ts";

const price = (fields: RecordFields) => ({ ProductSupply: [{ SupplyDetail: [{ Price: [fields] }] }] });
const cover = (type: string, mode: string, link: string) => ({
  CollateralDetail: {
    SupportingResource: [
      {
        ResourceContentType: type,
        ResourceMode: mode,
        ResourceVersion: [{ ResourceForm: "02", ResourceLink: [link] }],
      },
    ],
  },
});
const described = (type: string, audience: string, text: string) => ({
  CollateralDetail: { TextContent: [{ TextType: type, ContentAudience: [audience], Text: [text] }] },
});
const detail = (fields: RecordFields) => ({ DescriptiveDetail: fields });

function lacking(record: RecordFields): readonly BookNeed[] {
  return needsOfBits(lackingBits(record, summarize(record, indexFieldsOf(record), undefined)));
}

describe("a book", () => {
  test("that is empty lacks everything", () => {
    expect(lacking({ RecordReference: "9788437604947" })).toEqual(BOOK_NEEDS);
  });

  test.each<[BookNeed, string, RecordFields]>([
    [
      "title",
      "a TitleText",
      detail({ TitleDetail: { TitleType: "01", TitleElement: { TitleElementLevel: "01", TitleText: "T" } } }),
    ],
    [
      "title",
      "the title of its collection",
      detail({ TitleDetail: { TitleType: "01", TitleElement: { TitleElementLevel: "02", TitleText: "T" } } }),
    ],
    ["contributor", "a Contributor without a name", detail({ Contributor: { UnnamedPersons: "02" } })],
    ["contributor", "NoContributor", detail({ NoContributor: [] })],
    ["form", "a ProductForm", detail({ ProductForm: "BC" })],
    ["subject", "a subject code", detail({ Subject: [{ SubjectCode: "FBA" }] })],
    ["subject", "a keyword", detail({ Subject: [{ SubjectHeadingText: ["mar"] }] })],
    ["description", "a description", described("03", "00", "About.")],
    ["description", "a cover copy", described("05", "03", "About.")],
    ["cover", "a front cover", cover("01", "03", "https://covers.example/1.jpg")],
    ["cover", "a cover or pack", cover("03", "03", "https://covers.example/1.jpg")],
    ["price", "an amount and a currency", price({ PriceAmount: "9.90", CurrencyCode: "EUR" })],
    ["price", "an amount with a decimal comma", price({ PriceAmount: "9,90", CurrencyCode: "EUR" })],
    ["price", "a price on request", price({ UnpricedItemType: "02" })],
    ["price", "a coded price", price({ PriceCoded: { PriceCodeType: "02", PriceCode: "A" } })],
    [
      "price",
      "a supplier without prices",
      { ProductSupply: [{ SupplyDetail: [{ UnpricedItemType: "01" }] }] },
    ],
    [
      "availability",
      "an availability",
      { ProductSupply: [{ SupplyDetail: [{ ProductAvailability: "20" }] }] },
    ],
    [
      "date",
      "a publication date",
      { PublishingDetail: { PublishingDate: [{ PublishingDateRole: "01", Date: "2024" }] } },
    ],
    ["audience", "an ONIX code", detail({ Audience: { AudienceCodeType: "01", AudienceCodeValue: "02" } })],
    [
      "audience",
      "a code of another scheme",
      detail({ Audience: { AudienceCodeType: "22", AudienceCodeValue: "00" } }),
    ],
    [
      "audience",
      "a range of ages",
      detail({ AudienceRange: { AudienceRangeQualifier: "17", AudienceRangeValue: ["6"] } }),
    ],
  ])("has %s with %s", (need, _, record) => {
    expect(lacking({ RecordReference: "9788437604947", ...record })).not.toContain(need);
  });

  test.each<[BookNeed, string, RecordFields]>([
    ["title", "an empty TitleText", detail({ TitleDetail: { TitleElement: { TitleText: "" } } })],
    ["subject", "an empty Subject", detail({ Subject: [{ MainSubject: [] }] })],
    ["description", "a text of another type", described("04", "00", "About.")],
    ["description", "a text for a restricted audience", described("03", "01", "About.")],
    ["description", "markup without text", described("03", "00", "<p> </p>")],
    ["cover", "a back cover", cover("02", "03", "https://covers.example/1.jpg")],
    ["cover", "a video", cover("01", "05", "https://covers.example/1.mp4")],
    ["cover", "a file name", cover("01", "03", "1.jpg")],
    ["cover", "a link of another scheme", cover("01", "03", "javascript:alert(1)")],
    ["price", "an amount without a currency", price({ PriceAmount: "9.90" })],
    ["price", "an amount that is no number", price({ PriceAmount: "1.234,50", CurrencyCode: "EUR" })],
    ["price", "an amount of 0", price({ PriceAmount: "0.00", CurrencyCode: "EUR" })],
    [
      "date",
      "a date of another role",
      { PublishingDetail: { PublishingDate: [{ PublishingDateRole: "02", Date: "2024" }] } },
    ],
    [
      "audience",
      "an empty Audience",
      detail({ Audience: { AudienceCodeType: "01", AudienceCodeValue: "" } }),
    ],
  ])("lacks %s with %s", (need, _, record) => {
    expect(lacking({ RecordReference: "9788437604947", ...record })).toContain(need);
  });
});
