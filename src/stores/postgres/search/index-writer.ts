/** Writes the search index of an import, and the counts of books, within its transaction. */
import type { SQL } from "bun";
import { searchDocumentOfEntry } from "../../../catalog/entry.ts";
import { type CountedBook, countedBookOf } from "../../../catalog/quality/book-counts.ts";
import { type SearchDocument, stateOf } from "../../../catalog/search/search-document.ts";
import { dayOfSearchId, isSearchable, type SearchId, searchIdOf } from "../../../catalog/search/search-id.ts";
import type { Entry } from "../../../catalog/store.ts";
import { dayFromNumber, isbnFromColumn } from "../../columns.ts";
import type { DatabaseAddress } from "../connection.ts";
import { BinaryWriter } from "../import/copy-rows.ts";
import { CountWriter } from "../import/count-writer.ts";
import {
  copyIndexRows,
  createSearchIndexes,
  dropSearchIndexes,
  type IndexRow,
  indexRowOf,
} from "./index-rows.ts";

/** The rows that wait for one COPY. */
const MAX_ROW_BYTES = 8 * 1024 * 1024;

const INDEXED = `SELECT id, digest, facts, imprint, languages, form, lacks, prices FROM colophon.search
  WHERE id = ANY ($1::bigint[])`;
const REMOVE = "DELETE FROM colophon.search WHERE id = ANY ($1::bigint[])";

/** A record as it was before the change. */
interface RecordBefore {
  readonly isbn: string;
  readonly recency: number | null;
}

interface IndexedRow {
  readonly id: string;
  readonly digest: string;
  readonly facts: string;
  readonly imprint: string | null;
  readonly languages: readonly string[];
  readonly form: string | null;
  readonly lacks: number;
  readonly prices: readonly string[];
}

/** A book that the index does not have. */
export interface UnindexedBook {
  readonly entry: Entry;
  readonly document: SearchDocument;
}

export class SearchIndexWriter {
  readonly #address: DatabaseAddress;
  readonly #writer = new BinaryWriter();
  readonly #counts = new CountWriter("book_count");
  /** The table is empty, and has its indexes. */
  #isUntouched: boolean;
  #hasChanged = false;
  #rows: IndexRow[] = [];
  #bytes = 0;

  constructor(address: DatabaseAddress, wasEmpty: boolean) {
    this.#address = address;
    this.#isUntouched = wasEmpty;
  }

  /** True when the rows should be written, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#bytes >= MAX_ROW_BYTES || this.#counts.isFull;
  }

  /**
   * Removes the books that change from the index. Returns those of `puts` that it lacks: most updates change a price, and
   * no words. All rows must have been written.
   */
  async remove(
    connection: SQL,
    before: readonly RecordBefore[],
    puts: readonly Entry[],
  ): Promise<readonly UnindexedBook[]> {
    const books = puts
      .filter(({ isbn }) => isSearchable(isbn))
      .map((entry) => ({ entry, document: searchDocumentOfEntry(entry) }));
    const ids = new Set(before.flatMap(idBefore).map(String));
    if (ids.size === 0) return books;
    const rows = await connection.unsafe<IndexedRow[]>(INDEXED, [`{${[...ids].join()}}`]);
    const states = new Map(rows.map((row) => [row.id, stateOf(row)]));
    const unindexed = books.filter(({ entry, document }) => {
      const id = String(searchIdOf(entry.isbn, entry.published));
      if (states.get(id) !== stateOf(document)) return true;
      ids.delete(id);
      return false;
    });
    for (const row of rows) if (ids.has(row.id)) this.#counts.addBook(countedBook(row), -1);
    if (ids.size > 0) await connection.unsafe(REMOVE, [`{${[...ids].join()}}`]);
    this.#hasChanged = true;
    return unindexed;
  }

  add(books: readonly UnindexedBook[]): void {
    for (const { entry, document } of books) {
      const row = indexRowOf(entry.isbn, entry.published, document);
      this.#rows.push(row);
      this.#bytes += row.bytes;
      this.#counts.addBook(countedBookOf(document, entry.published), 1);
    }
  }

  /** Writes the rows. An import that fills an empty catalog is faster when the indexes are made afterwards. */
  async flush(connection: SQL): Promise<void> {
    if (this.#counts.isFull) await this.#counts.write(connection);
    const rows = this.#rows;
    if (rows.length === 0) return;
    if (this.#isUntouched && this.#bytes >= MAX_ROW_BYTES) await dropSearchIndexes(this.#address);
    this.#isUntouched = false;
    this.#hasChanged = true;
    this.#rows = [];
    this.#bytes = 0;
    await copyIndexRows(connection, rows, this.#writer);
  }

  /** Runs after the last flush. An import before this one may have failed without its indexes. */
  async finish(connection: SQL): Promise<void> {
    await this.#counts.write(connection);
    if (this.#hasChanged) await createSearchIndexes(connection);
  }
}

/** Returns what was counted of a book that goes. */
function countedBook({ id, imprint, languages, form, lacks, prices }: IndexedRow): CountedBook {
  const published = dayOfSearchId(BigInt(id));
  return { imprint: imprint ?? undefined, languages, form: form ?? undefined, lacks, prices, published };
}

function idBefore({ isbn, recency }: RecordBefore): SearchId | [] {
  const number = isbnFromColumn(isbn);
  if (!isSearchable(number)) return [];
  return searchIdOf(number, recency === null ? undefined : dayFromNumber(-recency));
}
