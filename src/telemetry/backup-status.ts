/** What became of the last backup: `colophon backup` writes it beside its file, and `serve --backups` reads it. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface BackupStatus {
  /** The name of the file that was written, or should have been. */
  readonly file: string;
  /** ISO 8601, as is the next. */
  readonly ended: string;
  /** The end of the last backup that succeeded. */
  readonly lastSuccess?: string | undefined;
  /** Why the last one failed. Omitted when it has not. */
  readonly failure?: string | undefined;
  readonly seconds: number;
  /** The size of the backup file. Omitted when there is none. */
  readonly bytes?: number | undefined;
}

export const BACKUP_STATUS_FILE = "colophon-backup.json";

/** Returns undefined when no backup has been tried, or the file cannot be read. */
export function readBackupStatus(folder: string): BackupStatus | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, BACKUP_STATUS_FILE), "utf8"));
  } catch {
    return undefined;
  }
}

/** Keeps the last success. Throws the error of the system. */
export function writeBackupStatus(folder: string, status: Omit<BackupStatus, "lastSuccess">): void {
  const path = join(folder, BACKUP_STATUS_FILE);
  const isSuccess = status.failure === undefined;
  const lastSuccess = isSuccess ? status.ended : readBackupStatus(folder)?.lastSuccess;
  writeFileSync(`${path}.next`, `${JSON.stringify({ ...status, lastSuccess }, null, 2)}\n`);
  renameSync(`${path}.next`, path);
}
