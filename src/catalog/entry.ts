/** Derives a store's entry from a record: its bytes, and the fields that it is found by. */

import type { Isbn13 } from "../onix/isbn.ts";
import { IndexFieldCollector } from "../onix/record/index-fields.ts";
import type { Origin } from "../onix/record/origin.ts";
import {
  type BookRecord,
  REPEATED_SUFFIX,
  type RecordFields,
  type RecordValue,
} from "../onix/record/record-fields.ts";
import type { IndexFields, ScannedProduct } from "../onix/scanned-product.ts";
import { imprintFromName } from "./imprint.ts";
import type { Entry, Imprint } from "./store.ts";

const encoder = new TextEncoder();

/** Creates the entry of a parsed record. An import uses `entryOfProduct` instead, which parses nothing. */
export function createEntry(record: BookRecord, reference: string, origin: Origin, sender = ""): Entry {
  const body = encoder.encode(JSON.stringify(record));
  const { imprint, languages, publishingDay, marketDay } = indexFieldsOf(record);
  return {
    isbn: record.RecordReference as Isbn13,
    body,
    etag: etagOf(body),
    sender,
    reference,
    imprint: imprintOfName(imprint),
    languages,
    published: publishingDay ?? marketDay,
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

/** Returns the fields that a record is found by. An import has them from its reader, which follows the same rules. */
export function indexFieldsOf(record: RecordFields): IndexFields {
  const collector = new IndexFieldCollector();
  for (const { Language } of allOf(record, "DescriptiveDetail")) {
    for (const { LanguageRole, LanguageCode } of composites(Language)) {
      collector.addLanguage(firstText(LanguageRole), firstText(LanguageCode));
    }
  }
  for (const { Imprint, Publisher, PublishingDate } of allOf(record, "PublishingDetail")) {
    for (const { ImprintName } of composites(Imprint)) collector.addImprint(firstText(ImprintName));
    for (const { PublishingRole, PublisherName } of composites(Publisher)) {
      collector.addPublisher(firstText(PublishingRole), firstText(PublisherName));
    }
    for (const date of composites(PublishingDate)) {
      collector.addPublishingDate(firstText(date.PublishingDateRole), firstText(date.Date), dateFormat(date));
    }
  }
  for (const supply of composites(record.ProductSupply)) {
    for (const { MarketDate } of allOf(supply, "MarketPublishingDetail")) {
      for (const date of composites(MarketDate)) {
        collector.addMarketDate(firstText(date.MarketDateRole), firstText(date.Date), dateFormat(date));
      }
    }
  }
  return collector.take();
}

function dateFormat(date: RecordFields): string {
  return firstText(date["Date@dateformat"]) || firstText(date.DateFormat);
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
