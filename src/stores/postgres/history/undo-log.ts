/** The table `undo`, and what the history has about undos. */
import type { ReservedSQL } from "bun";
import { readUndoSteps } from "../../../catalog/undo/undo-reader.ts";
import { type KeepUndo, MAX_CHUNKS, type UndoStep, undoCutoff } from "../../../catalog/undo/undo-step.ts";
import { UndoWriter } from "../../../catalog/undo/undo-writer.ts";
import type { RunQuery } from "../import/connection.ts";

const ADD_CHUNK = "INSERT INTO colophon.undo (id, chunk) VALUES ($1::bigint, $2::bytea)";

const SET_BYTES = "UPDATE colophon.import_run SET undo_bytes = $2::bigint WHERE number = $1::integer";

/** The imports that can be undone, newest first. Each has a chunk. */
const KEPT = `SELECT number, undo_bytes AS bytes, ended FROM colophon.import_run
  WHERE undo_bytes IS NOT NULL AND number >= (SELECT min(id) FROM colophon.undo) / ${MAX_CHUNKS}
  ORDER BY number DESC`;

const FORGET = `
  WITH forgotten AS (DELETE FROM colophon.undo WHERE id < ($1::bigint + 1) * ${MAX_CHUNKS})
  UPDATE colophon.import_run SET undo_bytes = NULL
  WHERE undo_bytes IS NOT NULL AND number <= $1::integer AND number >= $2::integer`;

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

const CHUNK = `SELECT id, chunk FROM colophon.undo WHERE id >= $1::bigint AND id < $2::bigint ORDER BY id DESC LIMIT 1`;

/** The import whose state the catalog has. */
export const LATEST =
  "SELECT state FROM colophon.import_run WHERE outcome <> 'failed' ORDER BY place DESC LIMIT 1";

/** Keeps what an import replaces. */
export class UndoLog {
  readonly steps: UndoWriter;
  #chunks = 0;

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
    if (chunk !== undefined)
      await connection.unsafe(ADD_CHUNK, [this.number * MAX_CHUNKS + this.#chunks++, chunk]);
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
    if (cutoff !== undefined) await connection.unsafe(FORGET, [cutoff, kept.at(-1)?.number ?? cutoff]);
  }
}

/** Lists the steps of an import, chunk by chunk, the last one first. */
export async function* readSteps(
  runQuery: RunQuery,
  number: number,
): AsyncGenerator<readonly UndoStep[], void> {
  const first = number * MAX_CHUNKS;
  for (let last = String(first + MAX_CHUNKS); ; ) {
    const [row] = await runQuery<{ id: string; chunk: Uint8Array }>(CHUNK, [first, last]);
    if (row === undefined) return;
    last = row.id;
    yield readUndoSteps(row.chunk);
  }
}
