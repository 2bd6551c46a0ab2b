import type { SQLQueryBindings } from "bun:sqlite";
import { DamagedRecord, isIntact } from "../../catalog/damaged-record.ts";
import type { Entry, Imprint, Selection, Snapshot, StoredRecord } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { batchesOf } from "../batches.ts";
import type { Outline, ReadTransaction } from "./read-transaction.ts";
import {
  ENTRY_COLUMNS,
  type EntryRow,
  entryOf,
  isbnOf,
  languageMark,
  numberOfDay,
  numberOfIsbn,
} from "./rows.ts";

/** LEFT JOIN, wherever bodies are read: a record whose body is gone is a damaged one, and not one that is not there. */
interface ListedRow extends StoredRecord {
  readonly isbn: number;
}

const RECORDS = "SELECT records FROM catalog";

export class SqliteSnapshot implements Snapshot {
  readonly revision: string;
  readonly #release: () => void;
  #reading: ReadTransaction | undefined;
  /** That have not been read to their end. */
  readonly #lists = new Set<{ close(): void }>();
  /** Of the records that were asked for by ISBN. */
  readonly #outlines = new Map<Isbn13, Outline>();

  constructor(reading: ReadTransaction, revision: string, release: () => void) {
    this.#reading = reading;
    this.revision = revision;
    this.#release = release;
  }

  hasImprint(slug: string): boolean {
    return this.#read().hasImprint.get(slug) !== null;
  }

  missing(isbns: readonly Isbn13[]): readonly Isbn13[] {
    const missing = new Set<Isbn13>();
    for (const isbn of isbns) if (this.#outlineOf(isbn) === undefined) missing.add(isbn);
    return [...missing];
  }

  bodies(selection: Selection): Generator<readonly Uint8Array[], void> {
    return batchesOf(this.#bodies(selection), (body) => body.byteLength + 256);
  }

  entries(): Generator<readonly Entry[], void> {
    return batchesOf(this.#entries(), ({ body, origin }) => body.byteLength + origin.length + 512);
  }

  isbns(): Generator<readonly Isbn13[], void> {
    return batchesOf(this.#isbns(), () => 16);
  }

  imprints(): Generator<readonly Imprint[], void> {
    return batchesOf(this.#imprints(), () => 128);
  }

  close(): void {
    if (this.#reading === undefined) return;
    this.#reading = undefined;
    for (const list of this.#lists) list.close();
    this.#release();
  }

  *#bodies(selection: Selection): Generator<Uint8Array, void> {
    if (selection.by === "isbns") return yield* this.#bodiesOfIsbns(selection.isbns);
    const rows =
      selection.by === "imprint"
        ? this.#rowsOfImprint(selection.slug, selection.language)
        : this.#list<ListedRow>(
            `SELECT isbn, body, etag FROM record LEFT JOIN body USING (id)
             WHERE published BETWEEN ? AND ? ORDER BY published DESC, isbn`,
            numberOfDay(selection.from),
            selection.to === undefined ? 9999_12_31 : numberOfDay(selection.to),
          );
    let count = 0;
    for (const row of rows) {
      if (!isIntact(row)) throw new DamagedRecord(isbnOf(row.isbn));
      count++;
      yield row.body;
    }
    if (selection.by === "imprint") {
      const counted = selection.language === undefined ? count : this.#countOfImprint(selection.slug);
      this.#mustCount(
        counted,
        "SELECT total(records) AS records FROM imprint WHERE slug = ?",
        selection.slug,
      );
    }
  }

  *#bodiesOfIsbns(isbns: readonly Isbn13[]): Generator<Uint8Array, void> {
    for (const isbn of isbns) {
      const outline = this.#outlineOf(isbn);
      if (outline === undefined) continue;
      const row = this.#read().body.get(outline.id);
      if (row === null || !isIntact({ body: row.body, etag: outline.etag })) throw new DamagedRecord(isbn);
      yield row.body;
    }
  }

  /** Who has asked which are missing asks for the others next. */
  #outlineOf(isbn: Isbn13): Outline | undefined {
    const reading = this.#read();
    let outline = this.#outlines.get(isbn);
    if (outline === undefined) {
      outline = reading.outline.get(numberOfIsbn(isbn)) ?? undefined;
      if (outline !== undefined) this.#outlines.set(isbn, outline);
    }
    return outline;
  }

  #rowsOfImprint(slug: string, language: string | undefined): Iterable<ListedRow> {
    if (language === undefined) {
      const all =
        "SELECT isbn, body, etag FROM record LEFT JOIN body USING (id) WHERE imprint = ? ORDER BY isbn";
      return this.#list(all, slug);
    }
    const sql = `SELECT isbn, body, etag FROM record LEFT JOIN body USING (id)
      WHERE imprint = ? AND instr(languages, ?) > 0 ORDER BY isbn`;
    return this.#list(sql, slug, languageMark(language));
  }

  *#entries(): Generator<Entry, void> {
    const sql = `SELECT ${ENTRY_COLUMNS} FROM record LEFT JOIN body USING (id) ORDER BY isbn`;
    let count = 0;
    for (const row of this.#list<EntryRow>(sql)) {
      count++;
      yield entryOf(row);
    }
    this.#mustCount(count, RECORDS);
  }

  *#isbns(): Generator<Isbn13, void> {
    const sql = "SELECT isbn FROM record INDEXED BY record_outline ORDER BY isbn";
    let count = 0;
    for (const { isbn } of this.#list<{ isbn: number }>(sql)) {
      count++;
      yield isbnOf(isbn);
    }
    this.#mustCount(count, RECORDS);
  }

  #countOfImprint(slug: string): number {
    const sql = "SELECT count(*) AS records FROM record WHERE imprint = ?";
    for (const { records } of this.#list<{ records: number }>(sql, slug)) return records;
    return 0;
  }

  /** What a damaged index has lost is missed where it is known how many there must be: the list breaks off. */
  #mustCount(count: number, sql: string, ...bindings: string[]): void {
    for (const { records } of this.#list<{ records: number }>(sql, ...bindings)) {
      if (records !== count) throw new Error(`Of ${records} records the index has ${count}: it is damaged`);
    }
  }

  /** Spellings come in code-point order (SQLite compares the bytes of UTF-8): the first of equals stays. */
  *#imprints(): Generator<Imprint, void> {
    let best: { slug: string; name: string; records: number } | undefined;
    const sql = "SELECT slug, name, records FROM imprint ORDER BY slug, name";
    for (const row of this.#list<{ slug: string; name: string; records: number }>(sql)) {
      if (best?.slug === row.slug && best.records >= row.records) continue;
      if (best && best.slug !== row.slug) yield { slug: best.slug, name: best.name };
      best = row;
    }
    if (best) yield { slug: best.slug, name: best.name };
  }

  *#list<Row>(sql: string, ...bindings: SQLQueryBindings[]): Generator<Row, void> {
    const rows = this.#read().list<Row>(sql, ...bindings);
    this.#lists.add(rows);
    try {
      yield* rows;
    } finally {
      this.#lists.delete(rows);
    }
  }

  #read(): ReadTransaction {
    if (!this.#reading) throw new Error("The view is closed");
    // What came next would be of another state.
    if (!this.#reading.holds) throw new Error("The view was lost by an error of another one");
    return this.#reading;
  }
}
