/** Makes the file of a store, whole: under its name there is never a file that is only begun. */
import { Database } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "./errors.ts";
import { migrate } from "./migrate.ts";
import type { FileFormat } from "./schema.ts";

/** Of two processes that start at once, one makes it and both use it. */
export function createFile(path: string, format: FileFormat, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const aside = temporaryPathFor(path);
  try {
    // Opened here first, as SQLite knows no mode; its -wal and -shm take that of the file.
    closeSync(openSync(aside, "wx", mode));
    const db = new Database(aside, { readwrite: true, create: false });
    try {
      db.run(`PRAGMA page_size = ${format.pageSize}`);
      // Without a log, which is for whoever opens it: what is not on the disk at the commit is an error there.
      migrate(db, format);
    } finally {
      db.close();
    }
    publishFile(aside, path);
    // Who was told that an import has ended must find the file after a power cut.
    syncToDisk(dirname(path));
  } catch (error) {
    if (codeOf(error) !== "EEXIST" || !existsSync(path)) throw error;
  } finally {
    for (const end of ["", "-journal"]) rmSync(aside + end, { force: true });
  }
}

/** A file, or the names in a folder, onto the disk. */
export function syncToDisk(path: string): void {
  if (process.platform === "win32") return;
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Where a file stands until it is whole. */
export function temporaryPathFor(path: string): string {
  const mark = Buffer.from(crypto.getRandomValues(new Uint8Array(6))).toString("hex");
  return join(dirname(path), `.${basename(path)}.${mark}.unfinished`);
}

/**
 * Gives a whole file its name, and fails with EEXIST where another has it. A link is never made over another file,
 * as a rename would be; but not every file system has links.
 */
export function publishFile(aside: string, path: string): void {
  try {
    linkSync(aside, path);
    rmSync(aside);
  } catch (error) {
    if (!/^(EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/.test(codeOf(error))) throw error;
    if (existsSync(path)) throw Object.assign(new Error(`${path} is there already`), { code: "EEXIST" });
    renameSync(aside, path);
  }
}
