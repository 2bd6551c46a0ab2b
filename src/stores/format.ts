/**
 * Decides which stores this version opens. A store has the number of its format, which grows by one with each change of
 * its tables. Only `colophon migrate` changes it.
 */
import { StoreError } from "../catalog/store-errors.ts";

/** The tables of a store, and the way to them from each older format. */
export interface Format<Step> {
  /** The name in messages to operators. */
  readonly label: string;
  /** The SQL that creates the tables. */
  readonly schema: string;
  /** `steps[0]` leads from format 1 to format 2. */
  readonly steps: readonly Step[];
  /** What to do with a store that an unreleased version has made. */
  readonly remedy: string;
}

/** The format of a store that a version before 1.0.0 has made. */
export const UNRELEASED = 0;

/** One store, or one file of it, that `colophon migrate` has created (from 0) or brought up to date. */
export interface Migration {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

/** What `colophon migrate` says before it begins. */
export interface MigrationPlan extends Migration {
  /** Names the store. */
  readonly subject: string;
  readonly neededBytes: number;
  /** Undefined where it cannot be known. */
  readonly freeBytes: number | undefined;
}

export type OnPlan = (plan: MigrationPlan) => void;

export function formatNumber({ steps }: Pick<Format<unknown>, "steps">): number {
  return 1 + steps.length;
}

/** Throws `StoreError` unless the store has the current format. */
export function requireCurrent(subject: string, stored: number, format: Format<unknown>): void {
  if (!isOutdated(subject, stored, format)) return;
  throw new StoreError(
    `${subject} was made by an older Colophon (format ${stored}, this version needs ${formatNumber(format)}); run "colophon migrate" once to bring it up to date.`,
  );
}

/** Returns whether the store has an older format that can be migrated. Throws `StoreError` for one that cannot be used. */
export function isOutdated(subject: string, stored: number, format: Format<unknown>): boolean {
  const latest = formatNumber(format);
  if (stored > latest) {
    throw new StoreError(
      `${subject} was made by a newer Colophon (format ${stored}, this version reads up to ${latest}); update Colophon.`,
    );
  }
  if (stored <= UNRELEASED) {
    throw new StoreError(`${subject} was made by an unreleased version of Colophon; ${format.remedy}`);
  }
  return stored < latest;
}
