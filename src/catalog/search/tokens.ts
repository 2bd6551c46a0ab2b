/**
 * The rule that splits text into words, for the search index and for queries alike. Both engines get these words, and
 * neither splits text by rules of its own: so a query finds the same books in both. `word-writer.ts` applies it quickly.
 */
import { fold } from "./fold.ts";

/** A longer word is cut, in the index and in queries. */
export const MAX_WORD_CHARS = 64;

/** Scripts that are written without spaces between words. Each character is a word, and a run of them is a phrase. */
const UNSPACED = ["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"]
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Letters that look like apostrophes and accents (U+02B0 to U+02FF) separate words, as an apostrophe does. */
const WORD = new RegExp(
  `(?![\\u02b0-\\u02ff])(?:[[${UNSPACED}]&&[\\p{L}\\p{N}]]|[[\\p{L}\\p{N}]--[${UNSPACED}\\u02b0-\\u02ff]]+)`,
  "gv",
);

/**
 * Returns the folded words of a text of any script: runs of letters and digits. An apostrophe separates words, so that
 * `amour` finds "L’amour".
 */
export function wordsOfAnyScript(text: string): readonly string[] {
  return (fold(text).match(WORD) ?? []).map(cut);
}

const UNSPACED_WORD = new RegExp(`^[${UNSPACED}]$`, "u");

/** Tells whether a word is a single character of a script without spaces. */
export function isUnspaced(word: string): boolean {
  return UNSPACED_WORD.test(word);
}

function cut(word: string): string {
  if (word.length <= MAX_WORD_CHARS) return word;
  const end = isHighSurrogate(word.charCodeAt(MAX_WORD_CHARS - 1)) ? MAX_WORD_CHARS - 1 : MAX_WORD_CHARS;
  return word.slice(0, end);
}

/** Tells whether a code unit is the first half of a character that takes two. */
function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
