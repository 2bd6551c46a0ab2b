import type { ReadTransaction } from "./read-transaction.ts";

/** A reader of a shared state. */
export interface StateReader {
  readonly openedAtMs: number;
  /** Closes the queries of all lists. Each list continues with a new query after its last row. */
  suspendLists(): void;
  /** Closes the reader although it is in use: it then throws `SnapshotExpired`. */
  expire(reason?: string): void;
  close(): void;
}

/** One state of the catalog that snapshots share. It ends with the last of them. */
export class SharedState {
  readonly snapshots = new Set<StateReader>();
  readonly revision: string;
  readonly generation: string;
  #transaction: ReadTransaction;
  /** The `data_version` of the file when the transaction began. */
  #version: number;
  #beganAtMs = performance.now();
  #renewals = 0;

  constructor(transaction: ReadTransaction, revision: string, generation: string, version: number) {
    this.#transaction = transaction;
    this.revision = revision;
    this.generation = generation;
    this.#version = version;
  }

  get transaction(): ReadTransaction {
    return this.#transaction;
  }

  get version(): number {
    return this.#version;
  }

  get beganAtMs(): number {
    return this.#beganAtMs;
  }

  get renewals(): number {
    return this.#renewals;
  }

  /** Continues with a transaction that reads the same state. Returns the one before, without open lists. */
  replaceTransaction(transaction: ReadTransaction, version: number): ReadTransaction {
    for (const snapshot of this.snapshots) snapshot.suspendLists();
    const before = this.#transaction;
    this.#transaction = transaction;
    this.#version = version;
    this.#beganAtMs = performance.now();
    this.#renewals++;
    return before;
  }
}
