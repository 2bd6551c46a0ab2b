/**
 * Counts what the sample catalog has, and says what it lacks:
 *   bun scripts/sample/check.ts [sample/catalog.xml]
 */

import { readFileSync } from "node:fs";
import { SaxesParser } from "saxes";
import { isbn10 } from "./deterministic.ts";

interface Node {
  name: string;
  attributes: Record<string, string>;
  children: Node[];
  text: string;
}

function parse(xml: string): Node {
  const root: Node = { name: "", attributes: {}, children: [], text: "" };
  const stack = [root];
  const parser = new SaxesParser();
  parser.on("opentag", ({ name, attributes }) => {
    const node: Node = {
      name,
      attributes: { ...attributes } as Record<string, string>,
      children: [],
      text: "",
    };
    stack.at(-1)!.children.push(node);
    stack.push(node);
  });
  parser.on("text", (text) => {
    stack.at(-1)!.text += text;
  });
  parser.on("cdata", (text) => {
    stack.at(-1)!.text += text;
  });
  parser.on("closetag", () => {
    stack.pop();
  });
  parser.write(xml).close();
  return root.children[0]!;
}

/** The elements at a path of names, at any number of each. */
function at(node: Node, path: string): Node[] {
  return path
    .split("/")
    .reduce(
      (nodes, name) => nodes.flatMap((one) => one.children.filter((child) => child.name === name)),
      [node],
    );
}

function textsAt(node: Node, path: string): string[] {
  return at(node, path).map(({ text }) => text);
}

function tally(values: string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const failures: string[] = [];

function expect(what: string, value: number, least: number, most = Number.POSITIVE_INFINITY): void {
  const good = value >= least && value <= most;
  if (!good) failures.push(`${what}: ${value}`);
  console.log(`${good ? "ok  " : "FAIL"} ${what}: ${value}`);
}

const xml = readFileSync(process.argv[2] ?? "sample/catalog.xml", "utf8");
const products = at(parse(xml), "Product");
const count = (path: string, test: (found: Node[], product: Node) => boolean = (found) => found.length > 0) =>
  products.filter((product) => test(at(product, path), product)).length;
const all = (path: string) => products.flatMap((product) => textsAt(product, path));
const idOf = (product: Node, type: string) =>
  at(product, "ProductIdentifier").find((id) => textsAt(id, "ProductIDType")[0] === type);

const isbns = products.map((product) => textsAt(idOf(product, "15")!, "IDValue")[0]!);
const sum = (isbn: string) =>
  [...isbn].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0);
expect("bytes", Buffer.byteLength(xml), 1, 999_999);
expect("books", products.length, 220);
expect("different ISBNs", new Set(isbns).size, products.length, products.length);
expect("wrong check digits", isbns.filter((isbn) => sum(isbn) % 10 !== 0).length, 0, 0);
expect("ISBNs of no free range", isbns.filter((isbn) => !/^(97899999|9797)/.test(isbn)).length, 0, 0);
expect("979 ISBNs", isbns.filter((isbn) => isbn.startsWith("979")).length, 15);
expect(
  "ISBN-10s that end in X",
  isbns.filter((isbn) => isbn.startsWith("978") && isbn10(isbn).endsWith("X")).length,
  3,
);
expect(
  "ISBN-10s that are not the ISBN's",
  products.filter((product, index) => {
    const short = idOf(product, "02");
    return short && textsAt(short, "IDValue")[0] !== isbn10(isbns[index]!);
  }).length,
  0,
  0,
);
console.log(
  "identifier types",
  tally(products.map((p) => textsAt(p, "ProductIdentifier/ProductIDType").join(" "))),
);

const slug = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-|-$/g, "");
const imprints = products.map(
  (p) =>
    textsAt(p, "PublishingDetail/Imprint/ImprintName")[0] ??
    textsAt(p, "PublishingDetail/Publisher/PublisherName")[0]!,
);
expect("imprints", new Set(imprints.map(slug)).size, 14);
expect("spellings beyond one", new Set(imprints).size - new Set(imprints.map(slug)).size, 1, 1);
expect(
  "records without Imprint",
  count("PublishingDetail/Imprint", (found) => found.length === 0),
  1,
);
console.log("imprints", tally(imprints));

