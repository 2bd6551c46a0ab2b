/** Writes searches as expressions of FTS5. */
import {
  factConditionsOf,
  filterTerm,
  filterTermsOf,
  MAX_BEGINNING_WORDS,
  nameWordTerm,
  TITLE_START,
  titleBeginningTerm,
  titleWordTerm,
  wholeTitleTerm,
} from "../../../catalog/search/index-terms.ts";
import {
  type SearchQuery,
  type SearchTerm,
  type SearchTier,
  titleWordsOf,
} from "../../../catalog/search/query.ts";
import type { SearchSelection } from "../../../catalog/search/search.ts";
import type { Match } from "./found-books.ts";

/** With more, few books are left, and FTS5 would read the whole index for the next one of an expression with NOT. */
const MAX_NOT_TERMS = 3;

/** Returns what finds all books of a search. */
export function matchOf(selection: SearchSelection): Match {
  return tierMatch(selection, 5, undefined);
}

/** Returns what finds the books that are in this tier and not in the one before, which contains all earlier ones. */
export function tierMatch(
  selection: SearchSelection,
  tier: SearchTier,
  before: SearchTier | undefined,
): Match {
  const excluded = (selection.query?.excluded ?? []).map(writeTerm);
  const facts = factConditionsOf(selection.filters);
  if (excluded.length <= MAX_NOT_TERMS) return { words: write(selection, tier, before, excluded), facts };
  return { words: write(selection, tier, before, []), excluded: oneOf(excluded), facts };
}

function write(
  { query, filters }: SearchSelection,
  tier: SearchTier,
  before: SearchTier | undefined,
  excluded: readonly string[],
): string | undefined {
  const required = filterTermsOf(filters).map((terms) => oneOf(terms.map(quote)));
  if (query !== undefined) required.push(...isbnTerms(query), ...tierTerms(query, tier));
  if (required.length === 0) return undefined;
  const not = [...excluded];
  if (query !== undefined && before !== undefined) not.push(all(tierTerms(query, before)));
  return not.length === 0 ? all(required) : `${all(required)} NOT ${oneOf(not)}`;
}

function isbnTerms({ terms }: SearchQuery): string[] {
  return terms.filter(({ kind }) => kind === "isbn").map(writeTerm);
}

/** Returns what a tier demands of the words and prefixes of a query. */
function tierTerms(query: SearchQuery, tier: SearchTier): string[] {
  const words = titleWordsOf(query) ?? [];
  if (tier === 1) return [quote(wholeTitleTerm(words.join(" ")))];
  if (tier === 2) return beginningTerms(words);
  const terms = query.terms.filter(({ kind }) => kind !== "isbn");
  return tier === 5 ? terms.map(writeTerm) : terms.flatMap((term) => writeIn(term, tier));
}

/** Longer beginnings are compared in the few books whose titles begin with the first words. */
function beginningTerms(words: readonly string[]): string[] {
  const term = quote(titleBeginningTerm(words));
  return words.length <= MAX_BEGINNING_WORDS ? [term] : [term, quote([TITLE_START, ...words].join(" "))];
}

/** Writes a term for the whole book. */
function writeTerm(term: SearchTerm): string {
  if (term.kind === "isbn") return quote(filterTerm("isbn", term.isbn));
  return term.kind === "prefix" ? writePrefix(term.prefix, 4) : quote(term.words.join(" "));
}

/** Writes a term for the titles (tier 3), or for the titles and the names (tier 4). */
function writeIn(term: SearchTerm, tier: 3 | 4): string[] {
  if (term.kind === "isbn") return [];
  if (term.kind === "prefix") return [writePrefix(term.prefix, tier)];
  const words = term.words.map((word) => oneOf(termsIn(word, tier).map(quote)));
  if (words.length === 1) return words;
  // The terms of the words find the few books whose positions are then compared.
  const columns = tier === 3 ? "title" : "{title contributor}";
  return [...words, `${columns} : ${quote(term.words.join(" "))}`];
}

function writePrefix(prefix: string, tier: 3 | 4): string {
  return oneOf(termsIn(prefix, tier).map((term) => `${quote(term)} *`));
}

function termsIn(word: string, tier: 3 | 4): readonly string[] {
  return tier === 3 ? [titleWordTerm(word)] : [titleWordTerm(word), nameWordTerm(word)];
}

function oneOf(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(${parts.join(" OR ")})`;
}

function all(parts: readonly string[]): string {
  return parts.length === 1 ? parts[0]! : `(${parts.join(" AND ")})`;
}

/** No term has a quotation mark. */
function quote(text: string): string {
  return `"${text}"`;
}
