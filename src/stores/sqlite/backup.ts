/** A copy of an embedded store, of one moment, while others read it and import into it. */
import { chmodSync, closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../../catalog/store-error.ts";
import { openFile } from "./connection.ts";
import { publishFile, syncToDisk, temporaryPathFor } from "./create-file.ts";
import { codeOf } from "./errors.ts";
import { CATALOG, type FileFormat, TOKENS } from "./schema.ts";

/** KiB. */
const CACHE = 16 * 1024;

/** What has been copied, under names of its own until it is known to be good. */
export interface BackupCopy {
  readonly catalog: string;
  /** Gives the files their names: the ledger first, so that a catalog under its name has all that belongs to it. */
  publish(): void;
  /** Leaves nothing. */
  discard(): void;
}

/**
 * Copies the catalog and then the ledger of tokens, which so has every revocation up to now. The secret stays where
 * it is. Throws `StoreRefused` where a person must act.
 */
export function copySqlite(from: string, to: string): BackupCopy {
  const catalog: File = { from, to, aside: temporaryPathFor(to), format: CATALOG, mode: undefined };
  const files = [catalog];
  const tokens = { from: `${from}.tokens`, to: `${to}.tokens` };
  for (const path of [to, tokens.to]) mustBeFree(path);
  const discard = () => {
    for (const file of files) for (const end of ["", "-journal"]) rmSync(file.aside + end, { force: true });
  };
  try {
    copyFile(catalog);
    if (existsSync(tokens.from)) {
      const ledger: File = { ...tokens, aside: temporaryPathFor(tokens.to), format: TOKENS, mode: 0o600 };
      files.unshift(ledger);
      copyFile(ledger);
    }
  } catch (error) {
    discard();
    throw refusal(error, to);
  }
  return { catalog: catalog.aside, publish: () => publish(files, discard, to), discard };
}

interface File {
  readonly from: string;
  readonly to: string;
  readonly aside: string;
  readonly format: FileFormat;
  /** That of the original where none is given. */
  readonly mode: number | undefined;
}

/** SQLite reads one state, without keeping anyone from anything, and writes it anew: what was deleted takes no room. */
function copyFile({ from, aside, format, mode }: File): void {
  const db = openFile(from, format, { create: false, readonly: true }, CACHE);
  try {
    // Made here, as SQLite knows no mode.
    closeSync(openSync(aside, "wx", 0o600));
    db.run("VACUUM INTO ?", [aside]);
    chmodSync(aside, mode ?? statSync(from).mode & 0o777);
    syncToDisk(aside);
  } finally {
    db.close();
  }
}

function publish(files: readonly File[], discard: () => void, to: string): void {
  const named: string[] = [];
  try {
    for (const file of files) {
      publishFile(file.aside, file.to);
      named.push(file.to);
    }
    syncToDisk(dirname(to));
  } catch (error) {
    for (const path of named) rmSync(path, { force: true });
    throw refusal(error, to);
  } finally {
    discard();
  }
}

function mustBeFree(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new StoreError(`${path} is a folder; name a file in it for the backup.`);
  if (found)
    throw new StoreError(`${path} is there already, and a backup replaces nothing; name another file.`);
}

function refusal(error: unknown, to: string): unknown {
  const code = codeOf(error);
  if (error instanceof StoreError || code === "") return error;
  const why = (error as Error).message;
  if (code === "EEXIST") return new StoreError(`${to} is there already, and a backup replaces nothing.`);
  if (code.startsWith("SQLITE_CORRUPT")) {
    return new StoreError(
      `the catalog is damaged, so there is no backup of it (${why}); "colophon verify" tells more.`,
    );
  }
  return new StoreError(`the backup ${to} cannot be written (${why}); nothing is left of it.`);
}
