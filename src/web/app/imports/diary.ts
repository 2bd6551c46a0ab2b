/** The changes of an import as short texts, and the number of books that changed on each day. */
import type { Import as ImportEntry, ImportFeed } from "../../../client/generated/book.ts";
import { localDay } from "../shared/format/dates.ts";

/** The kinds of changes, in the order of the texts. */
const CHANGE_KINDS = [
  "added",
  "supply",
  "texts",
  "publishing",
  "other",
  "deleted",
  "removed",
  "rejected",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Returns the numbers that are not 0. A book that has changed in several ways is in several of them. */
export function changesOf({ counts, updates }: ImportEntry): readonly { kind: ChangeKind; books: number }[] {
  // `deleted` also counts the books that `--replace` has removed.
  const numbers = { ...counts, deleted: counts.deleted - counts.removed, ...updates };
  return CHANGE_KINDS.map((kind) => ({ kind, books: numbers[kind] })).filter(({ books }) => books > 0);
}

/** Returns the names of the senders, each once. */
export function sendersOf({
  feeds,
}: {
  readonly feeds: readonly Pick<ImportFeed, "sender">[];
}): readonly string[] {
  return [...new Set(feeds.flatMap(({ sender }) => sender ?? []))];
}

/** Returns why an import failed, in one line. The name of the feed, which a message begins with, stands before it. */
export function reasonOf({
  message,
  feeds,
}: Pick<ImportEntry, "message"> & { readonly feeds: readonly Pick<ImportFeed, "name">[] }): string {
  const line = (message ?? "").split(/[\r\n]/, 1)[0]!.trim();
  const named = feeds.slice(0, 1).find(({ name }) => line.startsWith(`${name}: `));
  return named ? line.slice(named.name.length + 2) : line;
}

/** Returns the days of the imports, the first one first and without gaps, with the books that changed. */
export function changedByDay(
  entries: readonly ImportEntry[],
  maxDays: number,
): readonly { day: string; books: number }[] {
  const books = new Map<string, number>();
  for (const { started, counts } of entries) {
    const day = localDay(started);
    const changed = counts.added + counts.updated + counts.deleted;
    books.set(day, (books.get(day) ?? 0) + changed);
  }
  const days = [...books.keys()].sort();
  const last = days.at(-1);
  if (last === undefined) return [];
  const all: { day: string; books: number }[] = [];
  for (
    let time = Date.parse(last);
    all.length < maxDays && time >= Date.parse(days[0]!);
    time -= 24 * 3600 * 1000
  ) {
    const day = new Date(time).toISOString().slice(0, 10);
    all.unshift({ day, books: books.get(day) ?? 0 });
  }
  return all;
}
