/** The queries for the records of a selection. */
import type { IndexedSelection } from "../../../catalog/selection.ts";
import type { StoredRecord, View } from "../../../catalog/store.ts";
import type { Day } from "../../../onix/date.ts";
import { type EntryRow, recencyFromDay } from "../rows.ts";
import { ALL_ENTRIES, BEFORE_FIRST_ISBN, type KeysetQuery, VIEW_COLUMNS } from "./pages.ts";

/** The `recency` of 31 December 9999. */
const MAX_DAY_RECENCY = -9999_12_31;

export interface BodyRow extends StoredRecord, KeyRow {
  readonly size: number;
}

/** The columns that lists are ordered by. A record without a date is in no list by date. */
interface KeyRow {
  readonly isbn: string;
  readonly recency: number | null;
}

export function listQuery(selection: IndexedSelection, view: View): KeysetQuery<KeyRow> {
  const query =
    selection.kind === "date"
      ? dateQuery(selection.from, selection.to)
      : imprintQuery(selection.slug, selection.language);
  if (view === "record") return query;
  const { from, size, etag, body } = VIEW_COLUMNS[view];
  return {
    ...query,
    columns: `isbn, recency, ${size} AS size, ${etag} AS etag, ${body} AS body`,
    result: "isbn, recency, size, etag, body",
    bytes: size,
    from,
  };
}

/** The same list with all columns of the entries. */
export function entryQuery(selection: IndexedSelection): KeysetQuery<EntryRow> {
  const { columns, result, bytes } = ALL_ENTRIES;
  const query: KeysetQuery<KeyRow> = listQuery(selection, "record");
  return { ...query, columns, ...(result && { result }), bytes };
}

function dateQuery(from: Day, to: Day | undefined): KeysetQuery<KeyRow> {
  return {
    columns: "isbn, recency, size, etag, body",
    bytes: "size",
    where: "(recency, isbn) > ($3::integer, $4::bigint) AND recency <= $5::integer",
    order: "recency, isbn",
    start: [to === undefined ? MAX_DAY_RECENCY : recencyFromDay(to), BEFORE_FIRST_ISBN],
    keyOf: ({ recency, isbn }) => [recency, isbn],
    fixed: [recencyFromDay(from)],
  };
}

/**
 * The order has both columns of the index. With the ISBN alone, the planner may scan the whole catalog to find a small
 * imprint. For the same reason, the condition has `<=` instead of `=`.
 */
function imprintQuery(slug: string, language: string | undefined): KeysetQuery<KeyRow> {
  return {
    columns: "isbn, size, etag, body",
    bytes: "size",
    where: `(left(imprint, 256), isbn) > (left($4, 256), $3::bigint) AND left(imprint, 256) <= left($4, 256)
      AND imprint = $4${language === undefined ? "" : " AND $5 = ANY (languages)"}`,
    order: "left(imprint, 256), isbn",
    start: [BEFORE_FIRST_ISBN],
    keyOf: ({ isbn }) => [isbn],
    fixed: language === undefined ? [slug] : [slug, language],
  };
}
