/**
 * The products of the generated feed. A product depends only on its number and on the options, so that an update, a
 * deletion and a second run meet the products of the first feed.
 */
import { type RandomBelow, randomBelow } from "../src/lib/testing/random.ts";
import { type Day, subtractDays } from "../src/onix/date.ts";
import { completeIsbn13 } from "../src/onix/isbn.ts";
import { randomText } from "./vocabulary.ts";

export interface ProductOptions {
  /** The number of products of the catalog. Their numbers begin with 0. */
  readonly products: number;
  readonly kind?: FeedKind;
  /** Counts the updates of one product. Each revision changes what the kind of feed can change. */
  readonly revision?: number;
  readonly size?: ProductSize;
  /** The day that `NEWS_PRODUCTS` have been published shortly before. */
  readonly today?: Day;
}

/**
 * `new` sends whole products (03), also for an import with `--replace`. `update` sends them whole again, with another
 * publishing status (04). `supply` sends the supply alone, with another price and stock, and for a tenth
 * of the books another availability (04). `rewrite` sends them whole, with other words, texts and prices (03).
 * `deletion` sends 05.
 */
type FeedKind = "new" | "update" | "supply" | "rewrite" | "deletion";

/** `usual`: 3.9 kB of XML. `large`: 6.5 kB, with the rights, prices and resources of large senders, and shorter texts. */
type ProductSize = "usual" | "large";

/** The largest imprint. It has the same number of records in catalogs of any size, spread evenly over the ISBNs. */
export const LARGEST_IMPRINT = { slug: "gran-sello", name: "Gran Sello", records: 10_000 };
/** The number of products of the last 90 days, the same in catalogs of any size. */
const NEWS_PRODUCTS = 200;
const DEFAULT_TODAY = "20260101" as Day;
const ISBN_PREFIX = "9788";

/** ProductForm (ONIX list 150). Repeated codes are more frequent, here and below. */
const FORMS = ["BC", "BC", "BC", "BB", "BB", "EA", "AJ"];
const LANGUAGES = ["spa", "spa", "spa", "eng", "eng", "cat", "fre", "por"];
/** PublishingStatus (list 64): active, and out of stock indefinitely. */
const STATUSES = ["04", "06"];
/** ProductAvailability (list 65): in stock, to order, out of stock. */
const AVAILABILITIES = ["21", "21", "21", "22", "31"];
const OTHER_AVAILABILITY: Record<string, string> = { "21": "31", "22": "21", "31": "21" };
/** The share of the books whose availability differs in a revision of the supply. */
const CHANGED_AVAILABILITIES = 0.1;
const NOTIFICATIONS = { new: "03", update: "04", supply: "04", rewrite: "03", deletion: "05" };

/** Returns the ISBN of a product by its number. `LUA_ISBN` in wrk.ts computes the same. */
export function isbnAt(number: number): string {
  return completeIsbn13(ISBN_PREFIX + String(number).padStart(8, "0"));
}

/** Returns distinct ISBNs that are far apart for neighbouring numbers, for feeds whose length is not known before. */
export function scatteredIsbn(number: number): string {
  return isbnAt((number * 61_803_399) % 100_000_000);
}

export function productXml(number: number, options: ProductOptions): string {
  const { kind = "new", size = "usual" } = options;
  const head = `<Product><RecordReference>ref-${number}</RecordReference><NotificationType>${NOTIFICATIONS[kind]}</NotificationType>
<ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbnAt(number)}</IDValue></ProductIdentifier>
`;
  if (kind === "deletion") return `${head}</Product>\n`;
  const revision = options.revision ?? (kind === "new" ? 0 : 1);
  const supply = supplyXml(number, size, kind === "supply" || kind === "rewrite" ? revision : 0);
  if (kind === "supply") return `${head}${supply}</Product>\n`;
  // Knuth's multiplicative hash keeps the sequences of neighbouring products apart.
  const seed = kind === "rewrite" ? number + revision * options.products : number;
  const random = randomBelow((seed * 2654435761 + 1013904223) >>> 0);
  const status = STATUSES[revision % STATUSES.length]!;
  return (
    head +
    descriptiveXml(number, random, size) +
    collateralXml(number, random, size) +
    publishingXml(number, options, status) +
    (size === "large" ? RELATED_XML : "") +
    `${supply}</Product>\n`
  );
}

