import type { BookCount } from "../../catalog/quality/book-counts.ts";
import type { EditionLink, Entry, StoredRecord } from "../../catalog/store.ts";
import type { InspectedEntry, Inspection, SpellingCount } from "../../catalog/verify/inspection.ts";
import { isbnFromColumn } from "../columns.ts";
import { historyFaults, strayFault } from "../history-rows.ts";
import { DatabaseAddress } from "./connection.ts";
import { readFormat, requireCurrentFormat } from "./migrate.ts";
import { type EntryRow, isbnArray, uncheckedEntryFromRow } from "./rows.ts";
import { countStrayBooks, searchStates } from "./search/search-inspector.ts";
import { statement } from "./session/statement.ts";
import { keysetPages, type RunQuery } from "./snapshots/pages.ts";
import { ReadTransaction } from "./snapshots/read-transaction.ts";
import { ENTRIES, orderOf } from "./snapshots/selected-rows.ts";

const PAGE_SPELLINGS = 1000;
const RECORDS = statement("SELECT records FROM colophon.catalog");
const SPELLINGS = statement(`SELECT spelling, slug, name, records FROM colophon.imprint WHERE spelling > $1
  ORDER BY spelling LIMIT ${PAGE_SPELLINGS}`);

const COUNTS = statement(`SELECT key, kind, value, books FROM colophon.book_count WHERE key > $1
  ORDER BY key LIMIT ${PAGE_SPELLINGS}`);

const SUMMARIES = statement(
  "SELECT isbn, size, etag, body FROM colophon.summary WHERE isbn = ANY ($1::bigint[])",
);

const EDITION_TARGETS = statement(
  "SELECT isbn, target FROM colophon.edition_link WHERE isbn = ANY ($1::bigint[]) ORDER BY target",
);

const STRAY_LINKS = statement(`SELECT count(DISTINCT isbn) AS books FROM colophon.edition_link
  WHERE NOT EXISTS (SELECT 1 FROM colophon.record WHERE record.isbn = edition_link.isbn)`);

const HISTORY = statement(`SELECT
    (SELECT count(*) FROM colophon.record WHERE changed NOT IN (SELECT number FROM colophon.change_run))
      AS without_import,
    (SELECT count(*) FROM colophon.deletion JOIN colophon.record USING (isbn)) AS present`);

/** Opens a catalog for inspection. Throws `StoreError`. */
export async function inspectPostgres(url: string): Promise<Inspection> {
  const address = new DatabaseAddress(url);
  requireCurrentFormat(await readFormat(address), address);
  const transaction = await ReadTransaction.open(address);
  // A query that fails ends the transaction.
  const [catalog] = await transaction.query<{ records: string }>(RECORDS);
  return new PostgresInspection(transaction, Number(catalog!.records));
}

class PostgresInspection implements Inspection {
  readonly revision: string;
  readonly records: number;
  readonly #transaction: ReadTransaction;

  constructor(transaction: ReadTransaction, records: number) {
    this.#transaction = transaction;
    this.revision = transaction.version.revision;
    this.records = records;
  }

  /** The server has its own checks of its files (data checksums, amcheck). */
  async *faults(): AsyncGenerator<readonly string[], void> {
    const [row] = await this.#transaction.query<{ without_import: string; present: string }>(HISTORY);
    yield historyFaults({ withoutImport: Number(row!.without_import), present: Number(row!.present) });
    const strays = await countStrayBooks(this.#transaction);
    yield strayFault("the search index has", strays);
    const [links] = await this.#transaction.query<{ books: string }>(STRAY_LINKS);
    yield strayFault("the links of editions have", Number(links!.books));
  }

  async *entries(): AsyncGenerator<readonly InspectedEntry[], void> {
    const runQuery: RunQuery = (sql, values) => this.#transaction.query(statement(sql), values);
    for await (const page of keysetPages<EntryRow>(runQuery, ENTRIES, orderOf())) {
      const isbns = isbnArray(page.map(({ isbn }) => isbn));
      const rows = await this.#transaction.query<SummaryRow>(SUMMARIES, [isbns]);
      const summaries = new Map(rows.map((row) => [row.isbn, row]));
      const links = await this.#transaction.query<EditionLink>(EDITION_TARGETS, [isbns]);
      const targets = Map.groupBy(links, ({ isbn }) => isbnFromColumn(isbn));
      const inspected = page.map((row) => inspectEntry(row, summaries.get(row.isbn)));
      const states = await searchStates(
        this.#transaction,
        inspected.map(({ entry }) => entry),
      );
      yield inspected.map((each, index) => ({
        ...each,
        searchState: states[index],
        editionTargets: targets.get(each.entry.isbn)?.map(({ target }) => target) ?? [],
      }));
    }
  }

  async *spellings(): AsyncGenerator<readonly SpellingCount[], void> {
    for (let last = ""; ; ) {
      const rows = await this.#transaction.query<SpellingRow>(SPELLINGS, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.spelling;
      yield rows.map(({ slug, name, records }) => ({ slug, name, records: Number(records) }));
    }
  }

  async *counts(): AsyncGenerator<readonly BookCount[], void> {
    for (let last = ""; ; ) {
      const rows = await this.#transaction.query<CountRow>(COUNTS, [last]);
      if (rows.length === 0) return;
      last = rows.at(-1)!.key;
      yield rows.map(({ kind, value, books }) => ({ kind, value, books: Number(books) }));
    }
  }

  async close(): Promise<void> {
    this.#transaction.end();
  }
}

interface SpellingRow {
  /** The primary key: a digest of slug and name. */
  readonly spelling: string;
  readonly slug: string;
  readonly name: string;
  readonly records: string;
}

interface CountRow {
  /** The primary key: a digest of kind and value. */
  readonly key: string;
  readonly kind: string;
  readonly value: string;
  readonly books: string;
}

interface SummaryRow extends StoredRecord {
  readonly isbn: string;
  readonly size: number;
}

/** Also checks the stored sizes, which lists are cut into pages by, and that the sender exists. */
function inspectEntry(
  row: EntryRow,
  summary: SummaryRow | undefined,
): { readonly entry: Entry; readonly fault: string | undefined } {
  const fault =
    sizeFault("it", row) ??
    (summary && sizeFault("its summary", summary)) ??
    (row.sender === null ? "its sender is not in the store" : undefined);
  return {
    entry: { ...uncheckedEntryFromRow(row), summary: summary && { etag: summary.etag, body: summary.body } },
    fault,
  };
}

function sizeFault(subject: string, { size, body }: { readonly size: number; readonly body: Uint8Array }) {
  return body.length === size ? undefined : `${subject} has ${body.length} bytes instead of ${size}`;
}
