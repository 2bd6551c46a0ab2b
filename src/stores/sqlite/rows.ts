/** Between what the port speaks of and what stands in a row. */
import { DamagedRecord, isIntact } from "../../catalog/damaged-record.ts";
import type { Entry } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";

export interface EntryRow {
  readonly isbn: number;
  readonly imprint: string | null;
  readonly imprint_name: string | null;
  readonly languages: string;
  readonly published: number | null;
  readonly reference: string;
  readonly etag: string;
  readonly origin: string;
  readonly body: Uint8Array;
}

export const ENTRY_COLUMNS =
  "isbn, imprint, imprint_name, languages, published, reference, etag, origin, body";

export function entryOf(row: EntryRow): Entry {
  if (!isIntact(row)) throw new DamagedRecord(isbnOf(row.isbn));
  return uncheckedEntry(row);
}

export function uncheckedEntry(row: EntryRow): Entry {
  return {
    isbn: isbnOf(row.isbn),
    imprint:
      row.imprint === null || row.imprint_name === null
        ? undefined
        : { slug: row.imprint, name: row.imprint_name },
    languages: languagesOf(row.languages),
    published: row.published === null ? undefined : dayOfNumber(row.published),
    reference: row.reference,
    etag: row.etag,
    origin: row.origin,
    body: row.body,
  };
}

/** Thirteen digits are well below 2^53. */
export function numberOfIsbn(isbn: Isbn13): number {
  return Number(isbn);
}

export function isbnOf(number: number): Isbn13 {
  return String(number).padStart(13, "0") as Isbn13;
}

export function numberOfDay(day: Day): number {
  return Number(day);
}

function dayOfNumber(number: number): Day {
  return String(number).padStart(8, "0") as Day;
}

const SEPARATOR = "\u001f";

export function textOfLanguages(languages: readonly string[]): string {
  return languages.length === 0 ? "" : languageMark(languages.join(SEPARATOR));
}

/** What `languages` contains when this is one of them. */
export function languageMark(language: string): string {
  return SEPARATOR + language + SEPARATOR;
}

function languagesOf(text: string): readonly string[] {
  return text === "" ? [] : text.slice(1, -1).split(SEPARATOR);
}
