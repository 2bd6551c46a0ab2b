/** The history of imports as a store returns it, and where a book comes from. */
import type { Awaitable } from "../../lib/awaitable.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { ImportOutcome, ImportRun } from "../import-run.ts";
import type { QualityTotals } from "../quality/catalog-quality.ts";
import type { ReadFeed } from "./import-details.ts";
import type { KeptComplaintGroup } from "./kept-complaints.ts";

/** The feeds that are listed of each import of a list, and of a single import. All are stored. */
export const LISTED_FEEDS = 10;
export const SHOWN_FEEDS = 1000;

/** Reads the history. It shows the latest state, as lookups do. */
export interface ImportHistory {
  /** Returns the imports before a number, newest first; without a number, the newest ones. */
  list(before: number | undefined, limit: number, filter?: ImportFilter): Awaitable<readonly KeptImport[]>;
  /** Returns the import with a number. Undefined when the history does not have it. */
  get(number: number): Awaitable<KeptImportDetails | undefined>;
  /** Returns the number of the last applied import that is not undone; 0 when there is none. */
  latest(): Awaitable<number>;
  /** Returns where a book comes from. Undefined when the catalog does not have it. */
  originOf(isbn: Isbn13): Awaitable<BookOrigin | undefined>;
}

/** An import passes when it has all that is given. */
export interface ImportFilter {
  readonly outcome?: ImportOutcome | undefined;
  /** The name of the sender of one of its feeds. */
  readonly sender?: string | undefined;
}

export interface KeptImport extends ImportRun {
  /** Ascends with the imports. A record has the numbers of the imports that have added and changed it. */
  readonly number: number;
  readonly durationMs: number;
  /** The revisions are equal unless the import has changed records. Undefined where it is not known. */
  readonly revisionBefore: string | undefined;
  readonly revisionAfter: string | undefined;
  readonly feedCount: number;
  /** The first ones. */
  readonly feeds: readonly ReadFeed[];
  readonly complaintCount: number;
  readonly complaintGroupCount: number;
  /** The quality of the catalog after it. Undefined when the import failed. */
  readonly quality: QualityTotals | undefined;
  /** The import whose state the catalog had afterwards: this one or, for an undo, an earlier one. */
  readonly state: number | undefined;
  /** The import that this one has undone. */
  readonly undoes: number | undefined;
  /** The import that has undone this one. */
  readonly undoneBy: number | undefined;
  /** True when what an undo of it needs is kept. */
  readonly isUndoKept: boolean;
}

export interface KeptImportDetails extends KeptImport {
  readonly complaintGroups: readonly KeptComplaintGroup[];
}

/** An import that has added or changed a book. */
export interface OriginImport {
  /** The end of the import, in ISO 8601. */
  readonly at: string;
  /** Undefined when the history no longer has the import. So are the other members. */
  readonly number: number | undefined;
  /** The name of the feed that had the book. */
  readonly feed: string | undefined;
  /** The name of the feed's sender. */
  readonly sender: string | undefined;
}

export interface BookOrigin {
  readonly isbn: Isbn13;
  /** The key of the sender; see `Entry.sender`. Is undefined when a damaged store has lost it. */
  readonly sender: string | undefined;
  /** The sender's RecordReference. */
  readonly reference: string;
  readonly added: OriginImport;
  /** The last change. Undefined when the book is as it was added. */
  readonly changed: OriginChange | undefined;
}

export interface OriginChange extends OriginImport {
  /** The names of the top-level elements of the record that have changed. Undefined when they are not known. */
  readonly blocks: readonly string[] | undefined;
}
