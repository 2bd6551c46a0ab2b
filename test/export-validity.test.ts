/** A record of a valid feed is exported as valid ONIX, of its own release and of 3.1 in both tag styles. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProgramMissing, sharedFile } from "../src/lib/testing/requirements.ts";
import { RandomProducts } from "../src/onix/check/testing/random-product.ts";
import { compareWithSchema, sharedCodes } from "../src/onix/check/testing/schema-oracle.ts";
import { message, product } from "../src/onix/testing/message.ts";
import { areSamplesMissing, readSamples } from "../src/onix/testing/samples.ts";
import {
  type StoredProduct,
  scanMessage,
  storedProducts,
  writeMessage,
} from "../src/onix/testing/scan-message.ts";
import { runProgram, temporaryFolder } from "./process.ts";

const isSkipped = areSamplesMissing || isProgramMissing("xmllint");
const RELEASES = ["3.0", "3.1"] as const;

/** Returns the files that are valid against the schema. Loading the schema takes longest, so it is done once. */
async function findValid(release: string, tags: string, files: readonly string[]): Promise<Set<string>> {
  if (files.length === 0) return new Set();
  const { path } = sharedFile(`onix/schemas/${release}/ONIX_BookProduct_${release}_${tags}.xsd`);
  const { stderr } = await runProgram(["xmllint", "--noout", "--nonet", "--schema", path, ...files]);
  const lines = stderr.split("\n");
  return new Set(
    lines.filter((line) => line.endsWith(" validates")).map((line) => line.slice(0, -" validates".length)),
  );
}

interface Exported {
  readonly input: string;
  readonly output: string;
  readonly release: (typeof RELEASES)[number];
  readonly tags: string;
}

/** The same products as an ONIX 3.1 message, as the API writes it. */
const AS_31 = [
  { tags: "reference", suffix: ".31r" },
  { tags: "short", suffix: ".31s" },
] as const;

/** Expects that the exports of valid feeds are valid. Returns how many feeds are. */
async function expectValid(exported: readonly Exported[]): Promise<number> {
  const valid: string[] = [];
  for (const release of RELEASES) {
    for (const tags of ["reference", "short"]) {
      const files = exported.filter((file) => file.release === release && file.tags === tags);
      const before = await findValid(
        release,
        tags,
        files.map(({ input }) => input),
      );
      const expected = files.filter(({ input }) => before.has(input)).map(({ output }) => output);
      const after = await findValid(release, "reference", expected);
      expect(expected.filter((output) => !after.has(output))).toEqual([]);
      valid.push(...expected);
    }
  }
  for (const { tags, suffix } of AS_31) {
    const messages = valid.map((output) => output + suffix);
    const after = await findValid("3.1", tags, messages);
    expect(messages.filter((output) => !after.has(output))).toEqual([]);
  }
  return valid.length;
}

describe.skipIf(isSkipped)("export of every 3.x sample (skipped without ../shared or xmllint)", () => {
  test("is valid whenever the feed was", async () => {
    const folder = temporaryFolder();
    const exported: Exported[] = [];
    for await (const { name, xml, scanned } of readSamples()) {
      const { release, tags } = scanned.header;
      const file = { input: join(folder, `${name}.in`), output: join(folder, name), release, tags };
      // The schemas require the namespace, so it is added to a feed without one.
      const namespace = `xmlns="http://ns.editeur.org/onix/${release}/${tags}"`;
      const hasNamespace = xml.includes("xmlns=");
      writeFileSync(file.input, hasNamespace ? xml : xml.replace(/<(ONIX[Mm]essage)/, `<$1 ${namespace}`));
      writeExports(file.output, release, storedProducts(scanned));
      exported.push(file);
    }
    // The other samples are not valid.
    expect(await expectValid(exported)).toBeGreaterThan(20);
  });
});

describe.skipIf(isSkipped)(
  "export of generated products of ONIX 3.0 (skipped without ../shared or xmllint)",
  () => {
    test("is valid ONIX 3.1 whenever the product was valid, in both tag styles", async () => {
      const generator = new RandomProducts("3.0", 5, sharedCodes());
      const products = Array.from({ length: 300 }, (_, index) => generator.product(index, index % 3));
      // The oracle leaves errors about identifiers out, and xmllint may report no others of such a product.
      const errors = compareWithSchema([message(...products)])[0]!.map(
        ({ schemaErrors, complaints }) => schemaErrors.length + complaints.length,
      );
      const valid = message(...products.filter((_, index) => errors[index] === 0));
      const stored = storedProducts(await scanMessage(valid));
      expect(stored.length).toBeGreaterThan(100);
      for (const tags of ["reference", "short"] as const) {
        const written = writeMessage("3.1", stored, { tags, asRelease31: true });
        expect(compareWithSchema([written])[0]!.flatMap(({ schemaErrors }) => schemaErrors)).toEqual([]);
      }
    });
  },
);

