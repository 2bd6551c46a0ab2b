import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isPostgresUrl, openStore, resolveStoreLocation } from "./config/store-location.ts";
import { EXIT } from "./exit.ts";
import { parseFeedSources } from "./import.ts";
import { parseArguments } from "./terminal/arguments.ts";
import { formatSummary, runImportWithDisplay } from "./terminal/import-display.ts";

const optionTypes = { db: { type: "string" }, report: { type: "string" } } as const;

/** `colophon check`: imports the feeds and rolls back. Without a catalog, it uses an empty temporary one. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const { options, operands } = parseArguments(args, optionTypes, Number.POSITIVE_INFINITY);
  const sources = parseFeedSources(operands);
  const location = resolveStoreLocation(options.db);
  const exists = isPostgresUrl(location) || existsSync(location);
  const temporaryFolder = exists ? undefined : await mkdtemp(join(tmpdir(), "colophon-check-"));
  const store = openStore(temporaryFolder ? join(temporaryFolder, "catalog.db") : location, {
    create: !exists,
    importOnly: !exists,
  });
  try {
    const summary = await runImportWithDisplay(store, sources, {
      replace: false,
      write: false,
      report: options.report,
    });
    console.log(`Checked, nothing written. ${formatSummary(summary, "The catalog would not change.")}`);
    return summary.counts.rejected > 0 ? EXIT.someRejected : EXIT.ok;
  } finally {
    await store.close();
    if (temporaryFolder) await rm(temporaryFolder, { recursive: true, force: true });
  }
}
