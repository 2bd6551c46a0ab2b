/** Conversion between table rows and the types of the store port. */

import { isIntact } from "../../catalog/entry.ts";
import type { Entry, StoredRecord, View } from "../../catalog/store.ts";
import { DamagedRecord } from "../../catalog/store-errors.ts";
import { bufferOf } from "../../lib/text.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { findMember } from "../../onix/record/record-blocks.ts";
import { AFTER_IMPRINT } from "../../onix/summary/summary.ts";
import {
  dayFromNumber,
  type EntryColumns,
  entryFromColumns,
  type ImprintColumns,
  isbnFromColumn,
} from "../columns.ts";

export interface RecordRow extends CheckedRow {
  readonly isbn: number;
}

/** The columns of `record` that an entry fills. A sender is an id here, and a key in a preview. */
export interface FoundByColumns<Sender = number> extends ImprintColumns {
  readonly languages: string;
  readonly published: number | null;
  readonly sender: Sender;
  readonly reference: string;
}

/** Their names, from which all statements are made, each with the group that an update writes it in. */
const GROUP_OF: Readonly<Record<keyof FoundByColumns, "imprint" | "published" | "reference">> = {
  imprint: "imprint",
  imprint_name: "imprint",
  languages: "imprint",
  published: "published",
  sender: "reference",
  reference: "reference",
};
export const FOUND_BY_NAMES = Object.keys(GROUP_OF) as readonly (keyof FoundByColumns)[];
/**
 * SQLite rewrites each index that has a column of the statement, even when the value stays the same. So the columns of
 * each index are a group.
 */
export const FOUND_BY_GROUPS = [...Map.groupBy(FOUND_BY_NAMES, (name) => GROUP_OF[name]).values()];

export function foundByColumns<Sender>(entry: Entry, sender: Sender): FoundByColumns<Sender> {
  const { imprint, languages, published, reference } = entry;
  return {
    imprint: imprint?.slug ?? null,
    imprint_name: imprint?.name ?? null,
    languages: languagesToColumn(languages),
    published: published === undefined ? null : dayToColumn(published),
    sender,
    reference,
  };
}

/** Returns the values in the order of `FOUND_BY_NAMES`. */
export function foundByValues<Sender>(columns: FoundByColumns<Sender>): (Sender | string | number | null)[] {
  return FOUND_BY_NAMES.map((name) => columns[name]);
}

export interface EntryRow extends EntryColumns, CheckedRow, FoundByColumns<string | null> {
  readonly isbn: number;
}

const SENDER_KEY = "(SELECT key FROM sender WHERE sender.id = record.sender) AS sender";
/** The columns of `record`, with the key of the sender instead of its id. */
export const RECORD_COLUMNS = [
  "isbn",
  ...FOUND_BY_NAMES.map((name) => (name === "sender" ? SENDER_KEY : name)),
].join(", ");
/** All columns of an entry, from `record LEFT JOIN body USING (id)`. */
export const ENTRY_COLUMNS = `${RECORD_COLUMNS}, etag, origin, body, checksum`;

/** The tables of what is read of a book. Both have the columns id, etag, body and checksum. */
export const VIEW_TABLES: Readonly<Record<View, string>> = { record: "body", summary: "whole_summary" };

/** The id of a record, which is that of its body and of its summary, too. */
export const SELECT_BODY_ID = "SELECT id FROM record INDEXED BY record_by_isbn WHERE isbn = ?";
export const SELECT_BODY: Readonly<Record<View, string>> = {
  record: `SELECT body, etag, checksum FROM ${VIEW_TABLES.record} WHERE id = ?`,
  summary: `SELECT body, etag, checksum FROM ${VIEW_TABLES.summary} WHERE id = ?`,
};

/** Throws `DamagedRecord` when the row is damaged. */
export function requireIntact(row: RecordRow): void {
  if (!isIntactRow(row)) throw new DamagedRecord(isbnFromColumn(row.isbn));
}

/** Throws `DamagedRecord` when the row is damaged. */
export function entryFromRow(row: EntryRow): Entry {
  requireIntact(row);
  return uncheckedEntryFromRow(row);
}

export function uncheckedEntryFromRow(row: EntryRow): Entry {
  return entryFromColumns(row, {
    languages: languagesFromColumn(row.languages),
    published: dayFromColumn(row.published),
  });
}

/** A column of an ISBN is below it. */
export const AFTER_LAST_ISBN = 10 ** 13;

export function isbnToColumn(isbn: Isbn13): number {
  return Number(isbn);
}

export function dayToColumn(day: Day): number {
  return Number(day);
}

export function dayFromColumn(day: number | null): Day | undefined {
  return day === null ? undefined : dayFromNumber(day);
}

const SEPARATOR = "\u001f";

export function languagesToColumn(languages: readonly string[]): string {
  return languages.length === 0 ? "" : delimitLanguage(languages.join(SEPARATOR));
}

