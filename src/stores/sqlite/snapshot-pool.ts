import { ReadTransaction } from "./read-transaction.ts";
import { SqliteSnapshot } from "./snapshot.ts";

/** A state that is being read, and by how many views. */
interface Shared {
  readonly reading: ReadTransaction;
  readonly revision: string;
  /** Of the file, when it was begun. */
  readonly version: number;
  users: number;
}

/** Gives out views. Those of one state are read on one connection: hundreds of slow readers need no more. */
export class SnapshotPool {
  readonly #path: string;
  readonly #readonly: boolean;
  readonly #version: () => number;
  readonly #open = new Set<SqliteSnapshot>();
  /** Of the state that was the last when it was begun. */
  #current: Shared | undefined;
  /** A connection that waits for the next state. */
  #idle: ReadTransaction | undefined;

  /** `version` is another number after every commit. */
  constructor(path: string, readonly: boolean, version: () => number) {
    this.#path = path;
    this.#readonly = readonly;
    this.#version = version;
  }

  open(): SqliteSnapshot {
    // Before the state is begun: what is committed in between belongs to the next one.
    const version = this.#version();
    const current = this.#current;
    const shared = current?.version === version && current.reading.holds ? current : this.#begin(version);
    shared.users++;
    const view: SqliteSnapshot = new SqliteSnapshot(shared.reading, shared.revision, () => {
      this.#open.delete(view);
      shared.users--;
      if (shared.users === 0) this.#end(shared);
    });
    this.#open.add(view);
    return view;
  }

  close(): void {
    for (const view of this.#open) view.close();
    this.#idle?.close();
    this.#idle = undefined;
  }

  #begin(version: number): Shared {
    const reading = this.#idle ?? new ReadTransaction(this.#path, this.#readonly);
    this.#idle = undefined;
    try {
      this.#current = { reading, revision: reading.begin(), version, users: 0 };
      return this.#current;
    } catch (error) {
      reading.close();
      throw error;
    }
  }

  #end(shared: Shared): void {
    if (this.#current === shared) this.#current = undefined;
    shared.reading.end();
    if (this.#idle === undefined) this.#idle = shared.reading;
    else shared.reading.close();
  }
}
