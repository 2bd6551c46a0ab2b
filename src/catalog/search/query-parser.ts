/** Parses the text of a query: words, "phrases", prefixes with `*`, exclusions with `-`, and ISBNs in any form. */
import { hasValidCheckDigit, isBookIsbn, parseIsbn } from "../../onix/isbn.ts";
import type { PrefixTerm, SearchQuery, SearchTerm } from "./query.ts";
import { isUnspaced } from "./tokens.ts";
import { wordsOf } from "./word-writer.ts";

export const MAX_QUERY_CHARS = 500;
/** Each word costs time in the index. */
export const MAX_QUERY_WORDS = 32;
/** The index has no prefixes: each takes the time of all of its words, before the first book is found. */
export const MAX_QUERY_PREFIXES = 4;
/** A shorter prefix matches too many words. */
export const MIN_PREFIX_CHARS = 3;
/** The last word of a query that is still being typed. */
const MIN_LAST_PREFIX_CHARS = 2;

/** What can be wrong with a query, by a code for programs, and as a sentence without its full stop. */
const PROBLEMS = {
  "too-long": `The query is longer than ${MAX_QUERY_CHARS} characters`,
  "too-many-words": `The query has more than ${MAX_QUERY_WORDS} words`,
  "too-many-prefixes": `The query has more than ${MAX_QUERY_PREFIXES} words with an asterisk`,
  "no-words": "The query has no word to search for",
  "only-exclusions": "The query has only exclusions; add a word to search for",
  "excluded-prefix": "An exclusion with an asterisk can only have one word",
  "inner-asterisk": "An asterisk can only stand at the end of a word",
  "lone-asterisk": "An asterisk needs the beginning of a word before it",
  "short-prefix": `An asterisk needs at least ${MIN_PREFIX_CHARS} characters before it`,
  "open-quotation": "A quotation mark is not closed",
} as const;
type QueryProblem = keyof typeof PROBLEMS;
export const QUERY_PROBLEMS = Object.keys(PROBLEMS) as readonly QueryProblem[];

/** The query cannot be understood. */
export class QuerySyntaxError extends Error {
  override readonly name = "QuerySyntaxError";

  constructor(
    readonly code: QueryProblem,
    /** The place in the query: the first character is 1. Characters are Unicode code points. */
    readonly position: number,
  ) {
    super(`${PROBLEMS[code]} (character ${position})`);
  }

  /** Tells the client the mistake. */
  get problem(): string {
    return PROBLEMS[this.code];
  }
}

/** Throws `QuerySyntaxError`. `isTyping`: the last word may be unfinished, and counts as a prefix as well. */
export function parseQuery(text: string, isTyping = false): SearchQuery {
  return new QueryParser(text, isTyping).parse();
}

/** A comma or semicolon separates words, but a comma joins digits: `1,99`. */
const SPACE = /[\s,;]*/y;
/** ISBN, ISBN-13:, EAN and the like before a number. */
const LABEL = /(?:(?:ISBN|EAN)(?:[- ]?1[03])?[:= ]*)?/iy;
/** Ten or thirteen digits with hyphens or spaces between them, before the end of a word. */
const NUMBER = /[0-9](?:[ \u00a0\u2010\u2011-]?[0-9]){8,11}[ \u00a0\u2010\u2011-]?[0-9Xx](?![\p{L}\p{N}*])/uy;
const QUOTES = '"“”„«»';
const QUOTE = new RegExp(`[${QUOTES}]`);
const TEXT = new RegExp(`(?:[^\\s,;${QUOTES}]|(?<=[0-9]),(?=[0-9]))+`, "y");
/** The beginnings of ISBNs, without the hyphens that are printed on a book. */
const HYPHENS = /[\u2010\u2011-]/g;
const SEPARATORS = /[ \u00a0\u2010\u2011-]/g;
const ISBN_BEGINNING = /^97[89][0-9]{1,9}$/;
const ISBN_10_BEGINNING = /^[0-9]{4,9}$/;
const LETTER = /^\p{L}$/u;

class QueryParser {
  readonly #text: string;
  readonly #isTyping: boolean;
  #offset = 0;
  #words = 0;
  #prefixes = 0;
  readonly #terms: SearchTerm[] = [];
  readonly #excluded: SearchTerm[] = [];

  constructor(text: string, isTyping: boolean) {
    this.#text = text;
    this.#isTyping = isTyping;
  }

