/** A search in memory, for tests: the rules of a search in plain loops. The contract suite compares the engines with it. */
import { needsOfBits } from "../../onix/completeness/book-needs.ts";
import { searchDocumentOfEntry } from "../entry.ts";
import { filterTerm, type TermFilter, TITLE_END, TITLE_START } from "../search/index-terms.ts";
import {
  type PrefixTerm,
  type SearchTerm,
  type SearchTier,
  tiersOf,
  titleWordsOf,
  type WordsTerm,
} from "../search/query.ts";
import {
  FACETS,
  type Facet,
  type FacetRequest,
  type Facets,
  MAX_EXACT_TOTAL,
  MORE_THAN_EXACT,
  type SearchKey,
  type SearchRequest,
  type SearchResult,
  type SearchSelection,
  type SearchSort,
} from "../search/search.ts";
import type { SearchDocument } from "../search/search-document.ts";
import { wordsOf } from "../search/tokens.ts";
import type { Entry } from "../store.ts";

interface Book {
  readonly entry: Entry;
  readonly document: SearchDocument;
}

const TERM_FILTERS = ["imprint", "language", "form", "subject", "availability", "status"] as const;

export function searchModel(
  entries: Iterable<Entry>,
  request: SearchRequest,
): Pick<SearchResult, "keys" | "total"> {
  const found = booksOf(entries, request).map((book) => ({ ...book, key: keyOf(book, request) }));
  found.sort((a, b) => compareKeys(request.sort, a.key, b.key));
  const { after } = request;
  const following =
    after === undefined ? found : found.filter(({ key }) => compareKeys(request.sort, key, after) > 0);
  return {
    keys: following.slice(0, request.limit).map(({ key }) => key),
    total: found.length > MAX_EXACT_TOTAL ? MORE_THAN_EXACT : found.length,
  };
}

export function facetsModel(entries: Iterable<Entry>, request: FacetRequest): Omit<Facets, "revision"> {
  const books = booksOf(entries, request);
  const values = {
    imprint: books.flatMap(({ document }) => document.imprint ?? []),
    language: books.flatMap(({ document }) => document.languages),
    form: books.flatMap(({ document }) => document.form ?? []),
    availability: books.flatMap(({ document }) => document.availability ?? []),
    year: books.flatMap(({ entry }) => entry.published?.slice(0, 4) ?? []),
    lacks: books.flatMap(({ document }) => needsOfBits(document.lacks)),
  };
  const facets = Object.fromEntries(FACETS.map((name) => [name, countValues(values[name])]));
  return { counted: books.length, hasMore: false, facets: facets as Facets["facets"] };
}

function countValues(values: readonly string[]): Facet {
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, all]) => ({
    value,
    books: all.length,
  }));
  counts.sort((a, b) => b.books - a.books || (a.value < b.value ? -1 : 1));
  return { values: counts, distinct: counts.length };
}

function booksOf(entries: Iterable<Entry>, selection: SearchSelection): Book[] {
  return [...entries]
    .map((entry) => ({ entry, document: searchDocumentOfEntry(entry) }))
    .filter((book) => isFound(book, selection));
}

function isFound({ entry, document }: Book, { query, filters }: SearchSelection): boolean {
  const all = [document.title, document.contributor, document.rest, document.description];
  const terms = document.filter.split(" ");
  const names = document.contributor.split(" ");
  const has = (filter: TermFilter, value: string) => terms.includes(filterTerm(filter, value));
  const matches = (term: SearchTerm) =>
    term.kind === "isbn"
      ? has("isbn", term.isbn)
      : matchesOneOf(term.kind === "prefix" ? all.slice(0, 2) : all, term);
  const { from, to, contributor = "" } = filters;
  const { published } = entry;
  return (
    TERM_FILTERS.every((filter) => filters[filter] === undefined || has(filter, filters[filter])) &&
    needsOfBits(document.lacks).filter((need) => filters.lacks?.includes(need)).length ===
      (filters.lacks?.length ?? 0) &&
    wordsOf(contributor).every((word) => names.includes(word)) &&
    (from === undefined || (published !== undefined && published >= from)) &&
    (to === undefined || (published !== undefined && published <= to)) &&
    (query?.terms ?? []).every(matches) &&
    !(query?.excluded ?? []).some(matches)
  );
}

function tierOf({ document }: Book, { query }: SearchSelection): SearchTier {
  return tiersOf(query).find((tier) => isInTier(document, query!, tier))!;
}

function isInTier(
  document: SearchDocument,
  query: NonNullable<SearchSelection["query"]>,
  tier: SearchTier,
): boolean {
  if (tier === 5) return true;
  if (tier === 1 || tier === 2) {
    const end = tier === 1 ? [TITLE_END] : [];
    return hasPhrase(document.title, [TITLE_START, ...titleWordsOf(query)!, ...end]);
  }
  const texts = tier === 3 ? [document.title] : [document.title, document.contributor];
  return query.terms.every((term) => term.kind === "isbn" || matchesOneOf(texts, term));
}

function matchesOneOf(texts: readonly string[], term: WordsTerm | PrefixTerm): boolean {
  return term.kind === "prefix"
    ? texts.some((text) => text.split(" ").some((word) => word.startsWith(term.prefix)))
    : texts.some((text) => hasPhrase(text, term.words));
}

function hasPhrase(text: string, words: readonly string[]): boolean {
  return ` ${text} `.includes(` ${words.join(" ")} `);
}

function keyOf(book: Book, request: SearchRequest): SearchKey {
  const { isbn, published } = book.entry;
  if (request.sort === "relevance") return { isbn, published, tier: tierOf(book, request) };
  return request.sort === "title"
    ? { isbn, published, titleKey: book.document.titleKey }
    : { isbn, published };
}

function compareKeys(sort: SearchSort, a: SearchKey, b: SearchKey): number {
  if (sort === "title") return compareBytes(a.titleKey!, b.titleKey!) || compare(a.isbn, b.isbn);
  if (sort === "relevance" && a.tier !== b.tier) return a.tier! - b.tier!;
  const undated = Number(a.published === undefined) - Number(b.published === undefined);
  const newest = compare(b.published ?? "", a.published ?? "") || compare(a.isbn, b.isbn);
  return undated || (sort === "oldest" ? -newest : newest);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
