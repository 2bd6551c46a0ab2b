/**
 * How often a fault is repeated, and how its outcome is reported. `npm run test:faults` repeats each fault at its full
 * number and writes docs/reliability.md from the reports. Within `npm run test:all` the same tests run fewer repetitions.
 */
import { appendFileSync } from "node:fs";

export interface FaultResult {
  readonly fault: string;
  /** The number of repetitions, counted by the test. */
  readonly tried: number;
  readonly lost: string;
  readonly checked: string;
}

/** `scripts/reliability.ts` sets this variable. */
const reportFile = process.env.COLOPHON_FAULTS_LOG;

/** Returns `few` in a common test run, and `all` for docs/reliability.md and outside of tests, as in `npm run soak`. */
export function repetitions(few: number, all: number): number {
  return reportFile === undefined && process.env.NODE_ENV === "test" ? few : all;
}

/** Records a fault. Tests call it at their end, when every expectation was met. */
export function reportFault(result: FaultResult): void {
  if (reportFile !== undefined) appendFileSync(reportFile, `${JSON.stringify(result)}\n`);
}
