/** The terms of the search index that are not words of a text: marks between texts, and terms for filters. */
import { fold } from "./fold.ts";
import { marketCondition } from "./market-terms.ts";
import {
  FACT_FILTERS,
  type FactFilter,
  type SearchFilters,
  TERM_FILTERS,
  type TermFilter,
} from "./properties.ts";
import type { FactCondition } from "./query.ts";
import { wordsOf } from "./word-writer.ts";

/** Stand before and after each title, so that "the title is exactly this" is a phrase. No word has these characters. */
export const TITLE_START = "«";
export const TITLE_END = "»";
/** Stands between two texts, so that a phrase does not match across them. */
export const TEXT_BREAK = "¦";

/** Begins a filter term, and replaces what is neither a letter nor a digit. No word has it. */
export const MARK = "·";
/** No book has this term. */
export const UNUSED_TERM = MARK;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;
/** Most values. They need no folding. */
const ASCII_VALUE = /^[0-9A-Za-z]{1,100}$/;
/** All engines store terms of this length. */
export const MAX_VALUE_CHARS = 200;

/** The fields that a book has terms of: those of filters, and its ISBN, which queries have. */
export type TermField = TermFilter | FactFilter | "isbn";

const FIELD_LETTERS: Readonly<Record<TermField, string>> = {
  imprint: "i",
  language: "l",
  form: "f",
  subject: "s",
  contributor: "k",
  series: "r",
  audience: "u",
  availability: "a",
  market: "m",
  status: "p",
  price: "e",
  lacks: "x",
  isbn: "n",
};

/** The fields whose values are compared by their words. */
export const NAME_FIELDS: ReadonlySet<TermField> = new Set(["contributor", "series"]);

/** Thousands of books share a code or an imprint. */
const termCaches: Partial<Record<TermField, Map<string, string>>> = {};
const MAX_CACHED_TERMS = 10_000;
const MAX_CACHED_CHARS = 100;

/** Returns the term that a book has exactly when it passes the filter. */
export function filterTerm(field: TermField, value: string): string {
  if (field === "isbn" || value.length > MAX_CACHED_CHARS) return makeFilterTerm(field, value);
  let cache = termCaches[field];
  if (cache === undefined || cache.size >= MAX_CACHED_TERMS) cache = termCaches[field] = new Map();
  let term = cache.get(value);
  if (term === undefined) {
    term = makeFilterTerm(field, value);
    cache.set(value, term);
  }
  return term;
}

function makeFilterTerm(field: TermField, value: string): string {
  const term = MARK + FIELD_LETTERS[field] + MARK;
  if (ASCII_VALUE.test(value)) return term + value.toLowerCase();
  if (NAME_FIELDS.has(field)) return term + shortened(wordsOf(value).join(MARK));
  // Slugs stay as they are: "Groß" and "Gross" are two imprints, and folding would make them one.
  const text = field === "imprint" ? value : fold(value);
  return term + shortened(text).replace(SEPARATORS, MARK);
}

/** Longer values get a hash, so that they stay different. */
function shortened(text: string): string {
  if (text.length <= MAX_VALUE_CHARS) return text;
  // Half a character would not be stored as it is.
  const start = text.slice(0, MAX_VALUE_CHARS).replace(/[\ud800-\udbff]$/, "");
  return `${start}${MARK}${Bun.hash.xxHash64(text).toString(16)}`;
}

/** Returns lists of terms beside the words. A book passes the filters by terms exactly when it has one of each list. */
export function filterTermsOf(filters: SearchFilters): readonly (readonly string[])[] {
  return TERM_FILTERS.flatMap((name) => {
    const values = filters[name];
    return values === undefined ? [] : [values.map((value) => filterTerm(name, value))];
  });
}

/** Returns the conditions that a book meets exactly when it passes the filters by facts. */
export function factConditionsOf(filters: SearchFilters): readonly FactCondition[] {
  const { market, lacks = [] } = filters;
  const conditions: FactCondition[] = lacks.map((need) => [{ term: filterTerm("lacks", need) }]);
  for (const name of FACT_FILTERS) {
    if (name === "lacks" || name === "market" || (name === "availability" && market !== undefined)) continue;
    const values = filters[name];
    if (values !== undefined) conditions.push(values.map((value) => ({ term: filterTerm(name, value) })));
  }
  if (market !== undefined) conditions.push(marketCondition(market, filters.availability));
  return conditions;
}

