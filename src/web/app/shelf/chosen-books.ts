/** The books that a person has marked in lists, and lists as texts. */
import { getText, getTextAt, type TextPage } from "../shared/core/api.ts";
import { Observable } from "../shared/core/observable.ts";
import { readSetting, STORAGE_KEYS, writeSetting } from "../shared/core/settings.ts";
import type { Results } from "./results.ts";
import { apiQuery, type Selection, sortOf } from "./selection.ts";

/** ISBNs, in the order of their choice. They stay from one search to the next, and when the tab is loaded again. */
export const chosenIsbns = new Observable<readonly string[]>(
  readSetting(STORAGE_KEYS.marked, "sessionStorage")?.split(",") ?? [],
);
chosenIsbns.subscribe(() =>
  writeSetting(STORAGE_KEYS.marked, chosenIsbns.value.join() || undefined, "sessionStorage"),
);

export function choose(isbn: string, isChosen: boolean): void {
  const others = chosenIsbns.value.filter((each) => each !== isbn);
  chosenIsbns.set(isChosen ? [...others, isbn] : others);
}

export type ListFormat = "csv" | "ndjson";

/** A longer list is better exported by a program. */
export const MAX_TAKEN = 10_000;
/** The most that one request takes. */
const PAGE_BOOKS = 1000;

/** Returns the chosen books, or all books of a search, as a text. `prefix` is that of the list that is shown. */
export async function listAsText(
  format: ListFormat,
  isbns: readonly string[],
  selection: Selection,
  prefix: Results["prefix"],
): Promise<string> {
  const query = { view: "summary", format };
  if (isbns.length > 0) {
    const pages = [];
    for (let start = 0; start < isbns.length; start += PAGE_BOOKS) {
      const some = isbns.slice(start, start + PAGE_BOOKS).join(",");
      pages.push(await getText(`isbns/${some}`, { ...query, missing: "skip" }));
    }
    return joined(format, pages);
  }
  const sort = sortOf(selection);
  const search = { ...apiQuery(selection), ...query, prefix, sort, limit: PAGE_BOOKS };
  const pages = [await getText("search", search)];
  while (pages.length < MAX_TAKEN / PAGE_BOOKS) {
    const { nextUrl } = pages.at(-1)!;
    if (nextUrl === undefined) break;
    pages.push(await getTextAt(nextUrl));
  }
  return joined(format, pages);
}

/** Each page of CSV has a row with the names of the columns. Excel needs the byte order mark, which `fetch` removes. */
function joined(format: ListFormat, pages: readonly TextPage[]): string {
  const [first = "", ...others] = pages.map(({ text }) => text);
  if (format === "ndjson") return [first, ...others].join("");
  return `\ufeff${first}${others.map((text) => text.slice(text.indexOf("\n") + 1)).join("")}`;
}

export async function isbnsOf(
  isbns: readonly string[],
  selection: Selection,
  prefix: Results["prefix"],
): Promise<readonly string[]> {
  if (isbns.length > 0) return isbns;
  const lines = (await listAsText("ndjson", [], selection, prefix)).split("\n").filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { readonly isbn: string }).isbn);
}
