/**
 * Divides the search index into slices of about the same number of books. A statement reads one slice, because a running
 * statement cannot be interrupted: the time is checked between them.
 */
import type { Database, Statement } from "bun:sqlite";
import { MAX_SEARCH_ID, type SearchId, type SearchIdRange } from "../../../catalog/search/search-id.ts";

const SLICE_BOOKS = 200_000;

export class IndexSlices implements Disposable {
  readonly #next: Statement<{ readonly id: string }, [SearchId]>;
  /** The last ids of the slices that are known, in ascending order. */
  #ends: SearchId[] = [];
  #revision = "";

  constructor(db: Database) {
    this.#next = db.prepare(
      `SELECT CAST(search_id AS TEXT) AS id FROM book_search INDEXED BY book_search_by_search_id
       WHERE search_id > ? ORDER BY search_id LIMIT 1 OFFSET ${SLICE_BOOKS - 1}`,
    );
  }

  /** Yields the parts of a range. The revision is that of the state that is being read. */
  *of({ first, last }: SearchIdRange, revision: string): Generator<SearchIdRange, void> {
    if (revision !== this.#revision) [this.#ends, this.#revision] = [[], revision];
    let from = first;
    for (let index = 0; from <= last; index++) {
      const end = this.#end(index);
      if (end < from) continue;
      yield { first: from, last: end < last ? end : last };
      from = end + 1n;
    }
  }

  /** Yields the parts in descending order. */
  *descending(range: SearchIdRange, revision: string): Generator<SearchIdRange, void> {
    yield* [...this.of(range, revision)].reverse();
  }

  [Symbol.dispose](): void {
    this.#next.finalize();
  }

  #end(index: number): SearchId {
    const known = this.#ends[index];
    if (known !== undefined) return known;
    const row = this.#next.get(this.#ends.at(-1) ?? -1n);
    const end = row === null ? MAX_SEARCH_ID : BigInt(row.id);
    this.#ends.push(end);
    return end;
  }
}