/** Returns all texts that consist of one item of each argument. */
function combinations(...options: readonly (readonly string[])[]): string[] {
  return options.reduce<string[]>(
    (lists, items) => lists.flatMap((list) => items.map((item) => list + item)),
    [""],
  );
}

function element(name: string, ...values: readonly string[]): string[] {
  return values.map((value) => `<${name}>${value}</${name}>`);
}

/** Contents of composites in which the order of children is not that of their names. */
const STOCKS = combinations(
  element("OnHand", "5"),
  ["", ...element("Proximity", "03")],
  ["", "<Reserved>1</Reserved>", "<Reserved>1</Reserved><Proximity>04</Proximity>"],
  ["", "<OnOrder>2</OnOrder>", "<OnOrder>2</OnOrder><Proximity>05</Proximity>"],
  ["", "<CBO>3</CBO>", "<CBO>3</CBO><Proximity>06</Proximity>"],
);
const TERRITORIES = [
  ...combinations(
    element("CountriesIncluded", "ES PT"),
    ["", ...element("RegionsIncluded", "US-CA")],
    ["", ...element("RegionsExcluded", "ES-CN")],
  ),
  ...combinations(
    element("RegionsIncluded", "WORLD"),
    ["", ...element("CountriesExcluded", "ES")],
    ["", ...element("RegionsExcluded", "US-CA")],
  ),
];
const RANGE_LIMIT =
  "<AudienceRangePrecision>03</AudienceRangePrecision><AudienceRangeValue>9</AudienceRangeValue>";
const RANGES = combinations(
  element("AudienceRangeQualifier", "11"),
  [RANGE_LIMIT],
  ["", RANGE_LIMIT.replace("03", "04").replace("9", "12")],
);

function messageWithAll(release: string): string {
  const rights = TERRITORIES.map(
    (territory) =>
      `<SalesRights><SalesRightsType>01</SalesRightsType><Territory>${territory}</Territory></SalesRights>`,
  );
  const ranges = RANGES.map((range) => `<AudienceRange>${range}</AudienceRange>`);
  const stocks = STOCKS.map((stock) => `<Stock>${stock}</Stock>`);
  return message(
    product()
      .replace("</DescriptiveDetail>", `${ranges.join("")}</DescriptiveDetail>`)
      .replace("</PublishingDetail>", `${rights.join("")}</PublishingDetail>`)
      .replace("</SupplyDetail>", `${stocks.join("")}<UnpricedItemType>01</UnpricedItemType></SupplyDetail>`),
  )
    .replaceAll("3.0", release)
    .replaceAll(/>\s+</g, "><");
}

/** Expects that the feed is valid, and that these records of it are exported as valid ONIX. Returns the export. */
async function expectValidExport(
  xml: string,
  release: (typeof RELEASES)[number],
  products: readonly StoredProduct[],
): Promise<string> {
  const folder = temporaryFolder();
  const [input, output] = [join(folder, "in"), join(folder, "out")];
  writeFileSync(input, xml);
  const written = writeExports(output, release, products);
  expect(await expectValid([{ input, output, release, tags: "reference" }])).toBe(1);
  return written;
}

describe.skipIf(isSkipped)("export of alternating children (skipped without ../shared or xmllint)", () => {
  test.each(RELEASES)("is valid ONIX %s, and the same as the feed", async (release) => {
    const xml = messageWithAll(release);
    const written = await expectValidExport(xml, release, storedProducts(await scanMessage(xml)));
    expect(productOf(written)).toBe(productOf(xml));
  });

  test("is valid for records of which no order is remembered", async () => {
    const xml = messageWithAll("3.0");
    const products = storedProducts(await scanMessage(xml)).map((one) => {
      const { interleaved: _, ...origin } = one.origin;
      return { ...one, origin };
    });
    const written = await expectValidExport(xml, "3.0", products);
    expect(productOf(written)).not.toBe(productOf(xml));
  });
});

/** Writes the export, and messages of the API. Returns the export. */
function writeExports(path: string, release: (typeof RELEASES)[number], products: readonly StoredProduct[]) {
  const written = writeMessage(release, products);
  writeFileSync(path, written);
  for (const { tags, suffix } of AS_31)
    writeFileSync(path + suffix, writeMessage("3.1", products, { tags, asRelease31: true }));
  return written;
}

function productOf(xml: string): string {
  return /<Product>.*<\/Product>/.exec(xml.replaceAll(/>\s+</g, "><"))![0];
}
