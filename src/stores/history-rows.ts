/**
 * The rows of imports and changes, which are the same in both engines. Each result is one statement, so that it shows
 * one state.
 */

import type { BookChange, ChangeHistory } from "../catalog/changes/change-history.ts";
import { blocksFrom } from "../catalog/history/changed-blocks.ts";
import type { ImportDetails, ReadFeed } from "../catalog/history/import-details.ts";
import type {
  BookOrigin,
  KeptImport,
  KeptImportDetails,
  OriginImport,
} from "../catalog/history/import-history.ts";
import type { KeptComplaintGroup } from "../catalog/history/kept-complaints.ts";
import { noUpdates, type UpdateCounts } from "../catalog/history/update-counts.ts";
import type { ImportOutcome, ImportRun } from "../catalog/import-run.ts";
import { type Counts, emptyCounts } from "../catalog/report.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { isbnFromColumn } from "./columns.ts";

export interface ImportRunRow {
  readonly id: string;
  readonly started: string;
  readonly ended: string;
  readonly outcome: string;
  readonly message: string | null;
  /** JSON. */
  readonly counts: string;
}

/** The columns that `stats` reads. */
export const IMPORT_RUN_COLUMNS = "id, started, ended, outcome, message, counts";

/** The columns of the history that an import writes, without the number. */
export const HISTORY_COLUMNS = `${IMPORT_RUN_COLUMNS}, duration_ms, revision_before, revision_after, feeds, complaints,
  complaint_groups, complaint_list`;

type HistoryColumns = [
  ...[id: string, started: string, ended: string, outcome: string, message: string | null, counts: string],
  durationMs: number,
  ...[revisionBefore: string | null, revisionAfter: string | null],
  ...[feeds: number, complaints: number, complaintGroups: number, complaintList: string],
];

/** Returns the values in the order of `HISTORY_COLUMNS`. Without `revisionAfter`, the import has changed nothing. */
export function historyToColumns(
  run: ImportRun,
  details: ImportDetails,
  revisionAfter = details.revisionBefore,
): HistoryColumns {
  const { id, started, ended, outcome, message } = run;
  const counts = JSON.stringify({ ...run.counts, updates: run.updates });
  const { durationMs, revisionBefore, feeds, complaints } = details;
  return [
    ...([id, started, ended, outcome, message ?? null, counts] as const),
    durationMs,
    ...([revisionBefore ?? null, revisionAfter ?? null] as const),
    ...([feeds.length, complaints.total, complaints.groups.length] as const),
    JSON.stringify(complaints.groups),
  ];
}

/** The columns of a feed, without the number of its import. */
export const FEED_COLUMNS = "number, name, sha256, bytes, sender, sent, message_number";

type FeedColumns = [
  ...[number: number, name: string, sha256: string | null, bytes: number],
  ...[sender: string | null, sent: string | null, messageNumber: string | null],
];

/** Returns the values in the order of `FEED_COLUMNS`. */
export function feedToColumns(feed: ReadFeed): FeedColumns {
  const { number, name, sha256, bytes, sender, sent, messageNumber } = feed;
  return [number, name, sha256 ?? null, bytes, sender ?? null, sent ?? null, messageNumber ?? null];
}

/** A count that an older version did not have is 0. */
export function importRunFromRow({ id, started, ended, outcome, message, counts }: ImportRunRow): ImportRun {
  const { updates, ...stored }: Partial<Counts> & { updates?: UpdateCounts } = JSON.parse(counts);
  return {
    id,
    started,
    ended,
    outcome: outcome as ImportOutcome,
    ...(message !== null && { message }),
    counts: { ...emptyCounts(), ...stored },
    updates: { ...noUpdates(), ...updates },
  };
}

/** The last import that has applied a feed. */
export interface AppliedFeedRow {
  readonly sha256: string;
  readonly number: number;
}

export function appliedFeedsFromRows(rows: readonly AppliedFeedRow[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ sha256, number }) => [sha256, number]));
}

/** The columns of an import in a list, without the first feeds. */
export const KEPT_IMPORT_COLUMNS = `number, ${IMPORT_RUN_COLUMNS}, duration_ms, revision_before, revision_after, feeds,
  complaints, complaint_groups, quality, state, undoes, undone_by, undo_bytes`;

/** Numbers are strings where the engine has them as BIGINT. */
export interface KeptImportRow extends ImportRunRow {
  readonly number: number;
  readonly duration_ms: number | string;
  readonly revision_before: string | null;
  readonly revision_after: string | null;
  readonly feeds: number;
  readonly complaints: number;
  readonly complaint_groups: number;
  /** JSON: `QualityTotals`. */
  readonly quality: string | null;
  readonly state: number | null;
  readonly undoes: number | null;
  readonly undone_by: number | null;
  /** Null when nothing is kept. */
  readonly undo_bytes: number | string | null;
  /** JSON: an array of `FeedColumns`. */
  readonly feed_list: string;
}

