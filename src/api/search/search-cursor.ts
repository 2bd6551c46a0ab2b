/** Cursors of searches: the place after which the next page begins. `paging/cursor.ts` has those of lists. */
import { type SearchSort, SORTS } from "../../catalog/search/properties.ts";
import type { SearchTier } from "../../catalog/search/query.ts";
import type { SearchKey } from "../../catalog/search/search.ts";
import { type Day, parseDay } from "../../onix/date.ts";
import { type Isbn13, isBookIsbn, parseIsbn } from "../../onix/isbn.ts";
import { sealText, unsealText } from "../paging/cursor.ts";

/** A place in the result of a search, and the query that was used instead of that of the request. */
export interface SearchPlace {
  readonly key: SearchKey;
  readonly corrected?: string | undefined;
}

/** `search` names the query, the filters and the order. */
export function encodeSearchCursor(search: string, { key, corrected }: SearchPlace): string {
  const { isbn, published, tier, titleKey } = key;
  const values = [isbn, published ?? "", tier ?? 0, titleKey ?? null];
  return sealText(search, JSON.stringify(corrected === undefined ? values : [...values, corrected]));
}

/** Returns undefined for what is no cursor of this search. */
export function decodeSearchCursor(search: string, cursor: string): SearchPlace | undefined {
  const text = unsealText(search, cursor);
  return text === undefined ? undefined : placeOf(text);
}

/** Tells whether a place has what this order is by: the store relies on it. */
export function isPlaceIn(sort: SearchSort, { tier, titleKey }: SearchKey): boolean {
  const place = SORTS[sort];
  return (tier !== undefined) === (place === "tier") && (titleKey !== undefined) === (place === "titleKey");
}

/** The digest is no secret, so the values are checked: the store relies on them. */
function placeOf(text: string): SearchPlace | undefined {
  const [isbnText, dayText, tier, titleKey, corrected] = parsedArray(text);
  const isbn = typeof isbnText === "string" ? parseIsbn(isbnText) : undefined;
  const published = typeof dayText === "string" ? parseDay(dayText) : undefined;
  if (isbn === undefined || !isBookIsbn(isbn) || (dayText !== "" && published === undefined))
    return undefined;
  if (!Number.isInteger(tier) || !((tier as number) >= 0 && (tier as number) <= 5)) return undefined;
  if (titleKey !== null && !isStorable(titleKey)) return undefined;
  if (corrected !== undefined && !isStorable(corrected)) return undefined;
  const key = {
    isbn: isbn as Isbn13,
    published: published as Day | undefined,
    tier: tier === 0 ? undefined : (tier as SearchTier),
    titleKey: titleKey ?? undefined,
  };
  return { key, corrected };
}

/** PostgreSQL stores no NUL, and neither UTF-8 nor a header field has half of a surrogate pair. */
function isStorable(text: unknown): text is string {
  return typeof text === "string" && !text.includes("\0") && text.isWellFormed();
}

function parsedArray(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
