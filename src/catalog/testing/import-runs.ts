import { type ImportRun, StartedImport } from "../import-run.ts";
import { emptyCounts } from "../report.ts";

/** Returns a run for a commit whose run does not matter. */
export function anyRun(fields: Partial<ImportRun> = {}): ImportRun {
  return { ...new StartedImport().applied(true, emptyCounts()), ...fields };
}
