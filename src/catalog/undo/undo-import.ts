/** Takes an import back: a new import, which puts books back as they were. */
import type { Isbn13 } from "../../onix/isbn.ts";
import { entryOfBody } from "../entry.ts";
import type { ImportHistory } from "../history/import-history.ts";
import { noUpdates } from "../history/update-counts.ts";
import type { ImportResult } from "../import.ts";
import type { RecordStatus } from "../import-state.ts";
import { type Counts, ImportTally } from "../report.ts";
import type { Entry, ImportTransaction } from "../store.ts";
import { ImportRefused, StoreError } from "../store-errors.ts";
import type { UndoStep } from "./undo-step.ts";

/** The records of so many books are in memory at once. */
const BATCH_BOOKS = 500;
/** An undo has no feed, but a book that it changes twice counts once. */
const FEED = 1;

type BookStep = Exclude<UndoStep, { kind: "message" }>;

/**
 * Undoes an import within a transaction, so that the caller can commit it. Throws `ImportRefused` unless the catalog is
 * in the state that the import has left.
 */
export async function undoImport(
  transaction: ImportTransaction,
  history: ImportHistory,
  number: number,
): Promise<ImportResult & { readonly counts: Counts }> {
  const { revisionBefore } = await requireUndoable(history, number);
  const tally = new ImportTally(transaction.revision);
  for await (const steps of transaction.undoSteps(number)) {
    for (const step of steps) {
      if (step.kind !== "message") continue;
      const { sent, messageNumber } = step.mark;
      await transaction.setLastMessage(step.sender, { sent, messageNumber });
    }
    for (const books of batchesOf(steps)) await applySteps(transaction, books, tally);
  }
  const revision = tally.revision.toString();
  if (revision !== revisionBefore) {
    throw new StoreError(
      `What was kept to undo import ${number} does not fit the catalog, which is unchanged; run "colophon verify", and import a complete feed instead.`,
    );
  }
  const updates = tally.counts.updated > 0 ? await transaction.updateCounts() : noUpdates();
  return { revision, changed: revision !== transaction.revision, updates, counts: tally.counts };
}

async function requireUndoable(history: ImportHistory, number: number) {
  const run = await history.get(number);
  if (run === undefined) {
    throw new ImportRefused(`The history has no import ${number}: "colophon history" prints the numbers.`);
  }
  const latest = await history.latest();
  if (run.state !== latest) {
    const why =
      run.outcome === "failed"
        ? "has failed, so there is nothing to undo"
        : run.undoneBy === undefined
          ? "is not the last one"
          : `is undone by import ${run.undoneBy}`;
    const isAtBeginning = latest === 0 && run.undoneBy !== undefined;
    const none = isAtBeginning ? "Only the last undo can be undone." : "No import can be undone.";
    const isKept = (await history.get(latest))?.isUndoKept;
    const next = isKept ? `The one that can be undone is import ${latest}.` : none;
    throw new ImportRefused(`Import ${number} ${why}. ${next}`);
  }
  if (!run.isUndoKept) {
    throw new ImportRefused(
      `Import ${number} cannot be undone: what an undo needs is not kept (see --keep-undo). Import a complete feed, or restore a backup.`,
    );
  }
  return run;
}

/** Each batch has a book at most once. */
function* batchesOf(steps: readonly UndoStep[]): Generator<ReadonlyMap<Isbn13, BookStep>, void> {
  let batch = new Map<Isbn13, BookStep>();
  for (const step of steps) {
    if (step.kind === "message") continue;
    if (batch.size >= BATCH_BOOKS || batch.has(step.isbn)) {
      yield batch;
      batch = new Map();
    }
    batch.set(step.isbn, step);
  }
  if (batch.size > 0) yield batch;
}

async function applySteps(
  transaction: ImportTransaction,
  steps: ReadonlyMap<Isbn13, BookStep>,
  tally: ImportTally,
): Promise<void> {
  const isbns = [...steps.keys()];
  const statuses = await transaction.statusOf(isbns);
  const replaced = isbns.filter((isbn) => steps.get(isbn)!.kind === "replaced");
  const stored = new Map((await transaction.entries(replaced)).map((entry) => [entry?.isbn, entry]));
  const removed: Isbn13[] = [];
  const put: Entry[] = [];
  isbns.forEach((isbn, index) => {
    const entry = entryBefore(steps.get(isbn)!, stored.get(isbn));
    tally.count(statuses[index] as RecordStatus, entry?.etag);
    if (entry) put.push(entry);
    else removed.push(isbn);
  });
  if (put.length > 0) await transaction.put(put, FEED);
  if (removed.length > 0) await transaction.remove(removed, FEED);
}

/** Returns the entry before a step; undefined when the step has added the book. */
function entryBefore(step: BookStep, now: Entry | undefined): Entry | undefined {
  if (step.kind === "added") return undefined;
  const { head, tail, middle } = step;
  const body = now?.body ?? new Uint8Array();
  const bytes = Buffer.concat([body.subarray(0, head), middle, body.subarray(body.length - tail)]);
  return entryOfBody(bytes, step);
}
