/**
 * The journal of a watched folder: which feed is being imported, and what becomes of it. After a crash it tells a feed
 * that was imported, and not moved yet, from the same bytes that were sent again. Its file is also the lock of the
 * folder: SQLite holds it as long as the process lives.
 */
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../lib/error-message.ts";
import { FolderInUse, FolderProblem, toFolderProblem } from "./folder/folder-problem.ts";
import type { FeedOutcome } from "./watch-event.ts";

export const JOURNAL_FILE = ".colophon-watch";

export interface JournalEntry {
  /** Names the entry and the report. */
  readonly id: string;
  /** The name below the watched folder. */
  readonly name: string;
  /** The `contentKey` of the file. */
  readonly contentKey: string;
  /** The digest of the feed, which the store commits with its import. */
  readonly sha256: string;
  /** The number of the last import of the same bytes before this one, 0 when there was none. */
  readonly lastNumber: number;
  /** Undefined until the import has ended. */
  readonly decision: Decision | undefined;
}

/** What happens to a feed whose import has ended. */
export interface Decision {
  readonly outcome: FeedOutcome;
  /** The name in the folder of its outcome, which may have a number. */
  readonly target: string;
  /** What the operator's command is told, beside the paths. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The columns have the names of the members, but for `content`. The decision is JSON. */
type Row = Omit<JournalEntry, "contentKey" | "decision"> & {
  readonly content: string;
  readonly decision: string | null;
};

const FORMAT = 1;

export class Journal {
  readonly #db: Database;
  readonly #path: string;
  readonly #inode: bigint;

  /**
   * @throws {FolderInUse} when another process watches the folder
   * @throws {FolderProblem} when the folder cannot be written
   */
  constructor(folder: string) {
    this.#path = join(folder, JOURNAL_FILE);
    try {
      this.#db = openLocked(this.#path);
      this.#inode = statSync(this.#path, { bigint: true }).ino;
    } catch (error) {
      throw this.#problem(error, folder);
    }
  }

  entries(): readonly JournalEntry[] {
    const rows = this.#db.query<Row, []>("SELECT * FROM feed ORDER BY rowid").all();
    return rows.map(({ content, decision, ...columns }) => ({
      ...columns,
      contentKey: content,
      decision: decision === null ? undefined : (JSON.parse(decision) as Decision),
    }));
  }

  /** The entry is durable when this returns: the store must not commit an import that the journal does not know. */
  begin({ id, name, contentKey, sha256, lastNumber }: Omit<JournalEntry, "decision">): void {
    const insert = "INSERT INTO feed (id, name, content, sha256, lastNumber) VALUES (?, ?, ?, ?, ?)";
    this.#write(true, insert, id, name, contentKey, sha256, lastNumber);
  }

  decide(id: string, decision: Decision): void {
    this.#write(false, "UPDATE feed SET decision = ? WHERE id = ?", JSON.stringify(decision), id);
  }

  end(id: string): void {
    this.#write(false, "DELETE FROM feed WHERE id = ?", id);
  }

  /** Returns whether the folder still has this file: it may be unmounted, or another folder in its place. */
  get isInPlace(): boolean {
    return statSync(this.#path, { bigint: true, throwIfNoEntry: false })?.ino === this.#inode;
  }

  /** Gives the lock back. */
  close(): void {
    this.#db.close();
  }

  #write(isDurable: boolean, sql: string, ...values: (string | number)[]): void {
    try {
      this.#db.run(`PRAGMA synchronous = ${isDurable ? "FULL" : "NORMAL"}`);
      this.#db.query(sql).run(...values);
    } catch (error) {
      throw this.#problem(error, this.#path);
    }
  }

  #problem(error: unknown, path: string): unknown {
    const code = String((error as { code?: unknown }).code ?? "");
    if (code.startsWith("SQLITE_BUSY")) {
      return new FolderInUse(`${path} is watched by another Colophon; end that one, or name another folder.`);
    }
    if (/^SQLITE_(NOTADB|CORRUPT)/.test(code)) {
      return new FolderProblem(
        `${this.#path} is damaged (${errorMessage(error)}); delete it. A feed whose import has just ended may be imported once more.`,
      );
    }
    return toFolderProblem(error, path, "read and write");
  }
}

/** With an exclusive lock, the write-ahead log needs no shared memory, which network file systems lack. */
function openLocked(path: string): Database {
  const db = new Database(path, { create: true, readwrite: true });
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA locking_mode = EXCLUSIVE");
    db.run("PRAGMA journal_mode = WAL");
    db.run("BEGIN IMMEDIATE");
    const { user_version: format } = db.query<{ user_version: number }, []>("PRAGMA user_version").get()!;
    if (format > FORMAT) {
      throw new FolderProblem(`${path} was written by a newer Colophon; use that version.`);
    }
    db.run(`CREATE TABLE IF NOT EXISTS feed (id TEXT PRIMARY KEY, name TEXT NOT NULL, content TEXT NOT NULL,
      sha256 TEXT NOT NULL, lastNumber INTEGER NOT NULL, decision TEXT)`);
    db.run(`PRAGMA user_version = ${FORMAT}`);
    db.run("COMMIT");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
