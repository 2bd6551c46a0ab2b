import type { ReservedSQL } from "bun";
import { forgetBefore, newChangeId } from "../../../catalog/changes/change-history.ts";
import type { RunQuery } from "../import/connection.ts";
import type { Batch } from "../import/pending-changes.ts";
import { isbnArray } from "../rows.ts";

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

/**
 * Maintains the numbers of records, and the tables `deletion` and `change_run`. A record that has the same bytes at the
 * end of the import as before it keeps its number, whatever feeds did in between.
 */
export class ChangeLog {
  /** The number of this import. */
  readonly number: number;
  readonly #queryBefore: RunQuery;

  constructor(number: number, queryBefore: RunQuery) {
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
