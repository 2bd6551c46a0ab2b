/** Compares the search index with the records, for `colophon verify`. */
import type { Database, Statement } from "bun:sqlite";
import { searchDocumentOfBody } from "../../../catalog/entry.ts";
import { stateOf } from "../../../catalog/search/search-document.ts";
import { isSearchable, searchIdOf } from "../../../catalog/search/search-id.ts";
import type { Entry } from "../../../catalog/store.ts";
import { languagesFromColumn } from "../rows.ts";

/** The words of one book in so many are looked up in the index. Each other book is only known to be in it. */
const SAMPLE = 200;

/** These are stored in another form. */
type TextField = "languages" | "audience" | "facts" | "prices";
type SearchRow = Omit<Parameters<typeof stateOf>[0], TextField> &
  Readonly<Record<TextField, string>> & { readonly isIndexed: number };

export class SearchInspector implements Disposable {
  readonly #row: Statement<SearchRow, [bigint]>;
  readonly #hasTerms: Statement<unknown, [string, bigint]>;
  readonly #hasFacts: Statement<unknown, [string, bigint]>;
  #books = 0;

  constructor(db: Database) {
    this.#row = db.prepare(
      `SELECT digest, title_key AS titleKey, imprint, languages, form, availability, audience, facts, lacks, prices,
         EXISTS (SELECT 1 FROM book_index_docsize WHERE id = search_id) AND EXISTS (SELECT 1 FROM book_facts_docsize WHERE id = search_id) AS isIndexed
       FROM book_search WHERE search_id = ?`,
    );
    this.#hasTerms = db.prepare("SELECT 1 FROM book_index WHERE book_index MATCH ? AND rowid = ?");
    this.#hasFacts = db.prepare("SELECT 1 FROM book_facts WHERE book_facts MATCH ? AND rowid = ?");
  }

  /** Returns the state of the document that the index has of a record. Is undefined when it has none or lacks words. */
  stateOf(entry: Entry): string | undefined {
    if (!isSearchable(entry.isbn)) return undefined;
    const searchId = searchIdOf(entry.isbn, entry.published);
    const row = this.#row.get(searchId);
    if (row === null || row.isIndexed === 0) return undefined;
    const isSampled = this.#books++ % SAMPLE === 0;
    if (isSampled && !this.#hasWords(searchId, entry)) return undefined;
    return stateOf({
      ...row,
      languages: languagesFromColumn(row.languages),
      audience: languagesFromColumn(row.audience),
      facts: row.facts.trim(),
      prices: languagesFromColumn(row.prices),
    });
  }

  [Symbol.dispose](): void {
    this.#row.finalize();
    this.#hasTerms.finalize();
    this.#hasFacts.finalize();
  }

  #hasWords(searchId: bigint, { body }: Entry): boolean {
    const document = searchDocumentOfBody(body);
    const { description, title, contributor, rest, filter, marks } = document;
    const words = [description, title, contributor, rest, filter + marks].join(" ");
    return hasAll(this.#hasTerms, words, searchId) && hasAll(this.#hasFacts, document.facts, searchId);
  }
}

/** Returns the number of books in the search index that no record has. */
export function countStrayBooks(db: Database): number {
  const found = (table: string) => `(SELECT count(DISTINCT isbn) FROM book_search JOIN record USING (isbn)
    WHERE search_id IN (SELECT id FROM ${table}))`;
  using stray = db.prepare<{ readonly books: number }, []>(
    `SELECT (SELECT count(*) FROM book_index_docsize) + (SELECT count(*) FROM book_search)
       - 2 * ${found("book_index_docsize")}
       + (SELECT count(*) FROM book_facts_docsize) - ${found("book_facts_docsize")} AS books`,
  );
  return stray.get()!.books;
}

function hasAll(has: Statement<unknown, [string, bigint]>, text: string, searchId: bigint): boolean {
  const terms = new Set(text.split(" "));
  terms.delete("");
  return [...chunksOf([...terms])].every(
    (some) => has.get(some.map((term) => `"${term}"`).join(" AND "), searchId) !== null,
  );
}

/** FTS5 refuses expressions of many parts. */
function* chunksOf(terms: readonly string[]): Generator<readonly string[], void> {
  for (let start = 0; start < terms.length; start += 100) yield terms.slice(start, start + 100);
}
