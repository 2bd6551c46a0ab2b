/** Derives a store's entry from a record: its bytes, and the fields that it is found by. */
import { type Day, firstDayOfDate } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { Origin } from "../onix/origin.ts";
import {
  type BookRecord,
  REPEATED_SUFFIX,
  type RecordFields,
  type RecordValue,
} from "../onix/record-fields.ts";
import type { ScannedProduct } from "../onix/scanned-product.ts";
import { imprintFromName } from "./imprint.ts";
import type { Entry, Imprint } from "./store.ts";

const encoder = new TextEncoder();

/** Creates the entry of a parsed record. An import uses `entryOfProduct` instead, which parses nothing. */
export function createEntry(record: BookRecord, reference: string, origin: Origin, sender = ""): Entry {
  const body = encoder.encode(JSON.stringify(record));
  return {
    isbn: record.RecordReference as Isbn13,
    body,
    etag: etagOf(body),
    sender,
    reference,
    imprint: imprintOfName(imprintOf(record)),
    languages: languagesOf(record),
    published: publicationDay(record),
    origin: JSON.stringify(origin),
  };
}

/** Creates the entry of a whole product. */
export function entryOfProduct(
  product: ScannedProduct & { readonly etag: string },
  isbn: Isbn13,
  sender: string,
): Entry {
  const { body, etag, reference, index, origin } = product;
  return {
    isbn,
    body,
    etag,
    sender,
    reference,
    imprint: imprintOfName(index.imprint),
    languages: index.languages,
    published: index.publishingDay ?? index.marketDay,
    origin,
  };
}

/** Thousands of books share an imprint, and a slug is slow to compute. */
const imprintCache = new Map<string, Imprint | undefined>();
const MAX_CACHED_IMPRINTS = 10_000;

/** Returns undefined for a book without an imprint, and for a name without a slug. */
export function imprintOfName(name: string | undefined): Imprint | undefined {
  if (name === undefined) return undefined;
  if (!imprintCache.has(name)) {
    if (imprintCache.size >= MAX_CACHED_IMPRINTS) imprintCache.clear();
    imprintCache.set(name, imprintFromName(name));
  }
  return imprintCache.get(name);
}

/** Returns the first 128 bits of the SHA-256 digest, in hexadecimal: equal etags mean equal bytes. */
export function etagOf(body: Uint8Array): string {
  return Bun.SHA256.hash(body as Uint8Array<ArrayBuffer>, "hex").slice(0, 32);
}

/** Returns the first ImprintName or, without one, the first PublisherName, PublishingRole 01 before others. */
export function imprintOf(record: RecordFields): string | undefined {
  const publishing = allOf(record, "PublishingDetail");
  const imprints = publishing.flatMap(({ Imprint }) => composites(Imprint));
  const publishers = publishing.flatMap(({ Publisher }) => composites(Publisher));
  const mainPublishers = publishers.filter(({ PublishingRole }) => PublishingRole === "01");
  return (
    imprints.map(({ ImprintName }) => firstText(ImprintName)).find(Boolean) ??
    [...mainPublishers, ...publishers].map(({ PublisherName }) => firstText(PublisherName)).find(Boolean)
  );
}

/** Returns the languages of the text: LanguageRole 01 of ONIX list 22. */
export function languagesOf(record: RecordFields): string[] {
  const languages = allOf(record, "DescriptiveDetail").flatMap(({ Language }) => composites(Language));
  const codes = languages
    .filter(({ LanguageRole }) => LanguageRole === "01")
    .map(({ LanguageCode }) => firstText(LanguageCode).toLowerCase());
  return [...new Set(codes.filter(Boolean))];
}

/** Returns the PublishingDate of role 01 (ONIX list 163) or, without one, the earliest MarketDate of that role. */
export function publicationDay(record: RecordFields): Day | undefined {
  return publishingDay(record) ?? marketDay(record);
}

/** Returns the day of PublishingDate of role 01. It depends on PublishingDetail alone. */
export function publishingDay(record: RecordFields): Day | undefined {
  return days(publicationDates(record).publisher)[0];
}

/** Returns the earliest day of MarketDate of role 01. It depends on ProductSupply alone. */
export function marketDay(record: RecordFields): Day | undefined {
  return days(publicationDates(record).market).sort()[0];
}

/** Returns the text of a publication date that is no date. Is undefined when another one gives the day. */
export function unreadableDate(record: RecordFields): string | undefined {
  const { publisher, market } = publicationDates(record);
  const all = [...publisher, ...market];
  return days(all).length > 0 ? undefined : all.map((date) => firstText(date.Date)).find(Boolean);
}

function publicationDates(record: RecordFields): { publisher: RecordFields[]; market: RecordFields[] } {
  const dates = allOf(record, "PublishingDetail").flatMap(({ PublishingDate }) => composites(PublishingDate));
  const publisher = dates.filter(({ PublishingDateRole }) => PublishingDateRole === "01");
  const market = composites(record.ProductSupply)
    .flatMap((supply) => allOf(supply, "MarketPublishingDetail"))
    .flatMap(({ MarketDate }) => composites(MarketDate))
    .filter(({ MarketDateRole }) => MarketDateRole === "01");
  return { publisher, market };
}

function days(dates: readonly RecordFields[]): Day[] {
  return dates
    .map((date) =>
      firstDayOfDate(firstText(date.Date), firstText(date["Date@dateformat"]) || firstText(date.DateFormat)),
    )
    .filter((day) => day !== undefined);
}

/** Returns all composites of a name. ONIX allows one of them here, but a feed may have sent more. */
function allOf(fields: RecordFields, name: string): readonly RecordFields[] {
  return [...composites(fields[name]), ...composites(fields[name + REPEATED_SUFFIX])];
}

/** Returns the composites of a field that may be absent, single or repeated. */
function composites(value: RecordValue | undefined): readonly RecordFields[] {
  if (value === undefined || value === null || typeof value === "string") return [];
  if (!Array.isArray(value)) return [value as RecordFields];
  return value.filter(
    (item): item is RecordFields => typeof item === "object" && item !== null && !Array.isArray(item),
  );
}

function firstText(value: RecordValue | undefined): string {
  if (Array.isArray(value)) return firstText(value[0]);
  return typeof value === "string" ? value : "";
}
