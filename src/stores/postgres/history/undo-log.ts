/** The table `undo`, and what the history has about undos. */
import type { ReservedSQL } from "bun";
import { undoCutoff } from "../../../catalog/undo/undo-cutoff.ts";
import { readUndoSteps } from "../../../catalog/undo/undo-reader.ts";
import type { KeepUndo, UndoStep } from "../../../catalog/undo/undo-step.ts";
import { UndoWriter } from "../../../catalog/undo/undo-writer.ts";
import type { RunQuery } from "../import/connection.ts";

const ADD_CHUNK = "INSERT INTO colophon.undo (import_number, chunk) VALUES ($1::integer, $2::bytea)";

const SET_BYTES = "UPDATE colophon.import_run SET undo_bytes = $2::bigint WHERE number = $1::integer";

const KEPT = `SELECT number, undo_bytes AS bytes, ended FROM colophon.import_run WHERE undo_bytes IS NOT NULL
  ORDER BY number DESC`;

const FORGET = `
  WITH forgotten AS (DELETE FROM colophon.undo WHERE import_number <= $1::integer)
  UPDATE colophon.import_run SET undo_bytes = NULL WHERE undo_bytes IS NOT NULL AND number <= $1::integer`;

const SET_STATE = "UPDATE colophon.import_run SET state = number WHERE number = $1::integer";

/** An undo leaves the state before the import that it undoes. */
const SET_UNDONE_STATE = `
  UPDATE colophon.import_run SET undoes = $2::integer, state = coalesce((
    SELECT before.state FROM colophon.import_run AS before
    WHERE before.outcome <> 'failed' AND before.number < $2::integer ORDER BY before.number DESC LIMIT 1), 0)
  WHERE number = $1::integer`;

/** Either the undone import, or the import that its undo brings back. */
const SET_UNDONE_BY = `
  UPDATE colophon.import_run SET undone_by = CASE WHEN import_run.number = after.state THEN NULL ELSE after.number END
  FROM colophon.import_run AS after JOIN colophon.import_run AS undone ON undone.number = after.undoes
  WHERE after.number = $1::integer AND import_run.number IN (undone.number, greatest(after.state, undone.state))`;

const CHUNK = `SELECT id, chunk FROM colophon.undo WHERE import_number = $1::integer AND id < $2::bigint
  ORDER BY id DESC LIMIT 1`;
const AFTER_LAST_ID = String(2n ** 63n - 1n);

/** The import whose state the catalog has. */
export const LATEST =
  "SELECT state FROM colophon.import_run WHERE outcome <> 'failed' ORDER BY place DESC LIMIT 1";

/** Keeps what an import replaces. */
export class UndoLog {
  readonly steps: UndoWriter;

  /** `number` is that of the import. */
  constructor(
    private readonly number: number,
    private readonly keepUndo: KeepUndo,
  ) {
    this.steps = new UndoWriter(keepUndo);
  }

  /** Appends the steps so far. */
  async write(connection: ReservedSQL): Promise<void> {
    const chunk = this.steps.take();
    if (chunk !== undefined) await connection.unsafe(ADD_CHUNK, [this.number, chunk]);
  }

  /** Writes the rest and the state, and removes what is no longer kept. The history has this import already. */
  async finish(connection: ReservedSQL, at: string, undoes: number | undefined): Promise<void> {
    const { number } = this;
    if (undoes === undefined) await connection.unsafe(SET_STATE, [number]);
    else {
      await connection.unsafe(SET_UNDONE_STATE, [number, undoes]);
      await connection.unsafe(SET_UNDONE_BY, [number]);
    }
    await this.write(connection);
    const { isKept, bytes } = this.steps;
    if (isKept) await connection.unsafe(SET_BYTES, [number, bytes]);
    const kept = await connection.unsafe<{ number: number; bytes: string; ended: string }[]>(KEPT);
    const cutoff = isKept ? undoCutoff(kept, this.keepUndo, at) : number;
    if (cutoff !== undefined) await connection.unsafe(FORGET, [cutoff]);
  }
}

/** Lists the steps of an import, chunk by chunk, the last one first. */
export async function* readSteps(
  runQuery: RunQuery,
  number: number,
): AsyncGenerator<readonly UndoStep[], void> {
  for (let last = AFTER_LAST_ID; ; ) {
    const [row] = await runQuery<{ id: string; chunk: Uint8Array }>(CHUNK, [number, last]);
    if (row === undefined) return;
    last = row.id;
    yield readUndoSteps(row.chunk);
  }
}
