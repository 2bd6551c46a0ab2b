import type { ReservedSQL, SQL } from "bun";
import type { Entry, Held, Load } from "../../catalog/port.ts";
import { StoreRefused } from "../../catalog/store-refused.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { type Place, withinPatience } from "./client.ts";
import * as say from "./load.statements.ts";
import { Pending } from "./pending.ts";
import { codeOf, refusal } from "./refusal.ts";
import { arrayOfIsbns, type EntryRow, entryOf, isbnOf } from "./rows.ts";
import { Spellings } from "./spellings.ts";
import { Spoken } from "./spoken.ts";
import { copyOf } from "./staging.ts";

/** Of the changes after which the planner's figures are made anew, rather than some time later by the server. */
const MANY = 1000;

/**
 * An import is one transaction, from here to its commit: readers see nothing of it, and need not wait. Entries go
 * by COPY into a staging table and from there into the catalog's, while the feed is being read.
 */
export async function beginLoad(
  place: Place,
  patience: number,
  ended: (load: PostgresLoad) => void,
): Promise<PostgresLoad> {
  const sql = place.connect(1);
  const reading = place.connect(1);
  try {
    const connection = await withinPatience(sql.reserve(), place);
    await connection.unsafe(`${say.BEGIN}; SET LOCAL lock_timeout = ${Math.max(1, patience)}`);
    const [catalog] = await connection.unsafe<[CatalogRow]>(say.LOCK);
    await connection.unsafe(say.PREPARE);
    const before = await withinPatience(reading.reserve(), place);
    await before.unsafe(say.BEGIN_READING);
    return new PostgresLoad({ sql, connection, reading, before, place, catalog, ended });
  } catch (error) {
    for (const each of [sql, reading]) await each.close({ timeout: 0 }).catch(() => {});
    // 55P03: lock_timeout.
    if (codeOf(error) !== "55P03") throw refusal(error, String(place));
    throw new StoreRefused(
      `Another import into ${place} is running; start this one again when it has ended.`,
    );
  }
}

interface CatalogRow {
  readonly revision: string;
  readonly records: string;
}

interface Beginning {
  readonly sql: SQL;
  readonly connection: ReservedSQL;
  readonly reading: SQL;
  readonly before: ReservedSQL;
  readonly place: Place;
  readonly catalog: CatalogRow;
  readonly ended: (load: PostgresLoad) => void;
}

interface OldRow {
  readonly isbn: string;
  readonly imprint: string | null;
  readonly imprint_name: string | null;
}

interface HeldRow {
  readonly etag: string | null;
  readonly reference: string | null;
  readonly feed: number | null;
  readonly before: string | null;
}

export class PostgresLoad implements Load {
  readonly revision: string;
  readonly #sql: SQL;
  readonly #connection: ReservedSQL;
  /**
   * Another connection, which sees the catalog as it was before: as there is one import at a time, it stays so.
   * What this import has not spoken of is read there, while the last batch is still being written.
   */
  readonly #before: ReservedSQL;
  readonly #reading: SQL;
  readonly #spoken = new Spoken();
  readonly #place: Place;
  readonly #whenEnded: (load: PostgresLoad) => void;
  readonly #spellings = new Spellings();
  #pending = new Pending();
  /** What is being done on the connection, one after the other. */
  #work: Promise<unknown> = Promise.resolve();
  #failure: unknown;
  #records: number;
  #changes = 0;
  #ended = false;

  constructor({ sql, connection, reading, before, place, catalog, ended }: Beginning) {
    this.#sql = sql;
    this.#connection = connection;
    this.#reading = reading;
    this.#before = before;
    this.#place = place;
    this.#whenEnded = ended;
    this.revision = catalog.revision;
    this.#records = Number(catalog.records);
  }

