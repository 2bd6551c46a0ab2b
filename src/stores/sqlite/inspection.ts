import type { Database, Statement } from "bun:sqlite";
import { existsSync } from "node:fs";
import { isIntact } from "../../catalog/entry.ts";
import type { BookCount } from "../../catalog/quality/book-counts.ts";
import type { InspectedEntry, Inspection, SpellingCount } from "../../catalog/verify/inspection.ts";
import { isbnFromColumn } from "../columns.ts";
import { type HistoryCounts, historyFaults, strayFault } from "../history-rows.ts";
import { openDatabase } from "./connection.ts";
import type { AccessOptions } from "./file-access.ts";
import {
  type CheckedRow,
  type EntryRow,
  isIntactRow,
  RECORD_COLUMNS,
  uncheckedEntryFromRow,
} from "./rows.ts";
import { CATALOG, TOKENS } from "./schema.ts";
import { countStrayBooks, SearchInspector } from "./search/search-inspector.ts";

/** Small, because every page is read only once. */
const CACHE_KIB = 8 * 1024;
const BATCH_ROWS = 200;

/** Opens a catalog file for inspection, without writing to it. Throws `StoreError`, as `openSqlite` does. */
export function inspectSqlite(path: string, onReadonly?: AccessOptions["onReadonly"]): Inspection {
  const { db } = openDatabase(path, CATALOG, { create: false, readonly: true, onReadonly }, CACHE_KIB);
  try {
    db.run("BEGIN");
    using catalog = db.prepare<{ revision: string; records: number }, []>(
      "SELECT revision, records FROM catalog",
    );
    return new SqliteInspection(path, db, catalog.get()!);
  } catch (error) {
    db.close();
    throw error;
  }
}

type BodyTableRow = Pick<EntryRow, "etag" | "origin" | "body" | "checksum"> & { readonly changed: number };
type RecordTableRow = Omit<EntryRow, keyof BodyTableRow> & { readonly id: number };
interface BodyStatements {
  readonly change: Statement<{ found: 1 }, [number, number]>;
  readonly body: Statement<BodyTableRow, [number]>;
  readonly summary: Statement<CheckedRow, [number]>;
  readonly editionTargets: Statement<{ readonly target: string }, [number]>;
  readonly search: SearchInspector;
}

class SqliteInspection implements Inspection {
  readonly revision: string;
  readonly records: number;
  readonly #path: string;
  readonly #db: Database;

  constructor(path: string, db: Database, { revision, records }: { revision: string; records: number }) {
    this.#path = path;
    this.#db = db;
    this.revision = revision;
    this.records = records;
  }

  /** Runs SQLite's integrity check on both files. It also compares every index with its table. */
  *faults(): Generator<readonly string[], void> {
    yield integrityFaults(this.#db, "");
    yield this.#historyFaults();
    yield searchFaults(this.#db);
    yield linkFaults(this.#db);
    const tokens = `${this.#path}.tokens`;
    if (!existsSync(tokens)) return;
    try {
      const { db } = openDatabase(tokens, TOKENS, { create: false, readonly: true }, CACHE_KIB);
      try {
        yield integrityFaults(db, `the ${TOKENS.label}: `);
      } finally {
        db.close();
      }
    } catch (error) {
      yield [`the ${TOKENS.label}: ${(error as Error).message}`];
    }
  }

  /** Reads in the order of the file. Each body is read alone, so that one damaged page costs one record. */
  *entries(): Generator<readonly InspectedEntry[], void> {
    using rows = this.#db.prepare<RecordTableRow, [number]>(
      `SELECT id, ${RECORD_COLUMNS} FROM record WHERE id > ? ORDER BY id LIMIT ${BATCH_ROWS}`,
    );
    using body: BodyStatements["body"] = this.#db.prepare(
      "SELECT etag, origin, body, checksum, changed FROM body WHERE id = ?",
    );
    using summary: BodyStatements["summary"] = this.#db.prepare(
      "SELECT etag, body, checksum FROM whole_summary WHERE id = ?",
    );
    using change: BodyStatements["change"] = this.#db.prepare(
      "SELECT 1 AS found FROM change WHERE number = ? AND isbn = ?",
    );
    using editionTargets: BodyStatements["editionTargets"] = this.#db.prepare(
      "SELECT target FROM edition_link WHERE isbn = ? ORDER BY target",
    );
    using search = new SearchInspector(this.#db);
    for (let lastId = Number.MIN_SAFE_INTEGER; ; ) {
      const batch = tryRead(() => rows.all(lastId));
      if ("unreadable" in batch) return yield [{ isbn: undefined, ...batch }];
      const last = batch.value.at(-1);
      if (last === undefined) return;
      lastId = last.id;
      yield batch.value.map((row) => inspectEntry(row, { body, summary, change, editionTargets, search }));
    }
  }

  *spellings(): Generator<readonly SpellingCount[], void> {
    using rows = this.#db.prepare<SpellingCount, []>("SELECT slug, name, records FROM imprint");
    for (const row of rows.iterate()) yield [row];
  }

  *counts(): Generator<readonly BookCount[], void> {
    using rows = this.#db.prepare<BookCount, []>("SELECT kind, value, books FROM book_count");
    for (const row of rows.iterate()) yield [row];
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  /** Compares the log of changes with the records. `entries` looks for the row of each record. */
  #historyFaults(): readonly string[] {
    const result = tryRead(() => {
      using counts = this.#db.prepare<HistoryCounts & { changes: number }, []>(
        `SELECT (SELECT count(*) FROM change) AS changes,
           (SELECT count(*) FROM change WHERE number NOT IN (SELECT number FROM change_run)) AS withoutImport,
           (SELECT count(*) FROM deletion JOIN record INDEXED BY record_by_isbn USING (isbn)) AS present`,
      );
      return counts.get()!;
    });
    if ("unreadable" in result) return [`the history of changes cannot be read (${result.unreadable})`];
    const { changes } = result.value;
    const count = changes === this.records ? [] : [`it has ${this.records} records, but ${changes} changes`];
    return [...count, ...historyFaults(result.value)];
  }
}

