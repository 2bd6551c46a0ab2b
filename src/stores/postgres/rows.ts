/** Conversion between table rows and the types of the store port. */
import type { Entry } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import { dayFromNumber, type EntryColumns, entryFromColumns, requireIntact } from "../columns.ts";

/** A row as Bun's client returns it: a BIGINT is a string of digits. */
export interface EntryRow extends EntryColumns {
  readonly isbn: string;
  readonly size: number;
  readonly recency: number | null;
  readonly languages: readonly string[];
}

/** The columns of a record that an entry fills, in the order in which `import/copy-rows.ts` writes them. */
export const RECORD_COLUMNS: readonly string[] = [
  ...["isbn", "size", "recency", "etag", "imprint", "imprint_name"],
  ...["languages", "reference", "origin", "body", "sender"],
];

/** Returns the columns of an entry, with the key of the sender. `table` is the name of the records in the query. */
export function entryColumns(table: string): string {
  const key = `(SELECT key FROM colophon.sender WHERE sender.id = ${table}.sender)`;
  return RECORD_COLUMNS.map((name) => (name === "sender" ? `${key} AS sender` : `${table}.${name}`)).join(
    ", ",
  );
}

/** Throws `DamagedRecord` when the body does not match the etag. */
export function entryFromRow(row: EntryRow): Entry {
  requireIntact(row);
  return uncheckedEntryFromRow(row);
}

export function uncheckedEntryFromRow(row: EntryRow): Entry {
  const published = row.recency === null ? undefined : dayFromNumber(-row.recency);
  return entryFromColumns(row, { languages: row.languages, published });
}

/** Returns the literal of a BIGINT array. ISBNs are digits, so that nothing needs quotes. */
export function isbnArray(isbns: readonly string[]): string {
  return `{${isbns.join(",")}}`;
}

/** The `recency` column: newer dates have smaller values, so that news are in ascending order. */
export function recencyFromDay(day: Day): number {
  return -Number(day);
}
