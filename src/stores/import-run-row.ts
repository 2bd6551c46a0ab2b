/** The columns of a stored import run and of its feeds, which are the same in both engines. */
import type { ImportDetails, ReadFeed } from "../catalog/history/import-details.ts";
import type { ImportOutcome, ImportRun } from "../catalog/import-run.ts";
import { type Counts, emptyCounts } from "../catalog/report.ts";

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

export type HistoryColumns = [
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
  const { id, started, ended, outcome, message, counts } = run;
  const { durationMs, revisionBefore, feeds, complaints } = details;
  return [
    ...([id, started, ended, outcome, message ?? null, JSON.stringify(counts)] as const),
    durationMs,
    ...([revisionBefore ?? null, revisionAfter ?? null] as const),
    ...([feeds.length, complaints.total, complaints.groups.length] as const),
    JSON.stringify(complaints.groups),
  ];
}

/** The columns of a feed, without the number of its import. */
export const FEED_COLUMNS = "number, name, sha256, bytes, sender, sent, message_number";

export type FeedColumns = [
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
  const stored: Partial<Counts> = JSON.parse(counts);
  return {
    id,
    started,
    ended,
    outcome: outcome as ImportOutcome,
    ...(message !== null && { message }),
    counts: { ...emptyCounts(), ...stored },
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
