import type { SearchId } from "../../../catalog/search/search-id.ts";

/** A change of one search id that is not written yet. */
interface PendingChange<Row> {
  readonly searchId: SearchId;
  /** The index has a row under this id, which goes. */
  readonly removes: boolean;
  /** The row that comes. */
  readonly row: Row | undefined;
}

/** The changes of an FTS5 table that are not written yet. */
export class PendingChanges<Row> {
  readonly #changes = new Map<SearchId, PendingChange<Row>>();

  get size(): number {
    return this.#changes.size;
  }

  put(searchId: SearchId, row: Row): void {
    const removes = this.#changes.get(searchId)?.removes ?? false;
    this.#changes.set(searchId, { searchId, removes, row });
  }

  /** A row that was only pending is forgotten; one that was written is removed. */
  remove(searchId: SearchId): void {
    const pending = this.#changes.get(searchId);
    if (pending !== undefined && !pending.removes) this.#changes.delete(searchId);
    else this.#changes.set(searchId, { searchId, removes: true, row: undefined });
  }

  /** Returns the changes in ascending order. */
  take(): readonly PendingChange<Row>[] {
    const changes = [...this.#changes.values()].sort((a, b) => (a.searchId < b.searchId ? -1 : 1));
    this.#changes.clear();
    return changes;
  }
}
