import type { Database, Statement } from "bun:sqlite";
import type { LookupTransaction, StoredRecord, View } from "../../../catalog/store.ts";
import { DamagedRecord } from "../../../catalog/store-errors.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { SELECT_LAST_IMPORT } from "../history/import-runs.ts";
import {
  type CatalogState,
  type CheckedRow,
  isbnToColumn,
  isIntactRow,
  SELECT_BODY,
  SELECT_BODY_ID,
  SELECT_STATE,
} from "../rows.ts";
import type { RecordIds } from "./record-ids.ts";

/** The connection that serves lookups of single records. It never writes. */
export class LookupConnection implements LookupTransaction {
  readonly db: Database;
  readonly #ids: RecordIds;
  readonly #begin: Statement<unknown, []>;
  readonly #end: Statement<unknown, []>;
  readonly #state: Statement<CatalogState, []>;
  readonly #selectRevision: Statement<{ revision: string }, []>;
  readonly #dataVersion: Statement<{ data_version: number }, []>;
  readonly #bodyId: Statement<{ id: number }, [number]>;
  readonly #bodies: Readonly<Record<View, Statement<CheckedRow, [number]>>>;
  readonly #lastImport: Statement<{ id: string }, []>;
  /** The `data_version` when a transaction began last, and the state of the catalog then. */
  #version: number | undefined;
  #revision = "";
  #generation = "";
  #subjects = "";
  #isClosed = false;

  constructor(db: Database, ids: RecordIds) {
    this.db = db;
    this.#ids = ids;
    this.#begin = db.prepare("BEGIN");
    this.#end = db.prepare("ROLLBACK");
    this.#state = db.prepare(SELECT_STATE);
    this.#selectRevision = db.prepare("SELECT revision FROM catalog");
    this.#dataVersion = db.prepare("PRAGMA data_version");
    this.#bodyId = db.prepare(SELECT_BODY_ID);
    this.#bodies = { record: db.prepare(SELECT_BODY.record), summary: db.prepare(SELECT_BODY.summary) };
    this.#lastImport = db.prepare(SELECT_LAST_IMPORT);
  }

  /** Without a transaction of its tick, each lookup takes and releases locks of its own: a third of what it costs. */
  begin(): string {
    this.end();
    this.#begin.run();
    try {
      this.#readState();
    } catch (error) {
      // Later lookups would read in this transaction, with the ids of the state before.
      this.end();
      throw error;
    }
    return this.#revision;
  }

  #readState(): void {
    // BEGIN alone fixes no state; this read does. The version differs when another connection has committed.
    const version = this.#dataVersion.get()!.data_version;
    if (version === this.#version) return;
    const state = this.#state.get()!;
    this.#ids.begin(state);
    this.#revision = state.revision;
    this.#generation = state.generation;
    this.#subjects = state.subjects;
    this.#version = version;
  }

  lastImportId(): string {
    return this.#lastImport.get()?.id ?? "";
  }

  subjectsVersion(): string {
    return this.#subjects;
  }

  /** Does nothing when no transaction is open: the end of a tick may come after the connection was closed. */
  end(): void {
    // SQLite itself ends a transaction after a disk error.
    if (!this.#isClosed && this.db.inTransaction) this.#end.run();
  }

  revision(): string {
    return this.#selectRevision.get()!.revision;
  }

  /** Changes with every commit of another connection. Ends the transaction: within it, the version does not change. */
  dataVersion(): number {
    this.end();
    return this.#dataVersion.get()!.data_version;
  }

  /** Throws `DamagedRecord` when the record is damaged. */
  record(isbn: Isbn13, view: View): StoredRecord | undefined {
    if (this.db.inTransaction) return this.#read(isbn, view);
    // The id and the body must be of the same state.
    this.begin();
    try {
      return this.#read(isbn, view);
    } finally {
      this.end();
    }
  }

  close(): void {
    this.end();
    const statements = [this.#begin, this.#end, this.#state, this.#selectRevision, this.#dataVersion];
    const lookups = [this.#bodyId, this.#lastImport, ...Object.values(this.#bodies)];
    for (const statement of [...statements, ...lookups]) statement.finalize();
    this.#isClosed = true;
    this.db.close(true);
  }

  #read(isbn: Isbn13, view: View): StoredRecord | undefined {
    const id = this.#ids.find(this.#generation, isbnToColumn(isbn), this.#readId);
    if (id === undefined) return undefined;
    const row = this.#bodies[view].get(id);
    if (row === null || !isIntactRow(row)) throw new DamagedRecord(isbn);
    return { body: row.body, etag: row.etag };
  }

  readonly #readId = (isbn: number): number | undefined => this.#bodyId.get(isbn)?.id;
}
