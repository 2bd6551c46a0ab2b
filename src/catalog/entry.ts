/** Derives a store's entry from a record: its bytes, and the fields that it is found by. */
import type { Isbn13 } from "../onix/isbn.ts";
import { indexFieldsOf } from "../onix/record/index-fields.ts";
import type { BookRecord } from "../onix/record/record-fields.ts";
import type { IndexFields, ScannedProduct } from "../onix/scanned-product.ts";
import { readSummary, summaryOfBody } from "../onix/summary/summary.ts";
import { imprintOfName } from "./imprint.ts";
import { searchDocumentOf } from "./search/document-builder.ts";
import type { SearchDocument } from "./search/search-document.ts";
import type { Entry, StoredRecord } from "./store.ts";

/** A product as an import gets it, with what the scanner thread makes of its record. */
export interface PreparedProduct extends ScannedProduct {
  /** Empty for a product without a body. */
  readonly etag: string;
  /** Omitted for a product that is not a whole record, and in a preview. */
  readonly summary?: StoredRecord | undefined;
  /** Omitted as the summary is. */
  readonly search?: SearchDocument | undefined;
  /** Omitted as the summary is. */
  readonly editions?: readonly string[] | undefined;
}

const decoder = new TextDecoder();

/** Creates the entry of a record from its bytes. An import uses `entryOfProduct` instead, which parses nothing. */
export function entryOfBody(
  body: Uint8Array,
  { sender, reference, origin }: Pick<Entry, "sender" | "reference" | "origin">,
): Entry {
  const record: BookRecord = JSON.parse(decoder.decode(body));
  const isbn = record.RecordReference as Isbn13;
  const foundBy = foundByFields(indexFieldsOf(record));
  return { isbn, body, etag: etagOf(body), sender, reference, origin, ...foundBy };
}

/** The fields of an entry that a record is found by, which follow from the record. */
export type FoundBy = Pick<Entry, "imprint" | "languages" | "published">;

export function foundByFields(index: IndexFields): FoundBy {
  return {
    imprint: imprintOfName(index.imprint),
    languages: index.languages,
    published: index.publishingDay ?? index.marketDay,
  };
}

/** Creates the entry of a whole product. */
export function entryOfProduct(product: PreparedProduct, isbn: Isbn13, sender: string): Entry {
  const { body, etag, reference, index, origin, summary, search, editions } = product;
  return { isbn, body, etag, sender, reference, origin, summary, search, editions, ...foundByFields(index) };
}

/** Returns the summary of an entry, and makes it when the entry has none. */
export function summaryOfEntry({ summary, body }: Pick<Entry, "summary" | "body">): StoredRecord {
  if (summary !== undefined) return summary;
  const made = summaryOfBody(body);
  return { body: made, etag: summaryEtagOf(made) };
}

/** Returns the search document of an entry, and makes it when the entry has none. */
export function searchDocumentOfEntry({ search, body }: Pick<Entry, "search" | "body">): SearchDocument {
  return search ?? searchDocumentOfBody(body);
}

export function searchDocumentOfBody(body: Uint8Array): SearchDocument {
  const { record, summary } = readSummary(body);
  return searchDocumentOf(record, summary);
}

/** Returns the first 128 bits of the SHA-256 digest, in hexadecimal: equal etags mean equal bytes. */
export function etagOf(body: Uint8Array): string {
  return Bun.SHA256.hash(body as Uint8Array<ArrayBuffer>, "hex").slice(0, 32);
}

/** Begins the etag of a summary. No hexadecimal digit is one. */
const SUMMARY_MARK = "s";
export const SUMMARY_ETAG_LENGTH = 17;

/**
 * Returns `s` and the XXH3 digest, in hexadecimal. A summary follows from its record, which has a SHA-256; another one
 * would take 7 µs of each import, update and read of a summary.
 */
export function summaryEtagOf(body: Uint8Array): string {
  const digest = Bun.hash.xxHash3(body as Uint8Array<ArrayBuffer>);
  return SUMMARY_MARK + digest.toString(16).padStart(16, "0");
}

/** Returns whether a record or a summary is undamaged. Damage can even change the type of a value that SQLite returns. */
export function isIntact({ body, etag }: StoredRecord): boolean {
  if (!(body instanceof Uint8Array) || typeof etag !== "string") return false;
  return etag === (etag.startsWith(SUMMARY_MARK) ? summaryEtagOf(body) : etagOf(body));
}

/** What stands before the ISBN in a record (its `_id` ends with the ISBN) and in a summary. */
const STARTS = ['{"_id":"00000000000', '{"isbn":"'];

/**
 * Returns whether a record or a summary is, by its first field, that of another book. A damaged index can lead to one,
 * and the checksum does not tell.
 */
export function isOfOtherBook(isbn: Isbn13, body: Uint8Array): boolean {
  const start = STARTS.find((each) => hasAt(body, 0, each));
  return start !== undefined && !hasAt(body, start.length, isbn);
}

/** Returns the ISBN that a record or a summary begins with. */
export function isbnOfBody(body: Uint8Array): Isbn13 | undefined {
  const start = STARTS.find((each) => hasAt(body, 0, each));
  if (start === undefined) return undefined;
  return decoder.decode(body.subarray(start.length, start.length + 13)) as Isbn13;
}

function hasAt(body: Uint8Array, offset: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (body[offset + index] !== text.charCodeAt(index)) return false;
  }
  return true;
}
