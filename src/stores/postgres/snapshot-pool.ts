import type { DatabaseAddress } from "./connection.ts";
import { DedicatedConnections } from "./dedicated-connections.ts";
import { ReadTransaction } from "./read-transaction.ts";
import { PostgresSnapshot } from "./snapshot.ts";

/** Connections for one state of the catalog; more readers share them, a page of a list at a time. */
const SAME_STATE = 4;
/** In all: while slow readers hold old states, so many more can be read. */
const MOST_SNAPSHOTS = 16;

/** Gives out views. Any number of them, on a bounded number of connections. */
export class SnapshotPool {
  readonly #place: DatabaseAddress;
  readonly #lines: DedicatedConnections;
  readonly #generation: () => Promise<string>;
  readonly #open = new Set<ReadTransaction>();
  readonly #opening = new Set<Promise<unknown>>();
  #closed = false;

  constructor(place: DatabaseAddress, generation: () => Promise<string>) {
    this.#place = place;
    this.#lines = new DedicatedConnections(place, SAME_STATE);
    this.#generation = generation;
  }

  async open(): Promise<PostgresSnapshot> {
    for (;;) {
      if (this.#closed) throw new Error("The store is closed");
      if (this.#open.size + this.#opening.size < SAME_STATE) return this.#view(await this.#another());
      // A view must not be older than its request: so the state is asked for, each time.
      const generation = await this.#generation();
      await Promise.allSettled(this.#opening);
      const same = [...this.#open].filter((snapshot) => snapshot.generation === generation);
      const least = same.sort((a, b) => a.readers - b.readers)[0];
      if (least && same.length + this.#opening.size >= SAME_STATE) return this.#view(least);
      if (this.#opening.size > 0) continue;
      if (this.#open.size >= MOST_SNAPSHOTS) this.#letGoOfTheOldest();
      return this.#view(await this.#another());
    }
  }

  close(): void {
    this.#closed = true;
    this.#lines.close();
    for (const snapshot of this.#open) snapshot.end();
  }

  #view(snapshot: ReadTransaction): PostgresSnapshot {
    snapshot.join();
    return new PostgresSnapshot(snapshot);
  }

  async #another(): Promise<ReadTransaction> {
    const opening = ReadTransaction.open({
      lines: this.#lines,
      place: this.#place,
      ended: (snapshot) => this.#open.delete(snapshot),
    });
    this.#opening.add(opening);
    try {
      const snapshot = await opening;
      this.#open.add(snapshot);
      if (this.#closed) snapshot.end();
      return snapshot;
    } finally {
      this.#opening.delete(opening);
    }
  }

  /** Imports have passed it by several times, and still it is being read: that list breaks off. */
  #letGoOfTheOldest(): void {
    const [oldest] = [...this.#open].sort((a, b) => Number(a.generation) - Number(b.generation));
    oldest?.end();
  }
}
