/**
 * Decides which stores this version opens. A store has the number of its format, which grows by one with each change of
 * its tables. Only `colophon migrate` changes it.
 */
import packageJson from "../../package.json" with { type: "json" };
import { StoreError } from "../catalog/store-errors.ts";

/** Until 1.0.0, formats are no promise: tables change without a new number, and each store keeps a digest of them. */
const IS_RELEASED = !packageJson.version.startsWith("0.");

/** The tables of a store, and the way to them from each older format. */
export interface Format<Step> {
  /** The name in messages to operators. */
  readonly label: string;
  /** The SQL that creates the tables. */
  readonly schema: string;
  /** `steps[0]` leads from format 1 to format 2. */
  readonly steps: readonly Step[];
  /** See `schemaDigest`. */
  readonly digest: string | null;
  /** What to do with a store that an unreleased version has made. */
  readonly remedy: string;
}

/** What a store says of itself. */
export interface StoredFormat {
  readonly number: number;
  readonly digest: string | null;
}

/** The format of a store from before formats were counted from 1. */
export const UNRELEASED: StoredFormat = { number: 0, digest: null };

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

/**
 * Returns a digest of a schema, without regard to comments and spaces, and of the versions of the rules that stored values
 * follow. Returns null in a released version, where the number tells all.
 */
export function schemaDigest(schema: string, ...rules: readonly number[]): string | null {
  if (IS_RELEASED) return null;
  const text = schema.replace(/--.*/g, "").replace(/\s+/g, " ");
  return new Bun.CryptoHasher("sha256").update([text, ...rules].join("\n")).digest("hex");
}

/** Throws `StoreError` unless the store has the current format. */
export function requireCurrent(subject: string, stored: StoredFormat, format: Format<unknown>): void {
  if (!isOutdated(subject, stored, format)) return;
  throw new StoreError(
    `${subject} was made by an older Colophon (format ${stored.number}, this version needs ${formatNumber(format)}); run "colophon migrate" once to bring it up to date.`,
  );
}

/** Returns whether the store has an older format that can be migrated. Throws `StoreError` for one that cannot be used. */
export function isOutdated(subject: string, stored: StoredFormat, format: Format<unknown>): boolean {
  const latest = formatNumber(format);
  // A released version leaves no digest.
  if (stored.number > latest || (stored.digest === null && format.digest !== null && stored.number > 0)) {
    throw new StoreError(
      `${subject} was made by a newer Colophon (format ${stored.number}, this version reads up to ${latest}); update Colophon.`,
    );
  }
  const isOlder = stored.number < latest;
  const hasOtherTables = stored.digest !== format.digest && (!isOlder || format.digest === null);
  if (stored.number < 1 || hasOtherTables) {
    throw new StoreError(`${subject} was made by an unreleased version of Colophon; ${format.remedy}`);
  }
  return isOlder;
}
