import type { ImportRules } from "../catalog/import.ts";
import { ImportError } from "../feed/feed-error.ts";
import { type FeedSource, feedSource } from "../ingest/feed-source.ts";
import { recordFailure } from "../ingest/import-run.ts";
import { openStore, resolveStoreLocation } from "./config/store-location.ts";
import { parseKeepDeletions } from "./config/watch-settings.ts";
import { EXIT, environmentOptions, parseArguments, UsageError } from "./terminal/arguments.ts";
import { formatSummary, runImportWithDisplay } from "./terminal/import-display.ts";

/** The options of `import` and `check` that decide what an import may do. */
export const ruleOptionTypes = {
  replace: { type: "boolean" },
  "allow-removals": { type: "boolean" },
  "in-order": { type: "boolean" },
} as const;

export const optionTypes = {
  ...ruleOptionTypes,
  db: { type: "string" },
  report: { type: "string" },
  "keep-deletions": { type: "string" },
} as const;

/** The options that a variable of the environment can set, too: what an operator decides for all imports. */
export const environmentTypes = {
  "in-order": ruleOptionTypes["in-order"],
  "keep-deletions": optionTypes["keep-deletions"],
} as const;

/** `colophon import`: imports all feeds in one transaction. */
export async function importCommand(args: readonly string[]): Promise<number> {
  const { options: given, operands } = parseArguments(args, optionTypes, Number.POSITIVE_INFINITY);
  const options = { ...environmentOptions(environmentTypes), ...given };
  const rules = {
    ...parseRules(options),
    keepDeletionsDays: parseKeepDeletions(options["keep-deletions"]),
  };
  const location = resolveStoreLocation(options.db);
  const sources = await findFeeds(operands, location);
  let wasCommitFound = false;
  const store = await openStore(location, {
    create: true,
    importOnly: true,
    onCommitFound: () => {
      wasCommitFound = true;
    },
  });
  try {
    const summary = await runImportWithDisplay(store, sources, {
      ...rules,
      report: options.report,
    });
    if (wasCommitFound) {
      console.error("The connection was lost during the commit, but the import was applied completely.");
    }
    console.log(formatSummary(summary, "The catalog is unchanged."));
    return summary.counts.rejected > 0 ? EXIT.someRejected : EXIT.ok;
  } finally {
    await store.close();
  }
}

/** A feed that is not there is a failed import, too, where there is a catalog: operators look for it in `stats`. */
async function findFeeds(operands: readonly string[], location: string): Promise<FeedSource[]> {
  try {
    return parseFeedSources(operands);
  } catch (error) {
    if (error instanceof ImportError) await recordInExistingStore(location, error);
    throw error;
  }
}

async function recordInExistingStore(location: string, error: ImportError): Promise<void> {
  try {
    const store = await openStore(location, { create: false, importOnly: true });
    await recordFailure(store, error).finally(() => store.close());
  } catch {
    // There is no catalog, or it cannot be opened. The missing feed is reported.
  }
}

export function parseRules(
  options: {
    readonly [name in keyof typeof ruleOptionTypes]?: boolean | undefined;
  },
): ImportRules {
  const { replace = false, "allow-removals": allowRemovals = false, "in-order": inOrder = false } = options;
  if (allowRemovals && !replace) throw new UsageError("--allow-removals needs --replace");
  return { replace, allowRemovals, inOrder };
}

/** With `checks`, the products of the sources are checked for quality too. */
export function parseFeedSources(operands: readonly string[], checks = false): FeedSource[] {
  if (operands.length === 0) throw new UsageError("no feed given: name files, or - for standard input");
  if (operands.filter((operand) => operand === "-").length > 1) {
    throw new UsageError("- (standard input) is given twice, but can be read only once");
  }
  return operands.map((operand) => feedSource(operand, checks));
}
