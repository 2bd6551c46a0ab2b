import { closeSync, existsSync, writeFileSync } from "node:fs";
import type { DiffSummary } from "../catalog/diff/diff-summary.ts";
import { openOutput } from "../ingest/report-file.ts";
import { NO_CATALOG } from "../stores/preview/preview.ts";
import { PAGE_START, renderPage } from "./check/html-page.ts";
import { CheckResult, formatCheckResult } from "./check/result-text.ts";
import { isPostgresUrl, openStore } from "./config/store-location.ts";
import { parseFeedSources, ruleOptions } from "./import.ts";
import { CommandError, EXIT } from "./terminal/arguments.ts";
import { anyText, defineCommand, flag, option, type Settings } from "./terminal/command.ts";
import { formatDiff, readDiff } from "./terminal/diff-output.ts";
import { formatSummary, previewImportWithDisplay } from "./terminal/import-display.ts";
import { print } from "./terminal/standard-output.ts";

const checkOptions = {
  ...ruleOptions,
  diff: flag({ help: "prints every change as NDJSON" }),
  html: option({ value: "FILE.html", parse: anyText, help: "a page with scores, charts and complaints" }),
};

export const command = defineCommand(
  ["colophon check feed.xml", "colophon check --db data/catalog.db --html report.html feed.xml"],
  {
    operands: "FEED…",
    options: checkOptions,
    about: "reports what import would do and how complete the feeds are, writes nothing",
    run: checkFeeds,
  },
);

/** Previews the import of the feeds, also where no catalog exists yet. */
async function checkFeeds(
  { storeLocation: location, report, diff: printsDiff, html, ...rules }: Settings<typeof checkOptions>,
  operands: readonly string[],
): Promise<number> {
  const sources = parseFeedSources(operands, true);
  const checkResult = new CheckResult();
  const page = html === undefined ? undefined : new HtmlFile(html);
  const exists = isPostgresUrl(location) || existsSync(location);
  const store = exists ? await openStore(location, { create: false, readonly: true }) : NO_CATALOG;
  let diff: DiffSummary | undefined;
  try {
    const summary = await previewImportWithDisplay(store, sources, {
      ...rules,
      report,
      checkResult,
      async previewed(preview, clearProgress) {
        if (printsDiff) clearProgress();
        // Without a catalog every book is new, and the counts say so.
        if (exists || printsDiff) diff = await readDiff(preview, printsDiff);
      },
    });
    const lines = diff === undefined ? [] : formatDiff(diff);
    const result = `Checked, nothing written. ${formatSummary(summary, "The catalog would not change.")}`;
    const found = formatCheckResult(checkResult.groups, checkResult.quality);
    // With --diff, standard output has nothing but NDJSON.
    if (printsDiff) console.error([result, ...lines.slice(0, 1), ...found].join("\n"));
    else await print([result, ...lines, ...found].join("\n"));
    page?.write(renderPage({ checkResult, summary: result, time: new Date() }));
    if (summary.refused !== undefined) {
      console.error(`colophon: the import would be refused: ${summary.refused}`);
      return EXIT.failed;
    }
    return summary.counts.rejected > 0 ? EXIT.someRejected : EXIT.ok;
  } finally {
    await store.close();
  }
}

/** The file of `--html`. It is opened before the check, which may take minutes, so that a wrong path is noticed. */
class HtmlFile {
  private readonly descriptor: number;

  constructor(private readonly path: string) {
    this.descriptor = this.orFail(() => openOutput(path, PAGE_START));
  }

  write(page: string): void {
    this.orFail(() => {
      writeFileSync(this.descriptor, page);
      closeSync(this.descriptor);
    });
  }

  private orFail<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw new CommandError(
        `the page ${this.path} cannot be written (${(error as Error).message}): it needs a folder that this user may write`,
      );
    }
  }
}
