/** The JSON of imports, and of where a book comes from. What is not known is null, and paths of the machine are left out. */
import type { ReadFeed } from "../../catalog/history/import-details.ts";
import type {
  BookOrigin,
  KeptImport,
  KeptImportDetails,
  OriginImport,
} from "../../catalog/history/import-history.ts";
import type { ComplaintExample, KeptComplaintGroup } from "../../catalog/history/kept-complaints.ts";

import type { QualityTotals } from "../../catalog/quality/catalog-quality.ts";
import { BOOK_NEEDS } from "../../onix/completeness/needs.ts";

export function importDocument(run: KeptImport) {
  return {
    number: run.number,
    started: run.started,
    finished: run.ended,
    durationMs: run.durationMs,
    outcome: run.outcome,
    message: run.message ?? null,
    revisionBefore: run.revisionBefore ?? null,
    revisionAfter: run.revisionAfter ?? null,
    feedCount: run.feedCount,
    feeds: run.feeds.map(feedDocument),
    counts: run.counts,
    updates: run.updates,
    complaints: { total: run.complaintCount, groups: run.complaintGroupCount },
    quality: run.quality ? qualityDocument(run.quality) : null,
    undoable: run.isUndoKept && run.undoneBy === undefined,
    undoes: run.undoes ?? null,
    undoneBy: run.undoneBy ?? null,
  };
}

export function importDetailsDocument(run: KeptImportDetails) {
  return { ...importDocument(run), complaintGroups: run.complaintGroups.map(groupDocument) };
}

export function originDocument({ isbn, sender, reference, added, changed }: BookOrigin) {
  return {
    isbn,
    sender: sender ?? null,
    reference,
    added: originImportDocument(added),
    changed: changed ? { ...originImportDocument(changed), blocks: changed.blocks ?? null } : null,
  };
}

/** A count that no book is in is not stored. */
function qualityDocument({ books = 0, ...lacks }: QualityTotals) {
  return { books, has: Object.fromEntries(BOOK_NEEDS.map((need) => [need, books - (lacks[need] ?? 0)])) };
}

function feedDocument({ name, sha256, bytes, sender, sent, messageNumber }: ReadFeed) {
  return {
    name,
    sha256: sha256 ?? null,
    bytes,
    sender: sender ?? null,
    sent: sent ?? null,
    messageNumber: messageNumber ?? null,
  };
}

function groupDocument({ severity, kind, text, advice, count, examples }: KeptComplaintGroup) {
  return { severity, kind, text, advice, count, examples: examples.map(exampleDocument) };
}

function exampleDocument({ isbn, reference, file, line }: ComplaintExample) {
  return { isbn: isbn ?? null, reference: reference ?? null, file, line };
}

function originImportDocument({ at, number, feed, sender }: OriginImport) {
  return { number: number ?? null, at, feed: feed ?? null, sender: sender ?? null };
}

/** The folders of an absolute path, and the host and database of a server, which clients have no business with. */
const FOLDERS = /(?:^|(?<=[\s("']))\/(?:[^\s/"'():]+\/)+/g;
/** The folders of a path that a message begins with, which may have spaces. */
const LEADING_FOLDERS = /^\.{0,2}\/(?:[^:]*\/)?(?=[^/:]+: )/;
const SERVER = / at \S+:\d+\/\S+/g;

/**
 * Returns the reason of a failure for clients of the API: without the folders of feeds, and without where the catalog is.
 * Operators see all of it with `colophon history`.
 */
export function publicMessage({ message, feeds }: KeptImport): string | undefined {
  if (message === undefined) return undefined;
  return withoutFolder(message, feeds).replace(LEADING_FOLDERS, "").replace(FOLDERS, "").replace(SERVER, "");
}

/** A message about a feed begins with its path, that of a file in an archive with the path of the archive. */
function withoutFolder(message: string, feeds: KeptImport["feeds"]): string {
  const path = message.slice(0, message.indexOf(": ") + 1);
  for (const { name } of feeds) {
    const start = Math.max(path.indexOf(`/${name}:`), path.indexOf(`/${name}/`)) + 1;
    if (start > 0) return message.slice(start);
  }
  return message;
}