/** SubjectSchemeIdentifier (list 27) of BISAC subject headings. */
const BISAC = "10";
/** The lengths of a BISAC code and of its broader ones: FIC, FIC027, FIC027010. */
const BISAC_LENGTHS: readonly number[] = [3, 6, 9];
/** Keywords and the publisher's own categories have no hierarchy. */
const FLAT_SCHEMES: ReadonlySet<string> = new Set(["20", "23", "24"]);
/** The longest codes of Thema have 14 characters: 1KBB-US-NAKCMG. */
const MAX_PREFIXES = 16;

/** Thousands of books share a subject. */
const subjectCache = new Map<string, readonly string[]>();
const MAX_CACHED_SUBJECTS = 10_000;

/** Returns the terms of a subject: its code and all broader ones, each with and without the scheme. */
export function subjectTerms(scheme: string | null, code: string): readonly string[] {
  const key = `${scheme ?? ""}\0${code}`;
  const cached = subjectCache.get(key);
  if (cached !== undefined) return cached;
  if (subjectCache.size >= MAX_CACHED_SUBJECTS) subjectCache.clear();
  const terms = makeSubjectTerms(scheme, code);
  subjectCache.set(key, terms);
  return terms;
}

function makeSubjectTerms(scheme: string | null, code: string): readonly string[] {
  const codes = [...prefixesOf(scheme, code.trim())];
  const terms = codes.map((each) => filterTerm("subject", each));
  if (scheme !== null) terms.push(...codes.map((each) => filterTerm("subject", `${scheme}:${each}`)));
  return terms;
}

function prefixesOf(scheme: string | null, code: string): ReadonlySet<string> {
  const prefixes = new Set<string>();
  if (code !== "") prefixes.add(code);
  if (scheme !== null && FLAT_SCHEMES.has(scheme)) return prefixes;
  const lengths =
    scheme === BISAC
      ? BISAC_LENGTHS
      : code
          .slice(0, MAX_PREFIXES - 1)
          .split("")
          .map((_, at) => at + 1);
  for (const length of lengths) if (length < code.length) prefixes.add(code.slice(0, length));
  return prefixes;
}

/** Beginnings of ISBNs of these lengths have terms of their own. Few ISBNs begin with more digits. */
const ISBN_BEGINNINGS: readonly number[] = [5, 7];

/** Returns the terms of the beginnings of an ISBN that a book has. */
export function isbnBeginningsOf(isbn: string): readonly string[] {
  return ISBN_BEGINNINGS.map((length) => isbnBeginningTerm(isbn.slice(0, length)));
}

function isbnBeginningTerm(digits: string): string {
  return `${MARK}n${digits.length}${MARK}${digits}`;
}

/** Returns the terms of which a book has one exactly when its ISBN begins with these digits, from four on. */
export function isbnBeginningTerms(digits: string): readonly IndexTerm[] {
  const length = ISBN_BEGINNINGS.find((each) => each >= digits.length);
  if (length === undefined) return [{ term: filterTerm("isbn", digits), isPrefix: true }];
  if (length === digits.length) return [{ term: isbnBeginningTerm(digits) }];
  return Array.from({ length: 10 }, (_, next) => ({ term: isbnBeginningTerm(digits + next) }));
}

export interface IndexTerm {
  readonly term: string;
  readonly isPrefix?: true;
}

/**
 * Terms of their own tell that a word is in a title, a name, or a label (collections, imprint, publisher), and with what
 * letter a word of a name begins: an index would read the positions of a common word in all books to find those that
 * have it there. No word and no filter term begins as they do.
 */
export const TITLE_WORD = "·t·";
export const NAME_WORD = "·c·";
export const LABEL_WORD = "·o·";
export const NAME_INITIAL = "·j·";
const WHOLE_TITLE = "·w·";
export const TITLE_BEGINNING = "·b·";
/** The beginnings of a title that have a term of their own, in words. */
export const MAX_BEGINNING_WORDS = 2;

/** The term of a book with exactly this title. It is a digest, because whole titles are long and most are unique. */
export function wholeTitleTerm(words: string | Uint8Array): string {
  return WHOLE_TITLE + Bun.hash.xxHash64(words as string | Uint8Array<ArrayBuffer>).toString(36);
}

/** The term of a book with a title that begins with these words, or with the first of them. */
export function titleBeginningTerm(words: readonly string[]): string {
  return TITLE_BEGINNING + words.slice(0, MAX_BEGINNING_WORDS).join(MARK);
}

/** The order of titles is that of their keys, byte by byte in UTF-8: their first characters. Books without a title come last. */
export const MAX_TITLE_KEY_CHARS = 80;
/** Sorts behind every letter: it is the last character for private use. */
export const NO_TITLE_KEY = "\u{10fffd}";
