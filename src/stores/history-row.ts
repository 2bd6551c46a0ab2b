/** The rows of the history as both engines return them. Each result is one statement, so that it shows one state. */
import { blocksFrom } from "../catalog/history/changed-blocks.ts";
import type { ReadFeed } from "../catalog/history/import-details.ts";
import type {
  BookOrigin,
  KeptImport,
  KeptImportDetails,
  OriginImport,
} from "../catalog/history/import-history.ts";
import type { KeptComplaintGroup } from "../catalog/history/kept-complaints.ts";
import type { Isbn13 } from "../onix/isbn.ts";
import { IMPORT_RUN_COLUMNS, type ImportRunRow, importRunFromRow } from "./import-run-row.ts";

/** The columns of an import in a list, without the first feeds. */
export const KEPT_IMPORT_COLUMNS = `number, ${IMPORT_RUN_COLUMNS}, duration_ms, revision_before, revision_after, feeds,
  complaints, complaint_groups`;

/** Numbers are strings where the engine has them as BIGINT. */
export interface KeptImportRow extends ImportRunRow {
  readonly number: number;
  readonly duration_ms: number | string;
  readonly revision_before: string | null;
  readonly revision_after: string | null;
  readonly feeds: number;
  readonly complaints: number;
  readonly complaint_groups: number;
  /** JSON: an array of `FeedMembers`. */
  readonly feed_list: string;
}

export interface KeptImportDetailsRow extends KeptImportRow {
  /** JSON. */
  readonly complaint_list: string;
}

/** The members of a feed in `feed_list`, in the order of `FEED_COLUMNS`. */
type FeedMembers = [
  ...[number: number, name: string, sha256: string | null, bytes: number],
  ...[sender: string | null, sent: string | null, messageNumber: string | null],
];

export interface OriginRow {
  readonly sender: string | null;
  readonly reference: string;
  readonly changed: number;
  /** Is null when a damaged store has lost it. */
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
    feeds: (JSON.parse(row.feed_list) as FeedMembers[]).map(feedFromMembers),
    complaintCount: row.complaints,
    complaintGroupCount: row.complaint_groups,
  };
}

export function keptImportDetailsFromRow(row: KeptImportDetailsRow): KeptImportDetails {
  const complaintGroups: KeptComplaintGroup[] = JSON.parse(row.complaint_list);
  return { ...keptImportFromRow(row), complaintGroups };
}

function feedFromMembers([number, name, sha256, bytes, sender, sent, messageNumber]: FeedMembers): ReadFeed {
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
  return {
    at,
    number: importNumber ?? undefined,
    feed: feed ?? undefined,
    sender: sender ?? undefined,
  };
}
