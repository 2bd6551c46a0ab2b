/**
 * Checks that the sample catalog covers every feature that the tests and the demonstration need:
 *   npm run sample
 * Prints all counts. Exits with 1 when one of them is out of its range.
 */

import { readFileSync } from "node:fs";
import { slugOf } from "../src/catalog/imprint.ts";
import { hasValidCheckDigit, parseIsbn, toIsbn10 } from "../src/onix/isbn.ts";
import { parseXml, type XmlElement } from "./schema.ts";

/** Returns all elements at a path of element names below the node. */
function elementsAt(node: XmlElement, path: string): XmlElement[] {
  return path
    .split("/")
    .reduce(
      (nodes, name) => nodes.flatMap((parent) => parent.children.filter((child) => child.name === name)),
      [node],
    );
}

function textsAt(node: XmlElement, path: string): string[] {
  return elementsAt(node, path).map(({ text }) => text);
}

const failures: string[] = [];

/** Prints a count, and records a failure when it is out of its range. */
function expectCount(name: string, value: number, min: number, max = Number.POSITIVE_INFINITY): void {
  const isInRange = value >= min && value <= max;
  if (!isInRange) failures.push(`${name}: ${value}`);
  console.log(`${isInRange ? "ok  " : "FAIL"} ${name}: ${value}`);
}

function expectNone(name: string, found: readonly unknown[]): void {
  expectCount(name, found.length, 0, 0);
}

const xml = readFileSync("sample/catalog.xml", "utf8");
const products = elementsAt(parseXml(xml), "Product");
/** Counts the products that have this many elements at the path. */
const countProducts = (path: string, least = 1, most = Number.POSITIVE_INFINITY) =>
  products.filter((product) => {
    const { length } = elementsAt(product, path);
    return length >= least && length <= most;
  }).length;
const allTexts = (path: string) => products.flatMap((product) => textsAt(product, path));
const identifierOf = (product: XmlElement, type: string) =>
  elementsAt(product, "ProductIdentifier").find((id) => textsAt(id, "ProductIDType")[0] === type);

const isbns = products.map((product) => parseIsbn(textsAt(identifierOf(product, "15")!, "IDValue")[0]!)!);
expectCount("bytes", Buffer.byteLength(xml), 1, 999_999);
expectCount("books", products.length, 220);
expectCount("distinct ISBNs", new Set(isbns).size, products.length, products.length);
expectNone(
  "invalid check digits",
  isbns.filter((isbn) => !hasValidCheckDigit(isbn)),
);
expectNone(
  "ISBNs outside the unassigned ranges",
  isbns.filter((isbn) => !/^(97899999|9797)/.test(isbn)),
);
expectCount("979 ISBNs", isbns.filter((isbn) => isbn.startsWith("979")).length, 15);
expectCount("ISBN-10s that end in X", isbns.filter((isbn) => toIsbn10(isbn)?.endsWith("X")).length, 3);
expectCount(
  "ISBN-10s that differ from the ISBN-13",
  products.filter((product, index) => {
    const isbn10 = identifierOf(product, "02");
    return isbn10 && textsAt(isbn10, "IDValue")[0] !== toIsbn10(isbns[index]!);
  }).length,
  0,
  0,
);

const imprints = products.map(
  (p) =>
    textsAt(p, "PublishingDetail/Imprint/ImprintName")[0] ??
    textsAt(p, "PublishingDetail/Publisher/PublisherName")[0]!,
);
expectCount("imprints", new Set(imprints.map(slugOf)).size, 14);
expectCount(
  "second spellings of an imprint",
  new Set(imprints).size - new Set(imprints.map(slugOf)).size,
  1,
  1,
);
expectCount("products without Imprint", countProducts("PublishingDetail/Imprint", 0, 0), 1);

