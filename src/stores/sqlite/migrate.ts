/** Brings the files of an embedded store up to date. Nothing else changes the format of a file. */
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { formatNumber, isOutdated, type Migration, type OnPlan } from "../format.ts";
import { openDatabase } from "./connection.ts";
import { bytesToRewrite, freeBytesAt, requireDiskSpace } from "./disk-space.ts";
import { toStoreError } from "./errors.ts";
import { readFormat } from "./file-header.ts";
import { bytesOf, logBytes } from "./log/log-keeper.ts";
import { CATALOG, type FileFormat, TOKENS } from "./schema.ts";

const CACHE_KIB = 16 * 1024;
/** Another process may be migrating a catalog of millions of records. */
const BUSY_TIMEOUT_MS = 600_000;

/**
 * Creates the catalog, or migrates it and its token registry. Returns what was done. A file whose migration fails is as
 * it was. Throws `StoreError`.
 */
export function migrateSqlite(path: string, onPlan: OnPlan = () => {}): readonly Migration[] {
  if (!existsSync(path)) {
    openDatabase(path, CATALOG, { create: true, readonly: false }, CACHE_KIB).db.close();
    return [{ label: CATALOG.label, from: 0, to: formatNumber(CATALOG) }];
  }
  const tokens = `${path}.tokens`;
  return [
    ...migrateFile(path, CATALOG, onPlan),
    ...(existsSync(tokens) ? migrateFile(tokens, TOKENS, onPlan) : []),
  ];
}

function migrateFile(path: string, format: FileFormat, onPlan: OnPlan): readonly Migration[] {
  const options = { create: false, readonly: false };
  const { db } = openDatabase(path, format, options, CACHE_KIB, isOutdated);
  try {
    const from = readFormat(db);
    const migration = { label: format.label, from, to: formatNumber(format) };
    if (from === migration.to) return [];
    const neededBytes = bytesToRewrite(bytesOf(path) + logBytes(path));
    onPlan({ ...migration, subject: path, neededBytes, freeBytes: freeBytesAt(path) });
    requireDiskSpace(path, neededBytes, "to be migrated (new tables, and the write-ahead log)");
    db.run(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    applySteps(db, path, format);
    // A step that rebuilds tables leaves a log as large as the file.
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    return [migration];
  } catch (error) {
    throw toStoreError(error, path, format, "write");
  } finally {
    db.close();
  }
}

/** Applies the steps that the file lacks. When two processes migrate at once, the second finds the work done. */
function applySteps(db: Database, path: string, format: FileFormat): void {
  const apply = db.transaction(() => {
    const stored = readFormat(db);
    if (!isOutdated(path, stored, format)) return;
    for (const step of format.steps.slice(stored - 1)) {
      if (typeof step === "string") db.run(step);
      else step(db);
    }
    db.run(`PRAGMA user_version = ${formatNumber(format)}`);
  });
  apply.immediate();
}
