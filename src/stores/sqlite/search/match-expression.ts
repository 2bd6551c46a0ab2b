/** Writes searches as expressions of FTS5. */
import { filterTerm } from "../../../catalog/search/index-terms.ts";
import {
  type SearchQuery,
  type SearchTerm,
  type SearchTier,
  titleWordsOf,
} from "../../../catalog/search/query.ts";
import type { SearchSelection } from "../../../catalog/search/search.ts";
import { wordsOf } from "../../../catalog/search/tokens.ts";
import {
  MAX_BEGINNING_WORDS,
  titleBeginningTerm,
  titleOrNameWordTerm,
  titlePhrase,
  titleWordTerm,
  wholeTitleTerm,
} from "./index-columns.ts";

const TERM_FILTERS = ["imprint", "language", "form", "subject", "availability", "status"] as const;

/** Returns the expression of all books that a search finds. Is undefined for a search without words and filter terms. */
export function matchExpression(selection: SearchSelection): string | undefined {
  return write(selection, 5, undefined);
}

/** Returns the expression of the books that are in this tier and not in the one before, which contains all earlier ones. */
export function tierExpression(
  selection: SearchSelection,
  tier: SearchTier,
  before: SearchTier | undefined,
): string | undefined {
  return write(selection, tier, before);
}

function write(
  { query, filters }: SearchSelection,
  tier: SearchTier,
  before: SearchTier | undefined,
): string | undefined {
  const required = TERM_FILTERS.flatMap((filter) => {
    const value = filters[filter];
    return value === undefined ? [] : quote(filterTerm(filter, value));
  });
  for (const word of wordsOf(filters.contributor ?? "")) required.push(`contributor : ${quote(word)}`);
  if (query !== undefined) required.push(...isbnTerms(query), ...tierTerms(query, tier));
  if (required.length === 0) return undefined;
  const excluded = (query?.excluded ?? []).map(writeTerm);
  if (query !== undefined && before !== undefined) excluded.push(all(tierTerms(query, before)));
  return excluded.length === 0 ? all(required) : `${all(required)} NOT (${excluded.join(" OR ")})`;
}

function isbnTerms({ terms }: SearchQuery): string[] {
  return terms.filter(({ kind }) => kind === "isbn").map(writeTerm);
}

/** Returns what a tier demands of the words and prefixes of a query. */
function tierTerms(query: SearchQuery, tier: SearchTier): string[] {
  const words = titleWordsOf(query) ?? [];
  if (tier === 1) return [exactTitle(words)];
  if (tier === 2) return titleBeginning(words);
  const terms = query.terms.filter(({ kind }) => kind !== "isbn");
  return tier === 5 ? terms.map(writeTerm) : terms.flatMap((term) => writeIn(term, tier));
}

function exactTitle(words: readonly string[]): string {
  const term = wholeTitleTerm(words);
  return quote(term ?? titlePhrase(words, "exact"));
}

function titleBeginning(words: readonly string[]): string[] {
  const beginning = quote(titleBeginningTerm(words));
  return words.length <= MAX_BEGINNING_WORDS
    ? [beginning]
    : [beginning, quote(titlePhrase(words, "beginning"))];
}

/** Writes a term for the whole book. */
function writeTerm(term: SearchTerm): string {
  if (term.kind === "isbn") return quote(filterTerm("isbn", term.isbn));
  return term.kind === "prefix"
    ? `${quote(titleOrNameWordTerm(term.prefix))} *`
    : quote(term.words.join(" "));
}

/** Writes a term for the titles (tier 3), or for the titles and the names (tier 4). */
function writeIn(term: SearchTerm, tier: 3 | 4): string[] {
  const termOf = tier === 3 ? titleWordTerm : titleOrNameWordTerm;
  if (term.kind === "isbn") return [];
  if (term.kind === "prefix") return [`${quote(termOf(term.prefix))} *`];
  const words = term.words.map((word) => quote(termOf(word)));
  if (words.length === 1) return words;
  // The terms of the words find the few books whose positions are then compared.
  const columns = tier === 3 ? "title" : "{title contributor}";
  return [...words, `${columns} : ${quote(term.words.join(" "))}`];
}

function all(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(${parts.join(" AND ")})`;
}

/** No term has a quotation mark. */
function quote(text: string): string {
  return `"${text}"`;
}
