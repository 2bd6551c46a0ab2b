import type { ImportRun } from "../catalog/import-run.ts";
import type { Stats } from "../catalog/store.ts";
import type { StoreLoad } from "../catalog/store-load.ts";
import { escapeControls } from "../telemetry/printable.ts";
import { READING, storeOptions, withStore } from "./config/store-location.ts";
import { countsText } from "./history/history-text.ts";
import { EXIT } from "./terminal/arguments.ts";
import { defineCommand, flag } from "./terminal/command.ts";
import { formatMegabytes } from "./terminal/format.ts";
import { print } from "./terminal/standard-output.ts";

export const command = defineCommand(["colophon stats", "colophon stats --json"], {
  options: { ...storeOptions, json: flag() },
  about: "numbers of records and imprints, and the last import",
  async run({ storeLocation, json }) {
    const { stats, load } = await withStore(storeLocation, READING, async (store) => ({
      stats: await store.stats(),
      load: store.load?.() ?? { openLists: 0 },
    }));
    await print(json ? JSON.stringify(jsonOf(stats, load), null, 2) : textOf(stats, load));
    return EXIT.ok;
  },
});

function jsonOf(
  { records, imprints, revision, imported, lastImport, lastApplied }: Stats,
  { fileBytes, logBytes, freePageBytes, diskFreeBytes }: StoreLoad,
) {
  return {
    records,
    imprints,
    revision,
    imported: imported ?? null,
    lastImport: lastImport ?? null,
    lastSuccessfulImport: lastApplied ?? null,
    // Null on PostgreSQL, whose server has the files.
    disk: fileBytes === undefined ? null : { fileBytes, logBytes, freePageBytes, diskFreeBytes },
  };
}

function textOf(
  { records, imprints, revision, imported, lastImport, lastApplied }: Stats,
  { fileBytes, logBytes = 0, freePageBytes = 0, diskFreeBytes = 0 }: StoreLoad,
): string {
  const hasFailed = lastImport?.outcome === "failed";
  const lines = [
    `records          ${records}`,
    `imprints         ${imprints}`,
    `revision         ${revision}`,
    `imported         ${imported ?? "never"}`,
    ...(lastImport ? [`last import      ${describeRun(lastImport)}`] : []),
    ...(hasFailed && lastApplied ? [`last successful  ${describeRun(lastApplied)}`] : []),
    ...(imported !== undefined && !lastApplied
      ? [`last successful  ${imported}  before the history began`]
      : []),
    ...(fileBytes === undefined
      ? []
      : [
          `disk             file ${formatMegabytes(fileBytes)} (${formatMegabytes(freePageBytes)} unused), log ${formatMegabytes(logBytes)}, ${formatMegabytes(diskFreeBytes, Math.floor)} free`,
        ]),
  ];
  return lines.join("\n");
}

function describeRun({ ended, outcome, message, counts }: ImportRun): string {
  if (outcome === "failed") return `${ended}  failed: ${escapeControls(message ?? "unknown reason")}`;
  return `${ended}  ${outcome}: ${countsText({ counts })}`;
}
