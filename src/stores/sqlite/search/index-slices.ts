/**
 * Divides the search index into slices. A statement reads one slice, because a running statement cannot be interrupted,
 * and a search is interrupted between them. The first ones are small: they are enough for the first page of a common
 * word.
 */
import type { Database, Statement } from "bun:sqlite";
import { MAX_SEARCH_ID, type SearchId, type SearchIdRange } from "../../../catalog/search/search-id.ts";

/** The books of a range, and about how many there are. */
export interface IndexSlice extends SearchIdRange {
  readonly books: number;
}

/** Slices are measured in cells. */
const CELL_BOOKS = 250;
/** The first slice of a search with one term has so many cells. Each further term takes as much time as the first. */
const FIRST_CELLS = 50;
/** Later slices are not smaller: each statement takes milliseconds before its first book. */
const MIN_CELLS = 25;
const MAX_CELLS = 800;
/** Slices take about this time, or twice what a statement takes before its first book. Another search waits for it. */
const SLICE_MS = 16;
/**
 * FTS5 looks for the next book beyond the end of a slice, too. Where that takes most of the time, a slice takes hardly
 * more than one of half its size, and is followed by one that is so many times as large.
 */
const FLAT_GROWTH = 16;
const FLAT_PART = 0.8;
/** The times of slices whose sizes differ less tell nothing: the machine may have been busy. */
const MIN_RATIO = 1.5;

export class IndexSlices implements Disposable {
  readonly #next: Statement<{ readonly id: string }, [SearchId]>;
  /** The last ids of the cells that are known, in ascending order. */
  #ends: SearchId[] = [];
  #revision = "";

  constructor(db: Database) {
    this.#next = db.prepare(
      `SELECT CAST(search_id AS TEXT) AS id FROM book_search NOT INDEXED
       WHERE search_id > ? ORDER BY search_id LIMIT 1 OFFSET ${CELL_BOOKS - 1}`,
    );
  }

  /** Yields the parts of a range. The revision is that of the state that is being read. */
  *ascending({ first, last }: SearchIdRange, revision: string, size: SliceSize): Generator<IndexSlice, void> {
    if (size.isWhole && first <= last) {
      yield { first, last, books: Number.MAX_SAFE_INTEGER };
      return;
    }
    const ends = this.#endsOf(revision);
    let cell = this.#cellOf(ends, first);
    for (let from = first; from <= last; ) {
      const start = cell;
      let end = this.#end(ends, cell++);
      while (cell - start < size.cells && end < last) end = this.#end(ends, cell++);
      yield* size.timed({ first: from, last: end < last ? end : last, books: (cell - start) * CELL_BOOKS });
      from = end + 1n;
    }
  }

  /** Yields the parts in descending order. */
  *descending(
    { first, last }: SearchIdRange,
    revision: string,
    size: SliceSize,
  ): Generator<IndexSlice, void> {
    if (first > last) return;
    const ends = this.#endsOf(revision);
    const firstCell = this.#cellOf(ends, first);
    let cell = this.#cellOf(ends, last);
    for (let to = last; to >= first; ) {
      const start = Math.max(firstCell, cell + 1 - Math.round(size.cells));
      const from = start === firstCell ? first : ends[start - 1]! + 1n;
      yield* size.timed({ first: from, last: to, books: (cell + 1 - start) * CELL_BOOKS });
      to = from - 1n;
      cell = start - 1;
    }
  }

  [Symbol.dispose](): void {
    this.#next.finalize();
  }

  /** A search keeps the array: another one may read a later state before it continues. */
  #endsOf(revision: string): SearchId[] {
    if (revision !== this.#revision) [this.#ends, this.#revision] = [[], revision];
    return this.#ends;
  }

  #cellOf(ends: SearchId[], id: SearchId): number {
    let cell = 0;
    while (this.#end(ends, cell) < id) cell++;
    return cell;
  }

  #end(ends: SearchId[], index: number): SearchId {
    const known = ends[index];
    if (known !== undefined) return known;
    const row = this.#next.get(ends.at(-1) ?? -1n);
    const end = row === null ? MAX_SEARCH_ID : BigInt(row.id);
    ends.push(end);
    return end;
  }
}

/** Finds the size of the slices of one search, from the time that those before have taken. */
export class SliceSize {
  cells: number;
  /** All books are one slice. */
  readonly isWhole: boolean;
  readonly #now: () => number;
  #last: { readonly cells: number; readonly ms: number } | undefined;
  /** What a statement takes before its first book. Undefined before two sizes were compared. */
  #startMs: number | undefined;

  /**
   * `terms` is the number of terms that each book is compared with. `hasPrefix`: one is the beginning of words, for which
   * FTS5 reads all books that have such words in each statement, whatever the slice. `isRare`: few books have them, so all
   * are one slice. `now` is a clock that stands still while the search is paused.
   */
  constructor(terms: number, hasPrefix: boolean, isRare: boolean, now: () => number) {
    this.isWhole = isRare;
    this.cells = hasPrefix ? MAX_CELLS : Math.max(1, FIRST_CELLS / Math.max(1, terms));
    this.#now = now;
  }

  *timed(slice: IndexSlice): Generator<IndexSlice, void> {
    const startedMs = this.#now();
    yield slice;
    this.#learn(slice.books / CELL_BOOKS, this.#now() - startedMs);
  }

  #learn(cells: number, ms: number): void {
    this.#compare(cells, ms);
    const startMs = this.#startMs ?? 0;
    if (ms > SLICE_MS / 2 && startMs > FLAT_PART * ms) {
      this.cells *= FLAT_GROWTH;
      return;
    }
    const growth = Math.max(SLICE_MS, 2 * startMs) / ms;
    const isTooLong = growth < 1;
    // Another size tells whether it is the size that takes the time.
    if (isTooLong && this.cells <= MIN_CELLS) this.cells = 2 * MIN_CELLS;
    else if (this.#startMs === undefined) this.cells *= isTooLong ? 0.5 : 2;
    else this.cells *= Math.min(2, Math.max(0.5, growth));
    this.cells = Math.min(Math.max(MIN_CELLS, this.cells), MAX_CELLS);
  }

  /** Two slices of different sizes tell what a statement takes for each book, and before the first. */
  #compare(cells: number, ms: number): void {
    const { cells: lastCells, ms: lastMs } = this.#last ?? { cells, ms };
    this.#last = { cells, ms };
    if (Math.max(cells, lastCells) < MIN_RATIO * Math.min(cells, lastCells)) return;
    const startMs = (lastMs * cells - ms * lastCells) / (cells - lastCells);
    this.#startMs = Math.min(Math.max(0, startMs), ms, lastMs);
  }
}
