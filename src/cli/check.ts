import { closeSync, existsSync, openSync, writeFileSync } from "node:fs";
import type { DiffSummary } from "../catalog/diff/diff-summary.ts";
import { NO_CATALOG } from "../stores/preview/no-catalog.ts";
import { renderPage } from "./check/html-page.ts";
import { CheckResult, formatCheckResult } from "./check/result-text.ts";
import { isPostgresUrl, openStore, resolveStoreLocation } from "./config/store-location.ts";
import { parseFeedSources, parseRules, ruleOptionTypes } from "./import.ts";
import { CommandError, EXIT, environmentOptions, parseArguments } from "./terminal/arguments.ts";
import { formatDiff, readDiff } from "./terminal/diff-output.ts";
import { formatSummary, previewImportWithDisplay } from "./terminal/import-display.ts";

export const optionTypes = {
  ...ruleOptionTypes,
  db: { type: "string" },
  report: { type: "string" },
  diff: { type: "boolean" },
  html: { type: "string" },
} as const;

/** A check follows the rules that the import would follow. */
export const environmentTypes = { "in-order": ruleOptionTypes["in-order"] } as const;

/** `colophon check`: previews the import of the feeds, also where no catalog exists yet. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const { options: given, operands } = parseArguments(args, optionTypes, Number.POSITIVE_INFINITY);
  const options = { ...environmentOptions(environmentTypes), ...given };
  const rules = parseRules(options);
  const sources = parseFeedSources(operands, true);
  const checkResult = new CheckResult();
  const page = options.html === undefined ? undefined : new HtmlFile(options.html);
  const location = resolveStoreLocation(options.db);
  const exists = isPostgresUrl(location) || existsSync(location);
  const store = exists ? await openStore(location, { create: false, readonly: true }) : NO_CATALOG;
  const { diff: printsDiff = false } = options;
  let diff: DiffSummary | undefined;
  try {
    const summary = await previewImportWithDisplay(store, sources, {
      ...rules,
      report: options.report,
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
    else console.log([result, ...lines, ...found].join("\n"));
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
    this.descriptor = this.orFail(() => openSync(path, "w"));
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
      throw new CommandError(`the page ${this.path} cannot be written (${(error as Error).message})`);
    }
  }
}
