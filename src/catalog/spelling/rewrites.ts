/** Other ways to write a query that finds nothing, and a word that no book has. Whether they find books is not known here. */
import { hasValidCheckDigit, isBookIsbn, isThirteenDigits, parseIsbn } from "../../onix/isbn.ts";
import type { SearchQuery, SearchTerm } from "../search/query.ts";
import { isbnBeginningOf, MAX_QUERY_PREFIXES, MIN_PREFIX_CHARS } from "../search/query-parser.ts";

/** `muchadoaboutnothing` */
const MAX_PARTS = 4;
const MAX_SPLITS = 20;
/** Bounds the time that a random text takes. */
const MAX_SPLIT_CHARS = 24;

export const LETTERS = /^\p{L}+$/u;
const DIGITS = /^[0-9]+$/;
const DIGITS_OR_X = /^[0-9]+x?$/;
const ISBN_LABEL = /^(?:isbn|ean)(?:1[03])?$/;

/** Returns the letters of a short word as initials. */
export function initialsOf(term: SearchTerm, maxLetters: number): readonly SearchTerm[] {
  const word = wordOf(term) ?? "";
  const letters = [...word];
  return letters.length <= maxLetters && LETTERS.test(word) ? [{ kind: "initials", letters }] : [];
}

/** Returns the query with the letters before a name as initials: `f.lorca`. */
export function withSplitInitials(query: SearchQuery): readonly SearchQuery[] {
  const terms = query.terms.flatMap((term): readonly SearchTerm[] => {
    if (term.kind !== "words") return [term];
    const { words } = term;
    const name = words.findIndex((word) => [...word].length > 1);
    const letters = words.slice(0, Math.max(name, 0));
    const areInitials = letters.length > 0 && letters.every((letter) => LETTERS.test(letter));
    return areInitials
      ? [
          { kind: "initials", letters },
          { ...term, words: words.slice(name) },
        ]
      : [term];
  });
  return terms.length > query.terms.length ? [{ ...query, terms }] : [];
}

export function wordOf(term: SearchTerm): string | undefined {
  return term.kind === "words" && term.words.length === 1 ? term.words[0] : undefined;
}

/** A word that is being typed counts, too. */
export function typedWordOf(term: SearchTerm): string | undefined {
  return term.kind === "prefix" && term.orWord ? term.prefix : wordOf(term);
}

/** Returns the queries with two neighbours as one word: `tem pest`, `spider-man`. */
export function joinsOf(query: SearchQuery): readonly SearchQuery[] {
  const { terms } = query;
  return terms.flatMap((term, index) => {
    const inPhrase = term.kind === "words" ? term.words.slice(1) : [];
    const joined = inPhrase.map((word, at): SearchTerm => {
      const { words } = term as { words: readonly string[] };
      return { kind: "words", words: words.toSpliced(at, 2, words[at]! + word) };
    });
    const queries = joined.map((each) => terms.with(index, each));
    const [first, next] = [wordOf(term), terms[index + 1]];
    const second = next && typedWordOf(next);
    if (first !== undefined && second !== undefined) {
      const word = first + second;
      const both: SearchTerm =
        next!.kind === "prefix"
          ? { kind: "prefix", prefix: word, orWord: true }
          : { kind: "words", words: [word] };
      queries.push(terms.toSpliced(index, 2, both));
    }
    return queries.map((each) => ({ ...query, terms: each }));
  });
}

/** Returns the query with a Roman numeral instead of a number, or the other way round, or all: `tomo 2`, `tomo II`. */
export function numeralsOf(query: SearchQuery): readonly SearchQuery[] {
  const others = query.terms.map((term) => ROMAN_NUMERALS.get(wordOf(term) ?? ""));
  const places = [...others.keys()].filter((index) => others[index] !== undefined);
  const groups = places.length > 1 ? [...places.map((index) => [index]), places] : [places];
  return groups
    .filter(({ length }) => length > 0)
    .map((group) => {
      const other = (index: number): SearchTerm => ({ kind: "words", words: [others[index]!] });
      return {
        ...query,
        terms: query.terms.map((term, index) => (group.includes(index) ? other(index) : term)),
      };
    });
}

/** Returns the query with its words that no book has, up to a length, as beginnings of others: `treasure isl`. */
export function unknownBeginningsOf(
  query: SearchQuery,
  known: Known,
  maxChars?: number,
): readonly SearchQuery[] {
  const places = beginningPlaces(query, maxChars).filter((index) => !known.has(query.terms[index]!));
  return withBeginnings(query, places);
}

/**
 * Returns groups of queries with words as beginnings of others: those that no book has and the last other word, then any
 * other word, then all. `eug gran`
 */
export function beginningsOf(query: SearchQuery, known: Known): readonly (readonly SearchQuery[])[] {
  const places = beginningPlaces(query);
  const unknown = places.filter((index) => !known.has(query.terms[index]!));
  const [last, ...others] = places.filter((index) => !unknown.includes(index)).reverse();
  if (last === undefined) return [];
  return [
    withBeginnings(query, [...unknown, last]),
    others.flatMap((index) => withBeginnings(query, [...unknown, index])),
    withBeginnings(query, places),
  ];
}

