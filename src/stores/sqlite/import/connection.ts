/** Opens the connection of an import, and closes it after the import. */
import type { Database } from "bun:sqlite";
import type { KeepUndo } from "../../../catalog/undo/undo-step.ts";
import { connect, type DatabaseFile, recordOwner } from "../connection.ts";
import { isBusy, retryWhileBusy } from "../errors.ts";
import { isLogOversized, truncateLog } from "../log/log-keeper.ts";
import { SqliteImportTransaction } from "./transaction.ts";

/** Holds the inner pages of a large catalog. What does not fit is written to the write-ahead log early. */
const CACHE_KIB = 16 * 1024;
/**
 * An import into an empty catalog appends pages, and reads few again. At its end it sorts rows in as much memory as the
 * cache has, in up to three parts at once.
 */
const EMPTY_CACHE_KIB = 8 * 1024;
/** How long an import tries to truncate the log at its end. */
const CHECKPOINT_MS = 200;
/** The same when the log is oversized: lists of older states then end within a second or two. */
const OVERSIZED_CHECKPOINT_MS = 10_000;

interface BeginOptions {
  readonly file: DatabaseFile;
  /** Allows the import to lock an empty catalog, which makes it faster. */
  readonly mayLockFile: boolean;
  /** How long to wait for another import. */
  readonly timeoutMs: number;
  readonly keepUndo: KeepUndo | undefined;
  readonly onEnd: (transaction: SqliteImportTransaction) => void;
}

/** Begins an import. While another one is running, it retries without blocking the event loop. */
export async function beginImport({ file, mayLockFile, timeoutMs, keepUndo, onEnd }: BeginOptions) {
  const busy = `Another import into ${file.path} is running; start this one again when it has ended.`;
  const { db, hasLockedFile } = await retryWhileBusy(timeoutMs, busy, () => begin(file, mayLockFile));
  try {
    const onTransactionEnd = async (isCommitted: boolean) => {
      try {
        if (hasLockedFile) restoreLog(db);
        else if (isCommitted) await checkpoint(db, file.path);
      } finally {
        db.close(true);
        onEnd(transaction);
      }
    };
    const transaction: SqliteImportTransaction = new SqliteImportTransaction(
      db,
      file,
      onTransactionEnd,
      keepUndo,
    );
    if (file.log === undefined) recordOwner(file);
    return transaction;
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK");
    db.close();
    throw error;
  }
}

/** Throws SQLITE_BUSY while another import is running. */
function begin(file: DatabaseFile, mayLockFile: boolean) {
  const db = connect(file, CACHE_KIB, 0);
  try {
    const isNew = isEmpty(db);
    const cacheKib = isNew ? EMPTY_CACHE_KIB : CACHE_KIB;
    db.run("PRAGMA temp_store = FILE");
    db.run(`PRAGMA cache_size = -${cacheKib}; PRAGMA temp.cache_size = -${cacheKib}`);
    // Indexes are sorted by a second thread where there is a second core.
    db.run("PRAGMA threads = 2");
    const hasLockedFile = mayLockFile && isNew && disableLog(db);
    // With a write-ahead log, this does not block readers.
    db.run("BEGIN EXCLUSIVE");
    return { db, hasLockedFile };
  } catch (error) {
    db.close();
    throw error;
  }
}

function isEmpty(db: Database): boolean {
  using records = db.prepare<{ records: number }, []>("SELECT records FROM catalog");
  return records.get()!.records === 0;
}

/**
 * Locks an empty catalog and replaces the write-ahead log by a rollback journal, so that records are written once and
 * not twice. The journal stores little more than the old length of the file, and undoes the import after a crash.
 * Returns false, without an effect, when another connection has the file open.
 */
function disableLog(db: Database): boolean {
  try {
    db.run("PRAGMA locking_mode = EXCLUSIVE");
    using change = db.prepare<{ journal_mode: string }, []>("PRAGMA journal_mode = DELETE");
    if (change.get()?.journal_mode === "delete") return true;
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
  db.run("PRAGMA locking_mode = NORMAL");
  return false;
}

/** Restores the write-ahead log. If this fails, the next process that opens the file does it. */
function restoreLog(db: Database): void {
  try {
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA locking_mode = NORMAL");
  } catch {}
}

/**
 * Moves the import from the log into the file, where reads are faster, and truncates the log. Readers of the previous
 * state can prevent this for longer than the attempts last; then the server or the next import does it.
 */
async function checkpoint(db: Database, path: string): Promise<void> {
  try {
    await truncateLog(db, isLogOversized(path) ? OVERSIZED_CHECKPOINT_MS : CHECKPOINT_MS);
  } catch {
    // The import is committed, and durable in the log.
  }
}
