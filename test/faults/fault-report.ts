/**
 * How often a fault is tried, and what is told of it. `npm run test:faults` tries each at its full number and makes
 * docs/reliability.md of what is recorded here; within `npm test` the same tests run fewer times, and write nothing.
 */
import { appendFileSync } from "node:fs";

export interface FaultResult {
  readonly fault: string;
  /** Counted by the test. */
  readonly tried: number;
  readonly lost: string;
  readonly checked: string;
}

/** Named by `scripts/reliability.ts`. */
const log = process.env.COLOPHON_FAULTS_LOG;

/** Tries: a few in a common test run, all of them for the page. */
export function repetitions(few: number, all: number): number {
  return log === undefined ? few : all;
}

/** To be called at a test's end, when all that it expects has come true. */
export function reportFault(row: FaultResult): void {
  if (log !== undefined) appendFileSync(log, `${JSON.stringify(row)}\n`);
}