/** Returns the text that the column contains exactly when the language is in its list. */
export function delimitLanguage(language: string): string {
  return SEPARATOR + language + SEPARATOR;
}

export function languagesFromColumn(text: string): readonly string[] {
  return text === "" ? [] : text.slice(1, -1).split(SEPARATOR);
}

/** A row of the tables of `VIEW_TABLES`. */
export interface CheckedRow extends StoredRecord {
  /** Reveals damage on every read. Null for a summary, whose etag does. */
  readonly checksum: number | null;
}

/**
 * Returns 48 bits of the XXH3 digest of the bytes, seeded with the etag: it covers both. It is for accidents, not for
 * attackers. SHA-256, which the etag is made with, takes 24 µs for 4 kB on a processor without instructions for it,
 * which is as much as the rest of a lookup. XXH3 takes 1 µs.
 */
export function checksumOf({ body, etag }: StoredRecord): number {
  return Number(Bun.hash.xxHash3(body, BigInt(Bun.hash.xxHash32(etag))) >> 16n);
}

/** Returns whether a row is undamaged. Damage can even change the type of a value that SQLite returns. */
export function isIntactRow(row: CheckedRow): boolean {
  if (row.checksum === null) return isIntact(row);
  return row.body instanceof Uint8Array && typeof row.etag === "string" && checksumOf(row) === row.checksum;
}

/** The state of the catalog that a transaction reads. */
export interface CatalogState {
  readonly revision: string;
  /**
   * Changes with every import that changes or removes a record, even if it or a later one restores the revision, when
   * deletions are forgotten, and when the file is compacted. A record has the same id for as long as it is the same.
   */
  readonly generation: string;
  readonly records: number;
  /** Changes with the labels of subjects. */
  readonly subjects: string;
}

export const SELECT_STATE = `SELECT revision,
    concat(revision, ' ', imported, ' ', schema_version, ' ', forgotten_change) AS generation,
    records,
    (SELECT coalesce(group_concat(language || digest, '' ORDER BY language), '') FROM subject_labels) AS subjects
  FROM catalog, pragma_schema_version`;

/** Shorter texts are stored twice. */
const MIN_SHARED_BYTES = 64;
const NEEDLE_BYTES = 24;
/** What most summaries have, before and after the description. `whole_summary` has the same texts. */
const USUAL_BEFORE = [
  '"from":null,"until":null,"territory":',
  '"qualifier":null,"conditions":[],"minimumQuantity":null,"taxes":[',
  '"role":"A01","roles":["A01"]',
];
const USUAL_AFTER = [
  '"partNumber":null,"partTitle":null,"collectionNumber":null,"formDetail":[',
  '"editionNumber":null,"editionTypes":[],"duration":null,"markets":[',
  '"rights":null,"workId":null',
];

/** Reads no description, and so nothing of `body`: half of the time of a summary. Its checksum covers the whole. */
export const SELECT_SUMMARY_START = `SELECT CAST(replace(replace(replace(
    substr(body, 1, instr(body, CAST('${AFTER_IMPRINT}' AS BLOB)) - 1),
    char(1), '${USUAL_BEFORE[0]}'), char(2), '${USUAL_BEFORE[1]}'), char(3), '${USUAL_BEFORE[2]}') || '}' AS BLOB) AS body,
    etag, NULL AS checksum
  FROM summary WHERE id = ?`;

/** The columns of `summary` beside id and etag. */
type SummaryPart = readonly [body: Uint8Array, sharedAt: number, sharedFrom: number, sharedBytes: number];

/** Returns what is stored of a summary: abbreviated, and without the description if the record has its bytes. */
export function summaryPart(summary: Uint8Array, record: Uint8Array): SummaryPart {
  const json = bufferOf(summary);
  const { value, to } = findMember(json, "description") ?? { value: 0, to: 0 };
  const from = to - value < MIN_SHARED_BYTES ? -1 : indexOfText(bufferOf(record), json, value, to);
  // Each byte is a character, whatever it is a part of.
  const before = abbreviated(json.toString("latin1", 0, from < 0 ? to : value), USUAL_BEFORE);
  const after = abbreviated(json.toString("latin1", to), USUAL_AFTER);
  return [Buffer.from(before + after, "latin1"), before.length, Math.max(from, 0), from < 0 ? 0 : to - value];
}

/** Replaces each usual text by a control character of its own: JSON has none. */
function abbreviated(text: string, usual: readonly string[]): string {
  return usual.reduce((rest, each, index) => rest.replaceAll(each, String.fromCharCode(1 + index)), text);
}

/** Compares the first place that begins as the text does: a search for the whole text takes three times as long. */
function indexOfText(record: Buffer, json: Buffer, start: number, end: number): number {
  const from = record.indexOf(json.subarray(start, start + NEEDLE_BYTES));
  const found = record.subarray(from, from + end - start);
  return from >= 0 && found.equals(json.subarray(start, end)) ? from : -1;
}
