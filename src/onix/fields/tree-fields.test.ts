/** The fields from the element tree are those of the parsed record, whatever the product has. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { ChunkScanner } from "../reader/chunk-scanner.ts";
import { indexFieldsOf } from "../record/index-fields.ts";
import type { RecordFields, RecordValue } from "../record/record-fields.ts";
import { summarize, summaryOfBody } from "../summary/summary.ts";
import { message, product } from "../testing/message.ts";
import { PRODUCT_CASES } from "../testing/product-cases.ts";
import { ProductGenerator } from "../testing/product-generator.ts";
import { areSamplesMissing, readSamples } from "../testing/samples.ts";
import { BOOK_FIELD_KEYS, type BookFields, type RecordVisitor, type VisitedRecord } from "./book-fields.ts";
import { latestDatestamp } from "./latest-datestamp.ts";

const DEFAULTS =
  "<DefaultLanguageOfText>eng</DefaultLanguageOfText><DefaultPriceType>02</DefaultPriceType><DefaultCurrencyCode>EUR</DefaultCurrencyCode>";
const decoder = new TextDecoder();

type Plain = string | null | Plain[] | { [key: string]: Plain };

/** Copies the fields that the tree has, in the order of the keys. */
function plainFields(fields: BookFields): Plain {
  const copy: { [key: string]: Plain } = {};
  for (const key of BOOK_FIELD_KEYS) {
    const value = fields[key];
    if (value !== undefined) copy[key] = plainValue(value);
  }
  return copy;
}

function plainValue(value: RecordValue): Plain {
  if (value === null || typeof value === "string") return value;
  return Array.isArray(value) ? value.map(plainValue) : plainFields(value as BookFields);
}

class Recorder implements RecordVisitor {
  readonly records: unknown[] = [];
  begin(): void {}
  visit(record: VisitedRecord | undefined): void {
    if (!record) return;
    const { fields, index, updated } = record;
    const summary = JSON.stringify(summarize(fields, index, updated));
    this.records.push({ fields: plainFields(fields), index, updated, summary });
  }
}

/** Expects the same of the trees and of the records. Returns the number of records. */
function expectSame(xml: string): number {
  const recorder = new Recorder();
  const result = new ChunkScanner(undefined, recorder).scan(Buffer.from(xml), undefined, true);
  if (result.kind === "error") throw new Error(result.message);
  const whole = result.products.filter(({ action, isWhole }) => action === "record" || isWhole);
  const expected = whole.map(({ body }) => {
    const record: RecordFields = JSON.parse(decoder.decode(body));
    return {
      fields: plainFields(record),
      index: indexFieldsOf(record),
      updated: latestDatestamp(record),
      summary: decoder.decode(summaryOfBody(body)),
    };
  });
  expect(recorder.records).toEqual(expected);
  return whole.length;
}

/** Names that other elements get, so that they are misplaced and repeated. */
const OTHER_NAMES = [
  ...[
    "TitleDetail",
    "TitleElement",
    "Contributor",
    "Language",
    "Subject",
    "MainSubject",
    "Audience",
    "Extent",
  ],
  ...[
    "TextContent",
    "Text",
    "Price",
    "PriceAmount",
    "Territory",
    "Date",
    "SupplyDetail",
    "Unknown",
    "NoEdition",
  ],
  ...["DescriptiveDetail", "CollateralDetail", "PublishingDetail", "ProductSupply", "_id", "Collection"],
];

/** Gives some elements other names, and some of them attributes. */
function disturb(draw: fc.GeneratorValue, xml: string): string {
  const names = [...new Set(xml.match(/(?<=<)[A-Z]\w+/g))].filter((name) => name !== "Product");
  let disturbed = xml;
  for (let count = draw(fc.integer, { min: 0, max: 4 }); count > 0; count--) {
    const [from, to] = [
      draw(fc.constantFrom<string[]>, ...names),
      draw(fc.constantFrom<string[]>, ...OTHER_NAMES),
    ];
    disturbed = disturbed.replace(new RegExp(`(</?)${from}\\b`, "g"), `$1${to}`);
  }
  const target = draw(fc.constantFrom<string[]>, "Product", ...names, ...OTHER_NAMES);
  const attribute = draw(
    fc.constantFrom<string[]>,
    'datestamp="20240229"',
    'language="ENG"',
    'datestamp="x"',
  );
  return disturbed.replace(new RegExp(`<${target}(?=>)`, "g"), `<${target} ${attribute}`);
}

describe("the fields of the element tree are those of the record", () => {
  test.each(PRODUCT_CASES)("for %s", (_, options) => {
    expectSame(message(product(options)));
    expectSame(message(product(options)).replace("</Header>", `${DEFAULTS}</Header>`));
  });

  test("for random products, with and without defaults of the header", () => {
    fc.assert(
      fc.property(fc.gen(), fc.constantFrom("", DEFAULTS), (draw, defaults) => {
        const xml = disturb(draw, new ProductGenerator(draw).product());
        const identified = xml.replace(
          /<NotificationType>.*?<\/NotificationType>|(?<=<Product>)/,
          "$&<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>978-84-376-0494-7</IDValue></ProductIdentifier>",
        );
        expectSame(message(identified).replace("</Header>", `${defaults}</Header>`));
      }),
      { numRuns: process.env.FUZZ ? 50_000 : 150 },
    );
  });

  test("for flags that are repeated, misplaced or denied, and their attributes", () => {
    const flags = '<MainSubject datestamp="20240101"/><MainSubject datestamp="20250101">no</MainSubject>';
    const detail = `<Subject>${flags}</Subject><Subject/>${flags}<NoCollection datestamp="2023">x</NoCollection>`;
    expect(expectSame(message(product({ detail })))).toBe(1);
  });

  test("for a flag and an element `_id` that are children of the product", () => {
    const blocks = ["MainSubject", "_id"]
      .map((name) => `<${name} datestamp="20240101"><a/></${name}>`)
      .join("");
    expect(expectSame(message(product({ blocks: `${blocks}<_id datestamp="2024"/>` })))).toBe(1);
  });

  test.skipIf(areSamplesMissing)("for all samples (skipped without ../shared)", async () => {
    let records = 0;
    for await (const { xml } of readSamples()) {
      records += expectSame(xml);
      expectSame(xml.replace(/(?=<\/(?:\w+:)?(?:Header|header)>)/, DEFAULTS));
    }
    expect(records).toBeGreaterThan(100);
  });
});
