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
  const words = OTHER_CHARACTER.test(text) ? slowWordsOf(text) : fastWordsOf(text);
  return words.some(isTooLong) ? words.map(cut) : words;
}

/** Returns the words with spaces between them, as the index gets them. */
export function wordTextOf(text: string): string {
  if (OTHER_CHARACTER.test(text)) return wordsOf(text).join(" ");
  const words = fastFold(text).replace(SEPARATORS, " ").trim();
  return words.length > MAX_WORD_CHARS && LONG_WORD.test(words) ? words.split(" ").map(cut).join(" ") : words;
}

const SEPARATORS = /[^a-z0-9]+/g;
const LONG_WORD = new RegExp(`[a-z0-9]{${MAX_WORD_CHARS + 1}}`);

/** For text of any script. */
export function slowWordsOf(text: string): readonly string[] {
  const folded = fold(text);
  return folded.match(ASCII.test(folded) ? ASCII_WORD : WORD) ?? [];
}

/** Folding is slow, and most texts have only ASCII, Latin letters that fold to ASCII, and some punctuation. */
function fastWordsOf(text: string): readonly string[] {
  return fastFold(text).match(ASCII_WORD) ?? [];
}

function fastFold(text: string): string {
  return text.replace(NOT_ASCII, (character) => FOLDED.get(character)!).toLowerCase();
}

/** Characters that fold to letters or digits of ASCII; those that separate words have a space. */
const FOLDED: ReadonlyMap<string, string> = foldedCharacters([
  [0x80, 0x2ff],
  [0x2000, 0x206f],
]);
const NOT_ASCII = /[\u0080-\uffff]/g;
const OTHER_CHARACTER = new RegExp(`[^\\x00-\\x7f${[...FOLDED.keys()].join("")}]`);

function foldedCharacters(ranges: readonly (readonly [number, number])[]): ReadonlyMap<string, string> {
  const characters = new Map<string, string>();
  for (const [first, last] of ranges) {
    for (let code = first; code <= last; code++) {
      const character = String.fromCodePoint(code);
      const folded = fold(character);
      const words = slowWordsOf(character);
      if (words.length === 0) characters.set(character, folded === "" ? "" : " ");
      else if (ASCII.test(folded)) characters.set(character, folded);
    }
  }
  return characters;
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
