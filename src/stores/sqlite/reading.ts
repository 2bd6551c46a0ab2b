/** A connection that views are read on, one after the other, with what every view asks. */
import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import { connect } from "./file.ts";

/** Where a record's body is, and what it must be. */
export interface Outline {
  readonly id: number;
  readonly etag: string;
}

export class Reading {
  readonly #db: Database;
  readonly #begin: Statement<unknown, []>;
  readonly #end: Statement<unknown, []>;
  readonly #revision: Statement<{ revision: string }, []>;
  readonly hasImprint: Statement<{ found: 1 }, [string]>;
  readonly outline: Statement<Outline, [number]>;
  readonly body: Statement<{ body: Uint8Array }, [number]>;
  readonly #lists = new Set<Statement<unknown, SQLQueryBindings[]>>();

  /** `cache` is in KiB. */
  constructor(path: string, readonly: boolean, cache: number) {
    this.#db = connect(path, readonly, cache);
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

  /** An unfinished list would keep the state, and with it the write-ahead log, from being let go. */
  end(): void {
    for (const list of this.#lists) list.finalize();
    this.#lists.clear();
    if (this.#db.inTransaction) this.#end.run();
  }

  /** Each list has a statement of its own, so that several can be read in turn. */
  *list<Row>(sql: string, ...bindings: SQLQueryBindings[]): Generator<Row, void> {
    const statement = this.#db.prepare<Row, SQLQueryBindings[]>(sql);
    this.#lists.add(statement);
    try {
      yield* statement.iterate(...bindings);
    } finally {
      this.#lists.delete(statement);
      statement.finalize();
    }
  }

  close(): void {
    this.end();
    const own = [this.#begin, this.#end, this.#revision, this.hasImprint, this.outline, this.body];
    for (const statement of own) statement.finalize();
    this.#db.close(true);
  }
}
