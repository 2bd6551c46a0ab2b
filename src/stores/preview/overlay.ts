/**
 * What a preview would change, in a temporary database. SQLite keeps it in a file of the temporary folder (TMPDIR), and
 * deletes the name of the file when it is created, so that nothing remains after a crash.
 */
import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import type { Entry } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { isbnFromColumn } from "../columns.ts";
import { NumberSet, ReferenceSet } from "../number-set.ts";
import {
  type EntryRow,
  FOUND_BY_NAMES,
  foundByColumns,
  foundByValues,
  isbnToColumn,
  uncheckedEntryFromRow,
} from "../sqlite/rows.ts";

/** What the feeds have done to one ISBN. */
export interface OverlayState {
  /** The feed that last put, marked or removed the record. */
  readonly feed: number;
  /** The etag before the import; null when there was no record. */
  readonly before: string | null;
  /** The etag now; null when there is no record. */
  readonly etag: string | null;
  /** The id of the entry that was put. Is null when there is no record, or when the record is that of the catalog. */
  readonly entry: number | null;
}

/** The members of an entry that a status shows. */
type EntryOutline = Pick<EntryRow, "sender" | "reference" | "origin">;

interface OverlayChange {
  readonly isbn: Isbn13;
  readonly before: string | null;
  readonly etag: string | null;
  /** 1 when a feed has removed the record, also when a later one has put it again. */
  readonly removed: number;
}

/** Holds the inner pages of both tables. What does not fit is written to the temporary file. */
const CACHE_KIB = 8 * 1024;
const CHANGES_PER_BATCH = 500;

/** Entries are in the order of the feeds, so that large rows are appended. The body stands last: few reads need it. */
const CREATE_TABLES = `
  CREATE TEMP TABLE state (
    isbn INTEGER PRIMARY KEY, feed INTEGER NOT NULL, before TEXT, etag TEXT, entry INTEGER, removed INTEGER NOT NULL
  ) STRICT;
  CREATE TEMP TABLE entry (
    id INTEGER PRIMARY KEY, isbn, ${FOUND_BY_NAMES}, origin, etag, body
  );`;

export class Overlay {
  readonly #db = new Database(":memory:");
  readonly #sql: OverlayStatements;
  readonly #isbns = new NumberSet();
  readonly #references = new ReferenceSet();
  /** Undefined until a reference may occur for the second time: an index costs time for each entry. */
  #byReference: Statement<{ isbn: number }, [string, string, number]> | undefined;
  #lastEntry = 0;

  constructor() {
    this.#db.run("PRAGMA temp_store = FILE");
    this.#db.run(`PRAGMA temp.cache_size = -${CACHE_KIB}`);
    // One transaction from beginning to end: pages that are new in a transaction need no journal.
    this.#db.run("BEGIN");
    this.#db.run(CREATE_TABLES);
    this.#sql = prepareStatements(this.#db);
  }

  /** Returns undefined when no feed has put, marked or removed the ISBN. */
  state(isbn: Isbn13): OverlayState | undefined {
    const number = isbnToColumn(isbn);
    return this.#isbns.has(number) ? (this.#sql.state.get(number) ?? undefined) : undefined;
  }

  outline(entry: number): EntryOutline {
    return this.#sql.outline.get(entry)!;
  }

