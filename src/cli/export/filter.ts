/** The books that `colophon export` prints: all filters hold together. */
import {
  type ChangeCursor,
  currentCursor,
  decodeChangeCursor,
  encodeChangeCursor,
  faultOf,
} from "../../api/changes/cursor.ts";
import type { ChangePlace } from "../../catalog/changes/change-history.ts";
import { slugOf } from "../../catalog/imprint.ts";
import type { Selection } from "../../catalog/selection.ts";
import type { Entry, Snapshot } from "../../catalog/store.ts";
import { isCode } from "../../onix/code-lists.ts";
import { type Day, parseAnyDay } from "../../onix/date.ts";
import { type Isbn13, parseIsbn } from "../../onix/isbn.ts";
import { CommandError, UsageError } from "../terminal/arguments.ts";
import { option, type Settings } from "../terminal/command.ts";

const START: ChangePlace = { number: 0, isbn: undefined };
/** No import has a number as high as this. */
const NO_DELETIONS = 2 ** 31 - 1;
const CHANGES_PER_PAGE = 1000;

export const filterOptions = {
  slug: option({ name: "imprint", value: "SLUG", parse: parseSlug }),
  language: option({ value: "CODE", parse: parseLanguage }),
  from: option({ value: "DAY", parse: parseDate, help: "first day of publication" }),
  to: option({ value: "DAY", parse: parseDate, help: "last day of publication" }),
  /** In ascending order, each once. */
  isbns: option({ name: "isbn", value: "ISBN,…", multiple: true, parse: parseIsbns }),
  since: option({
    value: "CURSOR",
    parse: parseSince,
    help: "books changed since CURSOR, which the last export printed to standard error; 0 for all",
  }),
};

export type ExportFilter = Settings<typeof filterOptions>;

/** Joins --since with its value: one cursor of 64 begins with a hyphen, and would count as an option. */
export function joinSince(args: readonly string[]): string[] {
  const at = args.indexOf("--since");
  const value = at < 0 ? undefined : args[at + 1];
  return value?.startsWith("-") ? args.toSpliced(at, 2, `--since=${value}`) : [...args];
}

/** Throws a CommandError for an imprint or a book that the catalog does not have: an empty export would hide it. */
export async function requireExisting(snapshot: Snapshot, { slug, isbns }: ExportFilter): Promise<void> {
  if (slug !== undefined && !(await snapshot.hasImprint(slug))) {
    throw new CommandError(`the catalog has no books of the imprint "${slug}"; take a slug of /api/imprints`);
  }
  const missing = isbns === undefined ? [] : await snapshot.missing(isbns);
  if (missing.length > 0) throw new CommandError(`the catalog does not have ${missing.join(", ")}`);
}

/**
 * Returns the cursor for the next `--since`. Throws a CommandError when the catalog cannot tell what has changed since
 * the given one.
 */
export async function nextCursor(snapshot: Snapshot, since: ChangeCursor | "start"): Promise<string> {
  const history = await snapshot.history(since === "start" ? 0 : since.newest.number);
  if (since !== "start" && faultOf(since, history) !== undefined) {
    throw new CommandError("the catalog cannot tell the changes since this cursor; export everything anew");
  }
  return encodeChangeCursor(currentCursor(history.newest));
}

/** Lists the entries that the filter leaves: in ascending order of ISBN or, with `since`, in the order of changes. */
export async function* filteredEntries(
  snapshot: Snapshot,
  filter: ExportFilter,
): AsyncGenerator<readonly Entry[], void> {
  const { since, isbns } = filter;
  const named = since === undefined || isbns === undefined ? undefined : new Set(isbns);
  const entries =
    since === undefined ? snapshot.entries(selectionOf(filter)) : changedEntries(snapshot, since);
  for await (const batch of entries) {
    const left = batch.filter((entry) => matches(entry, filter) && named?.has(entry.isbn) !== false);
    if (left.length > 0) yield left;
  }
}

/** Lists the books that were added or updated. Deleted ones have no entry. */
async function* changedEntries(
  snapshot: Snapshot,
  since: ChangeCursor | "start",
): AsyncGenerator<readonly Entry[], void> {
  let place = since === "start" ? START : since.after;
  for (;;) {
    const page = await snapshot.changes(place, NO_DELETIONS, CHANGES_PER_PAGE);
    const isbns = page.flatMap(({ isbn, added }) => (added === undefined ? [] : [isbn]));
    if (isbns.length > 0) yield* snapshot.entries({ kind: "isbns", isbns });
    const last = page.at(-1);
    if (last === undefined || page.length < CHANGES_PER_PAGE) return;
    place = last;
  }
}

/** A list by date has another order, so dates are compared here. */
function selectionOf({ isbns, slug, language }: ExportFilter): Selection | undefined {
  if (isbns !== undefined) return { kind: "isbns", isbns };
  return slug === undefined ? undefined : { kind: "imprint", slug, language };
}

function matches({ imprint, languages, published }: Entry, filter: ExportFilter): boolean {
  const { slug, language, from, to } = filter;
  if (slug !== undefined && imprint?.slug !== slug) return false;
  if (language !== undefined && !languages.includes(language)) return false;
  if (from === undefined && to === undefined) return true;
  return published !== undefined && published >= (from ?? "") && published <= (to ?? "99999999");
}

function parseSince(text: string): ChangeCursor | "start" {
  const cursor = text === "0" ? "start" : decodeChangeCursor(text);
  if (cursor === undefined) {
    throw new UsageError("--since must be 0, or a cursor of an export before or of /api/changes");
  }
  return cursor;
}

function parseSlug(text: string): string {
  const slug = slugOf(text);
  if (slug === "") throw new UsageError(`--imprint must be a slug or a name, not "${text}"`);
  return slug;
}

function parseLanguage(text: string): string {
  const code = text.toLowerCase();
  if (!isCode(74, code)) {
    throw new UsageError(`--language must be a code of ONIX list 74, such as spa, not "${text}"`);
  }
  return code;
}

function parseDate(text: string, option: string): Day {
  const day = parseAnyDay(text);
  if (day === undefined)
    throw new UsageError(`${option} must be a day, YYYYMMDD or YYYY-MM-DD, not "${text}"`);
  return day;
}

function parseIsbns(list: string): readonly Isbn13[] {
  const isbns = list.split(",").map((text) => {
    const isbn = parseIsbn(text);
    if (isbn === undefined) throw new UsageError(`--isbn must be an ISBN, not "${text}"`);
    return isbn;
  });
  return [...new Set(isbns)].toSorted();
}
