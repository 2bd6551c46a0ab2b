/**
 * Gives the space of removed records back to the system. VACUUM rewrites the file in one transaction of the write-ahead
 * log: readers go on in the state before, and a process that dies leaves the file as it was.
 */
import type { Database } from "bun:sqlite";
import { dirname } from "node:path";
import { LABEL_WORD, NAME_WORD, TITLE_WORD } from "../../catalog/search/index-terms.ts";
import { SNAPSHOT_HOLD_MS } from "../../catalog/store.ts";
import { StoreError } from "../../catalog/store-errors.ts";
import { openDatabase } from "./connection.ts";
import { bytesToRewrite, requireDiskSpace } from "./disk-space.ts";
import { codeOf, retryWhileBusy } from "./errors.ts";
import { truncateLog } from "./log/log-keeper.ts";
import { CATALOG } from "./schema.ts";
import { MERGE_SEGMENTS } from "./search/segments.ts";

interface CompactOptions {
  /** How long to wait for a running import. Default: 60 seconds. */
  readonly importLockTimeoutMs?: number;
  /** How long to wait for readers of the state before. Default: the hold time of snapshots and ten seconds. */
  readonly readersTimeoutMs?: number;
}

interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** False when there was too little to gain, so nothing was done. */
  readonly isCompacted: boolean;
  /** True when readers of the state before still hold the log. The file shrinks when they have ended. */
  readonly isHeldByReaders: boolean;
}

/** VACUUM uses two such caches: of the file and of its temporary copy. */
const CACHE_KIB = 16 * 1024;
/** With less to gain, the file is left as it is: rewriting it would cost far more than it gives back. */
const MIN_GAIN_SHARE = 0.05;

/** Words of corrections that no book has any more. The last one stays, so that no other word gets an id that was read. */
const REMOVE_UNUSED_WORDS = `DELETE FROM word WHERE id < (SELECT max(id) FROM word) AND NOT EXISTS (
  SELECT 1 FROM book_index WHERE filter MATCH ${[TITLE_WORD, NAME_WORD, LABEL_WORD].map((mark) => `'"${mark}' || word || '"'`).join(" || ' OR ' || ")})`;

/** Throws `StoreError`; no book is changed then. */
export async function compactSqlite(path: string, options: CompactOptions = {}): Promise<Compaction> {
  const { importLockTimeoutMs = 60_000, readersTimeoutMs = SNAPSHOT_HOLD_MS + 10_000 } = options;
  const { db } = openDatabase(path, CATALOG, { create: false, readonly: false }, CACHE_KIB);
  try {
    db.run("PRAGMA busy_timeout = 0");
    // Without it, SQLite may put the copy into memory or on another disk.
    db.run("PRAGMA temp_store = FILE");
    db.run(`PRAGMA temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`);
    const size = readSize(db);
    const bytesBefore = size.pages * size.pageBytes;
    const unchanged = { bytesBefore, bytesAfter: bytesBefore, isCompacted: false, isHeldByReaders: false };
    if (estimateGainBytes(db, size) < MIN_GAIN_SHARE * bytesBefore) return unchanged;
    const contentBytes = (size.pages - size.freePages) * size.pageBytes;
    requireDiskSpace(
      path,
      bytesToRewrite(contentBytes),
      "to be compacted (a temporary copy, and the write-ahead log)",
    );
    const busy = `An import into ${path} is running; compact the catalog when it has ended.`;
    for (const statement of [REMOVE_UNUSED_WORDS, MERGE_SEGMENTS, "VACUUM"])
      await retryWhileBusy(importLockTimeoutMs, busy, () => db.run(statement));
    // The file shrinks by that.
    const isHeldByReaders = !(await truncateLog(db, readersTimeoutMs));
    const { pages, pageBytes } = readSize(db);
    return { bytesBefore, bytesAfter: pages * pageBytes, isCompacted: true, isHeldByReaders };
  } catch (error) {
    throw toCompactError(error, path);
  } finally {
    db.close();
  }
}

interface FileSize {
  readonly pages: number;
  readonly freePages: number;
  readonly pageBytes: number;
}

function readSize(db: Database): FileSize {
  using statement = db.prepare<FileSize, []>(
    `SELECT page_count AS pages, freelist_count AS freePages, page_size AS pageBytes
     FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
  );
  return statement.get()!;
}

function toCompactError(error: unknown, path: string): unknown {
  if (error instanceof StoreError || codeOf(error) === "") return error;
  const cause = (error as Error).message;
  return new StoreError(`${path} cannot be compacted (${cause}); the catalog is unchanged.`);
}

/**
 * Estimates what VACUUM would give back. Records and summaries are nearly all of a catalog file. Removed records leave few
 * empty pages, but many that are half empty. So the packed bodies are counted, too.
 */
function estimateGainBytes(db: Database, { freePages, pageBytes }: FileSize): number {
  using tables = db.prepare<{ name: string; pages: number }, []>(
    "SELECT name, pageno AS pages FROM dbstat WHERE aggregate = TRUE AND name IN ('body', 'summary')",
  );
  let gainedPages = freePages;
  for (const { name, pages } of tables.all()) {
    gainedPages += Math.max(0, pages - packedPages(rowSizes(db, name), pageBytes));
  }
  return gainedPages * pageBytes;
}

/** The header of a row, its size and its id, and the pointer to it. */
const ROW_OVERHEAD_BYTES = 15;
const PAGE_HEADER_BYTES = 8;

function* rowSizes(db: Database, table: string): Generator<number, void> {
  const origin = table === "body" ? "octet_length(origin)" : "0";
  using rows = db.prepare<{ bytes: number }, []>(
    `SELECT octet_length(etag) + ${origin} + octet_length(body) AS bytes FROM ${table} ORDER BY id`,
  );
  for (const { bytes } of rows.iterate()) yield bytes + ROW_OVERHEAD_BYTES;
}

/** Returns the number of pages of rows that are written one after the other, as VACUUM does. */
export function packedPages(sizes: Iterable<number>, pageBytes: number): number {
  let pages = 1;
  let used = PAGE_HEADER_BYTES;
  for (const size of sizes) {
    const local = localBytes(size, pageBytes);
    pages += Math.ceil((size - local) / (pageBytes - 4));
    if (used + local > pageBytes) {
      pages++;
      used = PAGE_HEADER_BYTES;
    }
    used += local;
  }
  return pages;
}

/** Returns the part of a row that is in its own page; the rest is in overflow pages (SQLite file format §1.6). */
function localBytes(size: number, pageBytes: number): number {
  const max = pageBytes - 35;
  if (size <= max) return size;
  const min = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const local = min + ((size - min) % (pageBytes - 4));
  return local <= max ? local : min;
}