function descriptiveXml(number: number, random: RandomBelow, size: ProductSize): string {
  const words = (count: number) => randomText(random, count);
  const title = words(2 + random(6));
  const contributors = number % 3 === 0 ? [words(2), words(2)] : [words(2)];
  const keywords = [words(3), words(3), words(3)];
  const subject = `F${letter(number)}${letter(Math.floor(number / 26))}`;
  const form = pick(FORMS, number);
  return `<DescriptiveDetail><ProductComposition>00</ProductComposition><ProductForm>${form}</ProductForm>${size === "large" ? MEASURES_XML : ""}
<TitleDetail><TitleType>01</TitleType><TitleElement><TitleElementLevel>01</TitleElementLevel>
<TitleText>${title}</TitleText></TitleElement></TitleDetail>${contributors.map((name, index) => contributorXml(name, index, size)).join("")}
<Language><LanguageRole>01</LanguageRole><LanguageCode>${pick(LANGUAGES, number)}</LanguageCode></Language>${size === "large" ? EXTENT_XML : ""}
<Subject><MainSubject/><SubjectSchemeIdentifier>93</SubjectSchemeIdentifier><SubjectCode>${subject}</SubjectCode></Subject>${keywords.map(keywordsXml).join("")}</DescriptiveDetail>
`;
}

function contributorXml(name: string, index: number, size: ProductSize): string {
  const [first, last] = name.split(" ");
  const parts =
    size === "large"
      ? `<PersonNameInverted>${last}, ${first}</PersonNameInverted><NamesBeforeKey>${first}</NamesBeforeKey><KeyNames>${last}</KeyNames>`
      : "";
  return `
<Contributor><SequenceNumber>${index + 1}</SequenceNumber><ContributorRole>A01</ContributorRole><PersonName>${name}</PersonName>${parts}</Contributor>`;
}

function keywordsXml(keywords: string): string {
  return `<Subject><SubjectSchemeIdentifier>20</SubjectSchemeIdentifier>
<SubjectHeadingText>${keywords}</SubjectHeadingText></Subject>`;
}

function collateralXml(number: number, random: RandomBelow, size: ProductSize): string {
  const words = (count: number) => randomText(random, count);
  const [description, biography] = size === "large" ? [100, 60] : [100 + random(220), 10 + random(26)];
  const markup = number % 2 === 0 ? ["", ""] : [' textformat="05"', "<p>", "</p>"];
  const [attribute, open = "", close = ""] = markup;
  const teaser = `${open}${words(20)} &amp; ${words(19)}${close}`;
  return `<CollateralDetail>${textXml("03", words(description))}${textXml("02", teaser, attribute)}${textXml("12", words(biography))}${size === "large" ? coverXml(number) : ""}</CollateralDetail>
`;
}

function textXml(type: string, text: string, attribute = ""): string {
  return `<TextContent><TextType>${type}</TextType><ContentAudience>00</ContentAudience><Text${attribute}>${text}</Text></TextContent>`;
}

function coverXml(number: number): string {
  return `
<SupportingResource><ResourceContentType>01</ResourceContentType><ContentAudience>00</ContentAudience><ResourceMode>03</ResourceMode>
<ResourceVersion><ResourceForm>02</ResourceForm><ResourceVersionFeature><ResourceVersionFeatureType>01</ResourceVersionFeatureType><FeatureValue>D502</FeatureValue></ResourceVersionFeature>
<ResourceLink>https://covers.example/${isbnAt(number)}.jpg</ResourceLink></ResourceVersion></SupportingResource>`;
}

