/** The log of an import that an undo reads: the state before each of its changes, in their order. */
import type { Isbn13 } from "../../onix/isbn.ts";

const DAY_MS = 86_400_000;

/** Limits what is kept of the last imports together. */
export interface KeepUndo {
  /** As stored, which is compressed. With 0, nothing is kept. */
  readonly bytes: number;
  readonly days: number;
}

/** Enough for weeks of nightly feeds. */
export const KEEP_UNDO: KeepUndo = { bytes: 500_000_000, days: 30 };

interface KeptUndo {
  readonly number: number;
  /** A string where the engine has it as BIGINT. */
  readonly bytes: number | string;
  readonly ended: string;
}

/** Returns the newest import of those that are no longer kept at a time: an undo needs all later ones, too. */
export function undoCutoff(
  newestFirst: readonly KeptUndo[],
  { bytes, days }: KeepUndo,
  at: string,
): number | undefined {
  const oldest = new Date(Date.parse(at) - days * DAY_MS).toISOString();
  let sum = 0;
  return newestFirst.find((each) => {
    sum += Number(each.bytes);
    return sum > bytes || each.ended < oldest;
  })?.number;
}

/** An import has fewer chunks than this, as the id of a chunk has the number of its import and its own. */
export const MAX_CHUNKS = 2 ** 22;

/** The state of a book before a change: of its record, the bytes that the change has replaced. */
export interface BookBefore {
  readonly isbn: Isbn13;
  readonly sender: string;
  readonly reference: string;
  readonly origin: string;
  /** So many bytes at the beginning and at the end of the record stayed as they were. */
  readonly head: number;
  readonly tail: number;
  /** The bytes between them. */
  readonly middle: Uint8Array;
}

/** The last message of a sender. Both are undefined when there was none. */
export interface OldMark {
  readonly sent?: string | undefined;
  readonly messageNumber?: string | undefined;
}

/** Steps are taken back in reverse order, as an import may change a book several times. */
export type UndoStep =
  | { readonly kind: "added"; readonly isbn: Isbn13 }
  | ({ readonly kind: "replaced" | "removed" } & BookBefore)
  | { readonly kind: "message"; readonly sender: string; readonly mark: OldMark };