const DESCRIPTIVE = "DescriptiveDetail";
const texts = products.flatMap((p) => elementsAt(p, "CollateralDetail/TextContent/Text"));
expectCount("CDATA texts", xml.split("<![CDATA[").length - 1, 5);
expectCount("texts with a language", texts.filter(({ attributes }) => attributes.language).length, 5);
expectCount("texts with line breaks", texts.filter(({ text }) => text.includes("\n")).length, 5);
expectCount(
  "one main subject each",
  countProducts(`${DESCRIPTIVE}/Subject/MainSubject`, 1, 1),
  products.length,
);
expectCount("two subjects or more", countProducts(`${DESCRIPTIVE}/Subject`, 2), products.length);
expectCount("collections", countProducts(`${DESCRIPTIVE}/Collection`), 30);
expectCount("no collection", countProducts(`${DESCRIPTIVE}/NoCollection`), 50);
expectCount("subtitles", countProducts(`${DESCRIPTIVE}/TitleDetail/TitleElement/Subtitle`), 10);
expectCount("title prefixes", countProducts(`${DESCRIPTIVE}/TitleDetail/TitleElement/TitlePrefix`), 10);
expectCount("second titles", countProducts(`${DESCRIPTIVE}/TitleDetail`, 2), 15);
expectCount("no contributor", countProducts(`${DESCRIPTIVE}/NoContributor`), 1, 3);
expectCount("organisations", countProducts(`${DESCRIPTIVE}/Contributor/CorporateName`), 5);
expectCount("biographical notes", countProducts(`${DESCRIPTIVE}/Contributor/BiographicalNote`), 10);
expectCount("edition statements", countProducts(`${DESCRIPTIVE}/EditionStatement`), 5);
expectCount("no edition", countProducts(`${DESCRIPTIVE}/NoEdition`), 100);
expectCount("several extents", countProducts(`${DESCRIPTIVE}/Extent`, 2), 10);
expectCount("ancillary contents", countProducts(`${DESCRIPTIVE}/AncillaryContent`), 10);
expectCount(
  "two-ended age ranges",
  countProducts(`${DESCRIPTIVE}/AudienceRange/AudienceRangeValue`, 2, 2),
  8,
);
expectCount(
  "one-ended age ranges",
  countProducts(`${DESCRIPTIVE}/AudienceRange/AudienceRangeValue`, 1, 1),
  5,
);
expectCount("cited contents", countProducts("CollateralDetail/CitedContent"), 1);
expectCount("supporting resources", countProducts("CollateralDetail/SupportingResource"), 1);
expectCount("copyright statements", countProducts("PublishingDetail/CopyrightStatement"), 10);
expectCount("sales rights", countProducts("PublishingDetail/SalesRights"), 10);
expectCount("related products", countProducts("RelatedMaterial/RelatedProduct"), 30);
expectCount("product supplies", countProducts("ProductSupply"), 100);

const knownIsbns = new Set<string>(isbns);
const related = allTexts("RelatedMaterial/RelatedProduct/ProductIdentifier/IDValue");
expectNone(
  "related products outside the sample",
  related.filter((isbn) => !knownIsbns.has(isbn)),
);

const published = products.map((p) =>
  elementsAt(p, "PublishingDetail/PublishingDate").find((d) => textsAt(d, "PublishingDateRole")[0] === "01"),
);
const dates = published.map((date) => (date ? textsAt(date, "Date")[0]! : ""));
const days = dates.filter((date) => date.length === 8).sort();
const recent = days.filter((day) => day >= "20260603" && day <= "20260901");
const coming = days.filter((day) => day > "20260901");
const gaps = coming.map((day, index) => daysBetween(index === 0 ? "20260901" : coming[index - 1]!, day));
expectCount("published in the last 90 days", recent.length, 35, 45);
expectCount("published on the date of the feed", recent.filter((day) => day === "20260901").length, 1);
expectCount("forthcoming", coming.length, 20, 35);
expectCount("longest gap between forthcoming dates, in days", Math.max(...gaps), 1, 75);
expectCount("days until the last forthcoming date", daysBetween("20260901", coming.at(-1)!), 1750, 1830);
expectNone(
  "dates between past and recent",
  days.filter((day) => day > "20251231" && day < "20260603"),
);
expectNone(
  "dates before 2005",
  dates.filter((date) => date !== "" && date < "2005"),
);
expectCount("months", dates.filter((date) => date.length === 6).length, 5);
expectCount("years", dates.filter((date) => date.length === 4).length, 5);
expectCount("without a publication date", dates.filter((date) => date === "").length, 2, 4);

if (failures.length > 0) {
  console.log(`\n${failures.length} failed:\n${failures.join("\n")}`);
  process.exit(1);
}

function daysBetween(from: string, to: string): number {
  return (parseDate(to) - parseDate(from)) / 86_400_000;
}

/** Returns the time of a day that is written as eight digits. */
function parseDate(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(4, 6)) - 1, Number(date.slice(6, 8)));
}
