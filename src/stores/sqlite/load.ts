import type { Database } from "bun:sqlite";
import type { Entry, Held, Load } from "../../catalog/port.ts";
import { StoreRefused } from "../../catalog/store-refused.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { connect } from "./file.ts";
import { type OldRow, prepareLoad, type Statements } from "./load.statements.ts";
import { entryOf, isbnOf, numberOfDay, numberOfIsbn, textOfLanguages } from "./rows.ts";
import { Spellings } from "./spellings.ts";

/** KiB: room for the inner pages of a large catalog; what does not fit goes to the write-ahead log early. */
const CACHE = 64 * 1024;

/** Waits for an import that is under way, without keeping this process from anything else. */
export async function beginLoad(
  path: string,
  patience: number,
  ended: (load: SqliteLoad) => void,
): Promise<SqliteLoad> {
  const db = connect(path, false, CACHE);
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA temp_store = FILE");
    const end = performance.now() + patience;
    while (!tryToBegin(db)) {
      if (performance.now() >= end) {
        throw new StoreRefused(
          `Another import into ${path} is running; start this one again when it has ended.`,
        );
      }
      await Bun.sleep(20);
    }
    return new SqliteLoad(db, ended);
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK");
    db.close();
    throw error;
  }
}

function tryToBegin(db: Database): boolean {
  try {
    db.run("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY"))
      return false;
    throw error;
  }
}

export class SqliteLoad implements Load {
  readonly revision: string;
  readonly #db: Database;
  readonly #sql: Statements;
  readonly #spellings: Spellings;
  readonly #whenEnded: (load: SqliteLoad) => void;
  #records: number;
  #ended = false;

  constructor(db: Database, ended: (load: SqliteLoad) => void) {
    this.#db = db;
    this.#whenEnded = ended;
    // What this import has spoken of, in a temporary file. It is made within the transaction: so all of its
    // pages are new to SQLite, and none is copied into a journal before it is written.
    db.run("CREATE TEMP TABLE touched (isbn INTEGER PRIMARY KEY, feed INTEGER NOT NULL, before TEXT) STRICT");
    this.#sql = prepareLoad(db);
    this.#spellings = new Spellings(db);
    const catalog = this.#sql.catalog.get()!;
    this.revision = catalog.revision;
    this.#records = catalog.records;
  }

  held(isbns: readonly Isbn13[]): readonly Held[] {
    this.#mustGoOn();
    return isbns.map((isbn) => {
      const number = numberOfIsbn(isbn);
      const now = this.#sql.outline.get(number);
      const touched = this.#sql.touched.get(number);
      const before = touched ? touched.before : now?.etag;
      return {
        etag: now?.etag,
        before: before ?? undefined,
        feed: touched?.feed ?? 0,
        reference: now?.reference,
      };
    });
  }

  entry(isbn: Isbn13): Entry | undefined {
    this.#mustGoOn();
    const row = this.#sql.entry.get(numberOfIsbn(isbn));
    return row ? entryOf(row) : undefined;
  }

  byReference(reference: string): readonly Isbn13[] {
    this.#mustGoOn();
    // A sender without references must not have all of its books taken for one.
    if (reference === "") return [];
    return this.#sql.byReference.all(reference).map(({ isbn }) => isbnOf(isbn));
  }

  put(entries: readonly Entry[], feed: number): void {
    this.#mustGoOn();
    for (const entry of entries) {
      const isbn = numberOfIsbn(entry.isbn);
      const { imprint } = entry;
      const old = this.#sql.imprint.get(isbn);
      this.#sql.touch.run(isbn, feed, old?.etag ?? null);
      this.#sql.put.run(
        isbn,
        imprint?.slug ?? null,
        imprint?.name ?? null,
        textOfLanguages(entry.languages),
        entry.published === undefined ? null : numberOfDay(entry.published),
        entry.reference,
        entry.etag,
        entry.origin,
        entry.body,
      );
      if (old) this.#forget(old);
      else this.#records++;
      if (imprint) this.#spellings.count(imprint, 1);
    }
  }

  touch(isbns: readonly Isbn13[], feed: number): void {
    this.#mustGoOn();
    for (const isbn of isbns) {
      const number = numberOfIsbn(isbn);
      this.#sql.touch.run(number, feed, this.#sql.outline.get(number)?.etag ?? null);
    }
  }

  remove(isbns: readonly Isbn13[], feed: number): void {
    this.#mustGoOn();
    for (const isbn of isbns) {
      const number = numberOfIsbn(isbn);
      const old = this.#sql.imprint.get(number);
      this.#sql.touch.run(number, feed, old?.etag ?? null);
      if (!old) continue;
      this.#sql.remove.run(number);
      this.#forget(old);
      this.#records--;
    }
  }

  /** Each batch is a query of its own: so a batch can be removed before the next one is asked for. */
  *untouched(): Generator<readonly { readonly isbn: Isbn13; readonly etag: string }[], void> {
    for (let last = -1; ; ) {
      this.#mustGoOn();
      const rows = this.#sql.untouched.all(last);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn, etag }) => ({ isbn: isbnOf(isbn), etag }));
    }
  }

  async commit(revision: string): Promise<void> {
    this.#mustGoOn();
    try {
      this.#spellings.write();
      if (revision !== this.revision) {
        this.#sql.commit.run(revision, this.#records, new Date().toISOString());
      }
      this.#db.run("COMMIT");
      await this.#moveIntoFile();
    } finally {
      this.#end();
    }
  }

  async abort(): Promise<void> {
    if (!this.#ended) this.#end();
  }

  /**
   * Takes the import over from the log into the file, where it is read faster, and gives back the log's room.
   * Readers of the state before may be in the way for longer than this tries: then the next import does it.
   */
  async #moveIntoFile(): Promise<void> {
    using checkpoint = this.#db.prepare<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
    try {
      for (let tries = 0; checkpoint.get()!.busy !== 0 && tries < 20; tries++) await Bun.sleep(10);
    } catch {
      // Whatever hindered it: the import stands, and the log holds it durably.
    }
  }

  #forget({ imprint, imprint_name }: OldRow): void {
    if (imprint !== null && imprint_name !== null)
      this.#spellings.count({ slug: imprint, name: imprint_name }, -1);
  }

  #end(): void {
    this.#ended = true;
    this.#spellings.close();
    for (const statement of Object.values(this.#sql)) statement.finalize();
    try {
      if (this.#db.inTransaction) this.#db.run("ROLLBACK");
    } finally {
      this.#db.close(true);
      this.#whenEnded(this);
    }
  }

  /** A full disk makes SQLite end the transaction by itself; what came after would be seen at once, by all. */
  #mustGoOn(): void {
    if (this.#ended || !this.#db.inTransaction) throw new Error("The import has ended");
  }
}
