import { summaryOfEntry } from "../../../catalog/entry.ts";
import type { Entry } from "../../../catalog/store.ts";
import { imprintFromColumns, isbnFromColumn } from "../../columns.ts";
import type { RecordSource } from "../history/change-log.ts";
import {
  checksumOf,
  dayFromColumn,
  type FoundByColumns,
  foundByColumns,
  foundByValues,
  summaryPart,
} from "../rows.ts";
import type { SearchIndexWriter } from "../search/index-writer.ts";
import type { CountWriter } from "./count-writer.ts";
import type { EditionLinkWriter } from "./edition-link-writer.ts";
import type { Senders } from "./senders.ts";
import type { GroupUpdate, ImportStatements } from "./statements.ts";

/** A record that stays under its id. */
export interface Update {
  readonly id: number;
  readonly entry: Entry;
  readonly source: RecordSource;
  /** The columns of the record now. They are read when they are omitted. */
  readonly columns: FoundByColumns | undefined;
}

/** A record that goes. */
export interface Removal {
  readonly id: number;
  readonly isbn: number;
}

/** Writes the rows of records. An update writes only what has changed, so that few pages reach the log. */
export class RecordWriter {
  constructor(
    private readonly sql: ImportStatements,
    private readonly updates: readonly GroupUpdate[],
    private readonly senders: Senders,
    private readonly imprintCounts: CountWriter,
    private readonly searchIndex: SearchIndexWriter,
    private readonly editionLinks: EditionLinkWriter,
  ) {}

  insert(id: number, isbn: number, entry: Entry, source: RecordSource): void {
    this.sql.insert.run(id, isbn, ...foundByValues(this.columnsOf(entry)));
    this.putBody(id, entry, source);
    this.putSummary(id, entry);
    this.searchIndex.add(entry);
    this.editionLinks.add(isbn, entry);
    if (entry.imprint) this.imprintCounts.addImprint(entry.imprint, 1);
  }

  /** Writes one table after the other, each in the order of its rows: so a page is read and written once. */
  update(updates: Update[]): void {
    updates.sort((a, b) => a.id - b.id);
    const before = updates.map(({ id, columns }) => columns ?? this.sql.foundBy.get(id)!);
    for (const [index, { id, entry }] of updates.entries()) this.updateRecord(id, entry, before[index]!);
    for (const { id, entry, source } of updates) this.putBody(id, entry, source);
    for (const { id, entry } of updates) this.putSummary(id, entry);
    for (const [index, { entry }] of updates.entries())
      this.searchIndex.update(entry, dayFromColumn(before[index]!.published));
    for (const { entry } of updates) this.editionLinks.update(entry);
  }

  private updateRecord(id: number, entry: Entry, old: FoundByColumns): void {
    const now = this.columnsOf(entry);
    if (old.imprint !== now.imprint || old.imprint_name !== now.imprint_name) this.countImprints(old, entry);
    for (const { names, statement } of this.updates) {
      if (names.some((name) => old[name] !== now[name])) statement.run(...names.map((name) => now[name]), id);
    }
  }

  /** Removes the rows of records from one table after the other, as `update` writes them. */
  remove(removals: readonly Removal[]): void {
    const before = removals.map(({ id }) => this.sql.foundBy.get(id)!);
    for (const { id } of removals) this.sql.remove.run(id);
    for (const { id } of removals) this.sql.removeBody.run(id);
    for (const { id } of removals) this.sql.removeSummary.run(id);
    for (const [index, { isbn }] of removals.entries()) {
      const columns = before[index]!;
      const imprint = imprintFromColumns(columns);
      if (imprint) this.imprintCounts.addImprint(imprint, -1);
      this.searchIndex.remove(isbnFromColumn(isbn), dayFromColumn(columns.published));
      this.editionLinks.remove(isbn);
    }
  }

  private putBody(id: number, entry: Entry, { changed, feed, added_feed, blocks }: RecordSource): void {
    const { etag, origin, body } = entry;
    this.sql.putBody.run(id, etag, origin, body, changed, feed, added_feed, blocks, checksumOf(entry));
  }

  private putSummary(id: number, entry: Entry): void {
    const summary = summaryOfEntry(entry);
    const part = summaryPart(summary.body, entry.body);
    this.sql.putSummary.run(id, summary.etag, ...part);
  }

  private countImprints(old: FoundByColumns, { imprint }: Entry): void {
    const before = imprintFromColumns(old);
    if (before) this.imprintCounts.addImprint(before, -1);
    if (imprint) this.imprintCounts.addImprint(imprint, 1);
  }

  private columnsOf(entry: Entry): FoundByColumns {
    return foundByColumns(entry, this.senders.idOf(entry.sender));
  }
}
