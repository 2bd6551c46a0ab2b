/** From a record to what a store keeps of it: its bytes, and what it is found by. */
import { type Day, firstDayOfDate } from "../onix/date.ts";
import { REPEATED_SUFFIX, type RecordFields, type RecordValue } from "../onix/field-builder.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import type { BookRecord, Origin } from "../onix/record.ts";
import { imprintFromName } from "./imprint.ts";
import type { Entry } from "./store.ts";

const encoder = new TextEncoder();

export function createEntry(record: BookRecord, reference: string, origin: Origin): Entry {
  const body = encoder.encode(JSON.stringify(record));
  const name = imprintOf(record);
  return {
    isbn: record.RecordReference as Isbn13,
    body,
    etag: etagOf(body),
    reference,
    imprint: name === undefined ? undefined : imprintFromName(name),
    languages: languagesOf(record),
    published: publicationDay(record),
    origin: JSON.stringify(origin),
  };
}

/** 128 bits of SHA-256: what has the same digits has the same bytes. */
export function etagOf(body: Uint8Array): string {
  return Bun.SHA256.hash(body as Uint8Array<ArrayBuffer>, "hex").slice(0, 32);
}

/** Its first ImprintName; without one, the name of its first publisher, role 01 before others. */
export function imprintOf(record: RecordFields): string | undefined {
  const publishing = allOf(record, "PublishingDetail");
  const imprints = publishing.flatMap(({ Imprint }) => composites(Imprint));
  const publishers = publishing.flatMap(({ Publisher }) => composites(Publisher));
  const proper = publishers.filter(({ PublishingRole }) => PublishingRole === "01");
  return (
    imprints.map(({ ImprintName }) => text(ImprintName)).find(Boolean) ??
    [...proper, ...publishers].map(({ PublisherName }) => text(PublisherName)).find(Boolean)
  );
}

/** Languages of the text: LanguageRole 01, list 22. */
export function languagesOf(record: RecordFields): string[] {
  const languages = allOf(record, "DescriptiveDetail").flatMap(({ Language }) => composites(Language));
  const codes = languages
    .filter(({ LanguageRole }) => LanguageRole === "01")
    .map(({ LanguageCode }) => text(LanguageCode).toLowerCase());
  return [...new Set(codes.filter(Boolean))];
}

/** PublishingDate of role 01 (list 163); without one, the earliest market date of that role. */
export function publicationDay(record: RecordFields): Day | undefined {
  const { proper, markets } = publicationDates(record);
  return days(proper)[0] ?? days(markets).sort()[0];
}

/** A date of publication that is there but cannot be read, when no other gives the day. */
export function unreadableDate(record: RecordFields): string | undefined {
  const { proper, markets } = publicationDates(record);
  const all = [...proper, ...markets];
  return days(all).length > 0 ? undefined : all.map((date) => text(date.Date)).find(Boolean);
}

function publicationDates(record: RecordFields): { proper: RecordFields[]; markets: RecordFields[] } {
  const dates = allOf(record, "PublishingDetail").flatMap(({ PublishingDate }) => composites(PublishingDate));
  const proper = dates.filter(({ PublishingDateRole }) => PublishingDateRole === "01");
  const markets = composites(record.ProductSupply)
    .flatMap((supply) => allOf(supply, "MarketPublishingDetail"))
    .flatMap(({ MarketDate }) => composites(MarketDate))
    .filter(({ MarketDateRole }) => MarketDateRole === "01");
  return { proper, markets };
}

function days(dates: readonly RecordFields[]): Day[] {
  return dates
    .map((date) => firstDayOfDate(text(date.Date), text(date["Date@dateformat"]) || text(date.DateFormat)))
    .filter((day) => day !== undefined);
}

/** Those of a name that ONIX has once, but which may have come twice. */
function allOf(fields: RecordFields, name: string): readonly RecordFields[] {
  return [...composites(fields[name]), ...composites(fields[name + REPEATED_SUFFIX])];
}

/** One, several or none, as a list. */
function composites(value: RecordValue | undefined): readonly RecordFields[] {
  if (value === undefined || value === null || typeof value === "string") return [];
  if (!Array.isArray(value)) return [value as RecordFields];
  return value.filter(
    (one): one is RecordFields => typeof one === "object" && one !== null && !Array.isArray(one),
  );
}

function text(value: RecordValue | undefined): string {
  if (Array.isArray(value)) return text(value[0]);
  return typeof value === "string" ? value : "";
}
