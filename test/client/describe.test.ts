/** `describe` of the client, on every record of the sample and of the feeds of others. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { TYPES_PATH, typesSource } from "../../scripts/client-types.ts";
import { codedFieldsSource, FIELDS_PATH } from "../../scripts/coded-fields.ts";
import { translationTable } from "../../src/catalog/translations.ts";
import { type CodedValue, type DescribedValue, describeFields } from "../../src/client/describe.ts";
import { areSamplesMissing, readSample, readSamples, type Sample } from "../../src/onix/testing/samples.ts";
import { storedProducts } from "../../src/onix/testing/scan-message.ts";

const ROOT = join(import.meta.dir, "../..");
/** Values of coded fields that are in no issue of their list. */
const NO_CODES = ["1", "16\u200b", "E127", "This should be removed after processing", "USDD", "WORLD"];
const translations = JSON.parse(new TextDecoder().decode(translationTable().body));

/** Lists the coded values of a described record. */
function codedValues(value: DescribedValue, found: CodedValue[] = []): CodedValue[] {
  if (typeof value !== "object" || value === null) return found;
  if ("code" in value && "label" in value && Object.keys(value).length === 2) found.push(value as CodedValue);
  else for (const each of Object.values(value)) codedValues(each, found);
  return found;
}

function codedValuesOf({ scanned }: Sample): CodedValue[] {
  return storedProducts(scanned).flatMap(({ record }) =>
    codedValues(describeFields(record, translations, "spa")),
  );
}

test("the coded fields of the client are those of the tables", () => {
  const compact = (text: string) => text.replace(/\s+/g, "");
  expect(compact(readFileSync(FIELDS_PATH, "utf8"))).toBe(compact(codedFieldsSource()));
});

test("the types of the client are those of the OpenAPI document", () => {
  const compact = (text: string) => text.replace(/[\s()|;]+/g, "");
  expect(compact(readFileSync(TYPES_PATH, "utf8"))).toBe(compact(typesSource()));
});

describe("describe", () => {
  test("puts words to codes, dependent codes, attributes and lists of codes", () => {
    const book = {
      DescriptiveDetail: {
        ProductForm: "BC",
        Audience: [
          { AudienceCodeType: "01", AudienceCodeValue: "02" },
          { AudienceCodeType: "02", AudienceCodeValue: "02" },
        ],
        EpubTechnicalProtection: ["00", "99"],
      },
      CollateralDetail: { TextContent: [{ Text: "x", "Text@language": "spa" }] },
      ProductSupply: [{ Market: [{ Territory: { CountriesIncluded: "ES MX" } }] }],
    };
    expect(describeFields(book, translations, "eng")).toEqual({
      DescriptiveDetail: {
        ProductForm: { code: "BC", label: "Paperback / softback" },
        Audience: [
          {
            AudienceCodeType: { code: "01", label: expect.stringContaining("ONIX") },
            AudienceCodeValue: { code: "02", label: expect.stringContaining("Children") },
          },
          { AudienceCodeType: { code: "02", label: expect.any(String) }, AudienceCodeValue: "02" },
        ],
        EpubTechnicalProtection: [
          { code: "00", label: expect.any(String) },
          { code: "99", label: null },
        ],
      },
      CollateralDetail: { TextContent: [{ Text: "x", "Text@language": { code: "spa", label: "Spanish" } }] },
      ProductSupply: [
        {
          Market: [
            {
              Territory: {
                CountriesIncluded: [
                  { code: "ES", label: "Spain" },
                  { code: "MX", label: "Mexico" },
                ],
              },
            },
          ],
        },
      ],
    });
  });

  test("leaves no code of the sample catalog without words", async () => {
    const values = codedValuesOf((await readSample(join(ROOT, "sample/catalog.xml")))!);
    expect(values.length).toBeGreaterThan(5000);
    expect(values.filter(({ label }) => !label)).toEqual([]);
  });

  test.skipIf(areSamplesMissing)(
    "leaves no code of its list without words in the feeds of others (skipped without ../shared)",
    async () => {
      const values: CodedValue[] = [];
      for await (const sample of readSamples()) values.push(...codedValuesOf(sample));
      expect(values.length).toBeGreaterThan(3000);
      const unknown = new Set(values.filter(({ label }) => label === null).map(({ code }) => code));
      // What feeds have instead of codes.
      expect([...unknown].sort()).toEqual(NO_CODES);
    },
  );
});
