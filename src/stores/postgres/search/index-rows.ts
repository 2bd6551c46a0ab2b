/** The rows of the tables `colophon.search` and `colophon.search_book`, and how they are written. */

import type { SQL } from "bun";
import type { SearchDocument, StoredField } from "../../../catalog/search/search-document.ts";
import { type SearchId, searchIdOf } from "../../../catalog/search/search-id.ts";
import type { Day } from "../../../onix/date.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { type DatabaseAddress, withQueryTimeout } from "../connection.ts";
import { copyRows } from "../import/copy.ts";
import type { BinaryWriter } from "../import/copy-rows.ts";
import { SEARCH_INDEXES } from "../schema.ts";
import { type Lexemes, lexemesOf, termsOf } from "./lexemes.ts";

export interface IndexRow {
  readonly id: SearchId;
  readonly document: SearchDocument;
  readonly lexemes: Lexemes;
  /** About as many as it takes in memory and on the wire. */
  readonly bytes: number;
}

type BookField = Exclude<StoredField, "titleKey">;
type WriteField = (writer: BinaryWriter, document: SearchDocument) => void;

/** How the fields of a document that are not words are stored. */
const BOOK_COLUMNS: Readonly<Record<BookField, WriteField>> = {
  digest: (writer, { digest }) => writer.text(digest),
  imprint: (writer, { imprint }) => writer.text(imprint),
  languages: (writer, { languages }) => writer.array(languages),
  form: (writer, { form }) => writer.text(form),
  audience: (writer, { audience }) => writer.array(audience),
  facts: (writer, { facts }) => writer.tsvector(new Map(termsOf(facts).map((term) => [term, []]))),
  availability: (writer, { availability }) => writer.text(availability),
  lacks: (writer, { lacks }) => writer.int16Field(lacks),
  prices: (writer, { prices }) => writer.array(prices),
};
const BOOK_WRITERS = Object.values(BOOK_COLUMNS);
const COPY_BOOKS = `COPY colophon.search_book (id, ${Object.keys(BOOK_COLUMNS)}) FROM STDIN (FORMAT binary)`;
const COPY_WORDS = "COPY colophon.search (id, sample, title_key, words) FROM STDIN (FORMAT binary)";

/** The samples that the books are divided into. */
export const SAMPLES = 1024;

export function indexRowOf(isbn: Isbn13, published: Day | undefined, document: SearchDocument): IndexRow {
  const lexemes = lexemesOf(document);
  let bytes = 256;
  for (const [lexeme, positions] of lexemes) bytes += 3 * lexeme.length + 2 * positions.length + 3;
  return {
    id: searchIdOf(isbn, published),
    document,
    lexemes,
    bytes: bytes + 3 * (document.titleKey.length + (document.imprint?.length ?? 0)) + sizeOfCodes(document),
  };
}

function sizeOfCodes(document: SearchDocument): number {
  const { languages, form = "", audience, availability = "", facts, prices } = document;
  const codes = [...languages, ...audience, ...prices].join().length + facts.length;
  return 7 * codes + 3 * (form.length + availability.length);
}

/** Copies rows into the tables, in the order of their ids: an index of ascending numbers grows at its end. */
export async function copyIndexRows(
  connection: SQL,
  rows: readonly IndexRow[],
  writer: BinaryWriter,
): Promise<void> {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  writer.clear();
  for (const { id, document, lexemes, bytes } of sorted) {
    writer.reserve(bytes + 128);
    writer.int16(4);
    writer.bigintField(id);
    writer.int16Field(sampleOf(id));
    writer.text(document.titleKey);
    writer.tsvector(lexemes);
  }
  await copyRows(connection, COPY_WORDS, writer.written());
  writer.clear();
  for (const { id, document, bytes } of sorted) {
    writer.reserve(bytes + 128);
    writer.int16(1 + BOOK_WRITERS.length);
    writer.bigintField(id);
    for (const write of BOOK_WRITERS) write(writer, document);
  }
  await copyRows(connection, COPY_BOOKS, writer.written());
}

/**
 * Returns the sample of a book: a number that has nothing to do with the book, so that the books of a sample are a random
 * choice. The mixing steps are those of MurmurHash3.
 */
function sampleOf(id: SearchId): number {
  let hash = Number(id & 0xffff_ffffn) ^ Number(id >> 32n);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % SAMPLES;
}

/** How long the removal of the indexes may wait for searches. */
const LOCK_TIMEOUT_MS = 1000;

const MISSING = `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass('colophon.' || name) IS NULL`;

/** Creates the indexes that are missing, within a transaction. Readers do not wait for it. */
export async function createSearchIndexes(sql: SQL): Promise<void> {
  const names = `{${[...SEARCH_INDEXES.keys()].join()}}`;
  const missing = await sql.unsafe<{ name: string }[]>(MISSING, [names]);
  if (missing.length === 0) return;
  // Sorting in memory takes a third of the time. The setting ends with the transaction.
  await sql.unsafe("SET LOCAL maintenance_work_mem = '256MB'");
  for (const { name } of missing) await sql.unsafe(SEARCH_INDEXES.get(name)!);
}

/**
 * Removes the indexes of the empty table, in a transaction of its own, so that no search waits longer than for this. The
 * import that fills the table creates them at its end. Without ownership, and when a search holds the table, they stay.
 */
export async function dropSearchIndexes(address: DatabaseAddress): Promise<void> {
  const sql = address.connect(1);
  try {
    const drops = [...SEARCH_INDEXES.keys()].map((name) => `DROP INDEX IF EXISTS colophon.${name};`);
    await withQueryTimeout(
      sql.unsafe(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}; ${drops.join(" ")}`),
      address,
      2 * LOCK_TIMEOUT_MS,
    );
  } catch {
    // The import goes on with the indexes, only slower.
  } finally {
    sql.close({ timeout: 0 }).catch(() => {});
  }
}
