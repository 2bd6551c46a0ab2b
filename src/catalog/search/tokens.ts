/**
 * Splits text into words, for the search index and for queries alike. Both engines get these words, and neither splits
 * text by rules of its own: so a query finds the same books in both.
 */
import { fold } from "./fold.ts";

/** A longer word is cut, in the index and in queries. */
export const MAX_WORD_CHARS = 64;

/** Scripts that are written without spaces between words. Each character is a word, and a run of them is a phrase. */
const UNSPACED = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"]
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Letters that look like apostrophes and accents (U+02B0 to U+02FF) separate words, as an apostrophe does. */
const ASCII_WORD = /[a-z0-9]+/g;
const WORD = new RegExp(
  `(?![\\u02b0-\\u02ff])(?:[[${UNSPACED}]&&[\\p{L}\\p{N}]]|[[\\p{L}\\p{N}]--[${UNSPACED}\\u02b0-\\u02ff]]+)`,
  "gv",
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of ASCII.
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Returns the folded words of a text: runs of letters and digits. An apostrophe separates words, so that `amour` finds
 * "L’amour".
 */
export function wordsOf(text: string): readonly string[] {
  const folded = fold(text);
  const words: readonly string[] = folded.match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? [];
  return words.some(isTooLong) ? words.map(cut) : words;
}

const UNSPACED_WORD = new RegExp(`^[${UNSPACED}]$`, "u");

/** Tells whether a word is a single character of a script without spaces. */
export function isUnspaced(word: string): boolean {
  return UNSPACED_WORD.test(word);
}

function isTooLong(word: string): boolean {
  return word.length > MAX_WORD_CHARS;
}

function cut(word: string): string {
  const end = isHighSurrogate(word.charCodeAt(MAX_WORD_CHARS - 1)) ? MAX_WORD_CHARS - 1 : MAX_WORD_CHARS;
  return isTooLong(word) ? word.slice(0, end) : word;
}

/** The first half of a character that takes two UTF-16 code units. */
function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
