import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { codeLists } from "../../../onix/code-lists.ts";
import { elementByTag } from "../../../onix/element-table.ts";
import { fieldAttributesOf } from "../../../onix/fields/coded-fields.ts";
import { isSingleOrArray, SINGLE_OR_ARRAY } from "../../../onix/record/record-fields.ts";
import { message } from "../../../onix/testing/message.ts";
import { PRODUCT_CASES } from "../../../onix/testing/product-cases.ts";
import { areSamplesMissing, readSample, readSamples, type Sample } from "../../../onix/testing/samples.ts";
import {
  readOne,
  recordFrom,
  recordOf,
  scanMessage,
  storedProducts,
} from "../../../onix/testing/scan-message.ts";
import { bookErrors, countTyped, document, type TypedValues } from "./testing/typed-values.ts";

const { schemas } = document.components;

/** Returns an element with its attributes and each of its children `times` times. A composite is filled only once. */
function elementXml(name: string, times: number, filled = new Set<string>()): string {
  const { kind, children } = elementByTag(name)!;
  const attributes = [...fieldAttributesOf(name), "datestamp"].map((attribute) => ` ${attribute}="x"`);
  if (kind !== "composite") return `<${name}${attributes.join("")}>${kind === "flag" ? "" : "01"}</${name}>`;
  const isFirst = !filled.has(name);
  filled.add(name);
  const content = isFirst
    ? [...children.keys()].map((child) => elementXml(child, times, filled).repeat(times)).join("")
    : "";
  return `<${name} datestamp="20260101">${content}</${name}>`;
}

/** Reads a product with every element of the standard. */
async function fullRecord(times: number): Promise<Record<string, unknown>> {
  const xml = elementXml("Product", times)
    .replace(/<NotificationType[^>]*>01/g, "<NotificationType>03")
    .replace(/<DeletionText[^>]*>01<\/DeletionText>/g, "")
    .replace(
      "<ProductIdentifier ",
      "<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>9788437604947</IDValue></ProductIdentifier>$&",
    );
  const { products } = await scanMessage(message(xml));
  return recordOf(products[0]!);
}

