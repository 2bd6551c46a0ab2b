/** Compares the search index with the records, for `colophon verify`. */
import { isIntact, searchDocumentOfBody } from "../../../catalog/entry.ts";
import { stateOf } from "../../../catalog/search/search-document.ts";
import {
  dayOfSearchId,
  isbnOfSearchId,
  isSearchable,
  searchIdOf,
} from "../../../catalog/search/search-id.ts";
import type { Entry } from "../../../catalog/store.ts";
import { isbnArray, recencyFromDay } from "../rows.ts";
import { statement } from "../session/statement.ts";
import type { ReadTransaction } from "../snapshots/read-transaction.ts";
import { LexemeSet } from "./lexemes.ts";

const PAGE_IDS = 5000;
/** The key of the title is null when the words are lost. */
type StateRow = Parameters<typeof stateOf>[0] & { readonly id: string };

/** The words of the first of so many books of a page are compared. Of the others, the digest is. */
const SAMPLE = 200;
const STATES = statement(
  `SELECT id, digest, title_key AS "titleKey", imprint, languages, form, availability, audience,
      array_to_string(tsvector_to_array(facts), ' ') AS facts, lacks, prices
    FROM colophon.search_book LEFT JOIN colophon.search USING (id) WHERE id = ANY ($1::bigint[])`,
);
const WORDS = statement(
  "SELECT id, tsvector_to_array(words) AS lexemes FROM colophon.search WHERE id = ANY ($1::bigint[])",
);
const IDS = statement(`SELECT id FROM colophon.search WHERE id > $1::bigint ORDER BY id LIMIT ${PAGE_IDS}`);
const RECORDS = statement("SELECT isbn, recency FROM colophon.record WHERE isbn = ANY ($1::bigint[])");

/** Returns the state of the search index at the place of each book. Is undefined where there is none or words differ. */
export async function searchStates(
  transaction: ReadTransaction,
  books: readonly Entry[],
): Promise<readonly (string | undefined)[]> {
  const ids = books.map(({ isbn, published }) =>
    isSearchable(isbn) ? String(searchIdOf(isbn, published)) : "-1",
  );
  const rows = await transaction.query<StateRow>(STATES, [`{${ids.join()}}`]);
  const states = new Map(rows.map((row) => [row.id, stateOf(row)]));
  const sampled = ids.flatMap((id, index) => (index % SAMPLE === 0 ? [{ id, book: books[index]! }] : []));
  for (const id of await idsWithOtherWords(transaction, sampled)) states.delete(id);
  return ids.map((id) => states.get(id));
}

async function idsWithOtherWords(
  transaction: ReadTransaction,
  sampled: readonly { readonly id: string; readonly book: Entry }[],
): Promise<readonly string[]> {
  const ids = sampled.map(({ id }) => id);
  const rows = await transaction.query<{ id: string; lexemes: readonly string[] }>(WORDS, [
    `{${ids.join()}}`,
  ]);
  const found = new Map(rows.map(({ id, lexemes }) => [id, new Set(lexemes)]));
  return sampled.flatMap(({ id, book }) => {
    const lexemes = found.get(id);
    const expected = lexemesOfRecord(book);
    if (lexemes === undefined || expected === undefined) return [];
    return lexemes.size === expected.size && lexemes.isSubsetOf(expected) ? [] : [id];
  });
}

/** Undefined for a damaged record, which has a fault of its own. */
function lexemesOfRecord(book: Entry): ReadonlySet<string> | undefined {
  if (!isIntact(book)) return undefined;
  try {
    return new Set(
      Array.from(new LexemeSet().readDocument(searchDocumentOfBody(book.body)), ([lexeme]) => lexeme),
    );
  } catch {
    return undefined;
  }
}

/** Returns the number of books that the index has and the catalog does not. Searches would find them. */
export async function countStrayBooks(transaction: ReadTransaction): Promise<number> {
  let strays = 0;
  for (let last = "-1"; ; ) {
    const rows = await transaction.query<{ id: string }>(IDS, [last]);
    if (rows.length === 0) return strays;
    last = rows.at(-1)!.id;
    const isbns = isbnArray(rows.map(({ id }) => isbnOfSearchId(BigInt(id))));
    const records = await transaction.query<{ isbn: string; recency: number | null }>(RECORDS, [isbns]);
    const recencies = new Map(records.map(({ isbn, recency }) => [isbn, recency]));
    for (const { id } of rows) {
      const day = dayOfSearchId(BigInt(id));
      const recency = day === undefined ? null : recencyFromDay(day);
      if (recencies.get(isbnOfSearchId(BigInt(id))) !== recency) strays++;
    }
  }
}
