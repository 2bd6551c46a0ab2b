/** Writes the search index of an import, and the counts of books, within its transaction. */
import type { Database, Statement } from "bun:sqlite";
import type { CountedBook } from "../../../catalog/quality/book-counts.ts";
import { TEXT_BREAK, TITLE_END, TITLE_START } from "../../../catalog/search/index-terms.ts";
import type { SearchDocument, StoredField } from "../../../catalog/search/search-document.ts";
import { dayOfSearchId, isSearchable, type SearchId, searchIdOf } from "../../../catalog/search/search-id.ts";
import type { Day } from "../../../onix/date.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { CountWriter } from "../import/count-writer.ts";
import { isbnToColumn, languagesFromColumn, languagesToColumn } from "../rows.ts";

/** FTS5 begins a new segment whenever a row id is smaller than the one before. So rows are sorted in batches. */
const BATCH_BOOKS = 4000;
const BATCH_CHARS = 4 << 20;

/** What the place of a book in the index depends on. */
export interface BookPlace {
  readonly isbn: Isbn13;
  readonly published: Day | undefined;
}

/** A change of one search id that is not written yet. */
interface PendingChange {
  readonly searchId: SearchId;
  /** The index has a book under this id, which goes. */
  readonly removes: boolean;
  /** The book that comes. */
  readonly document: SearchDocument | undefined;
}

interface BookSearchRow {
  /** A decimal number, because it is larger than 2^53. */
  readonly search_id: string;
  readonly digest: string;
  readonly imprint: Text;
  readonly languages: string;
  readonly form: Text;
  readonly lacks: number;
  readonly prices: string;
}

type Text = string | null;

export class SearchIndexWriter implements Disposable {
  readonly #pending = new Map<SearchId, PendingChange>();
  #pendingChars = 0;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #counts: CountWriter;

  constructor(db: Database) {
    this.#sql = prepare(db);
    this.#counts = new CountWriter(db, "book_count");
  }

  /** Adds a book that the index does not have. `id` is the id of its record. */
  add(id: number, place: BookPlace, document: SearchDocument): void {
    if (!isSearchable(place.isbn)) return;
    const searchId = searchIdOf(place.isbn, place.published);
    this.#put(searchId, document);
    this.#putRow(id, searchId, place, document);
  }

  /** Replaces the document of a book, or adds it when a damaged catalog has lost it. */
  update(id: number, place: BookPlace, document: SearchDocument): void {
    if (!isSearchable(place.isbn)) return;
    const searchId = searchIdOf(place.isbn, place.published);
    const row = this.#sql.row.get(id);
    if (row?.digest === document.digest && BigInt(row.search_id) === searchId) return;
    if (row !== null) this.#remove(row);
    this.#put(searchId, document);
    this.#putRow(id, searchId, place, document);
  }

  remove(id: number): void {
    const row = this.#sql.row.get(id);
    if (row === null) return;
    this.#remove(row);
    this.#sql.removeRow.run(id);
  }

  /** Writes all pending changes. */
  flush(): void {
    this.#counts.write();
    this.#flushWords();
  }

  #flushWords(): void {
    const changes = [...this.#pending.values()].sort((a, b) => (a.searchId < b.searchId ? -1 : 1));
    this.#pending.clear();
    this.#pendingChars = 0;
    for (const { searchId, removes, document } of changes) {
      if (removes) this.#sql.removeWords.run(searchId);
      if (document === undefined) continue;
      const { title, contributor, rest, description, filter } = indexColumnsOf(document);
      this.#sql.addWords.run(searchId, title, contributor, rest, description, filter);
    }
  }

  [Symbol.dispose](): void {
    for (const statement of Object.values(this.#sql)) statement.finalize();
    this.#counts[Symbol.dispose]();
  }

  #put(searchId: SearchId, document: SearchDocument): void {
    const removes = this.#pending.get(searchId)?.removes ?? false;
    this.#pending.set(searchId, { searchId, removes, document });
    this.#pendingChars += charsOf(document);
    this.#flushWhenFull();
  }

  /** A book that was only pending is forgotten; one that was written is removed. */
  #remove(row: BookSearchRow): void {
    const searchId = BigInt(row.search_id);
    this.#counts.addBook(countedBook(row, searchId), -1);
    const pending = this.#pending.get(searchId);
    if (pending !== undefined && !pending.removes) this.#pending.delete(searchId);
    else this.#pending.set(searchId, { searchId, removes: true, document: undefined });
    this.#flushWhenFull();
  }

  /** An import can remove all books of a catalog, so removals count as well. */
  #flushWhenFull(): void {
    if (this.#pending.size >= BATCH_BOOKS || this.#pendingChars >= BATCH_CHARS) this.#flushWords();
  }

  #putRow(id: number, searchId: SearchId, { isbn, published }: BookPlace, document: SearchDocument): void {
    const values = STORED_FIELDS.map(({ field, toColumn }) => toColumn(document[field] as never));
    this.#sql.putRow.run(id, searchId, isbnToColumn(isbn), ...values);
    this.#counts.addBook({ ...document, published }, 1);
  }
}

