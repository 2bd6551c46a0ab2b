/** Writes the search index of an import, and the counts of books, within its transaction. */
import type { Database, Statement } from "bun:sqlite";
import { searchDocumentOfEntry } from "../../../catalog/entry.ts";
import { type CountedBook, countedBookOf } from "../../../catalog/quality/book-counts.ts";
import { nightlyFieldsAfter } from "../../../catalog/search/document-builder.ts";
import type { NightlyFields, SearchDocument, StoredField } from "../../../catalog/search/search-document.ts";
import { dayOfSearchId, isSearchable, type SearchId, searchIdOf } from "../../../catalog/search/search-id.ts";
import { NewWords } from "../../../catalog/spelling/new-words.ts";
import type { Entry } from "../../../catalog/store.ts";
import type { Day } from "../../../onix/date.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { CountWriter } from "../import/count-writer.ts";
import { languagesFromColumn, languagesToColumn } from "../rows.ts";
import { PendingChanges } from "./pending-changes.ts";
import { MERGE_SEGMENTS, mergeAsUsual, mergeRarely } from "./segments.ts";

/** FTS5 begins a new segment whenever a row id is smaller than the one before. So rows are sorted in batches. */
const BATCH_BOOKS = 4000;
const BATCH_BYTES = 4 << 20;

type IndexedBook = Pick<Entry, "isbn" | "published" | "body" | "search" | "supply">;

/** The columns of a book that are counted, beside its day. */
export interface CountedColumns {
  readonly imprint: Text;
  readonly languages: string;
  readonly form: Text;
  readonly lacks: number;
  readonly prices: string;
}

interface BookSearchRow extends CountedColumns {
  readonly digest: string;
  readonly availability: Text;
  readonly facts: string;
}

type Text = string | null;

export class SearchIndexWriter implements Disposable {
  readonly #words = new PendingChanges<SearchDocument>();
  readonly #facts = new PendingChanges<string | Uint8Array>();
  #pendingBytes = 0;
  readonly #db: Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #counts: CountWriter;
  readonly #newWords = new NewWords();
  /** Adds a row to the temporary table, while there is one. */
  #collectRow: PutRow | undefined;

  constructor(db: Database) {
    this.#db = db;
    this.#sql = prepare(db);
    this.#counts = new CountWriter(db, "book_count");
  }

  /** Collects the rows of new books until `writeCollected`: their table is in another order than the feed. */
  collect(): void {
    mergeRarely(this.#db);
    this.#db.run(CREATE_COLLECTED);
    this.#collectRow = preparePutRow(this.#db, COLLECTED);
  }

  writeCollected(): void {
    this.#collectRow?.finalize();
    this.#collectRow = undefined;
    this.#db.run(WRITE_COLLECTED);
  }

  /** Adds a book that the index does not have. */
  add(book: IndexedBook): void {
    if (!isSearchable(book.isbn)) return;
    this.#add(book, searchIdOf(book.isbn, book.published), searchDocumentOfEntry(book));
  }

  /** Writes what has changed of a book. Adds it when a damaged catalog has lost it. */
  update(book: IndexedBook, publishedBefore: Day | undefined): void {
    if (!isSearchable(book.isbn)) return;
    const idBefore = searchIdOf(book.isbn, publishedBefore);
    const row = this.#sql.row.get(idBefore);
    const searchId = searchIdOf(book.isbn, book.published);
    const isInPlace = row !== null && idBefore === searchId;
    if (isInPlace && book.supply !== undefined) {
      this.#updateNightly(searchId, row, nightlyFieldsAfter(book.supply, row.lacks));
      return;
    }
    const document = searchDocumentOfEntry(book);
    if (isInPlace && row.digest === document.digest) {
      this.#updateNightly(searchId, row, document);
      return;
    }
    if (row !== null) this.#remove(idBefore, row);
    this.#add(book, searchId, document);
  }

  remove(isbn: Isbn13, published: Day | undefined): void {
    if (!isSearchable(isbn)) return;
    const searchId = searchIdOf(isbn, published);
    const row = this.#sql.row.get(searchId);
    if (row !== null) this.#remove(searchId, row);
  }

  /** Writes all pending changes. `isMostlyNew`: most books of the index are of this import. */
  flush(isMostlyNew = false): void {
    this.#counts.write();
    this.#flushTerms();
    if (!isMostlyNew) return;
    this.#db.run(MERGE_SEGMENTS);
    mergeAsUsual(this.#db);
  }

  #add({ published }: IndexedBook, searchId: SearchId, document: SearchDocument): void {
    this.#put(searchId, document);
    const values = VALUES_IN_ORDER.map((read) => read(document));
    (this.#collectRow ?? this.#sql.putRow).run(searchId, ...values);
    this.#counts.addBook(countedBookOf(document, published), 1);
  }

  /** Writes the nightly fields, as far as they have changed. Prices are in no index. */
  #updateNightly(searchId: SearchId, row: BookSearchRow, now: NightlyFields): void {
    const [facts, prices] = [enclosed(now.facts), languagesToColumn(now.prices)];
    const availability = now.availability ?? null;
    const hasOtherFacts = row.facts !== facts || row.availability !== availability;
    if (!hasOtherFacts && row.prices === prices) return;
    const before = countedBook(row, searchId);
    this.#counts.addBook(before, -1);
    this.#counts.addBook({ ...before, lacks: now.lacks, prices: now.prices }, 1);
    if (!hasOtherFacts) {
      this.#sql.updatePrices.run(prices, searchId);
      return;
    }
    this.#sql.updateNightly.run(availability, now.lacks, facts, prices, searchId);
    this.#facts.remove(searchId);
    this.#facts.put(searchId, now.facts);
    this.#flushWhenFull();
  }

  #flushTerms(): void {
    this.#pendingBytes = 0;
    this.#writeNewWords();
    for (const { searchId, removes, row } of this.#words.take()) {
      if (removes) this.#sql.removeWords.run(searchId);
      if (row === undefined) continue;
      this.#sql.addWords.run(
        searchId,
        row.bytesOf("description"),
        row.bytesOf("title"),
        row.bytesOf("contributor"),
        row.bytesOf("label", "rest"),
        row.bytesOf("filter", "marks"),
      );
    }
    for (const { searchId, removes, row } of this.#facts.take()) {
      if (removes) this.#sql.removeFacts.run(searchId);
      if (row !== undefined) this.#sql.addFacts.run(searchId, row);
    }
  }

  #writeNewWords(): void {
    for (const word of this.#newWords.take()) this.#sql.addWord.run(word);
  }

  [Symbol.dispose](): void {
    for (const statement of Object.values(this.#sql)) statement.finalize();
    this.#collectRow?.finalize();
    this.#counts[Symbol.dispose]();
  }

  #put(searchId: SearchId, document: SearchDocument): void {
    this.#words.put(searchId, document);
    this.#newWords.add(document);
    this.#facts.put(searchId, document.bytesOf("facts"));
    this.#pendingBytes += document.wordBytes;
    this.#flushWhenFull();
  }

  #remove(searchId: SearchId, row: BookSearchRow): void {
    this.#sql.removeRow.run(searchId);
    this.#counts.addBook(countedBook(row, searchId), -1);
    this.#words.remove(searchId);
    this.#facts.remove(searchId);
    this.#flushWhenFull();
  }

  /** An import can remove all books of a catalog, so removals count as well. */
  #flushWhenFull(): void {
    if (this.#facts.size >= BATCH_BOOKS || this.#pendingBytes >= BATCH_BYTES) this.#flushTerms();
    else if (this.#newWords.isFull) this.#writeNewWords();
  }
}

