/** The rows of the tables `colophon.search` and `colophon.search_book`, and how they are written. */

import type { SQL } from "bun";
import type { SearchDocument, StoredField } from "../../../catalog/search/search-document.ts";
import { type SearchId, searchIdOf } from "../../../catalog/search/search-id.ts";
import type { Day } from "../../../onix/date.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { mixed } from "../../number-set.ts";
import { closeAtOnce, type DatabaseAddress, withQueryTimeout } from "../connection.ts";
import { copyRows } from "../import/copy.ts";
import { BinaryWriter } from "../import/copy-rows.ts";
import { SEARCH_INDEXES } from "../schema.ts";
import { LexemeSet } from "./lexemes.ts";

/** Where the row of a book is in the bytes of each table. */
interface RowPlace {
  readonly id: SearchId;
  readonly words: readonly [start: number, end: number];
  readonly book: readonly [start: number, end: number];
}

type BookField = Exclude<StoredField, "titleKey">;
type WriteField = (writer: BinaryWriter, document: SearchDocument) => void;

const lexemes = new LexemeSet();

/** How the fields of a document that are not words are stored. */
const BOOK_COLUMNS: Readonly<Record<BookField, WriteField>> = {
  digest: (writer, { digest }) => writer.text(digest),
  imprint: (writer, { imprint }) => writer.text(imprint),
  languages: (writer, { languages }) => writer.array(languages),
  form: (writer, { form }) => writer.text(form),
  audience: (writer, { audience }) => writer.array(audience),
  facts: (writer, document) => writer.tsvector(lexemes.readFacts(document)),
  availability: (writer, { availability }) => writer.text(availability),
  lacks: (writer, { lacks }) => writer.int16Field(lacks),
  prices: (writer, { prices }) => writer.array(prices),
};
const BOOK_WRITERS = Object.values(BOOK_COLUMNS);
const COPY_BOOKS = `COPY colophon.search_book (id, ${Object.keys(BOOK_COLUMNS)}) FROM STDIN (FORMAT binary)`;
const COPY_WORDS = "COPY colophon.search (id, sample, title_key, words) FROM STDIN (FORMAT binary)";

/** The samples that the books are divided into. */
export const SAMPLES = 1024;

/** Rows that wait for one COPY into each table, as bytes. Documents and lexemes would take many times the memory. */
export class IndexRows {
  readonly #words = new BinaryWriter();
  readonly #books = new BinaryWriter();
  readonly #sorted = new BinaryWriter();
  #places: RowPlace[] = [];

  get bytes(): number {
    return this.#words.length + this.#books.length;
  }

  add(isbn: Isbn13, published: Day | undefined, document: SearchDocument): void {
    const id = searchIdOf(isbn, published);
    const [words, books] = [this.#words, this.#books];
    const [wordsStart, bookStart] = [words.length, books.length];
    words.reserve(3 * document.titleKey.length + ROW_BYTES);
    words.int16(4);
    words.bigintField(id);
    words.int16Field(sampleOf(id));
    words.text(document.titleKey);
    words.tsvector(lexemes.readDocument(document));
    books.reserve(maxBookBytes(document));
    books.int16(1 + BOOK_WRITERS.length);
    books.bigintField(id);
    for (const write of BOOK_WRITERS) write(books, document);
    this.#places.push({ id, words: [wordsStart, words.length], book: [bookStart, books.length] });
  }

  /** Copies the rows into the tables, in the order of their ids: an index of ascending numbers grows at its end. */
  async copy(connection: SQL): Promise<void> {
    this.#places.sort((a, b) => (a.id < b.id ? -1 : 1));
    await copyRows(connection, COPY_WORDS, this.#inOrder(this.#words, "words"));
    await copyRows(connection, COPY_BOOKS, this.#inOrder(this.#books, "book"));
    this.#places = [];
    this.#words.clear();
    this.#books.clear();
  }

  #inOrder(rows: BinaryWriter, part: "words" | "book"): Uint8Array {
    this.#sorted.clear();
    this.#sorted.reserve(rows.length);
    for (const place of this.#places) this.#sorted.bytes(rows.written(...place[part]));
    return this.#sorted.written();
  }
}

/** More than a row has beside its texts. */
const ROW_BYTES = 256;

/** Returns an upper bound. Each code of a list has at most 7 bytes beside it. */
function maxBookBytes(document: SearchDocument): number {
  const { digest, imprint = "", languages, form = "", audience, availability = "", facts, prices } = document;
  const codes = [...languages, ...audience, ...prices].join().length + facts.length;
  return 7 * codes + 3 * (digest.length + imprint.length + form.length + availability.length) + ROW_BYTES;
}

/**
 * Returns the sample of a book: a number that has nothing to do with the book, so that the books of a sample are a random
 * choice.
 */
function sampleOf(id: SearchId): number {
  return mixed(Number(id & 0xffff_ffffn) ^ Number(id >> 32n)) % SAMPLES;
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
  const sql = address.connect();
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
    closeAtOnce(sql);
  }
}