type ColumnValue = string | number | null;

/** How the fields of a document are stored. */
const COLUMNS: {
  readonly [Field in StoredField]: readonly [
    column: string,
    toColumn: (value: SearchDocument[Field]) => ColumnValue,
  ];
} = {
  digest: ["digest", (digest) => digest],
  titleKey: ["title_key", (key) => key],
  imprint: ["imprint", (slug) => slug ?? null],
  languages: ["languages", languagesToColumn],
  form: ["form", (code) => code ?? null],
  availability: ["availability", (code) => code ?? null],
  lacks: ["lacks", (bits) => bits],
  prices: ["prices", languagesToColumn],
};
const STORED_FIELDS = Object.entries(COLUMNS).map(([field, [column, toColumn]]) => ({
  field: field as StoredField,
  column,
  toColumn: toColumn as (value: never) => ColumnValue,
}));

/** Returns what was counted of a book that goes. */
function countedBook(
  { imprint, languages, form, lacks, prices }: BookSearchRow,
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

function charsOf({ title, contributor, rest, description, filter }: SearchDocument): number {
  return title.length + contributor.length + rest.length + description.length + filter.length;
}

function prepare(db: Database): {
  readonly row: Statement<BookSearchRow, [number]>;
  readonly putRow: Statement<unknown, [number, SearchId, number, ...ColumnValue[]]>;
  readonly removeRow: Statement<unknown, [number]>;
  readonly addWords: Statement<unknown, [SearchId, string, string, string, string, string]>;
  readonly removeWords: Statement<unknown, [SearchId]>;
} {
  const columns = ["id", "search_id", "isbn", ...STORED_FIELDS.map(({ column }) => column)];
  return {
    row: db.prepare(
      `SELECT CAST(search_id AS TEXT) AS search_id, digest, imprint, languages, form, lacks, prices
       FROM book_search WHERE id = ?`,
    ),
    putRow: db.prepare(`INSERT OR REPLACE INTO book_search (${columns}) VALUES (${columns.map(() => "?")})`),
    removeRow: db.prepare("DELETE FROM book_search WHERE id = ?"),
    addWords: db.prepare(
      "INSERT INTO book_index (rowid, title, contributor, rest, description, filter) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    removeWords: db.prepare("DELETE FROM book_index WHERE rowid = ?"),
  };
}

/**
 * The columns of a book in the FTS5 table. Terms of their own tell that a word is in a title or a name: FTS5 would read
 * the positions of a common word in all books to find those that have it in one column.
 */
export type IndexColumns = Pick<SearchDocument, "title" | "contributor" | "rest" | "description" | "filter">;

/** Begin terms that no word and no filter term is equal to. */
const TITLE_WORD = "·t";
const NAME_WORD = "·c";
const WHOLE_TITLE = "·w·";
const TITLE_BEGINNING = "·b·";
const MARK = "·";

/** The beginnings of a title that have a term of their own, in words. */
export const MAX_BEGINNING_WORDS = 2;

/** The term of a book that has a word in a title. */
export function titleWordTerm(word: string): string {
  return TITLE_WORD + MARK + word;
}

/** The term of a book that has a word in the name of a contributor. */
export function nameWordTerm(word: string): string {
  return NAME_WORD + MARK + word;
}

/** The term of a book with exactly this title. It is a digest, because whole titles are long and most are unique. */
export function wholeTitleTerm(words: readonly string[]): string {
  return WHOLE_TITLE + Bun.hash.xxHash64(words.join(" ")).toString(36);
}

/** The term of a book with a title that begins with these words, or with the first of them. */
export function titleBeginningTerm(words: readonly string[]): string {
  return TITLE_BEGINNING + words.slice(0, MAX_BEGINNING_WORDS).join(MARK);
}

/** The phrase of a book with a title that begins with these words. */
export function titleBeginning(words: readonly string[]): string {
  return [TITLE_START, ...words].join(" ");
}

export function indexColumnsOf(document: SearchDocument): IndexColumns {
  const { title, contributor, rest, description, filter } = document;
  const terms = new Set<string>();
  const titles = title.split(TITLE_END);
  titles.forEach((text, index) => {
    const words = text.split(" ").filter((word) => word !== "" && word !== TITLE_START);
    for (const word of words) terms.add(titleWordTerm(word));
    for (let length = 1; length <= Math.min(words.length, MAX_BEGINNING_WORDS); length++) {
      terms.add(titleBeginningTerm(words.slice(0, length)));
    }
    // Nothing follows the end of the last title, unless there were too many words.
    if (words.length > 0 && index < titles.length - 1) terms.add(wholeTitleTerm(words));
  });
  for (const word of contributor.split(" ")) {
    if (word !== "" && word !== TEXT_BREAK) terms.add(nameWordTerm(word));
  }
  return { title, contributor, rest, description, filter: `${filter} ${[...terms].join(" ")}` };
}