  parse(): SearchQuery {
    const [text, terms, excluded] = [this.#text, this.#terms, this.#excluded];
    if (text.length > MAX_QUERY_CHARS) {
      throw this.#error("too-long", MAX_QUERY_CHARS);
    }
    for (;;) {
      this.#offset += this.#match(SPACE).length;
      if (this.#offset >= text.length) break;
      this.#parseTerm();
    }
    if (terms.length > 0) return { terms, excluded };
    throw this.#error(excluded.length > 0 ? "only-exclusions" : "no-words", 0);
  }

  #parseTerm(): void {
    const start = this.#offset;
    const isExcluded = this.#text[start] === "-" && /[^\s-]/.test(this.#text[start + 1] ?? "");
    if (isExcluded) this.#offset++;
    const terms = this.#parseIsbn() ?? this.#parseText(isExcluded);
    for (const term of terms) this.#words += term.kind === "words" ? term.words.length : 1;
    this.#prefixes += terms.filter(({ kind }) => kind === "prefix").length;
    if (this.#words > MAX_QUERY_WORDS) {
      throw this.#error("too-many-words", start);
    }
    if (this.#prefixes > MAX_QUERY_PREFIXES) {
      throw this.#error("too-many-prefixes", start);
    }
    if (isExcluded && terms.length > 1) {
      throw this.#error("excluded-prefix", start);
    }
    (isExcluded ? this.#excluded : this.#terms).push(...terms);
  }

  #parseIsbn(): readonly SearchTerm[] | undefined {
    const start = this.#offset;
    this.#offset += this.#match(LABEL).length;
    const number = this.#match(NUMBER);
    const term = isbnIn(number);
    this.#offset = term === undefined ? start : this.#offset + number.length;
    return term && [term];
  }

  /** Returns no term for a text without words, such as a lone `&`. */
  #parseText(isExcluded: boolean): readonly SearchTerm[] {
    const start = this.#offset;
    const isQuoted = QUOTE.test(this.#text[start] ?? "");
    const text = isQuoted ? this.#takeQuoted() : this.#match(TEXT);
    if (!isQuoted) this.#offset += text.length;
    const isStarred = isQuoted ? this.#text[this.#offset] === "*" : text.endsWith("*");
    if (isQuoted && isStarred) this.#offset++;
    const star = isQuoted ? -1 : text.slice(0, text.length - (isStarred ? 1 : 0)).indexOf("*");
    if (star >= 0) throw this.#error("inner-asterisk", start + star);
    const isbn = isQuoted && !isStarred ? isbnIn(text.trim()) : undefined;
    if (isbn !== undefined) return [isbn];
    const words = wordsOf(text);
    if (isStarred) return this.#starredTerms(text, words);
    if (words.length === 0) return [];
    const isOpen = this.#offset > this.#text.length;
    if ((isQuoted && !isOpen) || isExcluded) return [{ kind: "words", words }];
    if (areInitials(text, words)) return [{ kind: "initials", letters: words }];
    const isLast = this.#isTyping && this.#offset + this.#match(SPACE).length >= this.#text.length;
    const isPrefix = isLast && words.at(-1)!.length >= MIN_LAST_PREFIX_CHARS;
    return isPrefix ? prefixTerms(text, words, { orWord: true }) : [{ kind: "words", words }];
  }

  #starredTerms(text: string, words: readonly string[]): readonly SearchTerm[] {
    const star = this.#offset - 1;
    const prefix = words.at(-1);
    if (prefix === undefined) {
      throw this.#error("lone-asterisk", star);
    }
    if (prefix.length < MIN_PREFIX_CHARS && !isUnspaced(prefix)) {
      throw this.#error("short-prefix", star);
    }
    return prefixTerms(text, words, {});
  }

  /**
   * Everything between quotes is text, also asterisks and hyphens. The second one may still be missing when the last word
   * is being typed; the offset is then where the query would go on after it.
   */
  #takeQuoted(): string {
    const start = this.#offset;
    const rest = this.#text.slice(start + 1);
    const close = rest.search(QUOTE);
    if (close < 0 && !this.#isTyping) throw this.#error("open-quotation", start);
    const length = close < 0 ? rest.length : close;
    this.#offset = start + length + 2;
    return rest.slice(0, length);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text)?.[0] ?? "";
  }

  #error(code: QueryProblem, offset: number): QuerySyntaxError {
    return new QuerySyntaxError(code, [...this.#text.slice(0, offset)].length + 1);
  }
}

/** Returns the last word as a prefix, and the words before it as a phrase: `jean-pau*`. */
function prefixTerms(
  text: string,
  words: readonly string[],
  options: Pick<PrefixTerm, "orWord">,
): readonly SearchTerm[] {
  const last = words.at(-1)!;
  // A character is a word here, and whatever follows it is another one.
  if (isUnspaced(last)) return [{ kind: "words", words }];
  const digits = text.replace("*", "").replace(HYPHENS, "");
  if (ISBN_BEGINNING.test(digits)) return [{ kind: "prefix", prefix: digits, ...options, orIsbn: digits }];
  const before = words.slice(0, -1);
  const orIsbn = before.length === 0 ? isbnBeginningOf(last) : undefined;
  const term: SearchTerm = { kind: "prefix", prefix: last, ...options, ...(orIsbn && { orIsbn }) };
  return before.length === 0 ? [term] : [{ kind: "words", words: before }, term];
}

/** Returns the first digits of an ISBN-13 that begins with these digits, or whose ISBN-10 does. */
export function isbnBeginningOf(digits: string): string | undefined {
  if (ISBN_BEGINNING.test(digits)) return digits;
  return ISBN_10_BEGINNING.test(digits) ? `978${digits}` : undefined;
}

/** `F.`, `J.R.R.`, `J.-P.`: letters with a full stop. */
export function areInitials(text: string, words: readonly string[]): boolean {
  return text.includes(".") && words.every((word) => LETTER.test(word) && !isUnspaced(word));
}

/** Digits with spaces between them are an ISBN only with a valid check digit: they may be other numbers. */
function isbnIn(number: string): SearchTerm | undefined {
  const isbn = parseIsbn(number);
  if (isbn === undefined || !isBookIsbn(isbn)) return undefined;
  if (!hasValidCheckDigit(isbn) && /[ \u00a0]/.test(number)) return undefined;
  const digits = number.replace(SEPARATORS, "");
  return { kind: "isbn", isbn, ...(digits.length === 10 && { isbn10: digits }) };
}
