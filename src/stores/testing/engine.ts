/** The types of the stores that tests run on; `engines.ts` has the engines. */

import type { Store } from "../../catalog/store.ts";
import type { Inspection } from "../../catalog/verify/inspection.ts";
import type { Isbn13 } from "../../onix/isbn.ts";

export interface Engine<Created extends TestStore = TestStore> {
  readonly name: string;
  /** Creates a new store. It is empty without content. */
  createStore(content?: StoreContent): Promise<Created>;
}

/** Puts books into an empty store. SQLite runs it once per process, and copies the file for each store. */
export type StoreContent = (store: Store) => Promise<unknown>;

/** A store that is closed and deleted when it is disposed. */
export interface TestStore extends AsyncDisposable {
  readonly store: Store;
}

/** A store whose database tests can open again, damage and inspect. */
export interface DatabaseTestStore extends TestStore {
  /** Opens the same store again, as another process would. */
  reopen(): Promise<Store>;
  /** Overwrites the body of a record, as a failing disk would. */
  overwriteBody(isbn: Isbn13, body: Uint8Array): Promise<void>;
  /** Overwrites the bytes of a summary. */
  overwriteSummary(isbn: Isbn13, body: Uint8Array): Promise<void>;
  overwriteOrigin(isbn: Isbn13, origin: string): Promise<void>;
  /** Runs a statement on the database directly. */
  runSql(sql: string): Promise<void>;
  /** Returns the column `value` of the first row of a query. */
  queryValue(sql: string): Promise<unknown>;
  inspect(): Promise<Inspection>;
}

export type DatabaseEngine = Engine<DatabaseTestStore>;
