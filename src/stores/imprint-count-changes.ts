import type { Imprint } from "../catalog/store.ts";

/** More spellings than a feed of many publishers has at once, in little memory. */
const MAX_SPELLINGS = 10_000;

export interface SpellingChange extends Imprint {
  /** By how many records the count of this spelling changes. Is not 0. */
  readonly change: number;
}

/**
 * Collects how an import changes the number of records of each imprint spelling. The store then writes once per
 * spelling, not once per record.
 */
export class ImprintCountChanges {
  readonly #changes = new Map<string, Map<string, number>>();
  #spellings = 0;

  add({ slug, name }: Imprint, change: 1 | -1): void {
    let names = this.#changes.get(slug);
    if (names === undefined) {
      names = new Map();
      this.#changes.set(slug, names);
    }
    const before = names.get(name);
    if (before === undefined) this.#spellings++;
    names.set(name, (before ?? 0) + change);
  }

  /** Is true when the changes should be written, so that memory stays bounded. */
  get isFull(): boolean {
    return this.#spellings > MAX_SPELLINGS;
  }

  /** Returns the changes and forgets them. */
  take(): SpellingChange[] {
    const changes: SpellingChange[] = [];
    for (const [slug, names] of this.#changes) {
      for (const [name, change] of names) if (change !== 0) changes.push({ slug, name, change });
    }
    this.#changes.clear();
    this.#spellings = 0;
    return changes;
  }
}
