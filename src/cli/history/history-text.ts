/** The history of imports for a terminal. Names come from feeds, so they are escaped and cut. */
import type { ReadFeed } from "../../catalog/history/import-details.ts";
import type { KeptImport, KeptImportDetails } from "../../catalog/history/import-history.ts";
import type { ComplaintExample, KeptComplaintGroup } from "../../catalog/history/kept-complaints.ts";
import { noUpdates } from "../../catalog/history/update-counts.ts";
import { escapeControls } from "../../telemetry/printable.ts";
import { formatCount, formatCountOf, formatUpdated } from "../terminal/format.ts";

const MAX_CELL_CHARS = 60;
const MAX_LINE_CHARS = 300;

const HEADINGS = ["NUMBER", "FINISHED", "DURATION", "OUTCOME", "CHANGES", "FEEDS"] as const;

/** Returns a line for each import, in columns. */
export function historyTable(runs: readonly KeptImport[]): string {
  const rows = [HEADINGS, ...runs.map(cellsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padStart(widths[0]!) : cell.padEnd(widths[column]!)));
  return rows.map((row) => line(row).join("  ").trimEnd()).join("\n");
}

function cellsOf(run: KeptImport): readonly string[] {
  const feeds = run.feeds[0] ? [printable(run.feeds[0].name, MAX_CELL_CHARS)] : [];
  if (run.undoes !== undefined) feeds.push(`undoes import ${run.undoes}`);
  if (run.feedCount > 1) feeds.push(`and ${formatCount(run.feedCount - 1)} more`);
  const changes = run.outcome === "failed" ? (run.message ?? "unknown reason") : countsText(run);
  return [
    String(run.number),
    timeText(run.ended),
    durationText(run.durationMs),
    outcomeText(run),
    printable(changes, MAX_CELL_CHARS),
    feeds.join(" "),
  ];
}

function outcomeText({ outcome, undoneBy, isUndoKept }: KeptImport): string {
  if (outcome === "failed") return outcome;
  if (undoneBy !== undefined) return `${outcome}, undone`;
  return isUndoKept ? outcome : `${outcome}, no undo`;
}

/** Returns an import in several lines. */
export function importText(run: KeptImportDetails): string {
  const { feeds, feedCount, complaintGroups } = run;
  const more = feedCount - feeds.length;
  const lines = [
    `import           ${run.number}`,
    `started          ${run.started}`,
    `finished         ${run.ended}`,
    `duration         ${durationText(run.durationMs)}`,
    `outcome          ${run.outcome}`,
    ...(run.undoes === undefined ? [] : [`undoes           import ${run.undoes}`]),
    ...(run.outcome === "failed" ? [] : [`undo             ${undoText(run)}`]),
    ...(run.message === undefined ? [] : [`reason           ${printable(run.message, 1000)}`]),
    ...(run.outcome === "failed" ? [] : [`changes          ${countsText(run, run.updates)}`]),
    `revision before  ${run.revisionBefore ?? "unknown"}`,
    `revision after   ${run.revisionAfter ?? "unknown"}`,
    "",
    feedCount === 0 ? "No feed is known." : `${formatCountOf(feedCount, "feed")}:`,
    ...feeds.flatMap(feedLines),
    ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
    "",
    complaintsHeading(run),
    ...complaintGroups.flatMap(groupLines),
  ];
  return lines.join("\n");
}

function undoText({ undoneBy, isUndoKept }: KeptImport): string {
  if (undoneBy !== undefined) return `it is undone by import ${undoneBy}`;
  return isUndoKept
    ? "possible, after that of all later imports"
    : "not possible: what it needs is not kept (--keep-undo)";
}

function complaintsHeading({ complaintCount, complaintGroups }: KeptImportDetails): string {
  if (complaintCount === 0) return "No complaints.";
  const listed = complaintGroups.reduce((sum, { count }) => sum + count, 0);
  const others = complaintCount - listed;
  const rest = others > 0 ? `, ${formatCount(others)} of them in groups that are not kept` : "";
  return `${formatCountOf(complaintCount, "complaint")}${rest}:`;
}

function feedLines({ name, bytes, sha256, sender, sent, messageNumber }: ReadFeed): string[] {
  const origin = [
    ...(sender === undefined ? [] : [printable(sender, MAX_CELL_CHARS)]),
    ...(sent === undefined ? [] : [`sent ${printable(sent, MAX_CELL_CHARS)}`]),
    ...(messageNumber === undefined ? [] : [`message ${printable(messageNumber, MAX_CELL_CHARS)}`]),
  ];
  return [
    `  ${printable(name, MAX_LINE_CHARS)}, ${formatCountOf(bytes, "byte")}`,
    ...(origin.length > 0 ? [`    ${origin.join(", ")}`] : []),
    `    ${sha256 === undefined ? "was not read to its end" : `SHA-256 ${sha256}`}`,
  ];
}

function groupLines({ severity, kind, text, advice, count, examples }: KeptComplaintGroup): string[] {
  const places = examples.map(placeText).join(", ");
  return [
    `  ${formatCount(count)} × ${severity}, ${kind}: ${printable(text, MAX_LINE_CHARS)}`,
    `    ${printable(advice, MAX_LINE_CHARS)}`,
    `    ${places}${count > examples.length ? ", …" : ""}`,
  ];
}

function placeText({ isbn, reference, file, line }: ComplaintExample): string {
  const place = `${printable(file, MAX_CELL_CHARS)}:${line}`;
  const book = isbn ?? (reference === undefined ? undefined : printable(reference, MAX_CELL_CHARS));
  return book === undefined ? place : `${book} (${place})`;
}

/** Without `updates`, it does not say what the updated books have changed. */
export function countsText({ counts }: Pick<KeptImport, "counts">, updates = noUpdates()): string {
  // `deleted` also counts the books that `--replace` has removed.
  const apart = { ...counts, deleted: counts.deleted - counts.removed };
  const present = Object.entries(apart).filter(([, count]) => count > 0);
  const text = ([name, count]: [string, number]) => {
    if (name === "updated") return formatUpdated(count, updates);
    // Only tests and warnings have a plural.
    return count === 1 ? `1 ${name.replace(/s$/, "")}` : `${formatCount(count)} ${name}`;
  };
  return present.map(text).join(", ") || "none";
}

/** Returns a time in UTC, without milliseconds. */
function timeText(time: string): string {
  return time.replace("T", " ").replace(/\.\d+Z$/, "Z");
}

function durationText(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${formatCount(Math.round(ms / 6000) / 10)} min`;
}

function printable(text: string, maxChars: number): string {
  const escaped = escapeControls(text.slice(0, maxChars));
  return text.length > maxChars || escaped.length > maxChars ? `${escaped.slice(0, maxChars - 1)}…` : escaped;
}
