import type { Database } from "bun:sqlite";
import type { Entry, ImportTransaction, RecordStatus } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { BloomFilter } from "../../bloom-filter.ts";
import { entryOf, isbnOf, numberOfDay, numberOfIsbn, textOfLanguages } from "../rows.ts";
import { CATALOG, INDEXES } from "../schema.ts";
import { ImprintCounts } from "./imprint-counts.ts";
import {
  type IndexedStatements,
  type Outline,
  prepareIndexed,
  prepareStatements,
  type Statements,
  type Touched,
} from "./statements.ts";

/** What is known of an ISBN at one moment of an import. */
interface Known {
  readonly now: Outline | undefined;
  readonly touched: Touched | undefined;
}

const NEW: Known = { now: undefined, touched: undefined };

/** An import on a connection that has begun a transaction. */
export class SqliteImportTransaction implements ImportTransaction {
  readonly revision: string;
  readonly #db: Database;
  readonly #sql: Statements;
  readonly #spellings: ImprintCounts;
  readonly #whenEnded: (committed: boolean) => Promise<void>;
  /**
   * Undefined while the indexes of a catalog that was empty are put off: rows are appended, and sorted at the end.
   * Nothing is looked up then, and nothing written down of what was put: it is all that there is. The first ISBN
   * that may come for the second time ends this.
   */
  #indexed: IndexedStatements | undefined;
  readonly #seen: BloomFilter | undefined;
  /** Where in the ids the records of each feed begin that were put without indexes; and where they end. */
  readonly #feeds: { readonly feed: number; readonly from: number }[] = [];
  #lastPutOff = 0;
  /** From `held` to the change that follows it, so that nothing is looked up twice. */
  readonly #known = new Map<number, Known>();
  #records: number;
  #lastId: number;
  #ended = false;

  constructor(db: Database, whenEnded: (committed: boolean) => Promise<void>) {
    this.#db = db;
    this.#whenEnded = whenEnded;
    // What this import has spoken of, in a temporary file. It is made within the transaction: so all of its
    // pages are new to SQLite, and none is copied into a journal before it is written.
    db.run("CREATE TEMP TABLE touched (isbn INTEGER PRIMARY KEY, feed INTEGER NOT NULL, before TEXT) STRICT");
    this.#sql = prepareStatements(db);
    this.#spellings = new ImprintCounts(db);
    const catalog = this.#sql.catalog.get()!;
    this.revision = catalog.revision;
    this.#records = catalog.records;
    this.#lastId = this.#sql.lastId.get()!.id ?? 0;
    if (this.#records === 0) {
      for (const name of INDEXES.names) db.run(`DROP INDEX ${name}`);
      this.#seen = new BloomFilter();
    } else this.#indexed = prepareIndexed(db);
  }

