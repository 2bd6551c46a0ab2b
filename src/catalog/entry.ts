/** Derives a store's entry from a record: its bytes, and the fields that it is found by. */

import type { Isbn13 } from "../onix/isbn.ts";
import type { Origin } from "../onix/record/origin.ts";
import type { BookRecord } from "../onix/record/record-fields.ts";
import { indexFieldsOf } from "../onix/record/record-index.ts";
import { summaryOfBody } from "../onix/summary/summary.ts";
import { imprintFromName } from "./imprint.ts";
import type { PreparedProduct } from "./prepared-product.ts";
import type { Entry, Imprint, StoredRecord } from "./store.ts";

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
export function entryOfProduct(product: PreparedProduct, isbn: Isbn13, sender: string): Entry {
  const { body, etag, reference, index, origin, summary } = product;
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
    summary,
  };
}

/** Returns the summary of an entry, and makes it when the entry has none. */
export function summaryOfEntry({ summary, body }: Pick<Entry, "summary" | "body">): StoredRecord {
  if (summary !== undefined) return summary;
  const made = summaryOfBody(body);
  return { body: made, etag: etagOf(made) };
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
