/** How an import gets its connection, and what becomes of it. */
import type { Database } from "bun:sqlite";
import { StoreError } from "../../../catalog/store-error.ts";
import { connect } from "../connection.ts";
import { isBusy } from "../errors.ts";
import { SqliteImportTransaction } from "./transaction.ts";

/** KiB: room for the inner pages of a large catalog; what does not fit goes to the write-ahead log early. */
const CACHE = 16 * 1024;

/** Waits for an import that is under way, without keeping this process from anything else. */
export async function beginImport(
  path: string,
  mayBeAlone: boolean,
  patience: number,
  ended: (load: SqliteImportTransaction) => void,
): Promise<SqliteImportTransaction> {
  const end = performance.now() + patience;
  let begun = tryToBegin(path, mayBeAlone);
  while (begun === undefined) {
    if (performance.now() >= end) {
      throw new StoreError(`Another import into ${path} is running; start this one again when it has ended.`);
    }
    await Bun.sleep(20);
    begun = tryToBegin(path, mayBeAlone);
  }
  const { db, alone } = begun;
  try {
    const load: SqliteImportTransaction = new SqliteImportTransaction(db, async (committed) => {
      try {
        if (alone) withLog(db);
        else if (committed) await moveIntoFile(db);
      } finally {
        db.close(true);
        ended(load);
      }
    });
    return load;
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK");
    db.close();
    throw error;
  }
}

/** Undefined: another import is under way. */
function tryToBegin(path: string, mayBeAlone: boolean): { db: Database; alone: boolean } | undefined {
  let db: Database | undefined;
  try {
    db = connect(path, false, CACHE, 0);
    db.run("PRAGMA temp_store = FILE");
    db.run(`PRAGMA temp.cache_size = -${CACHE}`);
    // Indexes are sorted by a second thread, where there is a second core.
    db.run("PRAGMA threads = 2");
    const alone = mayBeAlone && isEmpty(db) && withoutLog(db);
    // With a log this keeps nobody from reading.
    db.run("BEGIN EXCLUSIVE");
    return { db, alone };
  } catch (error) {
    db?.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

function isEmpty(db: Database): boolean {
  using records = db.prepare<{ records: number }, []>("SELECT records FROM catalog");
  return records.get()!.records === 0;
}

/**
 * Into an empty catalog that nobody has open, records go straight into the file. Through the log they would be
 * written twice, so that readers can go on reading nothing. SQLite's rollback journal, which remembers little more
 * than how long the file was, undoes it all after a crash. Fails, and changes nothing, while others have it open.
 */
function withoutLog(db: Database): boolean {
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

/** Whoever opens the file next would do this, too, if it fails here. */
function withLog(db: Database): void {
  try {
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA locking_mode = NORMAL");
  } catch {}
}

/**
 * Takes the import over from the log into the file, where it is read faster, and gives back the log's room.
 * Readers of the state before may be in the way for longer than this tries: then the next import does it.
 */
async function moveIntoFile(db: Database): Promise<void> {
  using checkpoint = db.prepare<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)");
  try {
    for (let tries = 0; checkpoint.get()!.busy !== 0 && tries < 20; tries++) await Bun.sleep(10);
  } catch {
    // Whatever hindered it: the import stands, and the log holds it durably.
  }
}
