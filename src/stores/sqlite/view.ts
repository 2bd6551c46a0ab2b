import type { Entry, Imprint, Selection, View } from "../../catalog/port.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { batchesOf } from "../batches.ts";
import type { Reading } from "./reading.ts";
import {
  ENTRY_COLUMNS,
  type EntryRow,
  entryOf,
  isbnOf,
  languageMark,
  numberOfDay,
  numberOfIsbn,
} from "./rows.ts";

export class SqliteView implements View {
  readonly revision: string;
  readonly #release: (reading: Reading) => void;
  #reading: Reading | undefined;

  constructor(reading: Reading, release: (reading: Reading) => void) {
    this.#release = release;
    this.revision = reading.begin();
    this.#reading = reading;
  }

  hasImprint(slug: string): boolean {
    return this.#read().hasImprint.get(slug) !== null;
  }

  missing(isbns: readonly Isbn13[]): readonly Isbn13[] {
    const { hasRecord } = this.#read();
    const missing = new Set<Isbn13>();
    for (const isbn of isbns) if (hasRecord.get(numberOfIsbn(isbn)) === null) missing.add(isbn);
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
    const reading = this.#reading;
    this.#reading = undefined;
    if (reading) this.#release(reading);
  }

  *#bodies(selection: Selection): Generator<Uint8Array, void> {
    if (selection.by === "isbns") return yield* this.#bodiesOfIsbns(selection.isbns);
    const rows =
      selection.by === "imprint"
        ? this.#rowsOfImprint(selection.slug, selection.language)
        : this.#read().list<{ body: Uint8Array }>(
            `SELECT body FROM record JOIN body USING (id)
             WHERE published BETWEEN ? AND ? ORDER BY published DESC, isbn`,
            numberOfDay(selection.from),
            selection.to === undefined ? 9999_12_31 : numberOfDay(selection.to),
          );
    for (const { body } of rows) yield body;
  }

  *#bodiesOfIsbns(isbns: readonly Isbn13[]): Generator<Uint8Array, void> {
    for (const isbn of isbns) {
      const row = this.#read().body.get(numberOfIsbn(isbn));
      if (row !== null) yield row.body;
    }
  }

  #rowsOfImprint(slug: string, language: string | undefined): Iterable<{ body: Uint8Array }> {
    if (language === undefined) {
      const all = "SELECT body FROM record JOIN body USING (id) WHERE imprint = ? ORDER BY isbn";
      return this.#read().list(all, slug);
    }
    const sql = `SELECT body FROM record JOIN body USING (id)
      WHERE imprint = ? AND instr(languages, ?) > 0 ORDER BY isbn`;
    return this.#read().list(sql, slug, languageMark(language));
  }

  *#entries(): Generator<Entry, void> {
    const sql = `SELECT ${ENTRY_COLUMNS} FROM record JOIN body USING (id) ORDER BY isbn`;
    for (const row of this.#read().list<EntryRow>(sql)) yield entryOf(row);
  }

  *#isbns(): Generator<Isbn13, void> {
    const sql = "SELECT isbn FROM record INDEXED BY record_outline ORDER BY isbn";
    for (const { isbn } of this.#read().list<{ isbn: number }>(sql)) yield isbnOf(isbn);
  }

  /** Spellings come in code-point order (SQLite compares the bytes of UTF-8): the first of equals stays. */
  *#imprints(): Generator<Imprint, void> {
    let best: { slug: string; name: string; records: number } | undefined;
    const sql = "SELECT slug, name, records FROM imprint ORDER BY slug, name";
    for (const row of this.#read().list<{ slug: string; name: string; records: number }>(sql)) {
      if (best?.slug === row.slug && best.records >= row.records) continue;
      if (best && best.slug !== row.slug) yield { slug: best.slug, name: best.name };
      best = row;
    }
    if (best) yield { slug: best.slug, name: best.name };
  }

  #read(): Reading {
    if (!this.#reading) throw new Error("The view is closed");
    return this.#reading;
  }
}
