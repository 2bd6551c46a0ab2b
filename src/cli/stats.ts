import type { ImportRun } from "../catalog/import-run.ts";
import type { Stats } from "../catalog/store.ts";
import { escapeControls } from "../telemetry/printable.ts";
import { openStore, resolveStoreLocation } from "./config/store-location.ts";
import { EXIT, parseArguments } from "./terminal/arguments.ts";
import { formatCount } from "./terminal/format.ts";

/** `colophon stats`: prints the size of the catalog and what became of the last import. */
export async function statsCommand(args: readonly string[]): Promise<number> {
  const { options } = parseArguments(args, { db: { type: "string" }, json: { type: "boolean" } }, 0);
  const store = await openStore(resolveStoreLocation(options.db), { create: false });
  try {
    const stats = await store.stats();
    console.log(options.json ? JSON.stringify(jsonOf(stats), null, 2) : textOf(stats));
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

function jsonOf({ records, imprints, revision, imported, lastImport, lastApplied }: Stats) {
  return {
    records,
    imprints,
    revision,
    imported: imported ?? null,
    lastImport: lastImport ?? null,
    lastSuccessfulImport: lastApplied ?? null,
  };
}

function textOf({ records, imprints, revision, imported, lastImport, lastApplied }: Stats): string {
  const hasFailed = lastImport?.outcome === "failed";
  const lines = [
    `records          ${records}`,
    `imprints         ${imprints}`,
    `revision         ${revision}`,
    `imported         ${imported ?? "never"}`,
    ...(lastImport ? [`last import      ${describeRun(lastImport)}`] : []),
    ...(hasFailed && lastApplied ? [`last successful  ${describeRun(lastApplied)}`] : []),
  ];
  return lines.join("\n");
}

function describeRun({ ended, outcome, message, counts }: ImportRun): string {
  if (outcome === "failed") return `${ended}  failed: ${escapeControls(message ?? "unknown reason")}`;
  const present = Object.entries(counts).filter(([, count]) => count > 0);
  const list = present.map(([name, count]) => `${formatCount(count)} ${name}`).join(", ");
  return `${ended}  ${outcome}${list === "" ? "" : `: ${list}`}`;
}
