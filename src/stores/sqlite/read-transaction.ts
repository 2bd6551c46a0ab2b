/** A connection that reads one state of the catalog at a time, for all views of that state. */
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import { connect } from "./connection.ts";

/** Where a record's body is, and what it must be. */
export interface Outline {
  readonly id: number;
  readonly etag: string;
}

/** KiB: the inner pages of a large catalog, and what its readers are at. */
const CACHE = 4 * 1024;

export class ReadTransaction {
  readonly #db: Database;
  readonly #begin: Statement<unknown, []>;
  readonly #end: Statement<unknown, []>;
  readonly #revision: Statement<{ revision: string }, []>;
  readonly hasImprint: Statement<{ found: 1 }, [string]>;
  readonly outline: Statement<Outline, [number]>;
  readonly body: Statement<{ body: Uint8Array }, [number]>;

  constructor(path: string, readonly: boolean) {
    this.#db = connect(path, readonly, CACHE);
    this.#begin = this.#db.prepare("BEGIN");
    this.#end = this.#db.prepare("ROLLBACK");
    this.#revision = this.#db.prepare("SELECT revision FROM catalog");
    this.hasImprint = this.#db.prepare("SELECT 1 AS found FROM imprint WHERE slug = ? LIMIT 1");
    this.outline = this.#db.prepare("SELECT id, etag FROM record INDEXED BY record_outline WHERE isbn = ?");
    this.body = this.#db.prepare("SELECT body FROM body WHERE id = ?");
  }

  /** From here to `end` every read sees one state: BEGIN alone fixes none, the first read does. */
  begin(): string {
    this.#begin.run();
    return this.#revision.get()!.revision;
  }

  /** False: the engine has given the state up, as it does after an error of the disk. */
  get holds(): boolean {
    return this.#db.inTransaction;
  }

  /** When all lists are closed. */
  end(): void {
    if (this.#db.inTransaction) this.#end.run();
  }

  /** Each list has a statement of its own, so that several can be read in turn. */
  list<Row>(sql: string, ...bindings: SQLQueryBindings[]): RowList<Row> {
    return new RowList(this.#db.prepare<Row, SQLQueryBindings[]>(sql), bindings);
  }

  close(): void {
    this.end();
    const own = [this.#begin, this.#end, this.#revision, this.hasImprint, this.outline, this.body];
    for (const statement of own) statement.finalize();
    this.#db.close(true);
  }
}

/** The rows of one query. Left unfinished, it would keep the state, and with it the write-ahead log: it is closed. */
export class RowList<Row> implements Iterable<Row> {
  readonly #statement: Statement<Row, SQLQueryBindings[]>;
  readonly #bindings: readonly SQLQueryBindings[];
  #open = true;

  constructor(statement: Statement<Row, SQLQueryBindings[]>, bindings: readonly SQLQueryBindings[]) {
    this.#statement = statement;
    this.#bindings = bindings;
  }

  *[Symbol.iterator](): Generator<Row, void> {
    try {
      yield* this.#statement.iterate(...this.#bindings);
    } finally {
      this.close();
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#statement.finalize();
  }
}
