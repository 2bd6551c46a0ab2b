import {
  type BookCount,
  type CountedBook,
  type CountKind,
  countsOf,
} from "../catalog/quality/book-counts.ts";

/** More values than a feed of many publishers has at once, in little memory. */
const MAX_VALUES = 20_000;
const MAX_CHARS = 2_000_000;

/** Collects how an import changes the counts of books. The store then writes once per value, not once per book. */
export class BookCountChanges {
  readonly #changes = new Map<CountKind, Map<string, number>>();
  #values = 0;
  #chars = 0;
  #change: 1 | -1 = 1;

  /** Counts a book that comes (1) or goes (-1). */
  add(book: CountedBook, change: 1 | -1): void {
    this.#change = change;
    countsOf(book, this.#addCount);
  }

  /** Is true when the changes should be written, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#values > MAX_VALUES || this.#chars > MAX_CHARS;
  }

  /** Returns the changes and forgets them. None is 0. */
  take(): BookCount[] {
    const changes: BookCount[] = [];
    for (const [kind, values] of this.#changes) {
      for (const [value, books] of values) if (books !== 0) changes.push({ kind, value, books });
    }
    this.#changes.clear();
    this.#values = 0;
    this.#chars = 0;
    return changes;
  }

  readonly #addCount = (kind: CountKind, value: string): void => {
    let values = this.#changes.get(kind);
    if (values === undefined) {
      values = new Map();
      this.#changes.set(kind, values);
    }
    const before = values.get(value);
    if (before === undefined) {
      this.#values++;
      this.#chars += value.length;
    }
    values.set(value, (before ?? 0) + this.#change);
  };
}
