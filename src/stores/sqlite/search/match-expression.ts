/** Writes searches as expressions of FTS5. */
import {
  factConditionsOf,
  filterTerm,
  filterTermsOf,
  type IndexTerm,
  isbnBeginningTerms,
  LABEL_WORD,
  MAX_BEGINNING_WORDS,
  NAME_INITIAL,
  NAME_WORD,
  TITLE_START,
  TITLE_WORD,
  titleBeginningTerm,
  UNUSED_TERM,
  wholeTitleTerm,
} from "../../../catalog/search/index-terms.ts";
import {
  type FieldTerm,
  type InitialsTerm,
  isRanked,
  type RankedTerm,
  type SearchQuery,
  type SearchTerm,
  type SearchTier,
  spellingsOf,
  titleWordsOf,
  type WordsTerm,
} from "../../../catalog/search/query.ts";
import type { SearchSelection } from "../../../catalog/search/search.ts";
import type { Match } from "./found-books.ts";

/** The terms that tell that a word is in a title, a name or a label. */
const FIELD_MARKS: Readonly<Record<FieldTerm["field"], readonly string[]>> = {
  title: [TITLE_WORD],
  name: [NAME_WORD],
  label: [LABEL_WORD],
  any: [TITLE_WORD, NAME_WORD, LABEL_WORD],
};
const TIER_MARKS = { 3: [TITLE_WORD], 4: [TITLE_WORD, NAME_WORD] } as const;

/** Follows a term that is the beginning of words. No word has a space. */
export const PREFIX_MARK = " *";

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
  const required = requiredTerms(selection, tier);
  const precondition =
    tier === 2 ? longBeginning(titleWordsOf(selection.query!) ?? []) : withoutPrefixes(required);
  const rest = { facts, ...(precondition !== undefined && { precondition }) };
  const better = selection.query && before !== undefined ? [all(tierTerms(selection.query, before))] : [];
  if (excluded.length <= MAX_NOT_TERMS) return { words: write(required, [...excluded, ...better]), ...rest };
  return { words: write(required, better), excluded: oneOf(excluded), ...rest };
}

/** FTS5 compares a phrase in all books that have its words, not only in those that the other terms leave. */
function longBeginning(words: readonly string[]): string | undefined {
  if (words.length <= MAX_BEGINNING_WORDS) return undefined;
  const others = words.slice(MAX_BEGINNING_WORDS).map((word) => quote(TITLE_WORD + word));
  return all([quote(titleBeginningTerm(words)), ...others]);
}

/** FTS5 reads all books with a word that begins so, even when no book has the other terms. */
function withoutPrefixes(required: readonly string[]): string | undefined {
  const others = required.filter((term) => !term.includes(PREFIX_MARK));
  return others.length === 0 || others.length === required.length ? undefined : all(others);
}

function write(required: readonly string[], not: readonly string[]): string | undefined {
  if (required.length === 0) return undefined;
  return not.length === 0 ? all(required) : `${all(required)} NOT ${oneOf(not)}`;
}

function requiredTerms({ query, filters }: SearchSelection, tier: SearchTier): readonly string[] {
  const required = filterTermsOf(filters).map((terms) => oneOf(terms.map(quote)));
  if (query !== undefined) {
    required.push(...query.terms.filter((term) => !isRanked(term)).map(writeTerm));
    required.push(...tierTerms(query, tier));
  }
  return required;
}

/** Returns what a tier demands of the words and prefixes of a query. */
function tierTerms(query: SearchQuery, tier: SearchTier): string[] {
  const words = titleWordsOf(query) ?? [];
  if (tier === 1) return [quote(wholeTitleTerm(words.join(" ")))];
  if (tier === 2) return beginningTerms(words);
  return query.terms.filter(isRanked).map((term) => (tier === 5 ? writeTerm(term) : writeIn(term, tier)));
}

/** Longer beginnings are compared in the few books that have the terms of their words. */
function beginningTerms(words: readonly string[]): string[] {
  const terms = longBeginning(words);
  if (terms === undefined) return [quote(titleBeginningTerm(words))];
  // FTS5 would compare the phrase in all books that have one of the terms, if they were in the same list of AND.
  return [`(${terms} NOT ${quote(UNUSED_TERM)})`, quote([TITLE_START, ...words].join(" "))];
}

/** Writes a term for the whole book. */
function writeTerm(term: SearchTerm): string {
  switch (term.kind) {
    case "isbn":
      return quote(filterTerm("isbn", term.isbn));
    case "words":
      return quote(term.words.join(" "));
    case "initials":
      return oneOf([...spellingsOf(term).map(writeTerm), writeInitials(term)]);
    case "field":
      return oneOf(
        FIELD_MARKS[term.field].map((mark) => writeMarked({ term: mark + term.word }, term.isPrefix)),
      );
    case "prefix": {
      const parts = FIELD_MARKS.any.map((mark) => writeMarked({ term: mark + term.prefix }, true));
      if (term.orWord) parts.push(quote(term.prefix));
      if (term.orIsbn !== undefined)
        parts.push(...isbnBeginningTerms(term.orIsbn).map((each) => writeMarked(each)));
      return oneOf(parts);
    }
  }
}

/** Writes a term for the titles (tier 3), or for the titles and the names (tier 4). */
function writeIn(term: RankedTerm, tier: 3 | 4): string {
  if (term.kind === "prefix")
    return oneOf(TIER_MARKS[tier].map((mark) => writeMarked({ term: mark + term.prefix }, true)));
  if (term.kind === "words") return writeWordsIn(term, tier);
  const spellings = spellingsOf(term).map((words) => writeWordsIn(words, tier));
  return oneOf(tier === 3 ? spellings : [...spellings, writeInitials(term)]);
}

function writeWordsIn({ words }: WordsTerm, tier: 3 | 4): string {
  const each = words.map((word) => oneOf(TIER_MARKS[tier].map((mark) => quote(mark + word))));
  if (each.length === 1) return each[0]!;
  // The terms of the words find the few books whose positions are then compared.
  const columns = tier === 3 ? "title" : "{title contributor}";
  return all([...each, `${columns} : ${quote(words.join(" "))}`]);
}

function writeInitials({ letters }: InitialsTerm): string {
  return all(letters.map((letter) => quote(NAME_INITIAL + letter)));
}

function writeMarked({ term, isPrefix }: IndexTerm, alsoPrefix = false): string {
  return isPrefix || alsoPrefix ? quote(term) + PREFIX_MARK : quote(term);
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
