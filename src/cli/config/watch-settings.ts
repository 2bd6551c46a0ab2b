/** The settings of a watched folder, for `watch` and `serve --watch`. */
import { realpathSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { ImportRules } from "../../catalog/import.ts";
import { OTHER_SENDER_MODES } from "../../catalog/rules/other-senders.ts";
import { KEEP_UNDO, type KeepUndo } from "../../catalog/undo/undo-step.ts";
import { isFeedFolder } from "../../ingest/watch/folder/folder-scan.ts";
import { CommandError, UsageError } from "../terminal/arguments.ts";
import { flag, integer, nonEmpty, oneOf, option, type Settings } from "../terminal/command.ts";
import { isPostgresUrl } from "./store-location.ts";

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

/** A hundred years. */
const MAX_KEEP_DELETIONS_DAYS = 36_500;
const MAX_SETTLE_SECONDS = 86_400;

/** What an operator decides for all imports. */
export const inOrderOption = flag({
  variable: true,
  help: "refuses a message that is older than the last one of its sender",
});
export const otherSendersOption = option({
  value: OTHER_SENDER_MODES.join("|"),
  default: "warn",
  variable: true,
  parse: oneOf(OTHER_SENDER_MODES),
  help: "whether records and deletions by others than the sender of a book are applied",
});
export const keepDeletionsOption = option({
  name: "keep-deletions",
  value: "90",
  variable: true,
  parse: integer(1, MAX_KEEP_DELETIONS_DAYS),
  help: "days for which /api/changes lists deletions",
});

export const keepUndoOption = option({
  name: "keep-undo",
  value: "500,30",
  variable: true,
  parse: parseKeepUndo,
  help: "MB and days of what is kept to undo imports; 0 keeps nothing",
});

/** Takes MB, or MB and days. */
function parseKeepUndo(text: string, name: string): KeepUndo {
  const [, megabytes, days] = /^([0-9]{1,9})(?:,([0-9]{1,5}))?$/.exec(text) ?? [];
  if (megabytes === undefined) {
    throw new UsageError(`${name} must be MB, or MB and days, such as 500,30, not "${text}"`);
  }
  return { bytes: Number(megabytes) * 1e6, days: Number(days ?? KEEP_UNDO.days) };
}

/** Throws when one of our own files would be taken as a feed, and moved away. */
export function refuseOwnFiles(folder: string, ownFiles: readonly (string | undefined)[]): void {
  for (const file of ownFiles) {
    if (file === undefined || isPostgresUrl(file)) continue;
    const subfolder = relative(realPath(folder), realPath(dirname(file)));
    if (subfolder === "" || (!subfolder.includes("/") && subfolder !== ".." && isFeedFolder(subfolder))) {
      throw new CommandError(
        `${file} is in the watched folder ${folder}, where every file counts as a feed and is moved: watch a folder that has only feeds`,
      );
    }
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The options that `watch` and `serve --watch` share. */
export const watchOptions = {
  settleMs: option({
    name: "settle",
    default: "10",
    variable: true,
    parse: integer(0, MAX_SETTLE_SECONDS, 1000),
    help: "seconds without a change until a file is complete",
  }),
  onImport: option({
    value: "COMMAND",
    variable: true,
    parse: nonEmpty("a command"),
    help: "runs COMMAND after each feed, with COLOPHON_OUTCOME, COLOPHON_FEED and COLOPHON_REPORT in its environment",
  }),
  inOrder: inOrderOption,
  otherSenders: otherSendersOption,
  keepDeletionsDays: keepDeletionsOption,
  keepUndo: keepUndoOption,
};

export function watchSettings(
  folder: string,
  { settleMs, onImport, inOrder, otherSenders, keepDeletionsDays, keepUndo }: Settings<typeof watchOptions>,
): WatchSettings {
  const rules = { replace: false, allowRemovals: false, inOrder, otherSenders, keepDeletionsDays, keepUndo };
  return { folder: resolve(folder), settleMs, rules, onImport };
}
