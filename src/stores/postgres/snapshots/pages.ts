/**
 * Keyset pagination: a list is read page by page, each page by a query of its own.
 * The server adds up the sizes of the records and cuts a page at a number of bytes, without reading the bodies beyond.
 */
import type { StoredRecord, View } from "../../../catalog/store.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { type EntryRow, entryColumns, isbnArray, RECORD_COLUMNS } from "../rows.ts";
import type { QueryValue } from "../session/session.ts";

export type RunQuery = <Row>(sql: string, values: readonly QueryValue[]) => Promise<Row[]>;

/** A list of 10,000 records takes a quarter longer with 64 kB, and a sixth less with 256 kB at twice the memory. */
const PAGE_BYTES = 128 * 1024;

const FIRST_PAGE_ROWS = 64;
const MAX_PAGE_ROWS = 2000;

/** Precedes every ISBN. */
export const BEFORE_FIRST_ISBN = "-1";

export interface KeysetQuery<Row> {
  readonly columns: string;
  /** What follows FROM. Default: the table of records. */
  readonly from?: string;
  /** The columns of the result, computed from `columns` of the table `page`. Default: `columns`. */
  readonly result?: string;
  /** An expression for the bytes of a row that does not read the body. */
  readonly bytes: string;
  /** The parameters from $3 on are the key of the last row, followed by `fixed`. $1 and $2 are taken. */
  readonly where: string;
  readonly order: string;
  /** A key that precedes the first row. */
  readonly start: readonly QueryValue[];
  readonly keyOf: (last: Row) => readonly QueryValue[];
  readonly fixed: readonly QueryValue[];
}

/** All entries in ascending order of ISBN. */
export const ALL_ENTRIES: KeysetQuery<EntryRow> = {
  columns: RECORD_COLUMNS.join(", "),
  result: entryColumns("page"),
  bytes: "size + octet_length(origin)",
  where: "isbn > $3::bigint",
  order: "isbn",
  start: [BEFORE_FIRST_ISBN],
  keyOf: ({ isbn }) => [isbn],
  fixed: [],
};

/** Yields the pages of a list. While it may read ahead, the next page is requested when the caller gets the current one. */
export async function* keysetPages<Row>(
  runQuery: RunQuery,
  query: KeysetQuery<Row>,
  mayReadAhead = () => true,
): AsyncGenerator<readonly Row[], void> {
  const { columns, from = "colophon.record", result = columns, bytes, where, order } = query;
  const sql = `SELECT ${result}, total FROM (
      SELECT ${columns}, ${bytes} AS bytes,
        sum(${bytes}) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS total
      FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT $1::bigint
    ) AS page WHERE total - bytes < $2::bigint`;
  let limit = FIRST_PAGE_ROWS;
  const request = (key: readonly QueryValue[]) => {
    const rows = runQuery<Row & { readonly total: string }>(sql, [limit, PAGE_BYTES, ...key, ...query.fixed]);
    // When the caller leaves the list early, nobody awaits this page.
    rows.catch(() => {});
    return rows;
  };
  for (let next = request(query.start); ; ) {
    const rows = await next;
    const last = rows.at(-1);
    if (last === undefined) return;
    const pageBytes = Number(last.total);
    const hasMore = rows.length === limit || pageBytes >= PAGE_BYTES;
    limit = Math.min(MAX_PAGE_ROWS, Math.ceil((PAGE_BYTES / pageBytes) * rows.length * 1.1));
    const ahead = hasMore && mayReadAhead() ? request(query.keyOf(last)) : undefined;
    yield rows;
    if (!hasMore) return;
    next = ahead ?? request(query.keyOf(last));
  }
}

interface RequestedRow {
  /** The index in the requested ISBNs, counted from 1. */
  readonly ordinal: string;
  readonly isbn: string;
  readonly etag: string;
  /** Null for the records that do not fit into the page. */
  readonly body: Uint8Array | null;
  readonly fits: boolean;
}

/** Where records and summaries are read. A LEFT JOIN shows that a summary is lost. */
export const VIEW_COLUMNS = {
  record: { from: "colophon.record", size: "size", etag: "etag", body: "body" },
  summary: {
    from: "(colophon.record LEFT JOIN colophon.summary USING (isbn))",
    size: "coalesce(summary.size, 0)",
    etag: "summary.etag",
    body: "summary.body",
  },
} as const satisfies Readonly<Record<View, object>>;

/** Yields the records of the ISBNs in the given order. A repeated ISBN yields its record again. */
export async function* pagesOfIsbns(
  runQuery: RunQuery,
  isbns: readonly Isbn13[],
  view: View = "record",
): AsyncGenerator<readonly (StoredRecord & { readonly isbn: string })[], void> {
  const { from, size, etag, body } = VIEW_COLUMNS[view];
  const sql = `SELECT ordinal, isbn, etag, before < ${PAGE_BYTES} AS fits,
      CASE WHEN before < ${PAGE_BYTES} THEN body END AS body
    FROM (
      SELECT ordinal, isbn, ${etag} AS etag, ${body} AS body,
        sum(${size}) OVER (ORDER BY ordinal ROWS UNBOUNDED PRECEDING) - ${size} AS before
      FROM unnest($1::bigint[]) WITH ORDINALITY AS requested (isbn, ordinal) JOIN ${from} USING (isbn)
    ) AS page ORDER BY ordinal`;
  for (let from = 0; from < isbns.length; ) {
    const slice = isbns.slice(from, from + FIRST_PAGE_ROWS);
    const rows = await runQuery<RequestedRow>(sql, [isbnArray(slice)]);
    const firstCut = rows.find(({ fits }) => !fits);
    // The body of a lost summary is null, which the caller recognises as damage.
    const records = rows.flatMap((row) => (row.fits ? [{ ...row, body: row.body as Uint8Array }] : []));
    if (records.length > 0) yield records;
    from += firstCut ? Number(firstCut.ordinal) - 1 : slice.length;
  }
}

/** Yields the entries of the ISBNs in the given order. A repeated ISBN yields its entry again. */
export async function* entryPagesOfIsbns(
  runQuery: RunQuery,
  isbns: readonly Isbn13[],
): AsyncGenerator<readonly EntryRow[], void> {
  const { columns, result, bytes } = ALL_ENTRIES;
  const sql = `SELECT ordinal, matched, ${result} FROM (
      SELECT ordinal, ${columns}, count(*) OVER () AS matched,
        sum(${bytes}) OVER (ORDER BY ordinal ROWS UNBOUNDED PRECEDING) - (${bytes}) AS before
      FROM unnest($1::bigint[]) WITH ORDINALITY AS requested (isbn, ordinal) JOIN colophon.record USING (isbn)
    ) AS page WHERE before < ${PAGE_BYTES} ORDER BY ordinal`;
  for (let from = 0; from < isbns.length; ) {
    const slice = isbns.slice(from, from + FIRST_PAGE_ROWS);
    type Row = EntryRow & { readonly ordinal: string; readonly matched: string };
    const rows = await runQuery<Row>(sql, [isbnArray(slice)]);
    if (rows.length > 0) yield rows;
    const isCut = rows.length > 0 && rows.length < Number(rows[0]!.matched);
    from += isCut ? Number(rows.at(-1)!.ordinal) : slice.length;
  }
}
