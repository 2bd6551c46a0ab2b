/** What an import has said, written down batch by batch. */
import type { ReservedSQL } from "bun";
import type { Entry } from "../../../catalog/store.ts";
import { arrayOfIsbns, isbnOf } from "../rows.ts";
import { CopyStream } from "./copy.ts";
import { CopyRows } from "./copy-rows.ts";
import { ImprintCounts } from "./imprint-counts.ts";
import type { Batch, SeenRow } from "./pending-changes.ts";
import * as say from "./statements.ts";

/** Of those that wait: little memory, and so many that the round trips of a COPY do not count. */
const MANY_NOTES = 10_000;

interface OldRow {
  readonly isbn: string;
  readonly imprint: string | null;
  readonly imprint_name: string | null;
}

export class BatchWriter {
  /** How many records there are now. */
  records: number;
  /** How many were added, replaced or removed. */
  changes = 0;
  readonly #rows = new CopyRows();
  readonly #spellings = new ImprintCounts();
  /** New records go on by one COPY for as long as nothing else is to be said: so the server never waits for us. */
  #adding: CopyStream | undefined;
  #notes: SeenRow[] = [];

  constructor(records: number) {
    this.records = records;
  }

  async write(connection: ReservedSQL, batch: Batch): Promise<void> {
    const { first, again, puts, mayBeThere } = batch;
    for (const note of first) this.#notes.push(note);
    const old = again.isbns.length > 0 || mayBeThere.length > 0 ? await this.#makeWay(connection, batch) : [];
    const there = new Set(old.map(({ isbn }) => isbnOf(isbn)));
    const added = there.size === 0 ? puts : puts.filter(({ isbn }) => !there.has(isbn));
    const changed = there.size === 0 ? [] : puts.filter(({ isbn }) => there.has(isbn));
    if (changed.length > 0) await this.#replace(connection, changed);
    if (added.length > 0) await this.#add(connection, added);
    this.records += puts.length - old.length;
    this.changes += puts.length + old.length - changed.length;
    this.#count(puts, old);
    if (this.#spellings.isMuch || this.#notes.length >= MANY_NOTES) await this.settle(connection);
  }

  /** All that was written stands in its table, and the connection is free for questions. */
  async settle(connection: ReservedSQL): Promise<void> {
    const [adding, notes] = [this.#adding, this.#notes];
    this.#adding = undefined;
    this.#notes = [];
    await adding?.end();
    if (notes.length > 0) await copy(connection, say.COPY_NOTES, this.#rows.ofNotes(notes));
    if (this.#spellings.isMuch) await this.#spellings.write(connection);
  }

  /** The last step before the commit. */
  async end(connection: ReservedSQL): Promise<void> {
    await this.settle(connection);
    await this.#spellings.write(connection);
  }

  /** The connection is free for a rollback. */
  async stop(): Promise<void> {
    await this.#adding?.stop();
  }

  /** Removes what is to go, and tells what is there of that and of what comes. */
  async #makeWay(connection: ReservedSQL, { again, removals, mayBeThere }: Batch): Promise<OldRow[]> {
    await this.settle(connection);
    if (again.isbns.length > 0) {
      await connection.unsafe(say.NOTE, [arrayOfIsbns(again.isbns), `{${again.feeds.join(",")}}`]);
    }
    if (mayBeThere.length === 0) return [];
    const old = await connection.unsafe<OldRow[]>(say.OLD, [arrayOfIsbns(mayBeThere)]);
    if (removals.length > 0) await connection.unsafe(say.REMOVE, [arrayOfIsbns(removals)]);
    return old;
  }

  async #add(connection: ReservedSQL, entries: readonly Entry[]): Promise<void> {
    this.#adding ??= await CopyStream.begin(connection, say.COPY_NEW);
    await this.#adding.write(this.#rows.ofEntries(entries));
  }

  async #replace(connection: ReservedSQL, entries: readonly Entry[]): Promise<void> {
    await copy(connection, say.COPY_CHANGED, this.#rows.ofEntries(entries));
    await connection.unsafe(say.PUT_CHANGED);
    await connection.unsafe(say.EMPTY_STAGING);
  }

  #count(puts: readonly Entry[], old: readonly OldRow[]): void {
    for (const { imprint } of puts) if (imprint) this.#spellings.count(imprint, 1);
    for (const { imprint, imprint_name } of old) {
      if (imprint !== null && imprint_name !== null) {
        this.#spellings.count({ slug: imprint, name: imprint_name }, -1);
      }
    }
  }
}

async function copy(connection: ReservedSQL, statement: string, rows: Uint8Array): Promise<void> {
  const whole = await CopyStream.begin(connection, statement);
  await whole.write(rows);
  await whole.end();
}
