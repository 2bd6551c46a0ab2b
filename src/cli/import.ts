import { type FeedSource, feedSource } from "../ingest/feed-source.ts";
import { openStore, resolveStoreLocation } from "./config/store-location.ts";
import { EXIT, UsageError } from "./exit.ts";
import { parseArguments } from "./terminal/arguments.ts";
import { formatSummary, runImportWithDisplay } from "./terminal/import-display.ts";

const optionTypes = {
  db: { type: "string" },
  replace: { type: "boolean" },
  report: { type: "string" },
} as const;

/** `colophon import`: imports all feeds in one transaction. */
export async function importCommand(args: readonly string[]): Promise<number> {
  const { options, operands } = parseArguments(args, optionTypes, Number.POSITIVE_INFINITY);
  const sources = parseFeedSources(operands);
  const store = openStore(resolveStoreLocation(options.db), { create: true, importOnly: true });
  try {
    const summary = await runImportWithDisplay(store, sources, {
      replace: options.replace ?? false,
      write: true,
      report: options.report,
    });
    console.log(formatSummary(summary, "The catalog is unchanged."));
    return summary.counts.rejected > 0 ? EXIT.someRejected : EXIT.ok;
  } finally {
    await store.close();
  }
}

export function parseFeedSources(operands: readonly string[]): FeedSource[] {
  if (operands.length === 0) throw new UsageError("no feed given: name files, or - for standard input");
  if (operands.filter((operand) => operand === "-").length > 1) {
    throw new UsageError("- (standard input) is given twice, but can be read only once");
  }
  return operands.map(feedSource);
}
