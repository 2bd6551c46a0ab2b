/** Reads the books of an imprint that lack something, for its CSV. */
import { get, getUrl, nextPageOf } from "../shared/core/api.ts";
import type { CountedBooks, Need } from "./needs.ts";
import { NEEDS } from "./needs.ts";
import { type WeakBook, weakBooks, weakBooksAsCsv } from "./work-rows.ts";

const PAGE_LENGTH = 1000;
/** The books of each need that are read. A file of more is for a machine: `/api/search` has them all. */
const MAX_WEAK_BOOKS = 10_000;

type Found = Omit<WeakBook, "lacks">;

/** `filter` selects the books of the imprint. */
export async function weakBooksCsv(
  { books, has }: CountedBooks,
  filter: Readonly<Record<string, string>>,
): Promise<string> {
  const found = new Map<Need, readonly Found[]>();
  for (const need of NEEDS) if (has[need] < books) found.set(need, await booksLacking(need, filter));
  return weakBooksAsCsv(weakBooks(found));
}

async function booksLacking(need: Need, filter: Readonly<Record<string, string>>): Promise<readonly Found[]> {
  let page = await get<readonly Found[]>("search", { ...filter, lacks: need, limit: PAGE_LENGTH });
  const found = [...page.body];
  for (let next = nextPageOf(page); next && found.length < MAX_WEAK_BOOKS; next = nextPageOf(page)) {
    page = await getUrl<readonly Found[]>(next);
    found.push(...page.body);
  }
  return found;
}
