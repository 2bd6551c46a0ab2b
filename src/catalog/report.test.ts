import { describe, expect, test } from "bun:test";
import type { ComplaintKind } from "../onix/complaint.ts";
import { identifier, message, product } from "../onix/testing/message.ts";
import { adviceAboutMessage, adviceAboutUnstored, adviceFor } from "./report.ts";
import { readFeed } from "./testing/import-feeds.ts";

/** Every text that a complaint can have, by kind. The type checker asks for a new kind. */
const TEXTS: Readonly<Record<ComplaintKind, readonly string[]>> = {
  "unknown-element": ["Foo is not an element of ONIX 3."],
  "misplaced-element": ["Price is not allowed in DescriptiveDetail."],
  "repeated-element": ["ProductForm may occur only once in DescriptiveDetail."],
  "stray-text": ["There is text between the elements of Product.", "MainSubject should be empty."],
  "unknown-code": ['ProductForm has the code "ZZ", which is not in list 150.'],
  "bad-date": ['The publication date "next spring" is not a date.'],
  "decimal-comma": ['PriceAmount has a decimal comma: "9,90" is read as 9.90.'],
  "bad-amount": ['PriceAmount has the value "ten euro", which is not a number.', "PriceAmount is empty."],
  "wrong-check-digit": [
    "The check digit of 9788437604948 is wrong.",
    "The check digit of the ISBN-10 0306406153 is wrong.",
  ],
  "bad-isbn": ['"0-306-40615-2" under type 15 is an ISBN-10.', '"abc" is not an ISBN-13.'],
  "no-reference": ["The product has no RecordReference."],
  "no-notification": ["The product has no NotificationType."],
  "unknown-notification": ["NotificationType 77 is not in list 1."],
  contradiction: ["NoCollection contradicts other elements of the product."],
  "contradicting-identifiers": [
    "The identifiers name different books: 9788437604947 (15) and 9780199632091 (03).",
  ],
  "negated-flag": ['MainSubject has the text "false".'],
  encoding: [
    "The feed is declared as UTF-8, but its bytes are UTF-16LE: it was read as that.",
    "The feed is declared as ISO-8859-1, but its bytes are not: it was read as UTF-8.",
  ],
  "control-characters": [
    "The text has control characters such as U+009C, 2 in all: they probably are letters of windows-1252.",
    "The text has the control character U+009C: it probably is a letter of windows-1252.",
  ],
  "skipped-file": ["The file in the archive is not a feed: it was skipped."],
  "skipped-feed": ["The file in the archive looks like a feed, but is hidden: it was skipped."],
  "no-isbn": [
    "The product has no ISBN.",
    "The check digit of the ISBN-10 0306406153 is wrong, so it names no book.",
    "9999999999999 is not an ISBN: an ISBN begins with 978 or 979.",
    "The update has neither an ISBN nor a RecordReference.",
    "The deletion has neither an ISBN nor a RecordReference.",
  ],
  "partial-update-of-nothing": [
    "9788437604947 is not in the catalog.",
    'The update has no ISBN, and no book of this sender has the reference "r".',
  ],
  "deletion-of-nothing": [
    "9788437604947 is not in the catalog.",
    'The deletion has no ISBN, and no book of this sender has the reference "r".',
  ],
  "isbn-mismatch": ['9788437604947 is not in the catalog, and the reference "r" belongs to 9780199632091.'],
  "ambiguous-reference": [
    'The update has no ISBN, and several books have the reference "r": 9780199632091 and 9788437604947.',
    'The deletion has no ISBN, and several books have the reference "r": 9780199632091 and 9788437604947.',
  ],
  "reference-moved": ['The reference "r" belonged to 9788437604947, and now to 9780199632091.'],
  "other-sender": ['The book belongs to "Publisher", and "Wholesaler" deletes it.'],
  "older-message": [
    'The message (number 7 of 20240101) is older than the last one of "Test" (number 8 of 20240102).',
  ],
  "same-isbn-twice": ["9788437604947 occurs earlier in this feed."],
  "bad-value": ['PriceAmount has the value "9,90", not a decimal number.', "TitleText is empty."],
  "bad-attribute": ["Text has the attribute foo, which ONIX does not have there."],
  "missing-element": ["Price has no PriceAmount."],
  "too-many": ["Contributor occurs too often in DescriptiveDetail."],
  "wrong-order": ["ProductForm stands after TitleDetail in DescriptiveDetail."],
  "conflicting-elements": ["NoEdition and EditionNumber exclude each other in DescriptiveDetail."],
  "wrong-release": ["ONIX 3.0 has no PromotionDetail."],
  "duplicate-value": ["Another ProductIdentifier already has type 15."],
  "deprecated-code": ['TextType has the code "01", which is deprecated since issue 20 of the code lists.'],
  "date-contradiction": ["The publication date is before the announcement date."],
  "status-contradiction": ["The publishing status is cancelled (01), but the availability is 21 (In stock)."],
  incomplete: ["The product has no price: shops cannot offer it."],
};

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

const MESSAGE_TEXTS: readonly (readonly [ComplaintKind, string])[] = [
  ["unknown-element", "<Advert> is not part of an ONIX message."],
  ["misplaced-element", "There is a Header after products."],
  ["stray-text", "There is text between the products."],
];

/** A sentence: no second one inside, but for abbreviations of numbers and file names. */
const SENTENCE = /^["<A-Z0-9].*[^.;:, ]\.$/;

describe("every complaint reads as two sentences: problem and remedy", () => {
  for (const [kind, texts] of Object.entries(TEXTS) as [ComplaintKind, readonly string[]][]) {
    for (const text of texts) {
      test(`${kind}: ${text} ${adviceFor(kind)}`, () => {
        expect(text).toMatch(SENTENCE);
        expect(adviceFor(kind)).toMatch(SENTENCE);
        expect(adviceAboutUnstored(kind)).toMatch(SENTENCE);
        expect(adviceAboutUnstored(kind)).not.toContain("stored");
      });
    }
  }
  for (const [kind, text] of MESSAGE_TEXTS) {
    test(`${kind} outside products: ${text} ${adviceAboutMessage(kind)}`, () => {
      expect(text).toMatch(SENTENCE);
      expect(adviceAboutMessage(kind)).toMatch(SENTENCE);
      expect(adviceAboutMessage(kind)).not.toContain("stored");
    });
  }
});

test("the texts of the reader are sentences of the table above", () => {
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
  for (const { kind, text } of complaints) {
    expect(text).toMatch(SENTENCE);
    const shape = (sentence: string) => sentence.replace(/"[^"]*"|[0-9][0-9-]*|\b[A-Z][A-Za-z]+\b/g, "x");
    const [first] = shape(text).split(":");
    expect(TEXTS[kind].map((known) => shape(known).split(":")[0])).toContain(first);
  }
});
