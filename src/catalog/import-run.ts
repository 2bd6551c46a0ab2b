/**
 * The record of an import that a store keeps, so that operators see when the last one ended and what became of it, also
 * when it failed or changed nothing.
 */
import { keptText } from "./history/kept-complaints.ts";
import { noUpdates, type UpdateCounts } from "./history/update-counts.ts";
import { type Counts, emptyCounts } from "./report.ts";

/**
 * After `unchanged`, every record is as it was. After `failed`, nothing of the import was applied: it was refused, or it
 * broke off.
 */
export const IMPORT_OUTCOMES = ["changed", "unchanged", "failed"] as const;
export type ImportOutcome = (typeof IMPORT_OUTCOMES)[number];

export interface ImportRun {
  /** A UUID, by which an import finds out whether its commit took effect. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly started: string;
  readonly ended: string;
  readonly outcome: ImportOutcome;
  /** The reason of a failure. */
  readonly message?: string | undefined;
  /** All are 0 for a failed import, because nothing of it was applied. */
  readonly counts: Counts;
  /** The updated books by what has changed. */
  readonly updates: UpdateCounts;
}

/** A store keeps the runs of so many last numbers. The last one that did not fail is kept beyond them. */
export const KEPT_IMPORT_RUNS = 10_000;

/** A message may quote a feed, so its length is limited. */
const MAX_MESSAGE_LENGTH = 1000;

/** An import that has not ended. */
export class StartedImport {
  readonly id: string = crypto.randomUUID();
  readonly #started = new Date().toISOString();
  readonly #startedAtMs = performance.now();

  /** The time since the start, which no change of the clock affects. */
  get durationMs(): number {
    return Math.round(performance.now() - this.#startedAtMs);
  }

  applied(isChanged: boolean, counts: Counts, updates = noUpdates()): ImportRun {
    const outcome = isChanged ? "changed" : "unchanged";
    return { ...this.#end(), outcome, counts: { ...counts }, updates };
  }

  failed(reason: string): ImportRun {
    const message = keptText(reason, MAX_MESSAGE_LENGTH);
    return { ...this.#end(), outcome: "failed", message, counts: emptyCounts(), updates: noUpdates() };
  }

  #end() {
    return { id: this.id, started: this.#started, ended: new Date().toISOString() };
  }
}
