/** The lengths of lists: each is counted once for each state of the catalog. */
import type { PagedList, Snapshot } from "../../catalog/store.ts";

/** Each takes about 200 bytes. */
const MAX_LISTS = 1000;

/** A list that took too long to count is counted again after this time. The database may have become faster. */
const RETRY_AFTER_MS = 60_000;

interface Counted {
  /** Is undefined when counting took too long. */
  readonly total: number | undefined;
  readonly atMs: number;
}

export class ListTotals {
  #revision = "";
  readonly #counted = new Map<string, Counted>();
  readonly #now: () => number;

  /** `now` returns milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async of(snapshot: Pick<Snapshot, "revision" | "total">, list: PagedList): Promise<number | undefined> {
    const key = JSON.stringify(list);
    const known = this.#revision === snapshot.revision ? this.#counted.get(key) : undefined;
    if (known && (known.total !== undefined || this.#now() < known.atMs + RETRY_AFTER_MS)) return known.total;
    const total = await snapshot.total(list);
    if (this.#revision !== snapshot.revision || this.#counted.size >= MAX_LISTS) this.#counted.clear();
    this.#revision = snapshot.revision;
    this.#counted.set(key, { total, atMs: this.#now() });
    return total;
  }
}
