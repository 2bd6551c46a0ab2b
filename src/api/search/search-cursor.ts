/** Cursors of searches: the place after which the next page begins. `paging/cursor.ts` has those of lists. */
import { type SearchSort, SORTS } from "../../catalog/search/properties.ts";
import type { SearchTier } from "../../catalog/search/query.ts";
import type { SearchKey } from "../../catalog/search/search.ts";
import { type Day, parseDay } from "../../onix/date.ts";
import { type Isbn13, isBookIsbn, parseIsbn } from "../../onix/isbn.ts";
import { sealText, unsealText } from "../paging/cursor.ts";

/** Longer than every cursor: one of the order by title has a title key. */
const MAX_CURSOR_CHARS = 2000;

/** `search` names the query, the filters and the order. */
export function encodeSearchCursor(search: string, key: SearchKey): string {
  const { isbn, published, tier, titleKey } = key;
  return sealText(search, JSON.stringify([isbn, published ?? "", tier ?? 0, titleKey ?? null]));
}

/** Returns undefined for what is no cursor of this search. */
export function decodeSearchCursor(search: string, cursor: string): SearchKey | undefined {
  const text = cursor.length > MAX_CURSOR_CHARS ? undefined : unsealText(search, cursor);
  return text === undefined ? undefined : keyOf(text);
}

/** Tells whether a place has what this order is by: the store relies on it. */
export function isPlaceIn(sort: SearchSort, { tier, titleKey }: SearchKey): boolean {
  const place = SORTS[sort];
  return (tier !== undefined) === (place === "tier") && (titleKey !== undefined) === (place === "titleKey");
}

/** The digest is no secret, so the values are checked: the store relies on them. */
function keyOf(text: string): SearchKey | undefined {
  const [isbnText, dayText, tier, titleKey] = parsedArray(text);
  const isbn = typeof isbnText === "string" ? parseIsbn(isbnText) : undefined;
  const published = typeof dayText === "string" ? parseDay(dayText) : undefined;
  if (isbn === undefined || !isBookIsbn(isbn) || (dayText !== "" && published === undefined))
    return undefined;
  if (!Number.isInteger(tier) || !((tier as number) >= 0 && (tier as number) <= 5)) return undefined;
  if (titleKey !== null && (typeof titleKey !== "string" || !isStorable(titleKey))) return undefined;
  return {
    isbn: isbn as Isbn13,
    published: published as Day | undefined,
    tier: tier === 0 ? undefined : (tier as SearchTier),
    titleKey: titleKey ?? undefined,
  };
}

/** PostgreSQL stores no NUL, and UTF-8 no half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

function parsedArray(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
