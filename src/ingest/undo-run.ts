/** Undoes one import, as an import of its own. */
import { NO_DETAILS } from "../catalog/history/import-details.ts";
import { StartedImport } from "../catalog/import-run.ts";
import type { Store } from "../catalog/store.ts";
import { OutcomeUnknown } from "../catalog/store-errors.ts";
import { undoImport } from "../catalog/undo/undo-import.ts";
import type { KeepUndo } from "../catalog/undo/undo-step.ts";
import { FeedRefused } from "../feed/feed-error.ts";
import {
  beginWithNotice,
  explainFailure,
  type ImportObserver,
  type ImportSummary,
  recordFailure,
  unwritable,
} from "./import-run.ts";

interface UndoRules {
  readonly keepDeletionsDays?: number | undefined;
  readonly keepUndo?: KeepUndo | undefined;
}

/** Throws as `runImport` does. An undo that is refused leaves no trace in the history. */
export async function runUndo(
  store: Pick<Store, "beginImport" | "recordFailedImport" | "importHistory">,
  number: number,
  { keepDeletionsDays, keepUndo }: UndoRules,
  observer: Pick<ImportObserver, "waiting">,
): Promise<Omit<ImportSummary, "products">> {
  const run = new StartedImport();
  try {
    return await explainFailure(
      async () => {
        const transaction = await beginWithNotice(store, observer, keepUndo);
        try {
          const result = await undoImport(transaction, store.importHistory, number);
          const { revision, changed, counts, updates } = result;
          const details = { ...NO_DETAILS, durationMs: run.durationMs };
          const options = { keepDeletionsDays, details, undoes: number };
          await transaction.commit(revision, run.applied(changed, counts, updates), options);
          return result;
        } finally {
          await transaction.abort();
        }
      },
      ({ message }) => unwritable(message, "undo it again"),
    );
  } catch (error) {
    const isRecorded = !(error instanceof OutcomeUnknown) && !(error instanceof FeedRefused);
    if (isRecorded) await recordFailure(store, error, run);
    throw error;
  }
}
