/** Compares the search index with the records, for `colophon verify`. */
import type { Database, Statement } from "bun:sqlite";
import { searchDocumentOfBody } from "../../../catalog/entry.ts";
import { isSearchable, searchIdOf } from "../../../catalog/search/search-id.ts";
import type { Entry } from "../../../catalog/store.ts";
import { indexColumnsOf } from "./index-writer.ts";

/** The words of one book in so many are looked up in the index. Each other book is only known to be in it. */
const SAMPLE = 200;

interface SearchRow {
  readonly digest: string;
  readonly isIndexed: number;
}

export class SearchInspector implements Disposable {
  readonly #row: Statement<SearchRow, [number, bigint]>;
  readonly #hasTerms: Statement<unknown, [string, bigint]>;
  #books = 0;

  constructor(db: Database) {
    this.#row = db.prepare(
      `SELECT digest, EXISTS (SELECT 1 FROM book_index_docsize WHERE id = search_id) AS isIndexed
       FROM book_search WHERE id = ? AND search_id = ?`,
    );
    this.#hasTerms = db.prepare("SELECT 1 FROM book_index WHERE book_index MATCH ? AND rowid = ?");
  }

  /** Returns the digest of the document that the index has of a record. Is undefined when it has none or lacks words. */
  digestOf(id: number, entry: Entry): string | undefined {
    if (!isSearchable(entry.isbn)) return undefined;
    const searchId = searchIdOf(entry.isbn, entry.published);
    const row = this.#row.get(id, searchId);
    if (row === null || row.isIndexed === 0) return undefined;
    const isSampled = this.#books++ % SAMPLE === 0;
    return isSampled && !this.#hasWords(searchId, entry) ? undefined : row.digest;
  }

  [Symbol.dispose](): void {
    this.#row.finalize();
    this.#hasTerms.finalize();
  }

  #hasWords(searchId: bigint, { body }: Entry): boolean {
    const { filter, ...texts } = indexColumnsOf(searchDocumentOfBody(body));
    const terms = new Set([filter, ...Object.values(texts)].join(" ").split(" "));
    terms.delete("");
    return [...chunksOf([...terms])].every(
      (some) => this.#hasTerms.get(some.map((term) => `"${term}"`).join(" AND "), searchId) !== null,
    );
  }
}

/** Returns the number of books in the index of words that no record has. */
export function countStrayBooks(db: Database): number {
  using stray = db.prepare<{ readonly books: number }, []>(
    `SELECT (SELECT count(*) FROM book_index_docsize) + (SELECT count(*) FROM book_search)
       - 2 * (SELECT count(*) FROM book_search JOIN record USING (id)
              WHERE search_id IN (SELECT id FROM book_index_docsize)) AS books`,
  );
  return stray.get()!.books;
}

/** FTS5 refuses expressions of many parts. */
function* chunksOf(terms: readonly string[]): Generator<readonly string[], void> {
  for (let start = 0; start < terms.length; start += 100) yield terms.slice(start, start + 100);
}
