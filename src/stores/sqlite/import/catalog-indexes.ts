import type { Database } from "bun:sqlite";
import type { ChangeLog } from "../history/change-log.ts";
import { INDEXES } from "../schema.ts";
import type { SearchIndexWriter } from "../search/index-writer.ts";
import { AppendedRecords } from "./appended-records.ts";
import {
  type ByReference,
  type IndexStatements,
  prepareByReference,
  prepareIndexStatements,
} from "./statements.ts";

/**
 * The indexes of a catalog during an import. They can be dropped, and are created again by the first use. The log of
 * changes and the table of searches are filled with them, as they are in another order than the feed.
 */
export class CatalogIndexes {
  readonly #db: Database;
  readonly #changes: ChangeLog;
  readonly #searchIndex: SearchIndexWriter;
  #statements: IndexStatements | undefined;
  #byReference: ByReference | undefined;
  #appended: AppendedRecords | undefined;
  #exist = true;

  constructor(db: Database, changes: ChangeLog, searchIndex: SearchIndexWriter) {
    this.#db = db;
    this.#changes = changes;
    this.#searchIndex = searchIndex;
  }

  get exist(): boolean {
    return this.#exist;
  }

  /** Returns what knows the records that are then appended. */
  drop(): AppendedRecords {
    for (const name of INDEXES.names) this.#db.run(`DROP INDEX ${name}`);
    this.#searchIndex.collect();
    this.#exist = false;
    this.#appended = new AppendedRecords();
    return this.#appended;
  }

  create(): void {
    if (this.#exist) return;
    this.#appended?.forget();
    this.#searchIndex.writeCollected();
    this.#db.run(INDEXES.create);
    this.#changes.addAppended();
    this.#exist = true;
  }

  get statements(): IndexStatements {
    this.create();
    this.#statements ??= prepareIndexStatements(this.#db);
    return this.#statements;
  }

  /** Creates only the index of references if there is none: the others can wait for the end. */
  get byReference(): ByReference {
    if (!this.#byReference) {
      if (!this.#exist) this.#db.run(INDEXES.createByReference);
      this.#byReference = prepareByReference(this.#db);
    }
    return this.#byReference;
  }

  close(): void {
    this.#byReference?.finalize();
    for (const statement of Object.values(this.#statements ?? {})) statement.finalize();
  }
}
