/** Finds the words of a query in the texts of a book, where they stand. */
import { MAX_DESCRIPTION_WORDS } from "./document-builder.ts";
import { fold } from "./fold.ts";
import { type SearchQuery, type SearchTerm, spellingsOf } from "./query.ts";
import { isUnspaced, wordsOfAnyScript } from "./tokens.ts";

/** Where a match begins and ends in a text, in UTF-16 code units. */
type TextRange = readonly [start: number, end: number];

export interface HighlightedText {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}

/** Words that follow each other. The last one may be the beginning of a word. */
interface Pattern {
  readonly words: readonly string[];
  readonly isPrefix: boolean;
}

interface Token {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** A longer text is searched up to here. */
const MAX_TEXT_CHARS = 20_000;
/** An excerpt has about this length, and begins so far before the first match. */
const EXCERPT_CHARS = 240;
const CHARS_BEFORE = 80;
/** Most first matches are near the beginning of a text, whose other words need not be found. */
const BEGINNING_CHARS = 1500;
/** A match within an excerpt can end so far behind it. */
const CHARS_BEHIND = 500;
/** More marks of a character are cut. Real ones have few. */
const MAX_MARKS = 32;

/** A run that is one word, which is not cut. */
const PLAIN_WORD = /^[A-Za-z0-9]{1,64}$/;
/** Runs of what words are made of. Invisible characters within a word are no part of it, but do not end it. */
const RUN = /[[\p{L}\p{N}\p{M}\p{Cf}]--[\u02b0-\u02ff]]+/gv;
/** What follows the beginning of a character: its marks, and the second half of one that takes two code units. */
const CONTINUATION = /^[\p{M}\p{Grapheme_Extend}\udc00-\udfff]$/u;
const MARKS = /[\p{M}\p{Grapheme_Extend}]*/uy;

export class Highlighter {
  readonly #patterns: readonly Pattern[];
  readonly #initials: readonly Pattern[];

  constructor({ terms }: SearchQuery) {
    const patterns = terms.flatMap(patternsOf);
    const byText = new Map(patterns.map((each) => [`${each.words.join(" ")} ${each.isPrefix}`, each]));
    this.#patterns = [...byText.values()];
    this.#initials = terms.flatMap((term) =>
      term.kind === "initials" ? term.letters.map((letter) => ({ words: [letter], isPrefix: true })) : [],
    );
  }

