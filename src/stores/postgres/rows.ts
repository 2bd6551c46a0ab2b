/** Between what the port speaks of and what stands in a row. */
import { DamagedRecord, isIntact } from "../../catalog/damaged-record.ts";
import type { Entry } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";

/** As the client gives them: an int8 is a string of digits. */
export interface EntryRow {
  readonly isbn: string;
  readonly size: number;
  readonly recency: number | null;
  readonly etag: string;
  readonly imprint: string | null;
  readonly imprint_name: string | null;
  readonly languages: readonly string[];
  readonly reference: string;
  readonly origin: string;
  readonly body: Uint8Array;
}

/** In the order of `copy.rows.ts`. */
export const ENTRY_COLUMNS =
  "isbn, size, recency, etag, imprint, imprint_name, languages, reference, origin, body";

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
    languages: row.languages,
    published: row.recency === null ? undefined : dayOfRecency(row.recency),
    reference: row.reference,
    etag: row.etag,
    origin: row.origin,
    body: row.body,
  };
}

export function isbnOf(digits: string): Isbn13 {
  return digits.padStart(13, "0") as Isbn13;
}

/** An array of int8: ISBNs are digits, so nothing in it is to be quoted. */
export function arrayOfIsbns(isbns: readonly string[]): string {
  return `{${isbns.join(",")}}`;
}

export function recencyOf(day: Day): number {
  return -Number(day);
}

function dayOfRecency(recency: number): Day {
  return String(-recency).padStart(8, "0") as Day;
}
