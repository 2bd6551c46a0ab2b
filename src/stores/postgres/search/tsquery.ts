/** Writes a search as queries of PostgreSQL's text search, in their text form. */
import {
  factConditionsOf,
  filterTerm,
  filterTermsOf,
  isbnBeginningTerms,
  TITLE_END,
  TITLE_START,
} from "../../../catalog/search/index-terms.ts";
import type { SearchFilters } from "../../../catalog/search/properties.ts";
import {
  type FactTerm,
  type FieldTerm,
  type InitialsTerm,
  isRanked,
  type RankedTerm,
  type SearchQuery,
  type SearchTerm,
  type SearchTier,
  spellingsOf,
  titleWordsOf,
} from "../../../catalog/search/query.ts";
import type { SearchSelection } from "../../../catalog/search/search.ts";
import {
  IN_CONTRIBUTOR,
  IN_LABEL,
  IN_TITLE,
  MAX_TITLE_LEXEME_WORDS,
  NAME_INITIAL,
  TITLE_BEGINS,
  TITLE_IS,
} from "./lexemes.ts";

/** Returns the query of the words of a tier, without the better ones. Is undefined when every book matches. */
export function tsqueryOfTier(
  selection: SearchSelection,
  tier: SearchTier,
  better?: SearchTier,
): string | undefined {
  const { query, filters } = selection;
  const parts = filterParts(filters);
  if (query !== undefined) {
    parts.push(...query.terms.filter((term) => !isRanked(term)).map(anywhere));
    parts.push(...query.excluded.map((term) => `!(${anywhere(term)})`));
    parts.push(...tierParts(query, tier));
    if (better !== undefined) parts.push(`!(${tierParts(query, better).join(" & ")})`);
  }
  return parts.length === 0 ? undefined : parts.join(" & ");
}

/**
 * Returns the query of a tier without beginnings of words, or without some of them. Is undefined when it leaves out
 * nothing, when nothing remains, and for the tiers of whole titles, which have no beginnings.
 */
export function withoutBeginnings(
  { query, filters }: SearchSelection,
  tier: SearchTier,
  isLeftOut = (_: SearchTerm) => true,
): string | undefined {
  const terms = query?.terms.filter((term) => !(isBeginning(term) && isLeftOut(term))) ?? [];
  if (tier < 3 || terms.length === 0 || terms.length === query!.terms.length) return undefined;
  return tsqueryOfTier({ query: { terms, excluded: [] }, filters }, tier);
}

/** Returns the query of the beginnings of words alone. */
export function beginnings({ terms }: SearchQuery): string {
  return terms.filter(isBeginning).map(anywhere).join(" & ");
}

function isBeginning(term: SearchTerm): boolean {
  return term.kind === "prefix" || (term.kind === "field" && term.isPrefix === true);
}

/** Returns the part of a tier that other tiers do not share, as one query. */
export function tierCondition(query: SearchQuery, tier: SearchTier): string {
  return tierParts(query, tier).join(" & ");
}

const FIELDS: Readonly<Record<FieldTerm["field"], readonly string[]>> = {
  title: [IN_TITLE],
  name: [IN_CONTRIBUTOR],
  label: [IN_LABEL],
  any: [IN_TITLE, IN_CONTRIBUTOR, IN_LABEL],
};

function filterParts(filters: SearchFilters): string[] {
  return filterTermsOf(filters).map((terms) => `(${terms.map((term) => lexeme(term)).join(" | ")})`);
}

/** Returns the query of the facts of the filters. Is undefined when they need none. */
export function factsQueryOf(filters: SearchFilters): string | undefined {
  const conditions = factConditionsOf(filters).map((condition) => `(${condition.map(fact).join(" | ")})`);
  return conditions.length === 0 ? undefined : conditions.join(" & ");
}

function fact({ term, isPrefix, without }: FactTerm): string {
  const found = lexeme(term, isPrefix && ":*");
  return without === undefined ? found : `${found} & !${lexeme(without)}`;
}

function tierParts(query: SearchQuery, tier: SearchTier): string[] {
  if (tier === 1 || tier === 2) return [titleCondition(query, tier)];
  const terms = query.terms.filter(isRanked);
  if (tier === 5) return terms.map(anywhere);
  return terms.map((term) => (tier === 3 ? inTitle(term) : inTitleOrName(term)));
}

/** Long titles are found by their first words, and then compared. */
function titleCondition(query: SearchQuery, tier: 1 | 2): string {
  const words = titleWordsOf(query)!;
  if (words.length <= MAX_TITLE_LEXEME_WORDS) {
    return lexeme((tier === 1 ? TITLE_IS : TITLE_BEGINS) + words.join(" "));
  }
  const first = lexeme(TITLE_BEGINS + words.slice(0, MAX_TITLE_LEXEME_WORDS).join(" "));
  return `${first} & (${phrase([TITLE_START, ...words, ...(tier === 1 ? [TITLE_END] : [])], "")})`;
}

/** Returns the query of a term in any field. */
export function anywhere(term: SearchTerm): string {
  switch (term.kind) {
    case "isbn":
      return lexeme(filterTerm("isbn", term.isbn));
    case "words":
      return `(${phrase(term.words, "")})`;
    case "initials":
      return oneOf([...spellingsOf(term).map(anywhere), initials(term)]);
    case "field":
      return oneOf(FIELDS[term.field].map((field) => lexeme(field + term.word, term.isPrefix ? ":*" : "")));
    case "prefix": {
      const parts = FIELDS.any.map((field) => lexeme(field + term.prefix, ":*"));
      if (term.orWord) parts.push(lexeme(term.prefix));
      const isbns = term.orIsbn === undefined ? [] : isbnBeginningTerms(term.orIsbn);
      return oneOf([...parts, ...isbns.map((each) => lexeme(each.term, each.isPrefix && ":*"))]);
    }
  }
}

function inTitle(term: RankedTerm): string {
  return inField(term, IN_TITLE, "A");
}

function inTitleOrName(term: RankedTerm): string {
  return oneOf([inTitle(term), inField(term, IN_CONTRIBUTOR, "B")]);
}

/** The lexemes of the field use the index. For a phrase, the positions of that weight are compared afterwards. */
function inField(term: RankedTerm, field: string, weight: "A" | "B"): string {
  if (term.kind === "prefix") return lexeme(field + term.prefix, ":*");
  if (term.kind === "initials") {
    const spellings = spellingsOf(term).map((words) => inField(words, field, weight));
    return oneOf(weight === "A" ? spellings : [...spellings, initials(term)]);
  }
  const lexemes = term.words.map((word) => lexeme(field + word));
  if (term.words.length > 1) lexemes.push(`(${phrase(term.words, `:${weight}`)})`);
  return `(${lexemes.join(" & ")})`;
}

function initials({ letters }: InitialsTerm): string {
  return `(${letters.map((letter) => lexeme(NAME_INITIAL + letter)).join(" & ")})`;
}

function oneOf(parts: readonly string[]): string {
  return `(${parts.join(" | ")})`;
}

function phrase(words: readonly string[], weight: string): string {
  return words.map((word) => lexeme(word, weight)).join(" <-> ");
}

function lexeme(text: string, flags = ""): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'${flags}`;
}