  entry(entry: number): Entry {
    return uncheckedEntryFromRow(this.#sql.entry.get(entry)!);
  }

  body(isbn: Isbn13): Uint8Array {
    return this.#sql.body.get(isbnToColumn(isbn))!.body;
  }

  /** Returns the ISBNs of the entries with this sender and reference, ascending and at most `limit`. */
  byReference(sender: string, reference: string, limit: number): readonly Isbn13[] {
    if (!this.#references.mayContain(sender, reference)) return [];
    if (!this.#byReference) {
      this.#db.run("CREATE INDEX temp.entry_by_reference ON entry (sender, reference, isbn)");
      this.#byReference = this.#db.prepare(
        "SELECT isbn FROM entry WHERE sender = ? AND reference = ? ORDER BY isbn LIMIT ?",
      );
    }
    return this.#byReference.all(sender, reference, limit).map(({ isbn }) => isbnFromColumn(isbn));
  }

  /** `state` is what the method of this name returns; `before` counts when it is undefined. */
  put(entry: Entry, feed: number, state: OverlayState | undefined, before: string | null): void {
    const isbn = isbnToColumn(entry.isbn);
    const id = state?.entry ?? ++this.#lastEntry;
    const columns = foundByValues(foundByColumns(entry, entry.sender));
    this.#sql.putEntry.run(id, isbn, ...columns, entry.origin, entry.etag, entry.body);
    this.#references.add(entry.sender, entry.reference);
    this.#putState(isbn, feed, state ? state.before : before, entry.etag, id);
  }

  markSeen(isbn: Isbn13, feed: number, state: OverlayState | undefined, before: string | null): void {
    const { etag, entry } = state ?? { etag: before, entry: null };
    this.#putState(isbnToColumn(isbn), feed, state ? state.before : before, etag, entry);
  }

  remove(isbn: Isbn13, feed: number, state: OverlayState | undefined, before: string | null): void {
    if (state?.entry != null) this.#sql.removeEntry.run(state.entry);
    this.#putState(isbnToColumn(isbn), feed, state ? state.before : before, null, null);
  }

  /** Returns the ISBNs from `first` to `last` that a feed has put, marked or removed. */
  seenBetween(first: Isbn13, last: Isbn13): ReadonlySet<Isbn13> {
    const rows = this.#sql.seenBetween.all(isbnToColumn(first), isbnToColumn(last));
    return new Set(rows.map(({ isbn }) => isbnFromColumn(isbn)));
  }

  /** Returns how many of the records before the import were put, marked or removed. */
  seenBefore(): number {
    return this.#sql.seenBefore.get()!.records;
  }

  /** Lists what has another etag than before, in ascending order of ISBN. */
  *changes(): Generator<readonly OverlayChange[], void> {
    for (let last = -1; ; ) {
      const rows = this.#sql.changes.all(last, CHANGES_PER_BATCH);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map((row) => ({ ...row, isbn: isbnFromColumn(row.isbn) }));
    }
  }

  close(): void {
    for (const statement of [...Object.values(this.#sql), this.#byReference]) statement?.finalize();
    this.#db.close(true);
  }

  #putState(
    isbn: number,
    feed: number,
    before: string | null,
    etag: string | null,
    entry: number | null,
  ): void {
    this.#isbns.add(isbn);
    this.#sql.putState.run(isbn, feed, before, etag, entry, etag === null && before !== null ? 1 : 0);
  }
}

type OverlayStatements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Database) {
  return {
    state: db.prepare<OverlayState, [number]>("SELECT feed, before, etag, entry FROM state WHERE isbn = ?"),
    putState: db.prepare<unknown, SQLQueryBindings[]>(
      `INSERT INTO state VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET feed = excluded.feed, etag = excluded.etag,
         entry = excluded.entry, removed = max(removed, excluded.removed)`,
    ),
    outline: db.prepare<EntryOutline, [number]>("SELECT sender, reference, origin FROM entry WHERE id = ?"),
    entry: db.prepare<EntryRow, [number]>("SELECT * FROM entry WHERE id = ?"),
    body: db.prepare<{ body: Uint8Array }, [number]>(
      "SELECT body FROM entry WHERE id = (SELECT entry FROM state WHERE isbn = ?)",
    ),
    putEntry: db.prepare<unknown, SQLQueryBindings[]>(
      `REPLACE INTO entry VALUES (?, ?, ?, ?, ?${", ?".repeat(FOUND_BY_NAMES.length)})`,
    ),
    removeEntry: db.prepare<unknown, [number]>("DELETE FROM entry WHERE id = ?"),
    seenBetween: db.prepare<{ isbn: number }, [number, number]>(
      "SELECT isbn FROM state WHERE isbn BETWEEN ? AND ?",
    ),
    seenBefore: db.prepare<{ records: number }, []>(
      "SELECT count(*) AS records FROM state WHERE before IS NOT NULL",
    ),
    changes: db.prepare<Omit<OverlayChange, "isbn"> & { isbn: number }, [number, number]>(
      "SELECT isbn, before, etag, removed FROM state WHERE isbn > ? AND before IS NOT etag ORDER BY isbn LIMIT ?",
    ),
  };
}
