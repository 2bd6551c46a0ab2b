import type { DatabaseAddress } from "./connection.ts";
import { DedicatedConnections } from "./dedicated-connections.ts";
import { ReadTransaction } from "./read-transaction.ts";
import { PostgresSnapshot } from "./snapshot.ts";

/** The transactions for one state of the catalog. Further readers share them, one page of a list at a time. */
const MAX_TRANSACTIONS_PER_STATE = 4;
/** The transactions in total, including those of slow readers that hold old states. */
const MAX_TRANSACTIONS = 16;

/** Opens any number of snapshots on a bounded number of connections. */
export class SnapshotPool {
  readonly #address: DatabaseAddress;
  readonly #connections: DedicatedConnections;
  readonly #currentGeneration: () => Promise<string>;
  readonly #open = new Set<ReadTransaction>();
  readonly #opening = new Set<Promise<unknown>>();
  #isClosed = false;

  /** `currentGeneration` returns a number that every import increments. */
  constructor(address: DatabaseAddress, currentGeneration: () => Promise<string>) {
    this.#address = address;
    this.#connections = new DedicatedConnections(address, MAX_TRANSACTIONS_PER_STATE);
    this.#currentGeneration = currentGeneration;
  }

  async open(): Promise<PostgresSnapshot> {
    for (;;) {
      if (this.#isClosed) throw new Error("The store is closed");
      if (this.#open.size + this.#opening.size < MAX_TRANSACTIONS_PER_STATE) {
        return openSnapshot(await this.#begin());
      }
      // A snapshot must not be older than the call, so the current state is queried each time.
      const generation = await this.#currentGeneration();
      await Promise.allSettled(this.#opening);
      const current = [...this.#open].filter((transaction) => transaction.generation === generation);
      const leastUsed = current.sort((a, b) => a.readers - b.readers)[0];
      if (leastUsed && current.length + this.#opening.size >= MAX_TRANSACTIONS_PER_STATE) {
        return openSnapshot(leastUsed);
      }
      if (this.#opening.size > 0) continue;
      if (this.#open.size >= MAX_TRANSACTIONS) this.#endOldest();
      return openSnapshot(await this.#begin());
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#connections.close();
    for (const transaction of this.#open) transaction.end();
  }

  async #begin(): Promise<ReadTransaction> {
    const opening = ReadTransaction.open({
      connections: this.#connections,
      address: this.#address,
      onEnd: (transaction) => this.#open.delete(transaction),
    });
    this.#opening.add(opening);
    try {
      const transaction = await opening;
      this.#open.add(transaction);
      if (this.#isClosed) transaction.end();
      return transaction;
    } finally {
      this.#opening.delete(opening);
    }
  }

  /** Ends the oldest transaction: several imports later it is still being read. Its lists fail. */
  #endOldest(): void {
    const [oldest] = [...this.#open].sort((a, b) => Number(a.generation) - Number(b.generation));
    oldest?.end();
  }
}

function openSnapshot(transaction: ReadTransaction): PostgresSnapshot {
  transaction.addReader();
  return new PostgresSnapshot(transaction);
}
