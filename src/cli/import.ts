import { ImportError } from "../feed/feed-error.ts";
import { type FeedSource, feedSource } from "../ingest/feed-source.ts";
import { recordFailure } from "../ingest/import-run.ts";
import { ReportFile } from "../ingest/report-file.ts";
import { errorMessage } from "../lib/error-message.ts";
import { openStore, storeOptions, withStore } from "./config/store-location.ts";
import {
  inOrderOption,
  keepDeletionsOption,
  keepUndoOption,
  otherSendersOption,
} from "./config/watch-settings.ts";
import { EXIT, UsageError } from "./terminal/arguments.ts";
import { anyText, defineCommand, flag, option, type Settings } from "./terminal/command.ts";
import { formatSummary, runImportWithDisplay } from "./terminal/import-display.ts";

/** The options of `import` and `check`. */
export const ruleOptions = {
  ...storeOptions,
  replace: flag({ help: "removes the books that no FEED has" }),
  allowRemovals: flag({ needs: "replace", help: "even more than half of the catalog" }),
  inOrder: inOrderOption,
  otherSenders: otherSendersOption,
  takeOver: option({ value: "OLD SENDER", parse: anyText, help: "books of OLD SENDER belong to the FEED's" }),
  report: option({ value: "FILE.json", parse: anyText }),
};

const importOptions = { ...ruleOptions, keepDeletionsDays: keepDeletionsOption, keepUndo: keepUndoOption };

export const command = defineCommand(
  [
    "colophon import feed.xml",
    "colophon import --replace --report report.json /feeds/2026-11-*.xml.gz",
    "curl -s https://publisher.example/feed.xml | colophon import -",
  ],
  {
    operands: "FEED…",
    options: importOptions,
    about: "imports all feeds in one transaction; FEED is a file, or - for standard input",
    run: importFeeds,
  },
);

async function importFeeds(
  { storeLocation: location, report, ...rules }: Settings<typeof importOptions>,
  operands: readonly string[],
): Promise<number> {
  const notBegun = (error: unknown) => reportNotBegun(report, error);
  const sources = await findFeeds(operands, location).catch(notBegun);
  let wasCommitFound = false;
  const onCommitFound = () => {
    wasCommitFound = true;
  };
  const store = await openStore(location, { create: true, importOnly: true, onCommitFound }).catch(notBegun);
  try {
    const summary = await runImportWithDisplay(store, sources, { ...rules, report }).catch((error) => {
      // The message names one of them.
      if (error instanceof ImportError && sources.length > 1)
        console.error("None of the feeds was imported.");
      throw error;
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

/** The report of an earlier import must not stand for one that could not begin. */
function reportNotBegun(report: string | undefined, error: unknown): never {
  if (report !== undefined && !(error instanceof UsageError)) {
    new ReportFile(report).end({ refused: errorMessage(error) }, false);
  }
  throw error;
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
    await withStore(location, { create: false, importOnly: true }, (store) => recordFailure(store, error));
  } catch {
    // There is no catalog, or it cannot be opened. The missing feed is reported.
  }
}

/** With `checks`, the products of the sources are checked for quality too. */
export function parseFeedSources(operands: readonly string[], checks = false): FeedSource[] {
  if (operands.length === 0) throw new UsageError("no feed given: name files, or - for standard input");
  if (operands.filter((operand) => operand === "-").length > 1) {
    throw new UsageError("- (standard input) is given twice, but can be read only once");
  }
  return operands.map((operand) => feedSource(operand, checks));
}