  statusOf(isbns: readonly Isbn13[]): readonly RecordStatus[] {
    this.#mustGoOn();
    this.#known.clear();
    return isbns.map((isbn) => {
      const number = numberOfIsbn(isbn);
      const known = this.#look(number);
      this.#known.set(number, known);
      const { now, touched } = known;
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
    const { now } = this.#look(numberOfIsbn(isbn));
    return now && entryOf(this.#sql.entryOf.get(now.id)!);
  }

  byReference(reference: string): readonly Isbn13[] {
    this.#mustGoOn();
    // A sender without references must not have all of its books taken for one.
    if (reference === "") return [];
    const rows = this.#withIndexes().byReference.all(reference);
    return rows.map(({ isbn }) => isbnOf(isbn));
  }

  put(entries: readonly Entry[], feed: number): void {
    this.#mustGoOn();
    for (const entry of entries) {
      const isbn = numberOfIsbn(entry.isbn);
      const { now, touched } = this.#take(isbn);
      const { imprint, body } = entry;
      const columns = [
        imprint?.slug ?? null,
        imprint?.name ?? null,
        textOfLanguages(entry.languages),
        entry.published === undefined ? null : numberOfDay(entry.published),
        entry.reference,
        entry.etag,
        entry.origin,
      ] as const;
      const id = now?.id ?? ++this.#lastId;
      if (now) {
        this.#forgetSpelling(now.id);
        this.#sql.replace.run(...columns, id);
      } else {
        this.#sql.add.run(id, isbn, ...columns);
        this.#records++;
      }
      this.#sql.putBody.run(id, body);
      if (this.#indexed) this.#sql.touch.run(isbn, feed, touched ? touched.before : (now?.etag ?? null));
      else this.#putOff(id, feed);
      if (imprint) this.#spellings.count(imprint, 1);
    }
  }

  markSeen(isbns: readonly Isbn13[], feed: number): void {
    this.#mustGoOn();
    for (const isbn of isbns) {
      const number = numberOfIsbn(isbn);
      const { now, touched } = this.#take(number);
      this.#sql.touch.run(number, feed, touched ? touched.before : (now?.etag ?? null));
    }
  }

  remove(isbns: readonly Isbn13[], feed: number): void {
    this.#mustGoOn();
    for (const isbn of isbns) {
      const number = numberOfIsbn(isbn);
      const { now, touched } = this.#take(number);
      this.#sql.touch.run(number, feed, touched ? touched.before : (now?.etag ?? null));
      if (!now) continue;
      this.#forgetSpelling(now.id);
      this.#sql.remove.run(now.id);
      this.#sql.removeBody.run(now.id);
      this.#records--;
    }
  }

  /** Each batch is a query of its own: so a batch can be removed before the next one is asked for. */
  *unseen(): Generator<readonly { readonly isbn: Isbn13; readonly etag: string }[], void> {
    for (let last = -1; ; ) {
      this.#mustGoOn();
      const rows = this.#withIndexes().untouched.all(last, this.#lastPutOff);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn, etag }) => ({ isbn: isbnOf(isbn), etag }));
    }
  }

  async commit(revision: string): Promise<void> {
    this.#mustGoOn();
    let [committed, isLogged] = [false, false];
    try {
      this.#withIndexes();
      this.#spellings.write();
      if (revision !== this.revision) {
        this.#sql.commit.run(revision, this.#records, new Date().toISOString());
      }
      isLogged = true;
      this.#db.run("COMMIT");
      committed = true;
    } finally {
      await this.#end(committed, isLogged);
    }
  }

  async abort(): Promise<void> {
    if (!this.#ended) await this.#end(false, false);
  }

  #look(isbn: number): Known {
    if (!this.#indexed && !this.#seen!.add(isbn)) return NEW;
    const now = this.#withIndexes().outline.get(isbn) ?? undefined;
    const touched = this.#sql.touched.get(isbn) ?? undefined;
    return { now, touched: touched ?? (now && this.#touchedBefore(now.id)) };
  }

  #putOff(id: number, feed: number): void {
    if (this.#feeds.at(-1)?.feed !== feed) this.#feeds.push({ feed, from: id });
    this.#lastPutOff = id;
  }

  /** What would have been written down of a record, had it not been put off. */
  #touchedBefore(id: number): Touched | undefined {
    if (id > this.#lastPutOff) return undefined;
    const { feed } = this.#feeds.findLast(({ from }) => from <= id)!;
    return { feed, before: null };
  }

  #take(isbn: number): Known {
    const known = this.#known.get(isbn);
    this.#known.delete(isbn);
    return known ?? this.#look(isbn);
  }

  #withIndexes(): IndexedStatements {
    if (!this.#indexed) {
      this.#db.run(INDEXES.make);
      this.#indexed = prepareIndexed(this.#db);
    }
    return this.#indexed;
  }

  #forgetSpelling(id: number): void {
    const { imprint, imprint_name } = this.#sql.spellingOf.get(id)!;
    if (imprint !== null && imprint_name !== null) {
      this.#spellings.count({ slug: imprint, name: imprint_name }, -1);
    }
  }

  async #end(committed: boolean, isLogged: boolean): Promise<void> {
    this.#ended = true;
    this.#known.clear();
    this.#spellings.close();
    const statements = [...Object.values(this.#sql), ...Object.values(this.#indexed ?? {})];
    for (const statement of statements) statement.finalize();
    try {
      if (this.#db.inTransaction) this.#db.run("ROLLBACK");
      if (isLogged && !committed) this.#overwriteInLog();
    } finally {
      await this.#whenEnded(committed);
    }
  }

  /**
   * A commit that the disk did not make durable counts for nobody, but stands in the log: it would count after a
   * crash, when the log is all that is known. So something that changes nothing is written over its beginning: the
   * number of the format, as SQLite leaves out a row that stays the same.
   */
  #overwriteInLog(): void {
    try {
      this.#db.run(`PRAGMA user_version = ${CATALOG.migrations.length}`);
    } catch {
      // The disk fails here, too, but only after it was written.
    }
  }

  /** A full disk makes SQLite end the transaction by itself; what came after would be seen at once, by all. */
  #mustGoOn(): void {
    if (this.#ended || !this.#db.inTransaction) throw new Error("The import has ended");
  }
}
