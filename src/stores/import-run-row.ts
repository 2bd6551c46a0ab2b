/** The columns of a stored import run, which are the same in both engines. */
import type { ImportOutcome, ImportRun } from "../catalog/import-run.ts";
import { type Counts, emptyCounts } from "../catalog/report.ts";

export interface ImportRunRow {
  readonly id: string;
  readonly started: string;
  readonly ended: string;
  readonly outcome: string;
  readonly message: string | null;
  /** JSON. */
  readonly counts: string;
}

export const IMPORT_RUN_COLUMNS = "id, started, ended, outcome, message, counts";

/** Returns the values in the order of `IMPORT_RUN_COLUMNS`. */
export function importRunToColumns(run: ImportRun): [string, string, string, string, string | null, string] {
  const { id, started, ended, outcome, message, counts } = run;
  return [id, started, ended, outcome, message ?? null, JSON.stringify(counts)];
}

/** A count that an older version did not have is 0. */
export function importRunFromRow({ id, started, ended, outcome, message, counts }: ImportRunRow): ImportRun {
  const stored: Partial<Counts> = JSON.parse(counts);
  return {
    id,
    started,
    ended,
    outcome: outcome as ImportOutcome,
    ...(message !== null && { message }),
    counts: { ...emptyCounts(), ...stored },
  };
}
