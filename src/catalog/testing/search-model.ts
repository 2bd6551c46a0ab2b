/** A search in memory, for tests: the rules of a search in plain loops. The contract suite compares the engines with it. */

import { availabilityIn } from "../../client/offers.ts";
import { compareCodePoints } from "../../lib/text.ts";
import { needsOfBits } from "../../onix/completeness/book-needs.ts";
import { parseSummary } from "../../onix/testing/summaries.ts";
import { searchDocumentOfEntry } from "../entry.ts";
import { filterTermsOf, TITLE_END, TITLE_START } from "../search/index-terms.ts";
import {
  type FacetName,
  facetGroups,
  type SearchFilters,
  type SearchSort,
  SORTS,
} from "../search/properties.ts";
import {
  type FieldTerm,
  type InitialsTerm,
  isRanked,
  type RankedTerm,
  type SearchTerm,
  type SearchTier,
  spellingsOf,
  tiersOf,
  titleWordsOf,
} from "../search/query.ts";
import {
  type Counted,
  type Facet,
  type FacetRequest,
  type Facets,
  MAX_EXACT_TOTAL,
  MORE_THAN_EXACT,
  type SearchKey,
  type SearchRequest,
  type SearchResult,
  type SearchSelection,
} from "../search/search.ts";
import type { SearchDocument } from "../search/search-document.ts";
import { wordsOf } from "../search/word-writer.ts";
import type { Entry } from "../store.ts";

interface Book {
  readonly entry: Entry;
  readonly document: SearchDocument;
}

/** The values that a book is counted by. */
const FACET_VALUES: Readonly<Record<FacetName, (book: Book) => string | readonly string[] | undefined>> = {
  imprint: ({ document }) => document.imprint,
  language: ({ document }) => document.languages,
  form: ({ document }) => document.form,
  availability: ({ document }) => document.availability,
  audience: ({ document }) => document.audience,
  price: ({ document }) => document.prices,
  year: ({ entry }) => entry.published?.slice(0, 4),
  lacks: ({ document }) => needsOfBits(document.lacks),
};

export function searchModel(
  entries: Iterable<Entry>,
  request: SearchRequest,
): Pick<SearchResult, "keys" | "total"> {
  const compareKeys = COMPARISONS[request.sort];
  const found = booksOf(entries, request).map((book) => ({ ...book, key: keyOf(book, request) }));
  found.sort((a, b) => compareKeys(a.key, b.key));
  const { after } = request;
  const following = after === undefined ? found : found.filter(({ key }) => compareKeys(key, after) > 0);
  return {
    keys: following.slice(0, request.limit).map(({ key }) => key),
    total: found.length > MAX_EXACT_TOTAL ? MORE_THAN_EXACT : found.length,
  };
}

export function facetsModel(entries: Iterable<Entry>, request: FacetRequest): Omit<Facets, "revision"> {
  const all = [...entries];
  const names = imprintNames(all);
  const counts = facetGroups(request.filters).map(({ facets, filters }) => {
    const books = booksOf(all, { query: request.query, filters });
    const counted = { counted: books.length, hasMore: false };
    return facets.map((name) => {
      const facet = countValues(books.flatMap((book) => valuesOf(name, book, filters)));
      const named = facet.values.map((each) => ({ ...each, name: names.get(each.value)! }));
      return [name, { ...counted, ...facet, ...(name === "imprint" && { values: named }) }] as const;
    });
  });
  const facets = Object.fromEntries(counts.flat()) as Facets["facets"];
  return { counted: booksOf(all, request).length, hasMore: false, facets };
}

/** With a market, a book has the availabilities of that market. */
function valuesOf(name: FacetName, book: Book, { market }: SearchFilters): readonly string[] {
  if (name !== "availability" || market === undefined) return [FACET_VALUES[name](book) ?? []].flat();
  const { markets } = parseSummary(book.entry.body);
  return [...new Set(market.flatMap((each) => availabilityIn(markets, each) ?? []))];
}

/** The name of an imprint is the spelling that most of its books have. */
function imprintNames(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const spellings = Map.groupBy(
    entries.flatMap(({ imprint }) => imprint ?? []),
    ({ slug }) => slug,
  );
  const names = [...spellings].map(([slug, all]) => {
    const counts = countValues(all.map(({ name }) => name));
    return [slug, counts.values[0]!.value] as const;
  });
  return new Map(names);
}

function countValues(values: readonly string[]): Omit<Facet, keyof Counted> {
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
  const matches = (term: SearchTerm) => {
    if (term.kind === "isbn") return entry.isbn === term.isbn;
    if (term.kind === "field") return hasInField(document, term);
    if (term.kind === "initials") return matchesOneOf(all, term) || hasInitials(document, term);
    if (term.kind === "words") return matchesOneOf(all, term);
    const { prefix, orWord, orIsbn } = term;
    return (
      matchesOneOf([document.title, document.contributor, document.label], term) ||
      (orWord === true && matchesOneOf(all, { kind: "words", words: [prefix] })) ||
      (orIsbn !== undefined && entry.isbn.startsWith(orIsbn))
    );
  };
  const { from, to } = filters;
  const { published } = entry;
  return (
    passesTerms(entry, terms, filters) &&
    hasFacts(entry, document, filters) &&
    (from === undefined || (published !== undefined && published >= from)) &&
    (to === undefined || (published !== undefined && published <= to)) &&
    (query?.terms ?? []).every(matches) &&
    !(query?.excluded ?? []).some(matches)
  );
}

