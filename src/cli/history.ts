import { importDetailsDocument, importDocument } from "../api/imports/document.ts";
import type { KeptImport } from "../catalog/history/import-history.ts";
import { KEPT_IMPORT_RUNS } from "../catalog/import-run.ts";
import type { Store } from "../catalog/store.ts";
import { runUndo } from "../ingest/undo-run.ts";
import { READING, storeOptions, withStore } from "./config/store-location.ts";
import { keepDeletionsOption, keepUndoOption } from "./config/watch-settings.ts";
import { countsText, historyTable, importText } from "./history/history-text.ts";
import { CommandError, EXIT, UsageError } from "./terminal/arguments.ts";
import { defineCommand, flag, integer, option, type Settings } from "./terminal/command.ts";
import { print } from "./terminal/standard-output.ts";

/** The imports that are read at once. */
const PAGE_IMPORTS = 100;

const showOptions = { ...storeOptions, json: flag() };
const listOptions = {
  ...showOptions,
  limit: option({ default: "20", parse: integer(1, KEPT_IMPORT_RUNS + 1) }),
};
const undoOptions = { ...storeOptions, keepDeletionsDays: keepDeletionsOption, keepUndo: keepUndoOption };

export const command = defineCommand(
  [
    "colophon history",
    "colophon history --limit 100 --json",
    "colophon history show 17",
    "colophon history undo 17",
  ],
  { options: listOptions, about: "lists the last imports, newest first", run: list },
  {
    name: "show",
    operands: "NUMBER",
    options: showOptions,
    about:
      "shows one import: feeds with their digests, revisions and complaints; the last 10,000 imports are kept",
    run: show,
  },
  {
    name: "undo",
    operands: "NUMBER",
    options: undoOptions,
    about:
      "takes the last import back, as a new import: books, senders and references are as they were; an undo can be undone",
    run: undo,
  },
);

async function list({ storeLocation, json, limit }: Settings<typeof listOptions>): Promise<number> {
  await withStore(storeLocation, READING, async (store) => {
    const runs = await readImports(store, limit);
    if (json) {
      await print(JSON.stringify(runs.map(importDocument), null, 2));
      return;
    }
    if (runs.length > 0) await print(historyTable(runs));
    const { imported, lastApplied } = await store.stats();
    if (imported !== undefined && !lastApplied)
      console.log(`Imported before the history began, at ${imported}.`);
    else if (runs.length === 0) console.error("Nothing has been imported yet.");
  });
  return EXIT.ok;
}

async function show(
  { storeLocation, json }: Settings<typeof showOptions>,
  operands: readonly string[],
): Promise<number> {
  const number = parseNumber(operands);
  await withStore(storeLocation, READING, async (store) => {
    const run = await store.importHistory.get(number);
    if (run === undefined) {
      throw new CommandError(`the history has no import ${number}: "colophon history" prints the numbers`);
    }
    await print(json ? JSON.stringify(importDetailsDocument(run), null, 2) : importText(run));
  });
  return EXIT.ok;
}

async function undo(
  { storeLocation, ...rules }: Settings<typeof undoOptions>,
  operands: readonly string[],
): Promise<number> {
  const number = parseNumber(operands);
  await withStore(storeLocation, { create: false }, async (store) => {
    const waiting = () => console.error("Waiting: another import may be in progress…");
    const summary = await runUndo(store, number, rules, { waiting });
    const latest = await store.importHistory.latest();
    const rest =
      latest === 0 ? "the catalog is as before the first import" : `the catalog is as after import ${latest}`;
    const { changed, revision, updates } = summary;
    const effect = changed
      ? `: ${countsText(summary, updates)}. Revision ${revision}.`
      : ". No record has changed.";
    console.log(`Import ${number} is undone, and ${rest}${effect}`);
  });
  return EXIT.ok;
}

function parseNumber([text]: readonly string[]): number {
  if (text === undefined) throw new UsageError('no number given: "colophon history" prints the numbers');
  return integer(1, 999_999_999)(text, "the number of an import");
}

async function readImports(store: Store, limit: number): Promise<readonly KeptImport[]> {
  const runs: KeptImport[] = [];
  while (runs.length < limit) {
    const page = await store.importHistory.list(
      runs.at(-1)?.number,
      Math.min(limit - runs.length, PAGE_IMPORTS),
    );
    if (page.length === 0) break;
    runs.push(...page);
  }
  return runs;
}
