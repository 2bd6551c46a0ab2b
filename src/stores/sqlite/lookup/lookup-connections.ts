import type { Database, Statement } from "bun:sqlite";
import type { View } from "../../../catalog/store.ts";
import type { CheckedRow } from "../checksum.ts";
import { connect, type DatabaseFile } from "../connection.ts";
import { SELECT_LAST_IMPORT } from "../history/import-runs.ts";
import { VIEW_TABLES } from "../rows.ts";

/** Holds the index of a million ISBNs, 15 MB. */
export const INDEX_CACHE_KIB = 16 * 1024;
/** Holds the inner pages of a million bodies, 5 MB, and the bodies that were read last. */
const BODY_CACHE_KIB = 8 * 1024;

/** The state of the records. An import that changes one changes it, even if it restores an earlier revision. */
export interface RecordState {
  readonly revision: string;
  readonly imported: string | null;
}

/**
 * Two connections serve the lookups of single records: one reads the index, the other reads the bodies. With one page
 * cache for both, the bodies of random lookups would evict the index, and each lookup would read one page more.
 */
export class LookupConnections {
  readonly db: Database;
  readonly lastImport: Statement<{ id: string }, []>;
  readonly #file: DatabaseFile;
  readonly #dataVersion: Statement<{ data_version: number }, []>;
  readonly #begin: Statement<unknown, []>;
  readonly #end: Statement<unknown, []>;
  readonly #state: Statement<RecordState, []>;
  readonly #id: Statement<{ id: number }, [number]>;
  /** Each reads index and body in one statement, which needs no transaction. */
  readonly #rows: Readonly<Record<View, Statement<CheckedRow, [number]>>>;
  /** Is opened by the first lookup within a transaction. */
  #bodies: BodyConnection | undefined;
  /** The state that the transaction reads. Is undefined when none is open. */
  #current: RecordState | undefined;
  /** Whether the bodies are read in the state of the transaction. Is undefined before its first lookup. */
  #hasBodies: boolean | undefined;

  constructor(db: Database, file: DatabaseFile) {
    this.db = db;
    this.#file = file;
    this.#begin = db.prepare("BEGIN");
    this.#end = db.prepare("ROLLBACK");
    this.#state = db.prepare(SELECT_STATE);
    this.#dataVersion = db.prepare("PRAGMA data_version");
    this.lastImport = db.prepare(SELECT_LAST_IMPORT);
    this.#id = db.prepare("SELECT id FROM record INDEXED BY record_by_isbn WHERE isbn = ?");
    this.#rows = {
      record: db.prepare(selectRow(VIEW_TABLES.record)),
      summary: db.prepare(selectRow(VIEW_TABLES.summary)),
    };
  }

  get revision(): string {
    return this.#state.get()!.revision;
  }

  /** Returns a number that changes with every commit of another connection. Within a transaction it does not change. */
  dataVersion(): number {
    const isInTransaction = this.#current !== undefined;
    this.end();
    const { data_version: version } = this.#dataVersion.get()!;
    if (isInTransaction) this.begin();
    return version;
  }

  /** Begins a transaction, after the one before has ended. Returns the revision that it reads. */
  begin(): string {
    this.end();
    this.#begin.run();
    this.#current = this.#state.get()!;
    return this.#current.revision;
  }

  end(): void {
    if (this.#current === undefined) return;
    this.#current = undefined;
    this.#hasBodies = undefined;
    this.#bodies?.end();
    // SQLite itself ends a transaction after a disk error.
    if (this.db.inTransaction) this.#end.run();
  }

  /** Returns null for a book that the catalog does not have. A book without a body has a row without one. */
  row(isbn: number, view: View): CheckedRow | null {
    if (this.#current === undefined || !this.reads(this.#current)) return this.#rows[view].get(isbn);
    const id = this.id(isbn);
    return id === undefined ? null : this.rowOfId(id, view);
  }

  /** Returns whether `id` and `rowOfId` read this state. */
  reads({ revision, imported }: RecordState): boolean {
    const current = this.#current;
    if (current?.revision !== revision || current.imported !== imported) return false;
    this.#hasBodies ??= this.#beginBodies(current);
    return this.#hasBodies;
  }

  id(isbn: number): number | undefined {
    try {
      return this.#id.get(isbn)?.id;
    } catch (error) {
      return this.#fail(error);
    }
  }

  rowOfId(id: number, view: View): CheckedRow {
    try {
      return this.#bodies!.row(id, view);
    } catch (error) {
      return this.#fail(error);
    }
  }

  close(): void {
    this.end();
    this.#bodies?.close();
    const statements = [this.#begin, this.#end, this.#state, this.#dataVersion, this.lastImport, this.#id];
    for (const statement of [...statements, ...Object.values(this.#rows)]) statement.finalize();
    this.db.close(true);
  }

  /** A disk error may have ended one of the transactions, and the two connections would read different states. */
  #fail(error: unknown): never {
    this.#hasBodies = false;
    throw error;
  }

  /** Returns false when the bodies are in another state, because an import has ended since the transaction began. */
  #beginBodies(state: RecordState): boolean {
    try {
      this.#bodies ??= new BodyConnection(this.#file);
    } catch {
      // The file was moved or replaced. This connection goes on with it.
      return false;
    }
    const { revision, imported } = this.#bodies.begin();
    return revision === state.revision && imported === state.imported;
  }
}

class BodyConnection {
  readonly #db: Database;
  readonly #begin: Statement<unknown, []>;
  readonly #end: Statement<unknown, []>;
  readonly #state: Statement<RecordState, []>;
  readonly #rows: Readonly<Record<View, Statement<CheckedRow, [number]>>>;

  constructor(file: DatabaseFile) {
    this.#db = connect(file, BODY_CACHE_KIB);
    this.#begin = this.#db.prepare("BEGIN");
    this.#end = this.#db.prepare("ROLLBACK");
    this.#state = this.#db.prepare(SELECT_STATE);
    this.#rows = {
      record: this.#db.prepare(`SELECT body, etag, checksum FROM ${VIEW_TABLES.record} WHERE id = ?`),
      summary: this.#db.prepare(`SELECT body, etag, checksum FROM ${VIEW_TABLES.summary} WHERE id = ?`),
    };
  }

  begin(): RecordState {
    this.end();
    this.#begin.run();
    return this.#state.get()!;
  }

  end(): void {
    if (this.#db.inTransaction) this.#end.run();
  }

  row(id: number, view: View): CheckedRow {
    return this.#rows[view].get(id) ?? NO_BODY;
  }

  close(): void {
    this.end();
    for (const statement of [this.#begin, this.#end, this.#state, ...Object.values(this.#rows)])
      statement.finalize();
    this.#db.close(true);
  }
}

/** The row of a record that a damaged catalog has lost the body of, as a LEFT JOIN returns it. */
const NO_BODY = { body: null, etag: null, checksum: null } as unknown as CheckedRow;

const SELECT_STATE = "SELECT revision, imported FROM catalog";

function selectRow(table: string): string {
  return `SELECT body, etag, checksum FROM record INDEXED BY record_by_isbn LEFT JOIN ${table} USING (id)
    WHERE isbn = ?`;
}
