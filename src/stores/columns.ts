/** Conversions between column values and the types of the store port that both engines share. */

import { type FoundBy, isIntact } from "../catalog/entry.ts";
import type { MessageMark } from "../catalog/import-state.ts";
import type { Entry, Imprint, StoredRecord } from "../catalog/store.ts";
import { DamagedRecord } from "../catalog/store-errors.ts";
import type { ForeignToken, IssuedToken } from "../catalog/token-registry.ts";
import type { Day } from "../onix/date.ts";
import type { Isbn13 } from "../onix/isbn.ts";

export interface RecordColumns extends StoredRecord {
  readonly isbn: number | string;
}

export interface ImprintColumns {
  readonly imprint: string | null;
  readonly imprint_name: string | null;
}

/** The columns of a record that both engines store in the same way. */
export interface EntryColumns extends RecordColumns, ImprintColumns {
  /** The sender's key; null when a damaged store has lost it. */
  readonly sender: string | null;
  readonly reference: string;
  readonly origin: string;
}

/** Both engines store an ISBN as an integer: thirteen digits are well below 2^53. */
export function isbnFromColumn(isbn: number | string): Isbn13 {
  return String(isbn).padStart(13, "0") as Isbn13;
}

/** Both engines store a date as the integer YYYYMMDD; PostgreSQL with the sign reversed. */
export function dayFromNumber(number: number): Day {
  return String(number).padStart(8, "0") as Day;
}

/** No book has a later date. */
export const LAST_DAY = "99991231" as Day;

export function imprintFromColumns({ imprint, imprint_name }: ImprintColumns): Imprint | undefined {
  return imprint === null || imprint_name === null ? undefined : { slug: imprint, name: imprint_name };
}

/** `others` are the fields that the engines store in columns of different types. */
export function entryFromColumns(row: EntryColumns, others: Omit<FoundBy, "imprint">): Entry {
  return {
    isbn: isbnFromColumn(row.isbn),
    imprint: imprintFromColumns(row),
    ...others,
    sender: row.sender ?? "",
    reference: row.reference,
    etag: row.etag,
    origin: row.origin,
    body: row.body,
  };
}

/** Throws `DamagedRecord` when the body does not match the etag. */
export function requireIntact(row: RecordColumns): void {
  if (!isIntact(row)) throw new DamagedRecord(isbnFromColumn(row.isbn));
}

/** The table `sender` has the same columns in both engines, beside the key. */
export interface SenderRow {
  readonly id: number;
  /** The time and the number of the last message. */
  readonly sent: string | null;
  readonly message_number: string | null;
}

/** Returns undefined for a sender whose messages have neither a time nor a number. */
export function messageMarkFromRow(row: Omit<SenderRow, "id"> | null | undefined): MessageMark | undefined {
  const [sent, messageNumber] = [row?.sent ?? undefined, row?.message_number ?? undefined];
  return sent === undefined && messageNumber === undefined ? undefined : { sent, messageNumber };
}

/**
 * The table `token` has the same columns in both engines. A foreign token has the time of its revocation as `issued`,
 * and neither a name nor an end. An issued token always has a name.
 */
export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly issued: string;
  readonly expires: string;
  readonly revoked: string | null;
}

export const TOKEN_COLUMNS = "id, name, issued, expires, revoked";

/** The values of a foreign token that is being revoked, in the order of TOKEN_COLUMNS. */
export function foreignTokenToColumns(id: string, at: string): [string, string, string, string, string] {
  return [id, "", at, "", at];
}

export function tokenFromRow({ id, name, issued, expires, revoked }: TokenRow): IssuedToken | ForeignToken {
  if (name === "" && revoked !== null) {
    return { id, name: undefined, issued: undefined, expires: undefined, revoked };
  }
  return { id, name, issued, expires, revoked: revoked ?? undefined };
}
