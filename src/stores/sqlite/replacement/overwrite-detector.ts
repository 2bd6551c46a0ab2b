/**
 * Notices that a file was overwritten in place, as `cp` does. Its identity stays the same, and SQLite goes on with the
 * pages that it has cached. But something has written to the file without a commit, and the file does not contain what
 * SQLite has read of it.
 */
import { statSync } from "node:fs";
import { connect, type DatabaseFile } from "../connection.ts";
import { codeOf } from "../errors.ts";

/** What a connection knows of the file. */
export interface KnownContent {
  /** `PRAGMA data_version`, which changes with every commit. */
  readonly dataVersion: number;
  readonly revision: string;
  /** `PRAGMA schema_version`, which also changes when the file is rewritten as a whole. */
  readonly schemaVersion: number;
}

const CACHE_KIB = 256;

export class OverwriteDetector {
  readonly #file: DatabaseFile;
  readonly #readKnown: () => KnownContent;
  #last: (KnownContent & { readonly mtimeNs: bigint }) | undefined;

  constructor(file: DatabaseFile, readKnown: () => KnownContent) {
    this.#file = file;
    this.#readKnown = readKnown;
  }

  /** The owner calls it once a second. It costs a look at the file while nothing writes to it. */
  wasOverwritten(): boolean {
    const found = statSync(this.#file.path, { bigint: true, throwIfNoEntry: false });
    if (found === undefined || found.mtimeNs === this.#last?.mtimeNs) return false;
    const last = this.#last;
    let known: KnownContent;
    try {
      known = this.#readKnown();
    } catch (error) {
      // A smaller file lacks pages that SQLite expects.
      if (last !== undefined && isOtherContent(error)) return true;
      throw error;
    }
    this.#last = { ...known, mtimeNs: found.mtimeNs };
    // After a commit, SQLite has written to the file.
    if (last === undefined || last.dataVersion !== known.dataVersion) return false;
    const differs = this.#differsFrom(last);
    return differs && this.#readKnown().dataVersion === known.dataVersion;
  }

  #differsFrom(known: KnownContent): boolean {
    try {
      const content = readContent(this.#file);
      // SQLite is moving the log into the file at this moment.
      if (content.framesInLog > 0) return false;
      return (
        content.revision !== known.revision ||
        content.schemaVersion !== known.schemaVersion ||
        content.bytes !== statSync(this.#file.path).size
      );
    } catch (error) {
      return isOtherContent(error);
    }
  }
}

function isOtherContent(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB|ERROR|IOERR_SHORT_READ)/.test(codeOf(error));
}

/** Returns whether the file has the size that SQLite expects. It has not when processes still use what was overwritten. */
export function hasExpectedSize(file: DatabaseFile): boolean {
  const { bytes, framesInLog } = readContent(file);
  return framesInLog > 0 || bytes === statSync(file.path).size;
}

/** Reads the file with a connection of its own, which has cached nothing. */
function readContent(file: DatabaseFile) {
  const db = connect(file, CACHE_KIB);
  try {
    using content = db.prepare<{ revision: string; schemaVersion: number; bytes: number }, []>(
      `SELECT revision, schema_version AS schemaVersion, page_count * page_size AS bytes
       FROM catalog, pragma_schema_version, pragma_page_count, pragma_page_size`,
    );
    using log = db.prepare<{ log: number; checkpointed: number }, []>("PRAGMA wal_checkpoint(NOOP)");
    const frames = log.get()!;
    return { ...content.get()!, framesInLog: frames.log - frames.checkpointed };
  } finally {
    db.close();
  }
}
