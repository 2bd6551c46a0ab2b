import type { Database } from "bun:sqlite";
import type { MessageMark } from "../../catalog/import-state.ts";
import { EMPTY_REVISION } from "../../catalog/revision.ts";
import type { Entry } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { isbnFromColumn, messageMarkFromRow, type SenderRow } from "../columns.ts";
import type { CatalogReader, RecordOutline } from "../preview/catalog-reader.ts";
import { connect, type DatabaseFile } from "./connection.ts";
import {
  type CheckedRow,
  ENTRY_COLUMNS,
  type EntryRow,
  entryFromRow,
  isbnToColumn,
  isIntactRow,
} from "./rows.ts";

/** Holds the inner pages of a large catalog. */
const CACHE_KIB = 8 * 1024;
const ISBNS_PER_BATCH = 5000;

/** Reads one state of the catalog on a connection of its own. With a write-ahead log, it blocks no writer. */
export class SqliteCatalogReader implements CatalogReader {
  readonly revision: string;
  readonly records: number;
  readonly #db: Database;
  readonly #sql: ReaderStatements;

  constructor(file: DatabaseFile) {
    this.#db = connect(file, CACHE_KIB);
    try {
      this.#db.run("BEGIN");
      this.#sql = prepareStatements(this.#db);
      // BEGIN alone fixes no state; the first read does.
      const { revision, records } = this.#sql.catalog.get()!;
      this.revision = revision;
      this.records = records;
    } catch (error) {
      this.#db.close();
      throw error;
    }
  }

  outlines(isbns: readonly Isbn13[]): readonly (RecordOutline | undefined)[] {
    const { outline } = this.#openStatements();
    return isbns.map((isbn) => {
      const row = outline.get(isbnToColumn(isbn));
      if (row === null) return undefined;
      const { etag, sender, reference, origin } = row;
      // A record whose body is lost counts nothing in the revision.
      return { etag: etag ?? EMPTY_REVISION, sender: sender ?? undefined, reference, origin: origin ?? "" };
    });
  }

  entries(isbns: readonly Isbn13[]): readonly (Entry | undefined)[] {
    const { entry } = this.#openStatements();
    return isbns.map((isbn) => {
      const row = entry.get(isbnToColumn(isbn));
      return row === null ? undefined : entryFromRow(row);
    });
  }

  byReferences(sender: string, references: readonly string[], limit: number): readonly (readonly Isbn13[])[] {
    const { byKey, byReference } = this.#openStatements();
    const id = byKey.get(sender)?.id;
    if (id === undefined) return references.map(() => []);
    return references.map((reference) =>
      byReference.all(id, reference, limit).map(({ isbn }) => isbnFromColumn(isbn)),
    );
  }

  lastMessage(sender: string): MessageMark | undefined {
    return messageMarkFromRow(this.#openStatements().byKey.get(sender));
  }

  *isbns(sender?: string): Generator<readonly Isbn13[], void> {
    for (let last = -1; ; ) {
      const { isbns, isbnsOf } = this.#openStatements();
      const rows = sender === undefined ? isbns.all(last) : isbnsOf.all(last, sender);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn }) => isbnFromColumn(isbn));
    }
  }

  *bodies(isbns: readonly Isbn13[]): Generator<readonly (Uint8Array | undefined)[], void> {
    for (const isbn of isbns) {
      const row = this.#openStatements().record.get(isbnToColumn(isbn));
      yield [row !== null && isIntactRow(row) ? row.body : undefined];
    }
  }

  close(): void {
    for (const statement of Object.values(this.#sql)) statement.finalize();
    if (this.#db.inTransaction) this.#db.run("ROLLBACK");
    this.#db.close(true);
  }

  /** SQLite ends a transaction after a disk error. A read without it would return another state. */
  #openStatements(): ReaderStatements {
    if (!this.#db.inTransaction) throw new Error("The state of the catalog was lost in a disk error");
    return this.#sql;
  }
}

interface OutlineRow {
  readonly sender: string | null;
  readonly reference: string;
  readonly etag: string | null;
  readonly origin: string | null;
}

type ReaderStatements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
  const records = "record INDEXED BY record_by_isbn LEFT JOIN body USING (id) WHERE isbn = ?";
  return {
    catalog: db.prepare<{ revision: string; records: number }, []>("SELECT revision, records FROM catalog"),
    outline: db.prepare<OutlineRow, [number]>(
      `SELECT (SELECT key FROM sender WHERE sender.id = record.sender) AS sender, reference, etag, origin
       FROM ${records}`,
    ),
    entry: db.prepare<EntryRow, [number]>(`SELECT ${ENTRY_COLUMNS} FROM ${records}`),
    record: db.prepare<CheckedRow, [number]>(`SELECT body, etag, checksum FROM ${records}`),
    byKey: db.prepare<SenderRow, [string]>("SELECT id, sent, message_number FROM sender WHERE key = ?"),
    byReference: db.prepare<{ isbn: number }, [number, string, number]>(
      `SELECT isbn FROM record INDEXED BY record_by_reference WHERE sender = ? AND reference = ?
       ORDER BY isbn LIMIT ?`,
    ),
    isbns: db.prepare<{ isbn: number }, [number]>(
      `SELECT isbn FROM record INDEXED BY record_by_isbn WHERE isbn > ? ORDER BY isbn LIMIT ${ISBNS_PER_BATCH}`,
    ),
    isbnsOf: db.prepare<{ isbn: number }, [number, string]>(
      `SELECT isbn FROM record INDEXED BY record_by_reference
       WHERE isbn > ? AND sender = (SELECT id FROM sender WHERE key = ?) ORDER BY isbn LIMIT ${ISBNS_PER_BATCH}`,
    ),
  };
}
