/** Reads the history of changes. Each query reads no more rows than a page has. */
import type { BookChange, ChangeHistory, ChangePlace } from "../../../catalog/changes/change-history.ts";
import { type ChangeRow, changeFromRow } from "../../change-row.ts";
import type { RunQuery } from "../lists/paged-lists.ts";
import { isbnToColumn } from "../rows.ts";

const AFTER_LAST_ISBN = 10 ** 13;

const HISTORY = `SELECT forgotten_change AS forgotten, newest.number, newest.id,
    (SELECT id FROM change_run WHERE number = ?) AS known_id
  FROM catalog LEFT JOIN (SELECT number, id FROM change_run ORDER BY number DESC LIMIT 1) AS newest`;

/** The time comes from a subquery, because a join would hide a change whose import is lost. */
const AT = "(SELECT at FROM change_run WHERE change_run.number = change.number) AS at";
const CHANGED = `SELECT number, isbn, added, ${AT} FROM change WHERE (number, isbn) > (?, ?)
  ORDER BY number, isbn LIMIT ?`;
const DELETED = `SELECT number, isbn, NULL AS added, ${AT} FROM deletion AS change WHERE (number, isbn) > (?, ?)
  ORDER BY number, isbn LIMIT ?`;

interface HistoryRow {
  readonly forgotten: number;
  readonly number: number | null;
  readonly id: string | null;
  readonly known_id: string | null;
}

export function readHistory(runQuery: RunQuery, number: number): ChangeHistory {
  const row = runQuery<HistoryRow>(HISTORY, number)[0]!;
  return {
    newest: { number: row.number ?? 0, id: row.id ?? "" },
    knownId: row.known_id ?? undefined,
    forgotten: row.forgotten,
    isReplica: false,
  };
}

export function readChanges(
  runQuery: RunQuery,
  after: ChangePlace,
  deletionsAfter: number,
  limit: number,
): readonly BookChange[] {
  const deletionPlace = after.number > deletionsAfter ? after : { number: deletionsAfter, isbn: undefined };
  const rows = [
    ...runQuery<ChangeRow>(CHANGED, ...columnsOf(after), limit),
    ...runQuery<ChangeRow>(DELETED, ...columnsOf(deletionPlace), limit),
  ];
  rows.sort((a, b) => a.number - b.number || Number(a.isbn) - Number(b.isbn));
  return rows.slice(0, limit).map(changeFromRow);
}

function columnsOf({ number, isbn }: ChangePlace): readonly [number, number] {
  return [number, isbn === undefined ? AFTER_LAST_ISBN : isbnToColumn(isbn)];
}
