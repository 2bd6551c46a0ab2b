/** A thread that makes one attempt to truncate the write-ahead log. */
import { connect, type DatabaseFile } from "../connection.ts";

declare const self: Worker;

const CACHE_KIB = 1024;

self.onmessage = ({ data: file }: MessageEvent<DatabaseFile>) => {
  tryToTruncate(file);
  self.postMessage("ended");
};

/**
 * Without a busy timeout: an import or a reader that is active keeps the log, and the next attempt comes soon. An
 * import that begins meanwhile waits until the log is truncated.
 */
function tryToTruncate(file: DatabaseFile): void {
  try {
    const db = connect(file, CACHE_KIB, 0);
    try {
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    } finally {
      db.close();
    }
  } catch {
    // The file was replaced or removed, or the disk fails. The log keeps every commit.
  }
}
