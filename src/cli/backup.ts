import { statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { StoreError } from "../catalog/store-errors.ts";
import { verify } from "../catalog/verify/verify.ts";
import { errorMessage } from "../lib/error-message.ts";
import { copySqlite } from "../stores/sqlite/backup.ts";
import { inspectSqlite } from "../stores/sqlite/inspection.ts";
import { BACKUP_STATUS_FILE, writeBackupStatus } from "../telemetry/backup-status.ts";
import { isPostgresUrl, storeOptions } from "./config/store-location.ts";
import { EXIT, UsageError } from "./terminal/arguments.ts";
import { defineCommand, type Settings } from "./terminal/command.ts";
import { formatCountOf, formatMegabytes } from "./terminal/format.ts";

export const command = defineCommand(["colophon backup /backups/catalog-2026-11-16.db"], {
  operands: "FILE",
  options: storeOptions,
  about: "writes a verified copy while the store is in use",
  run: backup,
});

/** Copies the store, verifies the copy, and only then gives it its name. */
async function backup(
  { storeLocation: location }: Settings<typeof storeOptions>,
  [file]: readonly string[],
): Promise<number> {
  if (!file) throw new UsageError("no file given: name the file of the backup");
  if (isPostgresUrl(location)) {
    throw new StoreError(
      "A catalog in PostgreSQL cannot be backed up with this command: use pg_dump, schema colophon.",
    );
  }
  const target = resolve(file);
  if (basename(target) === BACKUP_STATUS_FILE) {
    throw new UsageError(
      `${BACKUP_STATUS_FILE} is the note about backups, which would replace this one; name another file`,
    );
  }
  const startMs = performance.now();
  let failure: string | undefined;
  try {
    await copyAndVerify(location, target);
    return EXIT.ok;
  } catch (error) {
    failure = errorMessage(error);
    throw error;
  } finally {
    noteStatus(target, (performance.now() - startMs) / 1000, failure);
  }
}

async function copyAndVerify(location: string, target: string): Promise<void> {
  const copy = copySqlite(location, target);
  try {
    const { records, revision } = await verifyCopy(copy.catalog);
    copy.publish();
    const size = formatMegabytes(statSync(target).size);
    console.log(`${formatCountOf(records, "record")}, ${size}, checked. Revision ${revision}.`);
  } finally {
    copy.discard();
  }
}

/** For `serve --backups`. A backup without this note is still one. */
function noteStatus(target: string, seconds: number, failure: string | undefined): void {
  const ended = new Date().toISOString();
  try {
    const bytes = failure === undefined ? statSync(target).size : undefined;
    writeBackupStatus(dirname(target), { file: basename(target), ended, failure, seconds, bytes });
  } catch (error) {
    // A backup that failed has a message already.
    if (failure === undefined)
      console.error(`colophon: the note beside the backup could not be written (${errorMessage(error)})`);
  }
}

/** Throws when the copy is damaged, because a damaged backup is noticed too late. */
async function verifyCopy(path: string): Promise<{ records: number; revision: string }> {
  const inspection = inspectSqlite(path);
  try {
    const first = await verify(inspection).next();
    if (first.done) return { records: first.value.records, revision: inspection.revision };
    const { isbn, text } = first.value;
    throw new StoreError(
      `the catalog is damaged and was not backed up (${isbn === undefined ? "" : `${isbn}: `}${text}); "colophon verify" lists all damage.`,
    );
  } finally {
    await inspection.close();
  }
}