type Known = ReadonlySet<string | SearchTerm>;

function beginningPlaces({ terms }: SearchQuery, maxChars = Number.POSITIVE_INFINITY): readonly number[] {
  return terms.flatMap((term, index) => {
    const word = wordOf(term) ?? "";
    const isLong = word.length >= MIN_PREFIX_CHARS && word.length <= maxChars;
    return isLong && LETTERS.test(word) ? [index] : [];
  });
}

function withBeginnings(query: SearchQuery, places: readonly number[]): readonly SearchQuery[] {
  const prefixes = places.length + query.terms.filter(({ kind }) => kind === "prefix").length;
  if (places.length === 0 || prefixes > MAX_QUERY_PREFIXES) return [];
  const terms = query.terms.map((term, index): SearchTerm => {
    return places.includes(index) ? { kind: "prefix", prefix: wordOf(term)! } : term;
  });
  return [{ ...query, terms }];
}

/** Up to 39, in both directions. */
export const ROMAN_NUMERALS: ReadonlyMap<string, string> = new Map(
  ["", "x", "xx", "xxx"].flatMap((tens, ten) =>
    ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"].flatMap((ones, one) => {
      const [roman, number] = [tens + ones, String(10 * ten + one)];
      return [[roman, number] as const, [number, roman] as const].filter(([each]) => roman !== "" && each);
    }),
  ),
);

/** Returns queries for the ISBNs that digits are the beginning of, or the end after 978 or 979. */
export function isbnsOf(query: SearchQuery): readonly SearchQuery[] {
  const digits = digitsOf(query);
  if (!DIGITS.test(digits)) return [];
  const whole = ["978", "979"].flatMap((prefix): readonly SearchTerm[] => {
    const isbn = `${prefix}${digits}`;
    return isThirteenDigits(isbn) && hasValidCheckDigit(isbn) ? [{ kind: "isbn", isbn }] : [];
  });
  const orIsbn = isbnBeginningOf(digits);
  const begun: readonly SearchTerm[] = orIsbn ? [{ kind: "prefix", prefix: digits, orIsbn }] : [];
  return [...whole, ...begun].map((term) => ({ ...query, terms: [term] }));
}

function digitsOf({ terms }: SearchQuery): string {
  const words = terms.flatMap((term) => {
    if (term.kind === "prefix") return term.prefix;
    if (term.kind === "isbn") return term.isbn10 ?? term.isbn;
    return term.kind === "words" ? term.words : "";
  });
  // `ISBN-13: 978…`
  if (ISBN_LABEL.test(words[0] ?? "")) words.splice(0, words[1] === "10" || words[1] === "13" ? 2 : 1);
  return words.every((word) => DIGITS_OR_X.test(word)) ? words.join("") : "";
}

/**
 * Returns queries for the ISBNs that a number may be: with another digit, one more or less, or two exchanged. Neighbours
 * that differ by 5 keep the check digit of an ISBN-13 right. With a right one, these alone are returned, and none for an
 * ISBN-10.
 */
export function nearIsbnsOf(query: SearchQuery): readonly SearchQuery[] {
  const number = [...digitsOf(query)];
  if (number.length < 9 || number.length > 14) return [];
  const near = number.flatMap((digit, at) => [
    ...[..."0123456789x"].flatMap((other) => [number.with(at, other), number.toSpliced(at, 0, other)]),
    number.toSpliced(at, 1),
    number.with(at, number[at + 1] ?? digit).with(Math.min(at + 1, number.length - 1), digit),
  ]);
  const isbns = near
    .map((digits) => parseIsbn(digits.join("")))
    .filter((isbn) => isbn !== undefined && isBookIsbn(isbn) && hasValidCheckDigit(isbn));
  return [...new Set(isbns)].map((isbn) => ({ ...query, terms: [{ kind: "isbn", isbn: isbn! }] }));
}

/** Returns the ways to split a word into words that the catalog has: `thetempest`. */
export function splitsOf(word: string, has: (part: string) => boolean): readonly (readonly string[])[] {
  if (word.length > MAX_SPLIT_CHARS || DIGITS.test(word)) return [];
  const found: (readonly string[])[] = [];
  const looked = new Map<string, boolean>();
  const isPart = (part: string) => {
    if (!looked.has(part)) looked.set(part, isUnlisted(part) || has(part));
    return looked.get(part)!;
  };
  const extend = (parts: readonly string[], from: number) => {
    if (from === word.length && parts.length > 1) found.push(parts);
    if (parts.length === MAX_PARTS) return;
    for (let to = from + 1; to <= word.length; to++) {
      const part = word.slice(from, to);
      if (isPart(part)) extend([...parts, part], to);
    }
  };
  extend([], 0);
  const unlistedChars = (parts: readonly string[]) => parts.filter(isUnlisted).join("").length;
  return found
    .toSorted((a, b) => a.length - b.length || unlistedChars(a) - unlistedChars(b))
    .slice(0, MAX_SPLITS);
}

/** The list of words has no short ones, and none with digits. These are not looked up. */
export function isUnlisted(part: string): boolean {
  return part.length < 3 || DIGITS.test(part);
}