  async held(isbns: readonly Isbn13[]): Promise<readonly Held[]> {
    this.#mustGoOn();
    if (isbns.length === 0) return [];
    const rows = await (isbns.some((isbn) => this.#spoken.mayHave(isbn))
      ? this.#askWritten<HeldRow>(say.HELD, [arrayOfIsbns(isbns)])
      : this.#askBefore<HeldRow>(say.HELD_BEFORE, [arrayOfIsbns(isbns)]));
    return rows.map(({ etag, reference, feed, before }) => ({
      etag: etag ?? undefined,
      before: (feed === null ? etag : before) ?? undefined,
      feed: feed ?? 0,
      reference: reference ?? undefined,
    }));
  }

  async entry(isbn: Isbn13): Promise<Entry | undefined> {
    this.#mustGoOn();
    const [row] = await (this.#spoken.mayHave(isbn)
      ? this.#askWritten<EntryRow>(say.ENTRY, [isbn])
      : this.#askBefore<EntryRow>(say.ENTRY, [isbn]));
    return row ? entryOf(row) : undefined;
  }

  async byReference(reference: string): Promise<readonly Isbn13[]> {
    this.#mustGoOn();
    // A sender without references must not have all of its books taken for one.
    if (reference === "") return [];
    if (this.#pending.refers(reference)) this.#write();
    const found = await this.#referred(reference);
    if (!found.some((isbn) => this.#pending.has(isbn))) return found;
    this.#write();
    return await this.#referred(reference);
  }

  put(entries: readonly Entry[], feed: number): Promise<void> | undefined {
    this.#mustGoOn();
    for (const entry of entries) {
      this.#spoken.add(entry.isbn);
      this.#pending.put(entry, feed);
    }
    return this.#writeWhenMuch();
  }

  touch(isbns: readonly Isbn13[], feed: number): Promise<void> | undefined {
    this.#mustGoOn();
    for (const isbn of isbns) {
      this.#spoken.add(isbn);
      this.#pending.touch(isbn, feed);
    }
    return this.#writeWhenMuch();
  }

  remove(isbns: readonly Isbn13[], feed: number): Promise<void> | undefined {
    this.#mustGoOn();
    for (const isbn of isbns) {
      this.#spoken.add(isbn);
      this.#pending.remove(isbn, feed);
    }
    return this.#writeWhenMuch();
  }

  /** Each batch is a query of its own: so a batch can be removed before the next one is asked for. */
  async *untouched(): AsyncGenerator<readonly { readonly isbn: Isbn13; readonly etag: string }[], void> {
    for (let last = "-1"; ; ) {
      this.#mustGoOn();
      this.#write();
      const rows = await this.#ask<{ isbn: string; etag: string }>(say.UNTOUCHED, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.isbn;
      yield rows.map(({ isbn, etag }) => ({ isbn: isbnOf(isbn), etag }));
    }
  }

  async commit(revision: string): Promise<void> {
    this.#mustGoOn();
    try {
      this.#write();
      await this.#do(() => this.#spellings.write(this.#connection));
      if (this.#changes > 0 || revision !== this.revision) {
        await this.#ask(say.END, [revision, String(this.#records), new Date().toISOString()]);
      }
      const { command } = await this.#do(() => this.#connection.unsafe("COMMIT"));
      // PostgreSQL answers so when the transaction had failed before.
      if (command !== "COMMIT") throw new Error("The import was rolled back");
      if (this.#changes >= MANY) await this.#freshenFigures();
    } finally {
      await this.#end();
    }
  }

  async abort(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#work.catch(() => {});
    // A connection that is lost has taken the transaction with it.
    await this.#connection.unsafe("ROLLBACK").catch(() => {});
    await this.#end();
  }

  async #referred(reference: string): Promise<Isbn13[]> {
    const rows = await this.#ask<{ isbn: string }>(say.BY_REFERENCE, [reference]);
    return rows.map(({ isbn }) => isbnOf(isbn));
  }

  /** At most one batch is under way while the next one is gathered: so memory stays flat. */
  #writeWhenMuch(): Promise<void> | undefined {
    if (!this.#pending.isMuch) return undefined;
    const before = this.#work;
    this.#write();
    return before.then(() => {});
  }

  /** Behind whatever is under way. A failure is met by the next call, whichever it is. */
  #write(): void {
    if (this.#pending.isEmpty) return;
    const batch = this.#pending;
    this.#pending = new Pending();
    this.#do(() => this.#apply(batch)).catch(() => {});
  }

  async #apply(batch: Pending): Promise<void> {
    const { notes, puts, removals } = batch.sorted();
    await this.#connection.unsafe(say.NOTE, [arrayOfIsbns(notes.isbns), `{${notes.feeds.join(",")}}`]);
    const written = [...puts.map(({ isbn }) => isbn), ...removals];
    if (written.length === 0) return;
    const old = await this.#connection.unsafe<OldRow[]>(say.OLD, [arrayOfIsbns(written)]);
    const there = new Set(old.map(({ isbn }) => isbnOf(isbn)));
    await this.#copy(
      say.COPY_NEW,
      puts.filter(({ isbn }) => !there.has(isbn)),
    );
    const changed = puts.filter(({ isbn }) => there.has(isbn));
    if (changed.length > 0) {
      await this.#copy(say.COPY_CHANGED, changed);
      await this.#connection.unsafe(say.PUT_CHANGED);
      await this.#connection.unsafe(say.EMPTY_STAGING);
    }
    if (removals.length > 0) await this.#connection.unsafe(say.REMOVE, [arrayOfIsbns(removals)]);
    for (const { imprint } of puts) if (imprint) this.#spellings.count(imprint, 1);
    this.#forget(old);
    this.#records += puts.length - old.length;
    this.#changes += puts.length + old.length - changed.length;
    if (this.#spellings.isMuch) await this.#spellings.write(this.#connection);
  }

  async #copy(statement: string, entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return;
    const copy = this.#connection.unsafe(statement).writable().getWriter();
    await copy.write(copyOf(entries));
    await copy.close();
  }

  #forget(old: readonly OldRow[]): void {
    for (const { imprint, imprint_name } of old) {
      if (imprint !== null && imprint_name !== null) {
        this.#spellings.count({ slug: imprint, name: imprint_name }, -1);
      }
    }
  }

  #askWritten<Row>(text: string, values: readonly string[]): Promise<Row[]> {
    this.#write();
    return this.#ask<Row>(text, values);
  }

  async #askBefore<Row>(text: string, values: readonly string[]): Promise<Row[]> {
    try {
      return await this.#before.unsafe<Row[]>(text, [...values]);
    } catch (error) {
      this.#failure ??= refusal(error, String(this.#place));
      throw this.#failure;
    }
  }

  #ask<Row>(text: string, values: readonly string[]): Promise<Row[]> {
    return this.#do(() => this.#connection.unsafe<Row[]>(text, [...values]));
  }

  async #do<T>(task: () => Promise<T>): Promise<T> {
    const mine = this.#work.then(() => {
      if (this.#failure !== undefined) throw this.#failure;
      return task();
    });
    this.#work = mine.catch((error) => {
      this.#failure ??= refusal(error, String(this.#place));
    });
    try {
      return await mine;
    } catch {
      throw this.#failure;
    }
  }

  /** Some time after a large import the server would do so itself; until then it might choose bad plans. */
  async #freshenFigures(): Promise<void> {
    try {
      await this.#connection.unsafe("ANALYZE colophon.record, colophon.imprint");
    } catch {
      // The import stands, whoever may not do this.
    }
  }

  async #end(): Promise<void> {
    this.#ended = true;
    for (const sql of [this.#sql, this.#reading]) await sql.close({ timeout: 0 }).catch(() => {});
    this.#whenEnded(this);
  }

  #mustGoOn(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#ended) throw new Error("The import has ended");
  }
}