  /** Returns the whole text with its matches, or undefined when it has none. */
  whole(text: string, isName = false): HighlightedText | undefined {
    const searched = text.slice(0, MAX_TEXT_CHARS);
    const patterns = possibleIn(searched, isName ? [...this.#patterns, ...this.#initials] : this.#patterns);
    const ranges = patterns.length > 0 ? rangesIn(tokensOf(searched), patterns) : [];
    return ranges.length === 0 ? undefined : { text, ranges };
  }

  /** Returns the part of a long text around the first match. */
  excerpt(text: string): HighlightedText | undefined {
    const early = text.length > BEGINNING_CHARS ? this.whole(text.slice(0, BEGINNING_CHARS)) : undefined;
    const isEarly = early && early.ranges[0]![1] + EXCERPT_CHARS + CHARS_BEHIND <= BEGINNING_CHARS;
    const found = isEarly ? early : this.whole(text);
    if (found === undefined || text.length <= EXCERPT_CHARS) return found;
    const first = found.ranges[0]![0];
    const start = first <= CHARS_BEFORE ? 0 : wordStart(text, first - CHARS_BEFORE, first);
    const end =
      text.length - start <= EXCERPT_CHARS ? text.length : wordEnd(text, start, found.ranges[0]![1]);
    const ranges = found.ranges
      .filter(([from]) => from < end)
      .map(([from, to]): TextRange => [from - start, Math.min(to, end) - start]);
    return { text: text.slice(start, end), ranges };
  }
}

function patternsOf(term: SearchTerm): readonly Pattern[] {
  switch (term.kind) {
    case "words":
      return [{ words: term.words, isPrefix: false }];
    case "prefix":
      return [{ words: [term.prefix], isPrefix: true }];
    case "field":
      return [{ words: [term.word], isPrefix: term.isPrefix ?? false }];
    case "initials":
      return spellingsOf(term).map(({ words }) => ({ words, isPrefix: false }));
    case "isbn":
      return [];
  }
}

/** Returns the place after the first space from a place on, at most `last`. */
function wordStart(text: string, from: number, last: number): number {
  const space = text.slice(from, last).search(/\s/);
  return space < 0 ? wholeCharacter(text, from) : from + space + 1;
}

/** Returns the place of the last space within an excerpt, after its first match. */
function wordEnd(text: string, start: number, matchEnd: number): number {
  const end = start + EXCERPT_CHARS;
  const spaces = /\s(?=\S*$)/.exec(text.slice(matchEnd, end));
  return spaces ? matchEnd + spaces.index : wholeCharacter(text, end);
}

/** Does not cut a character that takes two code units, and none from its marks. */
function wholeCharacter(text: string, at: number): number {
  let whole = at;
  while (whole > at - MAX_MARKS && CONTINUATION.test(text[whole] ?? "")) whole--;
  return Math.max(whole, 0);
}

/** Folding a text at once is quicker than finding its words, and most texts have none of the query. */
function possibleIn(text: string, patterns: readonly Pattern[]): readonly Pattern[] {
  const folded = fold(text);
  return patterns.filter(({ words }) => words.every((word) => folded.includes(word)));
}

/** Returns the matches in their order. Those that touch or overlap are one. */
function rangesIn(tokens: readonly Token[], patterns: readonly Pattern[]): readonly TextRange[] {
  const ranges: TextRange[] = [];
  const prefixes = patterns.filter(({ words, isPrefix }) => isPrefix && words.length === 1);
  const byFirstWord = Map.groupBy(patterns, ({ words }) => words[0]!);
  for (let index = 0; index < tokens.length; index++) {
    const { word, start } = tokens[index]!;
    const patternsAt = byFirstWord.get(word);
    if (patternsAt === undefined && prefixes.length === 0) continue;
    for (const pattern of patternsAt ? [...patternsAt, ...prefixes] : prefixes) {
      if (matchesAt(tokens, index, pattern))
        ranges.push([start, tokens[index + pattern.words.length - 1]!.end]);
    }
  }
  ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const merged: TextRange[] = [];
  for (const [start, end] of ranges) {
    const last = merged.at(-1);
    if (last && start <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], end)];
    else merged.push([start, end]);
  }
  return merged;
}

function matchesAt(tokens: readonly Token[], index: number, { words, isPrefix }: Pattern): boolean {
  return words.every((word, at) => {
    const token = tokens[index + at]?.word;
    return isPrefix && at === words.length - 1 ? token?.startsWith(word) : token === word;
  });
}

/** Returns the folded words of a text with their places: those of `wordsOfAnyScript`, as many as the index has. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  addTokens(text, 0, tokens);
  return tokens.length > MAX_DESCRIPTION_WORDS ? tokens.slice(0, MAX_DESCRIPTION_WORDS) : tokens;
}

function addTokens(text: string, offset: number, tokens: Token[]): void {
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (tokens.length >= MAX_DESCRIPTION_WORDS) return;
    const start = offset + index;
    const end = start + run.length;
    const words = PLAIN_WORD.test(run) ? [run.toLowerCase()] : wordsOfAnyScript(run);
    // In scripts without spaces, each character is a word.
    if (words.length > 1 && words.some(isUnspaced)) addUnspaced(run, start, tokens);
    else for (const word of words) tokens.push({ word, start, end });
  }
}

function addUnspaced(run: string, start: number, tokens: Token[]): void {
  let from = 0;
  for (let to = 0; to < run.length; ) {
    const char = String.fromCodePoint(run.codePointAt(to)!);
    const words = wordsOfAnyScript(char);
    const end = endOfMarks(run, to + char.length);
    if (words.some(isUnspaced)) {
      if (from < to) addTokens(run.slice(from, to), start + from, tokens);
      for (const word of words) tokens.push({ word, start: start + to, end: start + end });
      from = end;
    }
    to = end;
  }
  if (from < run.length) addTokens(run.slice(from), start + from, tokens);
}

function endOfMarks(text: string, from: number): number {
  MARKS.lastIndex = from;
  return from + MARKS.exec(text)![0].length;
}
