/** Derives a store's entry from a record: its bytes, and the fields that it is found by. */
import { type Day, firstDayOfDate } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { BookRecord, Origin } from "../onix/record.ts";
import { REPEATED_SUFFIX, type RecordFields, type RecordValue } from "../onix/record-fields.ts";
import { imprintFromName } from "./imprint.ts";
import type { Entry, Imprint } from "./store.ts";

const encoder = new TextEncoder();

export function createEntry(record: BookRecord, reference: string, origin: Origin): Entry {
  return entryFromFields({
    isbn: record.RecordReference as Isbn13,
    body: encoder.encode(JSON.stringify(record)),
    reference,
    imprint: imprintOf(record),
    languages: languagesOf(record),
    published: publicationDay(record),
    origin: JSON.stringify(origin),
  });
}

/** The fields of an entry as a feed states them: the imprint by its name, and no etag. */
type EntryFields = Omit<Entry, "etag" | "imprint"> & { readonly imprint: string | undefined };

export function entryFromFields(fields: EntryFields): Entry {
  const { isbn, body, reference, imprint: name, languages, published, origin } = fields;
  const imprint = name === undefined ? undefined : cachedImprint(name);
  return { isbn, body, etag: etagOf(body), reference, imprint, languages, published, origin };
}

/** Thousands of books share an imprint, and a slug is slow to compute. */
const imprintCache = new Map<string, Imprint | undefined>();
const MAX_CACHED_IMPRINTS = 10_000;

function cachedImprint(name: string): Imprint | undefined {
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
  const { publisher, market } = publicationDates(record);
  return days(publisher)[0] ?? days(market).sort()[0];
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
