import { type CountedBook, countsOf, TOTALS } from "../catalog/quality/book-counts.ts";
import type { Imprint } from "../catalog/store.ts";

/** More counts than a feed of many publishers changes at once, in little memory. */
const MAX_COUNTS = 20_000;
const MAX_CHARS = 2_000_000;

/** By how much a count changes. Two texts name it: the slug and the name of an imprint, or the kind and the value. */
interface CountChange {
  readonly names: readonly [string, string];
  /** Never 0. */
  readonly change: number;
}

/** Collects how an import changes counts. The store then writes once per count, not once per book. */
export class CountChanges {
  readonly #changes = new Map<string, Map<string, number>>();
  readonly #totals: ReadonlyMap<string, string>;
  #counts = 0;
  #chars = 0;

  /** Counts of books have totals. */
  constructor(table: "imprint" | "book_count") {
    this.#totals = table === "book_count" ? TOTALS : new Map();
  }

  readonly #increase = (first: string, second: string): void => this.#add(first, second, 1);
  readonly #decrease = (first: string, second: string): void => this.#add(first, second, -1);

  /** Counts a record of an imprint that comes (1) or goes (-1). */
  addImprint({ slug, name }: Imprint, change: 1 | -1): void {
    this.#add(slug, name, change);
  }

  /** Counts a book that comes (1) or goes (-1). */
  addBook(book: CountedBook, change: 1 | -1): void {
    countsOf(book, change === 1 ? this.#increase : this.#decrease);
  }

  /** True when the changes should be written, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#counts > MAX_COUNTS || this.#chars > MAX_CHARS;
  }

  take(): CountChange[] {
    const changes: CountChange[] = [];
    for (const [first, seconds] of this.#changes) {
      let sum = 0;
      for (const [second, change] of seconds) {
        if (change !== 0) changes.push({ names: [first, second], change });
        sum += change;
      }
      const total = this.#totals.get(first);
      if (total !== undefined && sum !== 0) changes.push({ names: ["total", total], change: sum });
    }
    this.#changes.clear();
    this.#counts = 0;
    this.#chars = 0;
    return changes;
  }

  #add(first: string, second: string, change: 1 | -1): void {
    let seconds = this.#changes.get(first);
    if (seconds === undefined) {
      seconds = new Map();
      this.#changes.set(first, seconds);
    }
    const before = seconds.get(second);
    if (before === undefined) {
      this.#counts++;
      this.#chars += second.length;
    }
    seconds.set(second, (before ?? 0) + change);
  }
}
