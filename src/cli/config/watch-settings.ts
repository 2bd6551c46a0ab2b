/** The settings of a watched folder, for `watch` and `serve --watch`. */
import { resolve } from "node:path";
import type { ImportRules } from "../../catalog/import.ts";
import { OTHER_SENDER_MODES } from "../../catalog/rules/other-senders.ts";
import { flag, integer, nonEmpty, oneOf, option, type Settings } from "../terminal/command.ts";

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
};

export function watchSettings(
  folder: string,
  { settleMs, onImport, inOrder, otherSenders, keepDeletionsDays }: Settings<typeof watchOptions>,
): WatchSettings {
  const rules = { replace: false, allowRemovals: false, inOrder, otherSenders, keepDeletionsDays };
  return { folder: resolve(folder), settleMs, rules, onImport };
}