function publishingXml(number: number, options: ProductOptions, status: string): string {
  const { products, today = DEFAULT_TODAY, size } = options;
  const largestStep = Math.max(1, Math.floor(products / LARGEST_IMPRINT.records));
  const newsStep = Math.max(1, Math.floor(products / NEWS_PRODUCTS));
  const isOfLargest = number % largestStep === 0 && number / largestStep < LARGEST_IMPRINT.records;
  const isNews = number % newsStep === 0 && number / newsStep < NEWS_PRODUCTS;
  const published = subtractDays(today, isNews ? 1 + ((number / newsStep) % 80) : 400 + (number % 5000));
  const imprint = isOfLargest ? LARGEST_IMPRINT.name : `Sello ${number % 500}`;
  return `<PublishingDetail><Imprint><ImprintName>${imprint}</ImprintName></Imprint>
<Publisher><PublishingRole>01</PublishingRole><PublisherName>Grupo ${number % 40}</PublisherName></Publisher>${size === "large" ? PLACE_XML : ""}<PublishingStatus>${status}</PublishingStatus>
<PublishingDate><PublishingDateRole>01</PublishingDateRole><Date>${published}</Date></PublishingDate>${size === "large" ? RIGHTS_XML : ""}</PublishingDetail>
`;
}

function supplyXml(number: number, size: ProductSize, revision: number): string {
  const availability = pick(AVAILABILITIES, number);
  const isChanged = revision > 0 && shareOf(number + revision) < CHANGED_AVAILABILITIES;
  const amount = `${5 + (number % 40) + revision}.${10 + (number % 90)}`;
  const prices = size === "large" ? ["EUR", "USD", "MXN"] : ["EUR"];
  return `<ProductSupply><SupplyDetail><Supplier><SupplierRole>01</SupplierRole><SupplierName>Centre d’Edicions ${number % 12}</SupplierName></Supplier>
<ProductAvailability>${isChanged ? OTHER_AVAILABILITY[availability] : availability}</ProductAvailability><Stock><OnHand>${(number + revision) % 100}</OnHand></Stock>${prices.map((currency) => priceXml(amount, currency, size)).join("")}</SupplyDetail></ProductSupply>
`;
}

function priceXml(amount: string, currency: string, size: ProductSize): string {
  const [tax, territory] = size === "large" ? [TAX_XML, PRICE_TERRITORY_XML] : ["", ""];
  return `
<Price><PriceType>02</PriceType><PriceAmount>${amount}</PriceAmount>${tax}<CurrencyCode>${currency}</CurrencyCode>${territory}</Price>`;
}

function pick(values: readonly string[], number: number): string {
  return values[number % values.length]!;
}

/** Returns a number from 0 to 1 by Knuth's multiplicative hash: spread evenly over any regular choice of numbers. */
function shareOf(number: number): number {
  return (Math.imul(number, 2654435761) >>> 0) / 2 ** 32;
}

function letter(number: number): string {
  return String.fromCharCode(65 + (number % 26));
}

const COUNTRIES =
  "AD AE AF AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BR BS BT BW BY BZ CA CD CF CG CH CI CL " +
  "CM CN CO CR CU CV CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FM FR GA GB GD GE GH GM GN GQ GR GT GW GY HN HR";
const MEASURES_XML = ["01 210 mm", "02 135 mm", "08 320 gr"]
  .map((measure) => measure.split(" "))
  .map(
    ([type, value, unit]) =>
      `<Measure><MeasureType>${type}</MeasureType><Measurement>${value}</Measurement><MeasureUnitCode>${unit}</MeasureUnitCode></Measure>`,
  )
  .join("");
const EXTENT_XML =
  "<Extent><ExtentType>00</ExtentType><ExtentValue>288</ExtentValue><ExtentUnit>03</ExtentUnit></Extent>";
const PLACE_XML =
  "<CityOfPublication>Barcelona</CityOfPublication><CountryOfPublication>ES</CountryOfPublication>";
const RIGHTS_XML = `
<SalesRights><SalesRightsType>01</SalesRightsType><Territory><CountriesIncluded>${COUNTRIES}</CountriesIncluded></Territory></SalesRights>`;
const RELATED_XML = `<RelatedMaterial>${["13", "27", "06"]
  .map(
    (code, index) =>
      `<RelatedProduct><ProductRelationCode>${code}</ProductRelationCode><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>978000000${index}002</IDValue></ProductIdentifier></RelatedProduct>`,
  )
  .join("")}</RelatedMaterial>
`;
const TAX_XML =
  "<Tax><TaxType>01</TaxType><TaxRateCode>R</TaxRateCode><TaxRatePercent>4</TaxRatePercent></Tax>";
const PRICE_TERRITORY_XML = `<Territory><CountriesIncluded>${COUNTRIES.slice(0, 60)}</CountriesIncluded></Territory>`;
