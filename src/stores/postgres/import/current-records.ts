import { isIntact } from "../../../catalog/entry.ts";
import { NO_RECORD, type RecordStatus } from "../../../catalog/import-state.ts";
import type { Entry, StoredRecord } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import { NumberSet, ReferenceSet } from "../../number-set.ts";
import { type EntryRow, entryFromRow, isbnArray } from "../rows.ts";
import type { RunQuery } from "./connection.ts";
import type { KnownEtagBefore } from "./pending-changes.ts";
import type { Senders } from "./senders.ts";
import * as statements from "./statements.ts";

/** The matches of a reference that an import sees. */
const MAX_MATCHES = 100;

export interface ReferenceRow {
  /** The index in the requested references, counted from 1. */
  readonly ordinal: string;
  readonly isbn: string;
}

/** Null where the catalog does not have the book. */
export interface OutlineRow {
  readonly etag: string | null;
  readonly sender: string | null;
  readonly reference: string | null;
  readonly origin: string | null;
}

interface StatusRow extends OutlineRow {
  readonly feed: number | null;
  readonly before: string | null;
}

interface SummarizedRow extends EntryRow {
  /** This and the body are null when a damaged catalog has lost the summary. */
  readonly summary_etag: string | null;
  readonly summary: Uint8Array | null;
}

/**
 * Reads records as they are within an import, and remembers them for the change that follows. Records that the import
 * has not changed are read from the catalog as it was, while a batch is written.
 */
export class CurrentRecords {
  /** The ISBNs that were put, marked or removed. */
  readonly #seen = new NumberSet();
  /** The references of the records that were put. */
  readonly #references = new ReferenceSet();
  /** The etags that `statusOf` has read of unseen ISBNs. */
  readonly #etagsBefore = new Map<Isbn13, string | null>();
  /** The records that `entries` has read. */
  readonly #oldRecords = new Map<Isbn13, StoredRecord>();

  constructor(
    /** In a catalog that was empty, ISBNs that the import has not seen need no query. */
    private readonly wasEmpty: boolean,
    private readonly senders: Senders,
    private readonly queryBefore: RunQuery,
    /** Queries the catalog with all changes of the import. */
    private readonly queryWritten: RunQuery,
  ) {}

  async statusOf(isbns: readonly Isbn13[]): Promise<readonly RecordStatus[]> {
    this.#etagsBefore.clear();
    const areUnseen = !isbns.some((isbn) => this.#mayHaveSeen(isbn));
    if (areUnseen && this.wasEmpty) return isbns.map(() => NO_RECORD);
    const rows = await (areUnseen
      ? this.queryBefore<StatusRow>(statements.STATUS_OF_UNSEEN, [isbnArray(isbns)])
      : this.queryWritten<StatusRow>(statements.STATUS_OF_ISBNS, [isbnArray(isbns)]));
    return rows.map(({ etag, sender, reference, origin, feed, before }, index) => {
      if (feed === null) this.#etagsBefore.set(isbns[index]!, etag);
      return {
        etag: etag ?? undefined,
        etagBefore: (feed === null ? etag : before) ?? undefined,
        lastFeed: feed ?? 0,
        sender: sender ?? undefined,
        reference: reference ?? undefined,
        origin: origin ?? undefined,
      };
    });
  }

  /** With `isKept`, the records are remembered for the undo log. */
  async entries(isbns: readonly Isbn13[], isKept: boolean): Promise<readonly (Entry | undefined)[]> {
    // The caller may have freed the last ones.
    this.#oldRecords.clear();
    if (isbns.length === 0) return [];
    const runQuery = isbns.some((isbn) => this.#mayHaveSeen(isbn)) ? this.queryWritten : this.queryBefore;
    const rows = await runQuery<SummarizedRow>(statements.ENTRIES, [isbnArray(isbns)]);
    const byIsbn = new Map(rows.map((row) => [isbnFromColumn(row.isbn), row]));
    if (isKept) for (const [isbn, row] of byIsbn) this.#oldRecords.set(isbn, row);
    return isbns.map((isbn) => {
      const row = byIsbn.get(isbn);
      return row && { ...entryFromRow(row), summary: intactSummary(row) };
    });
  }

  async byReferences(sender: string, references: readonly string[]): Promise<readonly (readonly Isbn13[])[]> {
    if (!references.some((reference) => this.#references.mayContain(sender, reference))) {
      const found = this.wasEmpty ? [] : await this.#queryReferences(this.queryBefore, sender, references);
      if (!found.some(({ isbn }) => this.#mayHaveSeen(isbnFromColumn(isbn)))) {
        return isbnsByReference(references, found);
      }
    }
    return isbnsByReference(references, await this.#queryReferences(this.queryWritten, sender, references));
  }

  /** Returns what is known of the record that the entry replaces. */
  put(entry: Entry): { readonly before: KnownEtagBefore; readonly old: StoredRecord | undefined } {
    const old = this.#oldRecords.get(entry.isbn);
    this.#references.add(entry.sender, entry.reference);
    return { before: this.remove(entry.isbn), old };
  }

  remove(isbn: Isbn13): KnownEtagBefore {
    this.#oldRecords.delete(isbn);
    return this.markSeen(isbn);
  }

  /** Marks the ISBN as seen. Returns its etag before the import when this is the first time and it is known. */
  markSeen(isbn: Isbn13): KnownEtagBefore {
    if (this.#seen.add(Number(isbn))) return undefined;
    return this.wasEmpty ? null : this.#etagsBefore.get(isbn);
  }

  /** Returns false when the import has certainly not put, marked or removed the ISBN. */
  #mayHaveSeen(isbn: Isbn13): boolean {
    return this.#seen.has(Number(isbn));
  }

  async #queryReferences(runQuery: RunQuery, sender: string, references: readonly string[]) {
    const id = await this.senders.find(sender, runQuery);
    return id === undefined
      ? []
      : await runQuery<ReferenceRow>(statements.BY_REFERENCES, [id, references, MAX_MATCHES]);
  }
}

/** Returns undefined for a damaged summary, which is then made again. */
function intactSummary({ summary, summary_etag }: SummarizedRow): StoredRecord | undefined {
  if (summary === null || summary_etag === null) return undefined;
  const stored = { body: summary, etag: summary_etag };
  return isIntact(stored) ? stored : undefined;
}

export function isbnsByReference(
  references: readonly string[],
  rows: readonly ReferenceRow[],
): readonly (readonly Isbn13[])[] {
  const isbns = references.map((): Isbn13[] => []);
  for (const { ordinal, isbn } of rows) isbns[Number(ordinal) - 1]!.push(isbnFromColumn(isbn));
  return isbns;
}
