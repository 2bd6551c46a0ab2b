/** What lists read of records, and in which order. */
import type { IndexedSelection } from "../../../catalog/selection.ts";
import type { StoredRecord, View } from "../../../catalog/store.ts";
import { AFTER_IMPRINT } from "../../../onix/summary/summary.ts";
import { LAST_DAY } from "../../columns.ts";
import { entryColumns, RECORD_COLUMNS, recencyFromDay } from "../rows.ts";
import { BEFORE_FIRST_ISBN, type KeysetOrder, type PageColumns } from "./pages.ts";

export type BodyRow = StoredRecord & KeyRow;

/** The columns that lists are ordered by. A record without a date is in no list by date. */
interface KeyRow {
  readonly isbn: string;
  readonly recency: number | null;
}

/** The columns of `BodyRow`. A LEFT JOIN shows that a summary is lost: its body is null. */
export const VIEWS: Readonly<Record<View, PageColumns>> = {
  record: { columns: "isbn, recency, etag, body", bytes: "size" },
  summary: {
    columns: "isbn, recency, summary.etag, summary.body",
    from: "(colophon.record LEFT JOIN colophon.summary USING (isbn))",
    result: "isbn, recency, etag, body",
    bytes: "coalesce(summary.size, 0)",
  },
};

/** This reads no record, whose table is three times as large. The start of a damaged summary may be no JSON. */
export const SUMMARY_STARTS: PageColumns = {
  columns: `isbn, substring(body FOR greatest(0, position('${AFTER_IMPRINT}'::bytea IN body) - 1)) || '}'::bytea AS body`,
  from: "colophon.summary",
  result: "isbn, body",
  bytes: "size",
};

/** The columns of `EntryRow`. */
export const ENTRIES: PageColumns = {
  columns: RECORD_COLUMNS.join(", "),
  result: entryColumns("page"),
  bytes: "size + octet_length(origin)",
};

/** Returns the order of a selection; without one, that of all records by ISBN. */
export function orderOf(selection?: IndexedSelection): KeysetOrder<KeyRow> {
  if (selection?.kind === "date") {
    return {
      where: "(recency, isbn) > ($3::integer, $4::bigint) AND recency <= $5::integer",
      order: "recency, isbn",
      start: [recencyFromDay(selection.to ?? LAST_DAY), BEFORE_FIRST_ISBN],
      keyOf: ({ recency, isbn }) => [recency, isbn],
      fixed: [recencyFromDay(selection.from)],
    };
  }
  const byIsbn = { start: [BEFORE_FIRST_ISBN], keyOf: ({ isbn }: KeyRow) => [isbn] };
  if (selection === undefined) return { where: "isbn > $3::bigint", order: "isbn", ...byIsbn, fixed: [] };
  const { slug, language } = selection;
  return {
    // The order has both columns of the index. With the ISBN alone, the planner may scan the whole catalog to find a small
    // imprint. For the same reason, the condition has `<=` instead of `=`.
    where: `(left(imprint, 256), isbn) > (left($4, 256), $3::bigint) AND left(imprint, 256) <= left($4, 256)
      AND imprint = $4${language === undefined ? "" : " AND $5 = ANY (languages)"}`,
    order: "left(imprint, 256), isbn",
    ...byIsbn,
    fixed: language === undefined ? [slug] : [slug, language],
  };
}
