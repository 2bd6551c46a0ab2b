/**
 * The changes of a catalog, as a client follows them. Each import that changes records has a number, in the order of the
 * commits, and a random id. A record has the number of the import that changed it last, and a deletion that of its
 * import. So each ISBN has one place, by number and ISBN, and it moves to the end when the book changes.
 */
import type { Isbn13 } from "../../onix/isbn.ts";

/** An import that has changed records. */
export interface ChangeMark {
  /** 0 before the first one. */
  readonly number: number;
  /** Tells imports with the same number apart: a restored backup, or a failover, begins another history. */
  readonly id: string;
}

/** A place between changes. */
export interface ChangePlace {
  readonly number: number;
  /** The last ISBN before the place. Undefined after all changes of the import. */
  readonly isbn: Isbn13 | undefined;
}

export interface BookChange extends ChangePlace {
  readonly isbn: Isbn13;
  /** The import that has added the book. Undefined when the book is deleted. */
  readonly added: number | undefined;
  /** The time of the import, in ISO 8601. */
  readonly at: string;
}

export interface ChangeHistory {
  /** The last import that has changed records. */
  readonly newest: ChangeMark;
  /** The id of the requested import. Undefined when the catalog does not know it. */
  readonly knownId: string | undefined;
  /** The last import whose deletions are no longer stored; 0 when all are. */
  readonly forgotten: number;
  /** A replica may not have received the newest imports yet. */
  readonly isReplica: boolean;
}

/** Default: how long the store remembers that a book was deleted. */
export const KEEP_DELETIONS_DAYS = 90;

const DAY_MS = 86_400_000;

/** Returns the time, in ISO 8601, before which deletions are forgotten. */
export function forgetBefore(at: string, keepDays: number): string {
  return new Date(Date.parse(at) - keepDays * DAY_MS).toISOString();
}

/** Returns a random id of an import. */
export function newChangeId(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString("hex");
}
