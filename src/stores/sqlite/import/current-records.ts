import type { RecordStatus } from "../../../catalog/import-state.ts";
import type { Entry, StoredRecord } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { isbnFromColumn } from "../../columns.ts";
import { entryFromRow, isbnToColumn, isIntactRow } from "../rows.ts";
import type { AppendedRecords } from "./appended-records.ts";
import type { CatalogIndexes } from "./catalog-indexes.ts";
import type { Senders } from "./senders.ts";
import {
  type CurrentState,
  etagBefore,
  etagOf,
  type ImportStatements,
  type SummaryColumns,
  UNKNOWN,
} from "./statements.ts";

/** Reads records as they are within an import, and remembers them for the change that follows. */
export class CurrentRecords {
  /** The results of `statusOf`. */
  readonly #states = new Map<number, CurrentState>();

  constructor(
    private readonly sql: ImportStatements,
    private readonly indexes: CatalogIndexes,
    private readonly senders: Senders,
    /** Undefined when the catalog had records. */
    private readonly appended: AppendedRecords | undefined,
  ) {}

  statusOf(isbns: readonly Isbn13[]): readonly RecordStatus[] {
    this.#states.clear();
    return isbns.map((isbn) => {
      const number = isbnToColumn(isbn);
      const state = this.#read(number);
      this.#states.set(number, state);
      const { record, seen } = state;
      return {
        etag: record && etagOf(record),
        etagBefore: etagBefore(state) ?? undefined,
        lastFeed: seen?.feed ?? 0,
        sender: record && this.senders.keyOf(record.sender),
        reference: record?.reference,
        origin: record && (record.origin ?? ""),
      };
    });
  }

  entries(isbns: readonly Isbn13[]): readonly (Entry | undefined)[] {
    return isbns.map((isbn) => {
      const number = isbnToColumn(isbn);
      const known = this.#states.get(number);
      const { record } = known ?? this.#read(number);
      if (!record) return undefined;
      const row = this.sql.entry.get(record.id)!;
      if (known) this.#states.set(number, { ...known, columns: row });
      const entry = entryFromRow({ ...row, sender: this.senders.keyOf(row.sender) ?? null });
      return { ...entry, summary: intactSummary(row) };
    });
  }

  byReferences(sender: string, references: readonly string[]): readonly (readonly Isbn13[])[] {
    const mayMatch = (reference: string) => this.appended!.mayHaveReference(sender, reference);
    const id = this.indexes.exist || references.some(mayMatch) ? this.senders.find(sender) : undefined;
    if (id === undefined) return references.map(() => []);
    const { byReference } = this.indexes;
    return references.map((reference) => {
      // All books of a sender without references would match.
      if (reference === "") return [];
      return byReference.all(id, reference).map(({ isbn }) => isbnFromColumn(isbn));
    });
  }

  /** Returns the state that `statusOf` has read, or reads it. A change follows. */
  take(isbn: number): CurrentState {
    const state = this.#states.get(isbn);
    this.#states.delete(isbn);
    return state ?? this.#read(isbn);
  }

  #read(isbn: number): CurrentState {
    if (!this.indexes.exist && !this.appended!.mayHaveSeen(isbn)) return UNKNOWN;
    const record = this.indexes.statements.outline.get(isbn) ?? undefined;
    const seen = this.sql.seen.get(isbn) ?? undefined;
    if (seen || !record) return { record, seen };
    const feed = this.appended?.feedOf(record.id);
    return {
      record,
      seen: feed === undefined ? undefined : { feed, before: null, changed: null, added: null },
    };
  }
}

/** Returns undefined for a damaged summary, which is then made again. */
function intactSummary(row: SummaryColumns): StoredRecord | undefined {
  const summary = { body: row.summaryBody, etag: row.summaryEtag, checksum: null };
  return isIntactRow(summary) ? summary : undefined;
}
