/** The paged lists of a snapshot: their keys, read from the indexes where these have them. */
import type { DateSelection, ListKey, PagedList } from "../../../catalog/selection.ts";
import { dayFromNumber, isbnFromColumn, LAST_DAY } from "../../columns.ts";
import type { SlicedList } from "../../lists.ts";
import { recencyFromDay } from "../rows.ts";
import type { QueryValue } from "../session/session.ts";
import { AFTER_LAST_ISBN, BEFORE_FIRST_ISBN, type RunQuery } from "./pages.ts";

/** The rows of an imprint are read, not only its index: their languages are not in it. */
const MIN_SLICE_ROWS = 5000;
const MAX_SLICE_ROWS = 80_000;

/** Follows every `recency`. */
const AFTER_LAST_RECENCY = 0;

interface KeyRow {
  readonly isbn: string;
  readonly recency?: number;
}

/** A list as the parts of its queries. The parameters are the key before, the key at the end, and `fixed`. */
interface KeyQuery {
  readonly columns: string;
  readonly where: string;
  /** Empty, or a condition that begins with AND. */
  readonly filter: string;
  readonly order: string;
  readonly fixed: readonly QueryValue[];
  /** The parameters of a key; without it, those before the first or after the last. */
  readonly start: (key: ListKey | undefined) => readonly QueryValue[];
  readonly end: (key: ListKey | undefined) => readonly QueryValue[];
}

export function pagedList(list: PagedList, runQuery: RunQuery): SlicedList<ListKey> {
  const { columns, where, filter, order, fixed, start, end } = queryOf(list);
  const values = (after: ListKey | undefined, to: ListKey | undefined, ...more: QueryValue[]) => [
    ...start(after),
    ...end(to),
    ...fixed,
    ...more,
  ];
  const limitNumber = values(undefined, undefined).length + 1;
  return {
    minSliceRows: MIN_SLICE_ROWS,
    maxSliceRows: MAX_SLICE_ROWS,
    isFiltered: filter !== "",
    async sliceEnd(after, rows) {
      const unfiltered = filter === "" ? "" : "AND $4::text IS NOT NULL";
      const sql = `SELECT ${columns} FROM colophon.record WHERE ${where} ${unfiltered} ORDER BY ${order}
        LIMIT 1 OFFSET $${limitNumber}::bigint`;
      const [row] = await runQuery<KeyRow>(sql, values(after, undefined, rows - 1));
      return row && keyFromRow(row);
    },
    async keys(after, to, limit) {
      const sql = `SELECT ${columns} FROM colophon.record WHERE ${where} ${filter} ORDER BY ${order}
        LIMIT $${limitNumber}::bigint`;
      return (await runQuery<KeyRow>(sql, values(after, to, limit))).map(keyFromRow);
    },
    async count(after, to) {
      const sql = `SELECT count(*) AS keys FROM colophon.record WHERE ${where} ${filter}`;
      return Number((await runQuery<{ keys: string }>(sql, values(after, to)))[0]!.keys);
    },
  };
}

function queryOf(list: PagedList): KeyQuery {
  return list.kind === "date" ? dateQuery(list) : list.kind === "imprint" ? imprintQuery(list) : ALL;
}

const isbnStart = (key: ListKey | undefined) => [key?.isbn ?? BEFORE_FIRST_ISBN];
const isbnEnd = (key: ListKey | undefined) => [key?.isbn ?? AFTER_LAST_ISBN];

const ALL: KeyQuery = {
  columns: "isbn",
  where: "isbn > $1::bigint AND isbn <= $2::bigint",
  filter: "",
  order: "isbn",
  fixed: [],
  start: isbnStart,
  end: isbnEnd,
};

/** The order and the conditions are those of the list of an imprint in `selected-rows.ts`, for the same reason. */
function imprintQuery({ slug, language }: Extract<PagedList, { kind: "imprint" }>): KeyQuery {
  return {
    columns: "isbn",
    where: `(left(imprint, 256), isbn) > (left($3, 256), $1::bigint)
      AND (left(imprint, 256), isbn) <= (left($3, 256), $2::bigint) AND imprint = $3`,
    filter: language === undefined ? "" : "AND $4 = ANY (languages)",
    order: "left(imprint, 256), isbn",
    fixed: language === undefined ? [slug] : [slug, language],
    start: isbnStart,
    end: isbnEnd,
  };
}

function dateQuery({ from, to }: DateSelection): KeyQuery {
  const recencyOf = (key: ListKey) => recencyFromDay(key.published!);
  return {
    columns: "isbn, recency",
    where: `(recency, isbn) > ($1::integer, $2::bigint) AND (recency, isbn) <= ($3::integer, $4::bigint)
      AND recency <= $5::integer`,
    filter: "",
    order: "recency, isbn",
    fixed: [recencyFromDay(from)],
    start: (key) =>
      key?.published === undefined
        ? [recencyFromDay(to ?? LAST_DAY), BEFORE_FIRST_ISBN]
        : [recencyOf(key), key.isbn],
    end: (key) => (key === undefined ? [AFTER_LAST_RECENCY, AFTER_LAST_ISBN] : [recencyOf(key), key.isbn]),
  };
}

function keyFromRow({ isbn, recency }: KeyRow): ListKey {
  const key = { isbn: isbnFromColumn(isbn) };
  return recency === undefined ? key : { ...key, published: dayFromNumber(-recency) };
}
