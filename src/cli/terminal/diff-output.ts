/** Shows what an import would change: a summary for people and, with `--diff`, every change as NDJSON. */
import { type BookChange, bookChanges } from "../../catalog/diff/book-changes.ts";
import { DiffSummary, MAX_EXAMPLES } from "../../catalog/diff/diff-summary.ts";
import type { FieldChange } from "../../catalog/diff/record-diff.ts";
import type { ImportPreview } from "../../catalog/store.ts";
import type { RecordValue } from "../../onix/record/record-fields.ts";
import { escapeControls } from "../../telemetry/printable.ts";
import { formatCount, formatCountOf } from "./format.ts";
import { StandardOutput } from "./standard-output.ts";

const NDJSON_BATCH_BYTES = 64 * 1024;
const MAX_SHOWN_FIELDS = 10;
const MAX_SHOWN_FIELDS_OF_A_BOOK = 5;
const MAX_VALUE_CHARS = 60;
/** What two long texts have in common before their first difference is cut down to this. */
const COMMON_CHARS = 20;

/** Reads all changes of a preview. With `ndjson`, writes each to standard output, at the pace of its reader. */
export async function readDiff(preview: ImportPreview, ndjson: boolean): Promise<DiffSummary> {
  const summary = new DiffSummary();
  const output = ndjson ? new StandardOutput() : undefined;
  let unwrittenBytes = 0;
  const maxTitles = ndjson ? Number.POSITIVE_INFINITY : MAX_EXAMPLES;
  for await (const book of bookChanges(preview, { maxTitles })) {
    summary.add(book);
    if (!output) continue;
    const line = encoder.encode(`${JSON.stringify(book)}\n`);
    output.write(line);
    unwrittenBytes += line.length;
    if (unwrittenBytes < NDJSON_BATCH_BYTES) continue;
    await output.flush();
    unwrittenBytes = 0;
  }
  await output?.flush();
  return summary;
}

const encoder = new TextEncoder();

/** Returns the lines of the summary, without any when nothing would change. */
export function formatDiff(summary: DiffSummary): string[] {
  const { added, changed, deleted } = summary.counts;
  if (added + changed + deleted === 0) return [];
  const parts = [
    ...(added > 0 ? [`add ${formatCountOf(added, "book")}`] : []),
    ...(changed > 0 ? [`change ${formatCountOf(changed, "book")}`] : []),
    ...(deleted > 0 ? [`delete ${formatCountOf(deleted, "book")}`] : []),
  ];
  return [
    `The import would ${parts.join(", ")}.`,
    ...formatFields(summary),
    ...formatExamples(summary, "changed", "Changed:"),
    ...formatExamples(summary, "added", "Added:"),
    ...formatExamples(summary, "deleted", "Deleted:"),
  ].map(escapeControls);
}

function formatFields(summary: DiffSummary): string[] {
  const fields = summary.mostChangedFields(MAX_SHOWN_FIELDS);
  if (fields.length === 0) return [];
  return [
    "Fields that change in the most books:",
    ...fields.map(({ field, books }) => `${formatCount(books).padStart(9)}  ${field}`),
  ];
}

function formatExamples(summary: DiffSummary, change: BookChange["change"], heading: string): string[] {
  const [books, total] = [summary.examples[change], summary.counts[change]];
  if (books.length === 0) return [];
  const more = total - books.length;
  return [
    heading,
    ...books.flatMap(formatBook),
    ...(more > 0 ? [`  … and ${formatCountOf(more, "more book")} (--diff lists them all)`] : []),
  ];
}

function formatBook({ isbn, title, fields = [] }: BookChange): string[] {
  const shown = fields.slice(0, MAX_SHOWN_FIELDS_OF_A_BOOK);
  const more = fields.length - shown.length;
  return [
    `  ${isbn} ${title === undefined ? "(no title)" : abbreviate(title)}`,
    ...shown.map((field) => `    ${field.path}: ${formatChange(field)}`),
    ...(more > 0 ? [`    … and ${formatCountOf(more, "more field")}`] : []),
  ];
}

function formatChange({ old, new: now }: FieldChange): string {
  if (old === undefined) return `added ${abbreviate(textOf(now!))}`;
  if (now === undefined) return `removed ${abbreviate(textOf(old))}`;
  const [before, after] = [textOf(old), textOf(now)];
  if (Math.max(before.length, after.length) <= MAX_VALUE_CHARS) return `${before} → ${after}`;
  const start = Math.max(0, commonLength(before, after) - COMMON_CHARS);
  return `${abbreviate(before, start)} → ${abbreviate(after, start)}`;
}

function textOf(value: RecordValue): string {
  return typeof value === "string" ? value || '""' : JSON.stringify(value);
}

/** Returns at most `MAX_VALUE_CHARS` characters of a text, from an offset on. */
function abbreviate(text: string, from = 0): string {
  const end = from + MAX_VALUE_CHARS;
  return `${from > 0 ? "…" : ""}${text.slice(from, end)}${end < text.length ? "…" : ""}`;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
