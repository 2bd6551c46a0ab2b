/**
 * Gives the space of removed records back to the system. VACUUM rewrites the file in one transaction of the write-ahead
 * log: readers go on in the state before, and a process that dies leaves the file as it was.
 */
import type { Database } from "bun:sqlite";
import { dirname } from "node:path";
import { SNAPSHOT_HOLD_MS } from "../../../catalog/store.ts";
import { StoreError } from "../../../catalog/store-errors.ts";
import { openFile } from "../connection.ts";
import { codeOf, isBusy } from "../errors.ts";
import { bytesToRewrite, requireDiskSpace } from "../log/log-file.ts";
import { CATALOG } from "../schema.ts";
import { estimateGainBytes } from "./gain-estimate.ts";

export interface CompactOptions {
  /** How long to wait for a running import. Default: 60 seconds. */
  readonly importLockTimeoutMs?: number;
  /** How long to wait for readers of the state before. Default: the hold time of snapshots and ten seconds. */
  readonly readersTimeoutMs?: number;
}

export interface Compaction {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Is false when there was too little to gain, so nothing was done. */
  readonly isCompacted: boolean;
  /** Is true when readers of the state before still hold the log. The file shrinks when they have ended. */
  readonly isHeldByReaders: boolean;
}

/** VACUUM uses two such caches: of the file and of its temporary copy. */
const CACHE_KIB = 16 * 1024;
const RETRY_MS = 20;
/** With less to gain, the file is left as it is: rewriting it would cost far more than it gives back. */
const MIN_GAIN_SHARE = 0.05;

/** Throws `StoreError`; the catalog is then as it was. */
export async function compactSqlite(path: string, options: CompactOptions = {}): Promise<Compaction> {
  const { importLockTimeoutMs = 60_000, readersTimeoutMs = SNAPSHOT_HOLD_MS + 10_000 } = options;
  const db = openFile(path, CATALOG, { create: false, readonly: false }, CACHE_KIB);
  try {
    db.run("PRAGMA busy_timeout = 0");
    // Without it, SQLite may put the copy into memory or on another disk.
    db.run("PRAGMA temp_store = FILE");
    db.run(`PRAGMA temp_store_directory = '${dirname(path).replaceAll("'", "''")}'`);
    const size = readSize(db);
    const bytesBefore = size.pages * size.pageBytes;
    const unchanged = { bytesBefore, bytesAfter: bytesBefore, isCompacted: false, isHeldByReaders: false };
    if (estimateGainBytes(db) < MIN_GAIN_SHARE * bytesBefore) return unchanged;
    const contentBytes = (size.pages - size.freePages) * size.pageBytes;
    requireDiskSpace(
      path,
      bytesToRewrite(contentBytes),
      "to be compacted (a temporary copy, and the write-ahead log)",
    );
    await retryWhileBusy(importLockTimeoutMs, path, () => db.run("VACUUM"));
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

/** Repeats a task that does not wait by itself while an import is running. */
async function retryWhileBusy(timeoutMs: number, path: string, task: () => void): Promise<void> {
  for (const deadlineMs = performance.now() + timeoutMs; ; await Bun.sleep(RETRY_MS)) {
    try {
      return task();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() < deadlineMs) continue;
      throw new StoreError(`An import into ${path} is running; compact the catalog when it has ended.`);
    }
  }
}

/** Moves the log into the file, which shrinks by that, and truncates the log. Returns false when readers prevent it. */
async function truncateLog(db: Database, timeoutMs: number): Promise<boolean> {
  using statement = db.prepare<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  const deadlineMs = performance.now() + timeoutMs;
  while (statement.get()!.busy !== 0) {
    if (performance.now() >= deadlineMs) return false;
    await Bun.sleep(RETRY_MS);
  }
  return true;
}

function toCompactError(error: unknown, path: string): unknown {
  if (error instanceof StoreError || codeOf(error) === "") return error;
  const cause = (error as Error).message;
  return new StoreError(`${path} cannot be compacted (${cause}); the catalog is unchanged.`);
}