const D = "DescriptiveDetail";
console.log("notifications", tally(all("NotificationType")));
console.log("forms", tally(all(`${D}/ProductForm`)));
console.log("form details", tally(products.map((p) => String(at(p, `${D}/ProductFormDetail`).length))));
console.log("units", tally(all(`${D}/Measure/MeasureUnitCode`)));
console.log("roles", tally(all(`${D}/Contributor/ContributorRole`)));
console.log("contributors", tally(products.map((p) => String(at(p, `${D}/Contributor`).length))));
console.log(
  "languages of text",
  tally(
    products.map((p) =>
      at(p, `${D}/Language`)
        .filter((language) => textsAt(language, "LanguageRole")[0] === "01")
        .map((language) => textsAt(language, "LanguageCode")[0]!)
        .join(" "),
    ),
  ),
);
console.log("subject schemes", tally(all(`${D}/Subject/SubjectSchemeIdentifier`)));
console.log("text types", tally(all("CollateralDetail/TextContent/TextType")));
console.log("statuses", tally(all("PublishingDetail/PublishingStatus")));
console.log("availability", tally(all("ProductSupply/SupplyDetail/ProductAvailability")));
console.log("currencies", tally(all("ProductSupply/SupplyDetail/Price/CurrencyCode")));
const texts = products.flatMap((p) => at(p, "CollateralDetail/TextContent/Text"));
console.log("text formats", tally(texts.map(({ attributes }) => attributes.textformat ?? "none")));
expect("CDATA texts", xml.split("<![CDATA[").length - 1, 5);
expect("texts with a language", texts.filter(({ attributes }) => attributes.language).length, 5);
expect("texts with line feeds", texts.filter(({ text }) => text.includes("\n")).length, 5);
expect(
  "one main subject each",
  count(`${D}/Subject/MainSubject`, (found) => found.length === 1),
  products.length,
);
expect(
  "two subjects or more",
  count(`${D}/Subject`, (found) => found.length > 1),
  products.length,
);
expect("collections", count(`${D}/Collection`), 30);
expect("no collection", count(`${D}/NoCollection`), 50);
expect("subtitles", count(`${D}/TitleDetail/TitleElement/Subtitle`), 10);
expect("title prefixes", count(`${D}/TitleDetail/TitleElement/TitlePrefix`), 10);
expect(
  "second titles",
  count(`${D}/TitleDetail`, (found) => found.length > 1),
  15,
);
expect("no contributor", count(`${D}/NoContributor`), 1, 3);
expect("organisations", count(`${D}/Contributor/CorporateName`), 5);
expect("biographical notes", count(`${D}/Contributor/BiographicalNote`), 10);
expect("edition statements", count(`${D}/EditionStatement`), 5);
expect("no edition", count(`${D}/NoEdition`), 100);
expect(
  "several extents",
  count(`${D}/Extent`, (found) => found.length > 1),
  10,
);
expect("ancillary contents", count(`${D}/AncillaryContent`), 10);
expect(
  "two-ended age ranges",
  count(`${D}/AudienceRange/AudienceRangeValue`, (found) => found.length === 2),
  8,
);
expect(
  "one-ended age ranges",
  count(`${D}/AudienceRange/AudienceRangeValue`, (found) => found.length === 1),
  5,
);
expect("cited contents", count("CollateralDetail/CitedContent"), 1);
expect("supporting resources", count("CollateralDetail/SupportingResource"), 1);
expect("copyright statements", count("PublishingDetail/CopyrightStatement"), 10);
expect("sales rights", count("PublishingDetail/SalesRights"), 10);
expect("related products", count("RelatedMaterial/RelatedProduct"), 30);
expect("supplies", count("ProductSupply"), 100);

const known = new Set(isbns);
const related = all("RelatedMaterial/RelatedProduct/ProductIdentifier/IDValue");
expect("related products that are not here", related.filter((isbn) => !known.has(isbn)).length, 0, 0);

const published = products.map((p) =>
  at(p, "PublishingDetail/PublishingDate").find((d) => textsAt(d, "PublishingDateRole")[0] === "01"),
);
const dates = published.map((date) => (date ? textsAt(date, "Date")[0]! : ""));
const days = dates.filter((date) => date.length === 8).sort();
const recent = days.filter((day) => day >= "20260603" && day <= "20260901");
const coming = days.filter((day) => day > "20260901");
const gaps = coming.map((day, index) => daysBetween(index === 0 ? "20260901" : coming[index - 1]!, day));
expect("published in the last 90 days", recent.length, 35, 45);
expect("published on the feed's day", recent.filter((day) => day === "20260901").length, 1);
expect("forthcoming", coming.length, 20, 35);
expect("longest wait for the next book, in days", Math.max(...gaps), 1, 75);
expect("days until the last one", daysBetween("20260901", coming.at(-1)!), 1750, 1830);
expect(
  "dates between the old and the new",
  days.filter((day) => day > "20251231" && day < "20260603").length,
  0,
  0,
);
expect("dates before 2005", dates.filter((date) => date !== "" && date < "2005").length, 0, 0);
expect("months", dates.filter((date) => date.length === 6).length, 5);
expect("years", dates.filter((date) => date.length === 4).length, 5);
expect("without a publication date", dates.filter((date) => date === "").length, 2, 4);

function daysBetween(from: string, to: string): number {
  const time = (day: string) =>
    Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6)));
  return (time(to) - time(from)) / 86_400_000;
}

if (failures.length > 0) {
  console.log(`\n${failures.length} failed:\n${failures.join("\n")}`);
  process.exit(1);
}