function hasInField(document: SearchDocument, { field, word, isPrefix }: FieldTerm): boolean {
  const { title, contributor, label } = document;
  const texts = { title: [title], name: [contributor], label: [label], any: [title, contributor, label] }[
    field
  ];
  return matchesOneOf(texts, isPrefix ? { kind: "prefix", prefix: word } : { kind: "words", words: [word] });
}

function hasInitials({ contributor }: SearchDocument, { letters }: InitialsTerm): boolean {
  return letters.every((letter) => matchesOneOf([contributor], { kind: "prefix", prefix: letter }));
}

/** Names are compared by their words, and the others by their terms. */
function passesTerms(entry: Entry, terms: readonly string[], filters: SearchFilters): boolean {
  const { contributor, series, ...others } = filters;
  const { collection, contributors } = parseSummary(entry.body);
  const names = contributors.map(({ name }) => name);
  return (
    filterTermsOf(others).every((some) => some.some((term) => terms.includes(term))) &&
    isOneOf(contributor, names) &&
    isOneOf(series, [collection])
  );
}

function isOneOf(wanted: readonly string[] | undefined, names: readonly (string | null)[]): boolean {
  const same = (a: string, b: string) => wordsOf(a).join(" ") === wordsOf(b).join(" ");
  return wanted === undefined || names.some((name) => wanted.some((each) => same(each, name ?? "")));
}

function hasFacts(entry: Entry, document: SearchDocument, filters: SearchFilters): boolean {
  const { market, availability, status, price, lacks = [] } = filters;
  const summary = parseSummary(entry.body);
  const { markets } = summary;
  const needs = needsOfBits(document.lacks);
  const isOffered = (offer: string | null | undefined) =>
    availability === undefined || availability.some((code) => code === offer);
  return (
    (market === undefined
      ? isOffered(summary.availability)
      : market.some((each) => {
          const offer = availabilityIn(markets, each);
          // A book without markets is sold everywhere.
          return (markets.length === 0 || offer !== undefined) && isOffered(offer);
        })) &&
    (status === undefined || status.some((code) => code === summary.status)) &&
    (price === undefined || price.some((band) => document.prices.includes(band))) &&
    lacks.every((need) => needs.includes(need))
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
  return query.terms.every(
    (term) =>
      !isRanked(term) ||
      matchesOneOf(texts, term) ||
      (tier === 4 && term.kind === "initials" && hasInitials(document, term)),
  );
}

function matchesOneOf(texts: readonly string[], term: RankedTerm): boolean {
  if (term.kind === "initials") return spellingsOf(term).some((words) => matchesOneOf(texts, words));
  return term.kind === "prefix"
    ? texts.some((text) => text.split(" ").some((word) => word.startsWith(term.prefix)))
    : texts.some((text) => hasPhrase(text, term.words));
}

function hasPhrase(text: string, words: readonly string[]): boolean {
  return ` ${text} `.includes(` ${words.join(" ")} `);
}

function keyOf(book: Book, request: SearchRequest): SearchKey {
  const { isbn, published } = book.entry;
  const place = SORTS[request.sort];
  if (place === "tier") return { isbn, published, tier: tierOf(book, request) };
  return place === "titleKey" ? { isbn, published, titleKey: book.document.titleKey } : { isbn, published };
}

type Comparison = (a: SearchKey, b: SearchKey) => number;

const byIsbn: Comparison = (a, b) => compare(a.isbn, b.isbn);
const undatedLast: Comparison = (a, b) =>
  Number(a.published === undefined) - Number(b.published === undefined);
const byDay: Comparison = (a, b) => compare(b.published ?? "", a.published ?? "") || byIsbn(a, b);
const newest: Comparison = (a, b) => undatedLast(a, b) || byDay(a, b);

const COMPARISONS: Readonly<Record<SearchSort, Comparison>> = {
  relevance: (a, b) => a.tier! - b.tier! || newest(a, b),
  newest,
  oldest: (a, b) => undatedLast(a, b) || -byDay(a, b),
  title: (a, b) => compareCodePoints(a.titleKey!, b.titleKey!) || byIsbn(a, b),
};

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Returns the fields of a search document, for tests that compare documents: getters are not compared. */
export function fieldsOfDocument(document: SearchDocument) {
  const { description, title, contributor, label, rest, filter, marks, facts } = document;
  const { titleKey, imprint, languages, form, audience, availability, lacks, prices, digest } = document;
  const texts = { description, title, contributor, label, rest, filter, marks, facts };
  return { ...texts, titleKey, imprint, languages, form, audience, availability, lacks, prices, digest };
}
