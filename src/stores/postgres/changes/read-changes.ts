/** Reads the history of changes. Each query reads no more rows than a page has. */
import type { BookChange, ChangeHistory, ChangePlace } from "../../../catalog/changes/change-history.ts";
import { type ChangeRow, changeFromRow } from "../../change-row.ts";
import type { RunQuery } from "../pages.ts";

const AFTER_LAST_ISBN = String(10 ** 13);

const HISTORY = `SELECT forgotten_change AS forgotten, newest.number, newest.id, known.id AS known_id,
    pg_is_in_recovery() AS is_replica
  FROM colophon.catalog
  LEFT JOIN (SELECT number, id FROM colophon.change_run ORDER BY number DESC LIMIT 1) AS newest ON true
  LEFT JOIN colophon.change_run AS known ON known.number = $1::integer`;

/**
 * A LEFT JOIN, because an inner join would hide a change whose import is lost. The inner limits are literals: for a
 * parameter, the planner assumes a tenth of the table, and may sort it instead of reading the index.
 */
const changesQuery = (maxRows: number) => `SELECT page.number, page.isbn, page.added, change_run.at FROM (
    SELECT * FROM (
      (SELECT changed AS number, isbn, added FROM colophon.record
        WHERE (changed, isbn) > ($1::integer, $2::bigint) ORDER BY changed, isbn LIMIT ${maxRows})
      UNION ALL
      (SELECT number, isbn, NULL FROM colophon.deletion
        WHERE (number, isbn) > ($3::integer, $4::bigint) ORDER BY number, isbn LIMIT ${maxRows})
    ) AS change ORDER BY number, isbn LIMIT $5::bigint
  ) AS page LEFT JOIN colophon.change_run USING (number) ORDER BY number, isbn`;

interface HistoryRow {
  readonly forgotten: number;
  readonly number: number | null;
  readonly id: string | null;
  readonly known_id: string | null;
  readonly is_replica: boolean;
}

export async function readHistory(runQuery: RunQuery, number: number): Promise<ChangeHistory> {
  const row = (await runQuery<HistoryRow>(HISTORY, [number]))[0]!;
  return {
    newest: { number: row.number ?? 0, id: row.id ?? "" },
    knownId: row.known_id ?? undefined,
    forgotten: row.forgotten,
    isReplica: row.is_replica,
  };
}

export async function readChanges(
  runQuery: RunQuery,
  after: ChangePlace,
  deletionsAfter: number,
  limit: number,
): Promise<readonly BookChange[]> {
  const deletionPlace = after.number > deletionsAfter ? after : { number: deletionsAfter, isbn: undefined };
  const values = [...columnsOf(after), ...columnsOf(deletionPlace), limit];
  return (await runQuery<ChangeRow>(changesQuery(maxRowsFor(limit)), values)).map(changeFromRow);
}

/** Returns 101, 1001 and so on, so that there are few texts. A page reads one change more than it lists. */
function maxRowsFor(limit: number): number {
  return 10 ** Math.ceil(Math.log10(Math.max(limit - 1, 100))) + 1;
}

function columnsOf({ number, isbn }: ChangePlace): readonly [number, string] {
  return [number, isbn ?? AFTER_LAST_ISBN];
}