/** Puts a space before and after each term, so that a whole term can be searched for. */
export function enclosed(facts: string): string {
  return facts === "" ? "" : ` ${facts} `;
}

type ColumnValue = string | number | null;
type BookColumn = Exclude<StoredField, "titleKey"> | "title_key";

/** The columns that the fields of a document fill. */
const VALUES: Readonly<Record<BookColumn, (document: SearchDocument) => ColumnValue>> = {
  digest: ({ digest }) => digest,
  title_key: ({ titleKey }) => titleKey,
  imprint: ({ imprint }) => imprint ?? null,
  languages: ({ languages }) => languagesToColumn(languages),
  form: ({ form }) => form ?? null,
  audience: ({ audience }) => languagesToColumn(audience),
  availability: ({ availability }) => availability ?? null,
  lacks: ({ lacks }) => lacks,
  facts: ({ facts }) => enclosed(facts),
  prices: ({ prices }) => languagesToColumn(prices),
};
const COLUMNS = Object.keys(VALUES);
const VALUES_IN_ORDER = Object.values(VALUES);

/** Returns what was counted of a book. */
export function countedBook(
  { imprint, languages, form, lacks, prices }: CountedColumns,
  searchId: SearchId,
): CountedBook {
  return {
    imprint: imprint ?? undefined,
    languages: languagesFromColumn(languages),
    form: form ?? undefined,
    lacks,
    prices: languagesFromColumn(prices),
    published: dayOfSearchId(searchId),
  };
}

type PutRow = Statement<unknown, [SearchId, ...ColumnValue[]]>;

const COLLECTED = "temp.collected_book_search";
const CREATE_COLLECTED = `CREATE TEMP TABLE collected_book_search (search_id, ${COLUMNS})`;
const WRITE_COLLECTED = `INSERT INTO book_search (search_id, ${COLUMNS}) SELECT * FROM ${COLLECTED} ORDER BY search_id;
  DROP TABLE ${COLLECTED}`;

function preparePutRow(db: Database, table: string): PutRow {
  return db.prepare(
    `INSERT OR REPLACE INTO ${table} (search_id, ${COLUMNS}) VALUES (?${", ?".repeat(COLUMNS.length)})`,
  );
}

function prepare(db: Database) {
  return {
    row: db.prepare<BookSearchRow, [SearchId]>(
      `SELECT digest, imprint, languages, form, availability, lacks, facts, prices
       FROM book_search WHERE search_id = ?`,
    ),
    putRow: preparePutRow(db, "book_search"),
    removeRow: db.prepare<unknown, [SearchId]>("DELETE FROM book_search WHERE search_id = ?"),
    updateNightly: db.prepare<unknown, [Text, number, string, string, SearchId]>(
      "UPDATE book_search SET availability = ?, lacks = ?, facts = ?, prices = ? WHERE search_id = ?",
    ),
    updatePrices: db.prepare<unknown, [string, SearchId]>(
      "UPDATE book_search SET prices = ? WHERE search_id = ?",
    ),
    // FTS5 reads a blob as text in UTF-8, so that the bytes need not be decoded.
    addWords: db.prepare<unknown, [SearchId, ...Uint8Array[]]>(
      "INSERT INTO book_index (rowid, description, title, contributor, rest, filter) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    removeWords: db.prepare<unknown, [SearchId]>("DELETE FROM book_index WHERE rowid = ?"),
    addFacts: db.prepare<unknown, [SearchId, string | Uint8Array]>(
      "INSERT INTO book_facts (rowid, facts) VALUES (?, ?)",
    ),
    removeFacts: db.prepare<unknown, [SearchId]>("DELETE FROM book_facts WHERE rowid = ?"),
    addWord: db.prepare<unknown, [string]>("INSERT OR IGNORE INTO word (word) VALUES (?)"),
  };
}
