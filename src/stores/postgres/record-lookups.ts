import { isIntact } from "../../catalog/entry.ts";
import type { StoredRecord, View } from "../../catalog/store.ts";
import { DamagedRecord } from "../../catalog/store-errors.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { isbnFromColumn } from "../columns.ts";
import { LookupBatcher } from "./lookup-batcher.ts";
import { isbnArray } from "./rows.ts";
import type { Pool } from "./session/pool.ts";
import { type Statement, statement } from "./session/statement.ts";

/** The queries for records that can be in flight at a time. */
const MAX_LOOKUP_QUERIES_IN_FLIGHT = 3;

/** A single lookup has a statement of its own: it is a third faster than an array of one. */
const RECORD = statement("SELECT isbn, etag, body FROM colophon.record WHERE isbn = $1::bigint");
const RECORDS = statement("SELECT isbn, etag, body FROM colophon.record WHERE isbn = ANY ($1::bigint[])");
/** A LEFT JOIN, because a record without a summary is damaged; an inner join would hide it. */
const SELECT_SUMMARY = `SELECT isbn, summary.etag, summary.body
  FROM colophon.record LEFT JOIN colophon.summary USING (isbn)`;
const SUMMARY = statement(`${SELECT_SUMMARY} WHERE isbn = $1::bigint`);
const SUMMARIES = statement(`${SELECT_SUMMARY} WHERE isbn = ANY ($1::bigint[])`);
/** Precedes an ISBN in the key of a lookup that wants the summary. */
const SUMMARY_KEY = "s";

interface LookupRow extends StoredRecord {
  readonly isbn: string;
}

/** Looks up single records and summaries. Lookups of one moment share a query. */
export class RecordLookups {
  readonly #batcher: LookupBatcher<StoredRecord>;

  constructor(private readonly pool: Pool) {
    this.#batcher = new LookupBatcher(MAX_LOOKUP_QUERIES_IN_FLIGHT, (keys) => this.#lookUp(keys));
  }

  /** Checks the record here, not in the batch: a damaged record must not fail the other lookups of its batch. */
  async get(isbn: Isbn13, view: View): Promise<StoredRecord | undefined> {
    const record = await this.#batcher.get(view === "record" ? isbn : SUMMARY_KEY + isbn);
    if (record && !isIntact(record)) throw new DamagedRecord(isbn);
    return record;
  }

  async #lookUp(keys: readonly string[]): Promise<ReadonlyMap<string, StoredRecord>> {
    const isbns = keys.filter((key) => !key.startsWith(SUMMARY_KEY));
    const found = isbns.length === 0 ? [] : await this.#query(RECORD, RECORDS, isbns);
    const records = new Map<string, StoredRecord>();
    for (const { isbn, etag, body } of found) records.set(isbnFromColumn(isbn), { etag, body });
    if (isbns.length === keys.length) return records;
    const ofSummaries = keys.filter((key) => key.startsWith(SUMMARY_KEY)).map((key) => key.slice(1));
    for (const { isbn, etag, body } of await this.#query(SUMMARY, SUMMARIES, ofSummaries)) {
      records.set(SUMMARY_KEY + isbnFromColumn(isbn), { etag, body });
    }
    return records;
  }

  #query(one: Statement, several: Statement, isbns: readonly string[]): Promise<LookupRow[]> {
    return isbns.length === 1
      ? this.pool.query<LookupRow>(one, [isbns[0]!])
      : this.pool.query<LookupRow>(several, [isbnArray(isbns)]);
  }
}
