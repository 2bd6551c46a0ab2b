import { expect, test } from "bun:test";
import type { ComplaintKind } from "../onix/complaint.ts";
import { identifier, message, product } from "../onix/testing/message.ts";
import { adviceAboutMessage, adviceAboutUnstored, adviceFor, COMPLAINT_KINDS } from "./report.ts";
import { readFeed } from "./testing/import-feeds.ts";

/** A sentence: no second one inside, but for abbreviations of numbers and file names. */
const SENTENCE = /^["<A-Z0-9].*[^.;:, ]\.$/;

test.each(COMPLAINT_KINDS)("the advice about %s is one sentence", (kind) => {
  for (const advice of [adviceFor(kind), adviceAboutUnstored(kind), adviceAboutMessage(kind)])
    expect(advice).toMatch(SENTENCE);
  expect(adviceAboutUnstored(kind)).not.toContain("stored");
});

test.each(["unknown-element", "misplaced-element", "stray-text"] as const)(
  "the advice about %s outside products does not say how it is stored",
  (kind) => expect(adviceAboutMessage(kind)).not.toContain("stored"),
);

test.each<[ComplaintKind, string, string, string]>([
  ["bad-value", "PriceAmount", "9,90", "Send a number above 0 with a decimal point, such as 9.90."],
  ["bad-value", "Date", "2024", "Send a date of the form that its dateformat names, without one YYYYMMDD."],
  ["bad-value", "ResourceLink", "a b", "Send a URI without spaces."],
  ["missing-element", "SupplyDetail", "Price", "ONIX requires it there; send Price."],
  ["wrong-release", "AudienceCode", "", "Send an Audience with AudienceCodeType 01."],
  ["wrong-release", "Gender", "", "Use an element of the release that the message declares."],
])("the advice about %s fits the element: %s", (kind, element, value, advice) => {
  expect(adviceAboutUnstored(kind, element, value)).toBe(advice);
  expect(adviceFor(kind, element, value)).toMatch(SENTENCE);
  expect(adviceFor(kind, element, value).toLowerCase()).toEndWith(advice.toLowerCase());
});

test("the texts of the reader are sentences", () => {
  const odd = product({
    isbn: "9788437604948",
    notification: "77",
    date: "next spring",
    detail:
      "<Foo/><Price/><NoCollection/><Subject><MainSubject>false</MainSubject></Subject><ProductForm>ZZ</ProductForm>",
  });
  const others = [
    product({ reference: "", notification: "" }),
    product({ identifiers: identifier("15", "0-306-40615-2") }),
    product({ identifiers: identifier("15", "9788437604947") + identifier("03", "9780199632091") }),
  ];
  const { products } = readFeed(message(`${odd.replace("</Product>", "stray</Product>")}`, ...others));
  const complaints = products.flatMap((each) => each.complaints);
  const kinds = new Set(complaints.map(({ kind }) => kind));
  for (const kind of [
    "unknown-element",
    "misplaced-element",
    "repeated-element",
    "stray-text",
    "unknown-code",
    "bad-date",
    "wrong-check-digit",
    "bad-isbn",
    "no-reference",
    "no-notification",
    "unknown-notification",
    "contradicting-identifiers",
    "negated-flag",
  ] as const) {
    expect(kinds).toContain(kind);
  }
  for (const { text } of complaints) expect(text).toMatch(SENTENCE);
});
