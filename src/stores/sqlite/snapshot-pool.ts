import { ReadTransaction } from "./read-transaction.ts";
import { SqliteSnapshot } from "./snapshot.ts";

/** A read transaction that one or several snapshots use. */
interface SharedTransaction {
  readonly transaction: ReadTransaction;
  readonly revision: string;
  /** The `data_version` of the file when the transaction began. */
  readonly version: number;
  users: number;
}

/** Opens snapshots. All snapshots of one state share a connection, so hundreds of slow readers need only one. */
export class SnapshotPool {
  readonly #path: string;
  readonly #readonly: boolean;
  readonly #dataVersion: () => number;
  readonly #open = new Set<SqliteSnapshot>();
  /** The transaction that reads the latest state. */
  #current: SharedTransaction | undefined;
  /** A connection that is ready for the next transaction. */
  #idle: ReadTransaction | undefined;

  /** `dataVersion` returns a number that changes with every commit. */
  constructor(path: string, readonly: boolean, dataVersion: () => number) {
    this.#path = path;
    this.#readonly = readonly;
    this.#dataVersion = dataVersion;
  }

  open(): SqliteSnapshot {
    // The version is read first: a commit between the two reads then only costs a needless new transaction.
    const version = this.#dataVersion();
    const current = this.#current;
    const shared =
      current?.version === version && current.transaction.isOpen ? current : this.#begin(version);
    shared.users++;
    const snapshot: SqliteSnapshot = new SqliteSnapshot(shared.transaction, shared.revision, () => {
      this.#open.delete(snapshot);
      shared.users--;
      if (shared.users === 0) this.#end(shared);
    });
    this.#open.add(snapshot);
    return snapshot;
  }

  close(): void {
    for (const snapshot of this.#open) snapshot.close();
    this.#idle?.close();
    this.#idle = undefined;
  }

  #begin(version: number): SharedTransaction {
    const transaction = this.#idle ?? new ReadTransaction(this.#path, this.#readonly);
    this.#idle = undefined;
    try {
      this.#current = { transaction, revision: transaction.begin(), version, users: 0 };
      return this.#current;
    } catch (error) {
      transaction.close();
      throw error;
    }
  }

  #end(shared: SharedTransaction): void {
    if (this.#current === shared) this.#current = undefined;
    shared.transaction.end();
    if (this.#idle === undefined) this.#idle = shared.transaction;
    else shared.transaction.close();
  }
}
