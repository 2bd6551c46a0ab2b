/** The table `undo`, and what the history has about undos. */
import type { Database, Statement } from "bun:sqlite";
import { readUndoSteps } from "../../../catalog/undo/undo-reader.ts";
import { type KeepUndo, MAX_CHUNKS, type UndoStep, undoCutoff } from "../../../catalog/undo/undo-step.ts";
import { UndoWriter } from "../../../catalog/undo/undo-writer.ts";
import type { RecordOutline } from "../import/statements.ts";

/** The state of the catalog after the last import before a number. */
const STATE_BEFORE = `coalesce((SELECT state FROM import_run WHERE outcome <> 'failed' AND number < ?
  ORDER BY number DESC LIMIT 1), 0)`;

/** Either the undone import, or the import that its undo brings back. */
const SET_UNDONE_BY = `
  UPDATE import_run SET undone_by = CASE WHEN import_run.number = after.state THEN NULL ELSE after.number END
  FROM import_run AS after, import_run AS undone WHERE after.number = ? AND undone.number = after.undoes
    AND import_run.number IN (undone.number, max(after.state, undone.state))`;

/** The imports that can be undone, newest first. Each has a chunk. */
const KEPT = `SELECT number, undo_bytes AS bytes, ended FROM import_run
  WHERE undo_bytes IS NOT NULL AND number >= (SELECT min(id) FROM undo) / ${MAX_CHUNKS} ORDER BY number DESC`;

/** The fields that the outline of a record does not have. A damaged catalog can have lost them: undefined. */
interface OldBody {
  readonly sender: string | undefined;
  readonly body: Uint8Array | undefined;
}

/** Keeps what an import replaces. */
export class UndoLog {
  readonly steps: UndoWriter;
  readonly #db: Database;
  readonly #number: number;
  readonly #keepUndo: KeepUndo;
  #chunks = 0;
  readonly #add: Statement<unknown, [number, Uint8Array]>;

  /** `number` is that of the import. */
  constructor(db: Database, number: number, keepUndo: KeepUndo) {
    this.#db = db;
    this.#number = number;
    this.#keepUndo = keepUndo;
    this.steps = new UndoWriter(keepUndo);
    this.#add = db.prepare("INSERT INTO undo (id, chunk) VALUES (?, ?)");
  }

  /** Keeps a record that is replaced by one with this body. Without a body, it is removed. */
  replaced(isbn: number, { reference, origin }: RecordOutline, old: OldBody, bodyNow?: Uint8Array): void {
    const { sender, body } = old;
    if (sender === undefined || origin === null || !(body instanceof Uint8Array)) this.steps.giveUp();
    else this.steps.changed(isbn, { sender, reference, origin, body }, bodyNow);
    this.#writeWhenFull();
  }

  added(isbn: number): void {
    this.steps.added(isbn);
    this.#writeWhenFull();
  }

  /** Writes the rest and the state, and removes what is no longer kept. The history has this import already. */
  finish(at: string, undoes: number | undefined): void {
    this.#writeState(undoes);
    this.#write();
    const { isKept, bytes } = this.steps;
    if (isKept) this.#db.run("UPDATE import_run SET undo_bytes = ? WHERE number = ?", [bytes, this.#number]);
    using kept = this.#db.prepare<{ number: number; bytes: number; ended: string }, []>(KEPT);
    const runs = kept.all();
    const cutoff = isKept ? undoCutoff(runs, this.#keepUndo, at) : this.#number;
    if (cutoff === undefined) return;
    this.#db.run("DELETE FROM undo WHERE id < ?", [(cutoff + 1) * MAX_CHUNKS]);
    using forget = this.#db.prepare("UPDATE import_run SET undo_bytes = NULL WHERE number = ?");
    for (const { number } of runs) if (number <= cutoff) forget.run(number);
  }

  close(): void {
    this.#add.finalize();
  }

  #writeState(undoes: number | undefined): void {
    if (undoes === undefined) {
      this.#db.run("UPDATE import_run SET state = number WHERE number = ?", [this.#number]);
      return;
    }
    const setState = `UPDATE import_run SET undoes = ?, state = ${STATE_BEFORE} WHERE number = ?`;
    this.#db.run(setState, [undoes, undoes, this.#number]);
    this.#db.run(SET_UNDONE_BY, [this.#number]);
  }

  #writeWhenFull(): void {
    if (this.steps.isFull) this.#write();
  }

  #write(): void {
    const chunk = this.steps.take();
    if (chunk !== undefined) this.#add.run(this.#number * MAX_CHUNKS + this.#chunks++, chunk);
  }
}

/** Lists the steps of an import, chunk by chunk, the last one first. */
export function* readSteps(db: Database, number: number): Generator<readonly UndoStep[], void> {
  using statement = db.prepare<{ id: number; chunk: Uint8Array }, [number, number]>(
    "SELECT id, chunk FROM undo WHERE id >= ? AND id < ? ORDER BY id DESC LIMIT 1",
  );
  const first = number * MAX_CHUNKS;
  for (let last = first + MAX_CHUNKS; ; ) {
    const row = statement.get(first, last);
    if (row === null) return;
    last = row.id;
    yield readUndoSteps(row.chunk);
  }
}

export function readLatest(db: Database): number {
  using statement = db.prepare<{ state: number }, [number]>(`SELECT ${STATE_BEFORE} AS state`);
  return statement.get(Number.MAX_SAFE_INTEGER)!.state;
}
