import type { ReservedSQL } from "bun";
import {
  type BookChange,
  type ChangeHistory,
  type ChangePlace,
  forgetBefore,
  newChangeId,
} from "../../../catalog/changes/change-history.ts";
import { BLOCKS_OF_KIND } from "../../../catalog/history/update-counts.ts";
import { type ChangeRow, changeFromRow, changeHistoryFromRow, type HistoryRow } from "../../history-rows.ts";
import type { RunQuery as RunImportQuery } from "../import/connection.ts";
import type { Batch } from "../import/pending-changes.ts";
import { isbnArray } from "../rows.ts";
import { AFTER_LAST_ISBN, type RunQuery } from "../snapshots/pages.ts";

/** The numbers of a record before the import. */
interface NumberedRow {
  readonly isbn: string;
  readonly etag: string;
  readonly changed: number;
  readonly added: number;
}

const NUMBERS = "SELECT isbn, etag, changed, added FROM colophon.record WHERE isbn = ANY ($1::bigint[])";

/** Where a restored state came from is not remembered. */
const RESTORE = `
  UPDATE colophon.record SET added = before.added,
    changed = CASE WHEN record.etag = before.etag THEN before.changed ELSE $5::integer END,
    added_feed = CASE WHEN record.added = before.added THEN record.added_feed END,
    feed = CASE WHEN record.etag <> before.etag THEN record.feed END,
    blocks = CASE WHEN record.etag <> before.etag THEN record.blocks END
  FROM unnest($1::bigint[], $2::text[], $3::integer[], $4::integer[]) AS before (isbn, etag, changed, added)
  WHERE record.isbn = before.isbn AND (record.added <> before.added
    OR (record.etag = before.etag AND record.changed <> before.changed))`;

const FORGET_DELETIONS = "DELETE FROM colophon.deletion WHERE isbn = ANY ($1::bigint[])";

const ANY_DELETION = "SELECT 1 AS found FROM colophon.deletion LIMIT 1";

/** A deletion stays until the end of the import that adds the book again: a later feed may delete it once more. */
const FORGET_ADDED = `
  DELETE FROM colophon.deletion WHERE isbn IN (SELECT isbn FROM colophon.record WHERE changed = $1::integer)`;

const ADD_RUN = `
  INSERT INTO colophon.change_run
  SELECT $1::integer, $2, $3 WHERE EXISTS (SELECT 1 FROM colophon.record WHERE changed = $1::integer)
    OR EXISTS (SELECT 1 FROM colophon.deletion WHERE number = $1::integer)`;

const FORGETTABLE = `
  SELECT max(number) AS number FROM colophon.deletion WHERE number <= (
    SELECT max(number) FROM colophon.change_run, colophon.catalog WHERE number > forgotten_change AND at < $1)`;

/** The generation changes, so that no page of changes is read partly before and partly after it. */
const FORGET_UP_TO = `
  WITH forgotten AS (DELETE FROM colophon.deletion WHERE number <= $1::integer)
  UPDATE colophon.catalog SET forgotten_change = $1::integer, generation = generation + 1 WHERE id = 1`;

const textArray = (names: readonly string[]) => `'{${names}}'::text[]`;
const kindColumns = Object.entries(BLOCKS_OF_KIND).map(
  ([kind, blocks]) => `count(*) FILTER (WHERE names && ${textArray(blocks)})::integer AS ${kind}`,
);
const KNOWN_BLOCKS = textArray(Object.values(BLOCKS_OF_KIND).flat());

/** Counts the records that the import has updated, as `countUpdate` does. The rows have just been written. */
export const UPDATE_COUNTS = `
  SELECT ${kindColumns},
    count(*) FILTER (WHERE names IS NULL OR names = '{}' OR NOT names <@ ${KNOWN_BLOCKS})::integer AS other
  FROM (
    SELECT array_remove(string_to_array(blocks, ' '), '') AS names FROM colophon.record
    WHERE changed = $1::integer AND added < $1::integer
  ) AS updated`;

/**
 * Maintains the numbers of records, and the tables `deletion` and `change_run`. A record that has the same bytes at the
 * end of the import as before it keeps its number, whatever feeds did in between.
 */
export class ChangeLog {
  readonly number: number;
  readonly #queryBefore: RunImportQuery;

  constructor(number: number, queryBefore: RunImportQuery) {
    this.number = number;
    this.#queryBefore = queryBefore;
  }

  /**
   * Corrects the numbers of records that the import has changed before. The batch is written. A statement compares a
   * record with the state that it replaces, which is not the state before the import.
   */
  async correct(connection: ReservedSQL, { seenBefore, puts }: Batch): Promise<void> {
    const again = new Set(seenBefore.isbns);
    const isbns = puts.flatMap(({ isbn }) => (again.has(isbn) ? [isbn] : []));
    if (isbns.length === 0) return;
    const rows = await this.#queryBefore<NumberedRow>(NUMBERS, [isbnArray(isbns)]);
    if (rows.length === 0) return;
    const array = (values: readonly (string | number)[]) => `{${values.join()}}`;
    await connection.unsafe(RESTORE, [
      array(rows.map(({ isbn }) => isbn)),
      array(rows.map(({ etag }) => etag)),
      array(rows.map(({ changed }) => changed)),
      array(rows.map(({ added }) => added)),
      this.number,
    ]);
    await connection.unsafe(FORGET_DELETIONS, [isbnArray(rows.map(({ isbn }) => isbn))]);
  }

  /** Stores the import when it has changed records, and forgets deletions that are too old. */
  async finish(connection: ReservedSQL, at: string, keepDeletionsDays: number): Promise<void> {
    const found = await connection.unsafe<unknown[]>(ANY_DELETION);
    if (found.length > 0) await connection.unsafe(FORGET_ADDED, [this.number]);
    await connection.unsafe(ADD_RUN, [this.number, newChangeId(), at]);
    if (found.length === 0) return;
    const before = forgetBefore(at, keepDeletionsDays);
    const [row] = await connection.unsafe<{ number: number | null }[]>(FORGETTABLE, [before]);
    if (row && row.number !== null) await connection.unsafe(FORGET_UP_TO, [row.number]);
  }
}

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

export async function readHistory(runQuery: RunQuery, number: number): Promise<ChangeHistory> {
  const [row] = await runQuery<HistoryRow & { readonly is_replica: boolean }>(HISTORY, [number]);
  return changeHistoryFromRow(row!, row!.is_replica);
}

/** Reads no more rows than a page has. */
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