describe("the schema of a record", () => {
  test.each(PRODUCT_CASES)("validates the record of %s", async (_, options) => {
    const scanned = await readOne(options);
    if (scanned.body.length > 0) expect(bookErrors(recordOf(scanned))).toBe("");
  });

  test("validates records with every element of the standard, once and repeated", async () => {
    const single = await fullRecord(1);
    const names = new Set(JSON.stringify(single).match(/"\w+":/g));
    expect(names.size).toBeGreaterThan(480);
    expect(bookErrors(single)).toBe("");
    expect(bookErrors(await fullRecord(2))).toBe("");
  });

  test("rejects members that a record cannot have, and those in another shape", async () => {
    const record = await recordFrom({});
    const detail = record.DescriptiveDetail as object;
    const withDetail = (members: object) => ({ ...record, DescriptiveDetail: { ...detail, ...members } });
    expect(bookErrors(withDetail({}))).toBe("");
    for (const members of [
      { Titel: "x" },
      { Titel: { TitleText: "x" } },
      { Titel: null },
      { ProductForm: ["BC"] },
      { Measure: { MeasureType: "01" } },
      { Extent: [{ ExtentType: "00" }] },
      { NoCollection: "" },
      { Titel: [] },
      { "ProductForm#more": "BC" },
      { "ProductForm@language": { eng: "x" } },
    ]) {
      expect([members, bookErrors(withDetail(members))]).not.toEqual([members, ""]);
    }
    for (const members of [
      { Titel: ["x"] },
      { Titel: [{ TitleText: ["x"] }], "Titel@a": ["x"] },
      { "ProductForm#more": ["BC"], "ProductForm@datestamp": "2026", "#text": "x" },
    ]) {
      expect([members, bookErrors(withDetail(members))]).toEqual([members, ""]);
    }
    const { ProductIdentifier: _, ...without } = record;
    expect(bookErrors(without)).not.toBe("");
  });

  test("has one component for each composite that a record can contain", () => {
    const reachable = new Set<string>();
    const visit = (name: string) => {
      const rule = elementByTag(name)!;
      if (rule.kind !== "composite" || reachable.has(name)) return;
      reachable.add(name);
      for (const child of rule.children.keys()) visit(child);
    };
    visit("Product");
    for (const name of reachable) expect(schemas[name === "Product" ? "Book" : name].type).toBe("object");
    expect(reachable.size).toBe(141);
  });

  test("allows one value or an array for exactly the fields that records have so", () => {
    const found = new Set<string>();
    for (const [composite, schema] of Object.entries<{ properties?: Record<string, { anyOf?: unknown }> }>(
      schemas,
    )) {
      for (const [field, { anyOf }] of Object.entries(schema.properties ?? {})) {
        if (composite.startsWith("Summary") || field.includes("@")) continue;
        expect([composite, field, anyOf !== undefined]).toEqual([
          composite,
          field,
          anyOf !== undefined && isSingleOrArray(field, composite),
        ]);
        if (anyOf) found.add(field);
      }
    }
    expect([...found].sort()).toEqual([...SINGLE_OR_ARRAY].sort());
  });

  test("names the code list and the category of codes, and every category is that of a field", () => {
    expect(schemas.Contributor.properties.ContributorRole.anyOf[0]).toEqual({
      $ref: "#/components/schemas/List17",
    });
    expect(schemas.List17).toMatchObject({
      "x-onix-list": 17,
      "x-translations-category": "contributor_roles",
    });
    expect(schemas.List88["x-translations-category"]).toBeUndefined();
    expect(schemas.Territory.properties.CountriesIncluded).toEqual({
      $ref: "#/components/schemas/List91Codes",
    });
    expect(schemas.Audience.properties.AudienceCodeValue["x-onix-list-by"]).toMatchObject({
      field: "AudienceCodeType",
      lists: { "01": { "x-onix-list": 28, "x-translations-category": "audience_codes" } },
    });
    const text = JSON.stringify(schemas);
    const named = new Set(
      Array.from(text.matchAll(/"x-translations-category":"(\w+)"/g), ([, name]) => name!),
    );
    expect([...named].sort()).toEqual(Object.keys(codeLists).sort());
  });

  test("has attributes beside their field, in its shape", () => {
    const { properties } = schemas.TextContent;
    expect(properties["Text@language"].anyOf[0]).toEqual({ $ref: "#/components/schemas/List74" });
    expect(properties["TextAuthor@language"].type).toBe("array");
    expect(schemas.PublishingDate.properties["Date@dateformat"]).toEqual({
      $ref: "#/components/schemas/List55",
    });
  });
});

const CATALOG = join(import.meta.dir, "../../../../sample/catalog.xml");

describe("the schema of a record", () => {
  const counts: TypedValues = { listed: 0, extra: 0, untyped: 0 };

  function check({ scanned }: Sample): number {
    const products = storedProducts(scanned);
    for (const { record } of products) {
      expect([record._id, bookErrors(record)]).toEqual([record._id, ""]);
      countTyped(record, document, counts);
    }
    return products.length;
  }

  test("validates every record of the sample catalog, and types every value of it", async () => {
    expect(check((await readSample(CATALOG))!)).toBe(223);
    expect(counts.untyped).toBe(0);
    expect(counts.extra).toBe(0);
    expect(counts.listed).toBeGreaterThan(10_000);
  });

  test.skipIf(areSamplesMissing)(
    "validates every record of real feeds, and types more than 99 % of their values (skipped without ../shared)",
    async () => {
      let records = 0;
      for await (const sample of readSamples()) records += check(sample);
      expect(records).toBe(190);
      const total = counts.listed + counts.extra + counts.untyped;
      console.info(
        `the schema lists ${counts.listed} of ${total} values, and has patterns for ${counts.extra}`,
      );
      expect(counts.listed / total).toBeGreaterThan(0.99);
      expect(counts.untyped / total).toBeLessThan(0.001);
    },
  );
});
