/** The paged lists of a snapshot: their keys, read from the indexes alone. */
import type { SQLQueryBindings } from "bun:sqlite";
import type { DateSelection, ListKey, PagedList } from "../../../catalog/selection.ts";
import { dayFromNumber, isbnFromColumn, LAST_DAY } from "../../columns.ts";
import type { SlicedList } from "../../lists.ts";
import { AFTER_LAST_ISBN, dayToColumn, delimitLanguage, isbnToColumn } from "../rows.ts";

/** A key, with the id of its record's body. */
interface RecordKey extends ListKey {
  readonly bodyId: number;
}

export type RunQuery = <Row>(sql: string, ...bindings: SQLQueryBindings[]) => Row[];

/** About a millisecond of reading an index, on a busy machine two. */
const SLICE_ROWS = 5000;

const BEFORE_FIRST_ISBN = -1;

interface KeyRow {
  readonly isbn: number;
  readonly published?: number;
  readonly id: number;
}

export function pagedList(list: PagedList, runQuery: RunQuery): SlicedList<RecordKey> {
  return list.kind === "date" ? datedList(list, runQuery) : isbnList(list, runQuery);
}

function isbnList(list: Exclude<PagedList, DateSelection>, runQuery: RunQuery): SlicedList<RecordKey> {
  const language = list.kind === "imprint" ? list.language : undefined;
  const range =
    list.kind === "imprint"
      ? "record INDEXED BY record_by_imprint WHERE imprint = ?1 AND isbn > ?2 AND isbn <= ?3"
      : "record INDEXED BY record_by_isbn WHERE ?1 IS NULL AND isbn > ?2 AND isbn <= ?3";
  const slug = list.kind === "imprint" ? list.slug : null;
  const filter = language === undefined ? "AND ?4 IS NULL" : "AND instr(languages, ?4) > 0";
  const filterText = language === undefined ? null : delimitLanguage(language);
  const bounds = (after: ListKey | undefined, to: ListKey | undefined) =>
    [
      slug,
      after === undefined ? BEFORE_FIRST_ISBN : isbnToColumn(after.isbn),
      to === undefined ? AFTER_LAST_ISBN : isbnToColumn(to.isbn),
    ] as const;
  return {
    minSliceRows: SLICE_ROWS,
    maxSliceRows: SLICE_ROWS,
    isFiltered: language !== undefined,
    sliceEnd(after, rows) {
      const sql = `SELECT isbn, id FROM ${range} ORDER BY isbn LIMIT 1 OFFSET ?4`;
      const [row] = runQuery<KeyRow>(sql, ...bounds(after, undefined), rows - 1);
      return row && keyFromRow(row);
    },
    keys(after, to, limit) {
      const sql = `SELECT isbn, id FROM ${range} ${filter} ORDER BY isbn LIMIT ?5`;
      return runQuery<KeyRow>(sql, ...bounds(after, to), filterText, limit).map(keyFromRow);
    },
    count(after, to) {
      const sql = `SELECT count(*) AS keys FROM ${range} ${filter}`;
      return runQuery<{ keys: number }>(sql, ...bounds(after, to), filterText)[0]!.keys;
    },
    pause: nextTurn,
  };
}

/**
 * The rest of a day, and the days before it. One condition for both would scan the whole day for each page, and a
 * hundred thousand books can have the same day.
 */
const DATED_KEYS = `SELECT published, isbn, id FROM record INDEXED BY record_by_day WHERE published = ?1 AND published >= ?3 AND isbn > ?2
  UNION ALL SELECT published, isbn, id FROM record INDEXED BY record_by_day WHERE published < ?1 AND published >= ?3
  ORDER BY published DESC, isbn`;

function datedList({ from, to: lastDay }: DateSelection, runQuery: RunQuery): SlicedList<RecordKey> {
  const firstDay = dayToColumn(lastDay ?? LAST_DAY);
  const bounds = (after: ListKey | undefined) =>
    after?.published === undefined
      ? ([firstDay, BEFORE_FIRST_ISBN, dayToColumn(from)] as const)
      : ([dayToColumn(after.published), isbnToColumn(after.isbn), dayToColumn(from)] as const);
  return {
    minSliceRows: SLICE_ROWS,
    maxSliceRows: SLICE_ROWS,
    isFiltered: false,
    sliceEnd(after, rows) {
      const [row] = runQuery<KeyRow>(`${DATED_KEYS} LIMIT 1 OFFSET ?4`, ...bounds(after), rows - 1);
      return row && keyFromRow(row);
    },
    keys(after, _, limit) {
      return runQuery<KeyRow>(`${DATED_KEYS} LIMIT ?4`, ...bounds(after), limit).map(keyFromRow);
    },
    count(after) {
      const sql = `SELECT count(*) AS keys FROM (${DATED_KEYS} LIMIT ${SLICE_ROWS})`;
      return runQuery<{ keys: number }>(sql, ...bounds(after))[0]!.keys;
    },
    pause: nextTurn,
  };
}

function keyFromRow({ isbn, published, id }: KeyRow): RecordKey {
  const key = { isbn: isbnFromColumn(isbn), bodyId: id };
  return published === undefined ? key : { ...key, published: dayFromNumber(published) };
}

let lastTurn: Promise<void> = Promise.resolve();

/** Waits for an event-loop tick in which no other list reads a slice. */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
  return lastTurn;
}
