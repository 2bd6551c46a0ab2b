/**
 * Cursors of changes: what a client has received. They are opaque, and checked as the cursors of lists are.
 *
 * A page leaves out the books that the newest import of its state has moved behind it. So a cursor names that import,
 * not only its own place: a catalog that has lost the import has moved these books back.
 */
import type { ChangeHistory, ChangeMark, ChangePlace } from "../../catalog/changes/change-history.ts";
import { type Isbn13, parseIsbn } from "../../onix/isbn.ts";
import { sealText, unsealText } from "../paging/cursor.ts";

export interface ChangeCursor {
  /** The next page begins here. */
  readonly after: ChangePlace;
  /** The newest import when the page before was read. */
  readonly newest: ChangeMark;
  /** The client has not yet received the whole catalog. */
  readonly isLoading: boolean;
  /**
   * The import up to which the client needs no deletions. It is the newest import when the client began to load, or when
   * it was up to date last.
   */
  readonly from: number;
}

const NAME = "changes";

/** PostgreSQL stores numbers in four bytes. */
const MAX_NUMBER = 2 ** 31 - 1;

/** Returns the cursor of a client that has nothing. */
export function firstCursor({ newest }: ChangeHistory): ChangeCursor {
  return { after: { number: 0, isbn: undefined }, newest, isLoading: true, from: newest.number };
}

/** Returns the cursor of a client that has received every change up to an import. */
export function currentCursor(newest: ChangeMark): ChangeCursor {
  return { after: { number: newest.number, isbn: undefined }, newest, isLoading: false, from: newest.number };
}

export function encodeChangeCursor({ after, newest, isLoading, from }: ChangeCursor): string {
  const [number, start, last] = [after.number, from, newest.number].map((each) => each.toString(36));
  return sealText(NAME, [isLoading ? "l" : "f", number, after.isbn, start, last, newest.id].join("."));
}

/** Returns undefined for what is no cursor of changes. */
export function decodeChangeCursor(cursor: string): ChangeCursor | undefined {
  const parts = /^([lf])\.(\w+)\.(\d{13}|)\.(\w+)\.(\w+)\.([0-9a-f]*)$/.exec(unsealText(NAME, cursor) ?? "");
  if (!parts) return undefined;
  const [, phase, number, isbn, start, last, id] = parts as unknown as string[];
  const [place, from, newest] = [number!, start!, last!].map((digits) => Number.parseInt(digits, 36));
  if (![place!, from!, newest!].every((each) => each >= 0 && each <= MAX_NUMBER)) return undefined;
  return {
    after: { number: place!, isbn: isbn === "" ? undefined : (parseIsbn(isbn!) as Isbn13) },
    newest: { number: newest!, id: id! },
    isLoading: phase === "l",
    from: from!,
  };
}

/** Why a catalog cannot continue after a cursor. */
type CursorFault = "other-history" | "behind" | "too-old";

/** Returns undefined when the changes after the cursor are complete. */
export function faultOf(
  { after, newest, from }: ChangeCursor,
  history: ChangeHistory,
): CursorFault | undefined {
  if (newest.number > 0 && history.knownId !== newest.id) {
    const isAhead = newest.number > history.newest.number;
    return isAhead && history.isReplica ? "behind" : "other-history";
  }
  // In the middle of an import, its later deletions are still needed.
  const received = after.isbn === undefined ? after.number : after.number - 1;
  return Math.max(received, from) < history.forgotten ? "too-old" : undefined;
}
