import { importDetailsDocument, importDocument } from "../api/imports/document.ts";
import type { KeptImport } from "../catalog/history/import-history.ts";
import { KEPT_IMPORT_RUNS } from "../catalog/import-run.ts";
import type { Store } from "../catalog/store.ts";
import { openStore, resolveStoreLocation } from "./config/store-location.ts";
import { historyTable, importText } from "./history/history-text.ts";
import { CommandError, EXIT, parseArguments, parseInteger, UsageError } from "./terminal/arguments.ts";

const optionTypes = { db: { type: "string" }, json: { type: "boolean" } } as const;

const DEFAULT_IMPORTS = "20";
/** The imports that are read at once. */
const PAGE_IMPORTS = 100;

/** `colophon history`: lists the imports of the catalog, or shows one. */
export async function historyCommand(args: readonly string[]): Promise<number> {
  const [subcommand, ...rest] = args;
  return subcommand === "show" ? await show(rest) : await list(args);
}

async function list(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { ...optionTypes, limit: { type: "string" } }, 0);
  const limit = parseInteger(options.limit ?? DEFAULT_IMPORTS, "--limit", 1, KEPT_IMPORT_RUNS + 1);
  return await withStore(options.db, async (store) => {
    const runs = await readImports(store, limit);
    if (options.json) console.log(JSON.stringify(runs.map(importDocument), null, 2));
    else if (runs.length > 0) console.log(historyTable(runs));
    else console.error("Nothing has been imported yet.");
  });
}

async function show(args: readonly string[]): Promise<number> {
  const { options, operands } = parseArguments(args, optionTypes, 1);
  const [text] = operands;
  if (text === undefined) throw new UsageError('no number given: "colophon history" prints the numbers');
  const number = parseInteger(text, "the number of an import", 1, 999_999_999);
  return await withStore(options.db, async (store) => {
    const run = await store.importHistory.get(number);
    if (run === undefined) {
      throw new CommandError(`the history has no import ${number}: "colophon history" prints the numbers`);
    }
    console.log(options.json ? JSON.stringify(importDetailsDocument(run), null, 2) : importText(run));
  });
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

async function withStore(db: string | undefined, task: (store: Store) => Promise<void>): Promise<number> {
  const store = await openStore(resolveStoreLocation(db), { create: false });
  try {
    await task(store);
    return EXIT.ok;
  } finally {
    await store.close();
  }
}
