/** Compares the search index with the records, for `colophon verify`. */
import {
  dayOfSearchId,
  isbnOfSearchId,
  isSearchable,
  searchIdOf,
} from "../../../catalog/search/search-id.ts";
import type { Entry } from "../../../catalog/store.ts";
import type { ReadTransaction } from "../read-transaction.ts";
import { isbnArray, recencyFromDay } from "../rows.ts";
import { statement } from "../session/statement.ts";

const PAGE_IDS = 5000;
const DIGESTS = statement("SELECT id, digest FROM colophon.search WHERE id = ANY ($1::bigint[])");
const IDS = statement(`SELECT id FROM colophon.search WHERE id > $1::bigint ORDER BY id LIMIT ${PAGE_IDS}`);
const RECORDS = statement("SELECT isbn, recency FROM colophon.record WHERE isbn = ANY ($1::bigint[])");

type Place = Pick<Entry, "isbn" | "published">;

/** Returns the digest in the search index at the place of each book; undefined where there is none. */
export async function searchDigests(
  transaction: ReadTransaction,
  books: readonly Place[],
): Promise<readonly (string | undefined)[]> {
  const ids = books.map(({ isbn, published }) =>
    isSearchable(isbn) ? String(searchIdOf(isbn, published)) : "-1",
  );
  const rows = await transaction.query<{ id: string; digest: string }>(DIGESTS, [`{${ids.join()}}`]);
  const digests = new Map(rows.map(({ id, digest }) => [id, digest]));
  return ids.map((id) => digests.get(id));
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
