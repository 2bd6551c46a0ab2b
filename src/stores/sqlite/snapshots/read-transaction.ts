import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import { MAX_NODE_LINKS, type View } from "../../../catalog/store.ts";
import { connect, type DatabaseFile } from "../connection.ts";
import {
  type CatalogState,
  type CheckedRow,
  SELECT_BODY,
  SELECT_BODY_ID,
  SELECT_STATE,
  SELECT_SUMMARY_START,
} from "../rows.ts";

/** The links of a node: ?1 is its ISBN, or NULL, and ?2 its name. */
const SELECT_EDITION_LINKS = ["isbn = ?1 ORDER BY target", "target = ?2 ORDER BY isbn"]
  .map((links) => `SELECT * FROM (SELECT * FROM edition_link WHERE ${links} LIMIT ${MAX_NODE_LINKS})`)
  .join(" UNION ALL ");

interface EditionLinkRow {
  readonly isbn: number;
  readonly target: string;
}

/** Holds the inner pages of a large catalog and the pages that are being read. */
const CACHE_KIB = 2 * 1024;

/** A read transaction on a connection of its own. It can be begun again after its end. */
export class ReadTransaction {
  readonly #db: Database;
  readonly #begin: Statement<unknown, []>;
  readonly #end: Statement<unknown, []>;
  readonly #state: Statement<CatalogState, []>;
  readonly hasImprint: Statement<{ found: 1 }, [string]>;
  /** The key of a record's body, by ISBN. */
  readonly bodyId: Statement<{ id: number }, [number]>;
  readonly bodies: Readonly<Record<View | "summaryStart", Statement<CheckedRow, [number]>>>;

  /** By ISBN, or null, and name. */
  readonly editionLinks: Statement<EditionLinkRow, [number | null, string]>;

  constructor(file: DatabaseFile) {
    this.#db = connect(file, CACHE_KIB);
    this.#begin = this.#db.prepare("BEGIN");
    this.#end = this.#db.prepare("ROLLBACK");
    this.#state = this.#db.prepare(SELECT_STATE);
    this.hasImprint = this.#db.prepare("SELECT 1 AS found FROM imprint WHERE slug = ? LIMIT 1");
    this.bodyId = this.#db.prepare(SELECT_BODY_ID);
    this.editionLinks = this.#db.prepare(SELECT_EDITION_LINKS);
    this.bodies = {
      record: this.#db.prepare(SELECT_BODY.record),
      summary: this.#db.prepare(SELECT_BODY.summary),
      summaryStart: this.#db.prepare(SELECT_SUMMARY_START),
    };
  }

  /** Begins the transaction and returns what it reads. BEGIN alone fixes no state; the first read does. */
  begin(): CatalogState {
    this.#begin.run();
    return this.#state.get()!;
  }

  /** False when SQLite has ended the transaction by itself, as it does after a disk error. */
  get isOpen(): boolean {
    return this.#db.inTransaction;
  }

  /** Ends the transaction. All lists must be closed before. */
  end(): void {
    if (this.#db.inTransaction) this.#end.run();
  }

  /** Each query has a statement of its own, so that several lists can be read alternately. The caller finalizes it. */
  prepare<Row>(sql: string): Statement<Row, SQLQueryBindings[]> {
    return this.#db.prepare(sql);
  }

  close(): void {
    this.end();
    const { hasImprint, bodyId, bodies, editionLinks } = this;
    const statements = [this.#begin, this.#end, this.#state, hasImprint, bodyId, editionLinks];
    for (const statement of [...statements, ...Object.values(bodies)]) statement.finalize();
    this.#db.close(true);
  }
}

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