function inspectEntry(row: RecordTableRow, statements: BodyStatements): InspectedEntry {
  const { body, summary, change, editionTargets, search } = statements;
  const result = tryRead(() => {
    const found = body.get(row.id);
    const foundSummary = summary.get(row.id);
    const entry = {
      ...uncheckedEntryFromRow({ ...row, ...(found ?? NO_BODY) }),
      summary: foundSummary ?? undefined,
    };
    const hasChange = found === null || change.get(found.changed, row.isbn) !== null;
    const hasChecksums = hasChecksum(found) && hasChecksum(foundSummary);
    const inspected = {
      entry,
      searchState: search.stateOf(entry),
      editionTargets: editionTargets.all(row.isbn).map(({ target }) => target),
    };
    return { inspected, hasChange, hasChecksums };
  });
  if ("unreadable" in result) return { isbn: isbnFromColumn(row.isbn), ...result };
  const { inspected, hasChange, hasChecksums } = result.value;
  if (row.sender === null) return { ...inspected, fault: "its sender is not in the store" };
  if (!hasChecksums) return { ...inspected, fault: "its checksum is damaged" };
  return { ...inspected, fault: hasChange ? undefined : "its change is not in the history of changes" };
}

/** Returns false when the checksum alone is damaged. Other damage is found when the entry is compared with its etag. */
function hasChecksum(row: CheckedRow | null): boolean {
  return row === null || isIntactRow(row) || !isIntact(row);
}

const NO_BODY: Omit<BodyTableRow, "changed"> = { etag: "", origin: "", body: new Uint8Array(0), checksum: 0 };

function tryRead<T>(read: () => T): { readonly value: T } | { readonly unreadable: string } {
  try {
    return { value: read() };
  } catch (error) {
    return { unreadable: (error as Error).message };
  }
}

/** A book that is in the index of words and not in the catalog would be found by searches. */
function searchFaults(db: Database): readonly string[] {
  const result = tryRead(() => countStrayBooks(db));
  if ("unreadable" in result) return [`the search index cannot be read (${result.unreadable})`];
  return strayFault("the search index has", result.value);
}

function linkFaults(db: Database): readonly string[] {
  const result = tryRead(() => {
    using stray = db.prepare<{ readonly books: number }, []>(
      "SELECT count(DISTINCT isbn) AS books FROM edition_link WHERE isbn NOT IN (SELECT isbn FROM record)",
    );
    return stray.get()!.books;
  });
  if ("unreadable" in result) return [`the links of editions cannot be read (${result.unreadable})`];
  return strayFault("the links of editions have", result.value);
}

function integrityFaults(db: Database, prefix: string): readonly string[] {
  const result = tryRead(() => {
    using check = db.prepare<{ integrity_check: string }, []>("PRAGMA integrity_check");
    return check.all().map((row) => row.integrity_check);
  });
  const faults = "unreadable" in result ? [result.unreadable] : result.value.filter((line) => line !== "ok");
  return faults.flatMap((line) => line.split("\n")).map((line) => `${prefix}SQLite reports: ${line}`);
}
