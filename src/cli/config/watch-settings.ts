/** The settings of a watched folder, for `watch` and `serve --watch`. */
import { resolve } from "node:path";
import type { ImportRules } from "../../catalog/import.ts";
import { parseInteger, UsageError } from "../terminal/arguments.ts";

/** They travel to the process that watches as JSON. */
export interface WatchSettings {
  /** An absolute path. */
  readonly folder: string;
  /** How long a file must be still before it counts as complete. */
  readonly settleMs: number;
  readonly rules: ImportRules;
  /** The command of `--on-import`. */
  readonly onImport: string | undefined;
}

/** The options that `watch` and `serve --watch` share. */
export const watchOptionTypes = {
  "in-order": { type: "boolean" },
  "keep-deletions": { type: "string" },
  "on-import": { type: "string" },
  settle: { type: "string" },
} as const;

const DEFAULT_SETTLE_SECONDS = 10;
const MAX_SETTLE_SECONDS = 86_400;
/** A hundred years. */
const MAX_KEEP_DELETIONS_DAYS = 36_500;

type WatchOptions = {
  readonly [name in keyof typeof watchOptionTypes]?: string | boolean | undefined;
};

export function parseWatchSettings(folder: string, options: WatchOptions): WatchSettings {
  if (folder === "") throw new UsageError("the folder to watch has no name");
  const { settle = String(DEFAULT_SETTLE_SECONDS), "on-import": onImport } = options;
  if (onImport === "") throw new UsageError("--on-import needs a command");
  return {
    folder: resolve(folder),
    settleMs: parseInteger(String(settle), "--settle", 0, MAX_SETTLE_SECONDS) * 1000,
    rules: {
      replace: false,
      allowRemovals: false,
      inOrder: options["in-order"] === true,
      keepDeletionsDays: parseKeepDeletions(options["keep-deletions"]),
    },
    onImport: onImport === undefined ? undefined : String(onImport),
  };
}

/** Parses the days of `--keep-deletions`. */
export function parseKeepDeletions(text: string | boolean | undefined): number | undefined {
  return text === undefined
    ? undefined
    : parseInteger(String(text), "--keep-deletions", 1, MAX_KEEP_DELETIONS_DAYS);
}
