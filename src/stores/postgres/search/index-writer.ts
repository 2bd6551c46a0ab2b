/** Writes the search index of an import, and the counts of books, within its transaction. */
import type { SQL } from "bun";
import { searchDocumentOfEntry } from "../../../catalog/entry.ts";
import { type CountedBook, countedBookOf } from "../../../catalog/quality/book-counts.ts";
import { nightlyFieldsAfter } from "../../../catalog/search/document-builder.ts";
import {
  type NightlyFields,
  type SearchDocument,
  sortedFacts,
} from "../../../catalog/search/search-document.ts";
import { dayOfSearchId, isSearchable, type SearchId, searchIdOf } from "../../../catalog/search/search-id.ts";
import { NewWords } from "../../../catalog/spelling/new-words.ts";
import type { Entry } from "../../../catalog/store.ts";
import { dayFromNumber, isbnFromColumn } from "../../columns.ts";
import type { DatabaseAddress } from "../connection.ts";
import { CountWriter } from "../import/count-writer.ts";
import { createSearchIndexes, dropSearchIndexes, IndexRows } from "./index-rows.ts";

/** The rows that wait for one COPY. */
const MAX_ROW_BYTES = 2 * 1024 * 1024;
/** An import whose first rows take so much is large: creating the indexes afterwards takes less time. */
const LARGE_IMPORT_BYTES = 1024 * 1024;

const INDEXED = `SELECT id, digest, imprint, languages, form, availability, lacks, prices,
    array_to_string(tsvector_to_array(facts), ' ') AS facts
  FROM colophon.search_book WHERE id = ANY ($1::bigint[])`;
const REMOVE = `WITH removed AS (DELETE FROM colophon.search WHERE id = ANY ($1::bigint[]))
  DELETE FROM colophon.search_book WHERE id = ANY ($1::bigint[])`;
/** Lists are texts here: arrays of arrays would have to be equally long. */
const UPDATE_NIGHTLY = `UPDATE colophon.search_book AS book 
    SET facts = array_to_tsvector(string_to_array(changed.facts, ' ')),
    availability = changed.availability, lacks = changed.lacks, prices = string_to_array(changed.prices, ',')
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::smallint[], $5::text[])
    AS changed (id, facts, availability, lacks, prices)
  WHERE book.id = changed.id`;

/** A conflict would use up an id: most words of a batch are there already. */
const ADD_WORDS = `INSERT INTO colophon.word (word) SELECT word FROM unnest($1::text[]) AS added (word)
  WHERE NOT EXISTS (SELECT FROM colophon.word AS known WHERE known.word = added.word)`;

/** A record as it was before the change. */
interface RecordBefore {
  readonly isbn: string;
  readonly recency: number | null;
}

interface IndexedRow {
  readonly id: string;
  readonly digest: string;
  readonly imprint: string | null;
  readonly languages: readonly string[];
  readonly form: string | null;
  readonly facts: string;
  readonly availability: string | null;
  readonly lacks: number;
  readonly prices: readonly string[];
}

/** A book of the index that changes without its words. */
interface NightlyRow {
  readonly id: string;
  readonly now: NightlyFields;
}

/** A book that the index does not have. */
interface UnindexedBook {
  readonly entry: Entry;
  readonly document: SearchDocument;
}

export class SearchIndexWriter {
  readonly #address: DatabaseAddress;
  readonly #counts = new CountWriter("book_count");
  /** The table is empty, and has its indexes. */
  #isUntouched: boolean;
  #hasChanged = false;
  readonly #newWords = new NewWords();
  readonly #rows = new IndexRows();

  constructor(address: DatabaseAddress, wasEmpty: boolean) {
    this.#address = address;
    this.#isUntouched = wasEmpty;
  }

  /** True when the rows should be written, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#rows.bytes >= MAX_ROW_BYTES || this.#newWords.isFull || this.#counts.isFull;
  }

  /**
   * Writes what has changed of books that stay in their place with the same words: most updates change a price. Removes
   * the others from the index, and returns those of `puts` that it lacks. All rows must have been written.
   */
  async update(
    connection: SQL,
    before: readonly RecordBefore[],
    puts: readonly Entry[],
  ): Promise<readonly UnindexedBook[]> {
    const books = puts.filter(({ isbn }) => isSearchable(isbn));
    const ids = before.flatMap(idBefore).map(String);
    const rows = ids.length === 0 ? [] : await connection.unsafe<IndexedRow[]>(INDEXED, [`{${ids.join()}}`]);
    const rowsById = new Map(rows.map((row) => [row.id, row]));
    const unindexed: UnindexedBook[] = [];
    const nightly: NightlyRow[] = [];
    for (const entry of books) {
      const id = String(searchIdOf(entry.isbn, entry.published));
      const row = rowsById.get(id);
      const document = row && entry.supply ? undefined : searchDocumentOfEntry(entry);
      if (row && (document === undefined || row.digest === document.digest)) {
        rowsById.delete(id);
        const now = document ?? nightlyFieldsAfter(entry.supply!, row.lacks);
        if (this.#hasChangedAtNight(row, now)) nightly.push({ id, now });
      } else unindexed.push({ entry, document: document! });
    }
    for (const row of rowsById.values()) this.#counts.addBook(countedBook(row), -1);
    if (rowsById.size > 0) await connection.unsafe(REMOVE, [`{${[...rowsById.keys()].join()}}`]);
    if (nightly.length > 0) await connection.unsafe(UPDATE_NIGHTLY, nightlyColumns(nightly));
    if (ids.length > 0) this.#hasChanged = true;
    return unindexed;
  }

  /** Compares the nightly fields, and counts what has changed. */
  #hasChangedAtNight(row: IndexedRow, now: NightlyFields): boolean {
    const isSame =
      sortedFacts(row.facts) === sortedFacts(now.facts) &&
      row.availability === (now.availability ?? null) &&
      row.lacks === now.lacks &&
      row.prices.join() === now.prices.join();
    if (isSame) return false;
    const before = countedBook(row);
    this.#counts.addBook(before, -1);
    this.#counts.addBook({ ...before, lacks: now.lacks, prices: now.prices }, 1);
    return true;
  }

  add(books: readonly UnindexedBook[]): void {
    for (const { entry, document } of books) {
      this.#rows.add(entry.isbn, entry.published, document);
      this.#newWords.add(document);
      this.#counts.addBook(countedBookOf(document, entry.published), 1);
    }
  }

  /** Writes the rows. An import that fills an empty catalog is faster when the indexes are made afterwards. */
  async flush(connection: SQL): Promise<void> {
    if (this.#counts.isFull) await this.#counts.write(connection);
    if (this.#rows.bytes === 0) return;
    const words = this.#newWords.take();
    if (words.length > 0) await connection.unsafe(ADD_WORDS, [words]);
    if (this.#isUntouched && this.#rows.bytes >= LARGE_IMPORT_BYTES) await dropSearchIndexes(this.#address);
    this.#isUntouched = false;
    this.#hasChanged = true;
    await this.#rows.copy(connection);
  }

  /** Runs after the last flush. An import before this one may have failed without its indexes. */
  async finish(connection: SQL): Promise<void> {
    await this.#counts.write(connection);
    if (this.#hasChanged) await createSearchIndexes(connection);
  }
}

function nightlyColumns(rows: readonly NightlyRow[]): (readonly (string | number | null)[])[] {
  return [
    rows.map(({ id }) => id),
    rows.map(({ now }) => now.facts),
    rows.map(({ now }) => now.availability ?? null),
    rows.map(({ now }) => now.lacks),
    rows.map(({ now }) => now.prices.join()),
  ];
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