export interface KeptImportDetailsRow extends KeptImportRow {
  /** JSON. */
  readonly complaint_list: string;
}

export interface OriginRow {
  readonly sender: string | null;
  readonly reference: string;
  readonly changed: number;
  /** Null when a damaged store has lost it. */
  readonly added: number | null;
  readonly blocks: string | null;
  /** JSON: an `OriginMembers`. Is null when a damaged store has lost the import. */
  readonly added_by: string | null;
  readonly changed_by: string | null;
}

type OriginMembers = [at: string, number: number | null, feed: string | null, sender: string | null];

export function keptImportFromRow(row: KeptImportRow): KeptImport {
  return {
    number: row.number,
    ...importRunFromRow(row),
    durationMs: Number(row.duration_ms),
    revisionBefore: row.revision_before ?? undefined,
    revisionAfter: row.revision_after ?? undefined,
    feedCount: row.feeds,
    feeds: (JSON.parse(row.feed_list) as FeedColumns[]).map(feedFromMembers),
    complaintCount: row.complaints,
    complaintGroupCount: row.complaint_groups,
    quality: row.quality === null ? undefined : JSON.parse(row.quality),
    state: row.state ?? undefined,
    undoes: row.undoes ?? undefined,
    undoneBy: row.undone_by ?? undefined,
    isUndoKept: row.undo_bytes !== null,
  };
}

export function keptImportDetailsFromRow(row: KeptImportDetailsRow): KeptImportDetails {
  const complaintGroups: KeptComplaintGroup[] = JSON.parse(row.complaint_list);
  return { ...keptImportFromRow(row), complaintGroups };
}

function feedFromMembers([number, name, sha256, bytes, sender, sent, messageNumber]: FeedColumns): ReadFeed {
  return {
    number,
    name,
    sha256: sha256 ?? undefined,
    bytes,
    sender: sender ?? undefined,
    sent: sent ?? undefined,
    messageNumber: messageNumber ?? undefined,
  };
}

export function bookOriginFromRow(isbn: Isbn13, row: OriginRow): BookOrigin {
  const { sender, reference, added, changed, blocks } = row;
  return {
    isbn,
    sender: sender ?? undefined,
    reference,
    added: originImport(row.added_by, added),
    changed:
      changed === added
        ? undefined
        : {
            ...originImport(row.changed_by, changed),
            blocks: blocks === null ? undefined : blocksFrom(blocks),
          },
  };
}

function originImport(json: string | null, number: number | null): OriginImport {
  if (json === null) throw new Error(`The history of changes is damaged: import ${number} is missing`);
  const [at, importNumber, feed, sender]: OriginMembers = JSON.parse(json);
  return { at, number: importNumber ?? undefined, feed: feed ?? undefined, sender: sender ?? undefined };
}

/** The newest import of the state, and the id of the one that a cursor names. */
export interface HistoryRow {
  readonly forgotten: number;
  readonly number: number | null;
  readonly id: string | null;
  readonly known_id: string | null;
}

export function changeHistoryFromRow(row: HistoryRow, isReplica: boolean): ChangeHistory {
  return {
    newest: { number: row.number ?? 0, id: row.id ?? "" },
    knownId: row.known_id ?? undefined,
    forgotten: row.forgotten,
    isReplica,
  };
}

/** A change as both engines return it. */
export interface ChangeRow {
  readonly number: number;
  readonly isbn: number | string;
  /** Null for a deletion. */
  readonly added: number | null;
  /** Null when a damaged store has lost the import of the change. */
  readonly at: string | null;
}

export function changeFromRow({ number, isbn, added, at }: ChangeRow): BookChange {
  if (at === null) throw new Error(`The history of changes is damaged: import ${number} is missing`);
  return { number, isbn: isbnFromColumn(isbn), added: added ?? undefined, at };
}

/** How often the history of changes contradicts the records, as an engine has counted it. */
export interface HistoryCounts {
  /** Records whose last change is of an import that the store does not have. */
  readonly withoutImport: number;
  /** Deletions of books that are in the catalog. */
  readonly present: number;
}

/** Returns the defects of the history for `colophon verify`. */
export function historyFaults({ withoutImport, present }: HistoryCounts): string[] {
  const faults: string[] = [];
  if (withoutImport > 0) {
    const noun = withoutImport === 1 ? "record" : "records";
    faults.push(`the changes of ${withoutImport} ${noun} are of imports that it does not have`);
  }
  if (present === 1) faults.push("1 deletion is of a book that the catalog has");
  else if (present > 1) faults.push(`${present} deletions are of books that the catalog has`);
  return faults;
}

/** Returns the defect of a table that has rows of books which the catalog does not have. */
export function strayFault(subject: string, books: number): readonly string[] {
  return books === 0 ? [] : [`${subject} ${books} books that the catalog does not have`];
}
