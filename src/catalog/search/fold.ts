/** Folds text, so that letters that differ only in case, accents or form are equal: "García" and "GARCIA". */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters of ASCII.
const ASCII = /^[\x00-\x7f]*$/;
const MARKS = /\p{M}+/gu;
/** The soft hyphen, the joiners and the other characters without a width. Words with and without them are the same. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]+/g;

/** Letters that have no decomposition in Unicode, but that people write with other ones. */
const LETTERS: ReadonlyMap<string, string> = new Map([
  ["ß", "ss"],
  ["æ", "ae"],
  ["œ", "oe"],
  ["ø", "o"],
  ["ł", "l"],
  ["đ", "d"],
  ["ð", "d"],
  ["ħ", "h"],
  ["ŧ", "t"],
  ["ŋ", "n"],
  ["ı", "i"],
  ["ĸ", "k"],
  ["þ", "th"],
  ["ƒ", "f"],
  ["ɐ", "a"],
  ["ə", "e"],
  ["ς", "σ"],
]);
const LETTER = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "g");

/**
 * Returns NFKD without marks, in lower case. Folded text stays as it is. Marks go before the text is normalized, too:
 * ordering a run of them takes quadratic time, and no rule needs them.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const folded = text
    .replace(INVISIBLE, "")
    .replace(MARKS, "")
    .normalize("NFKD")
    .toLowerCase()
    // Some capitals get a mark when they become small ones, such as the Turkish İ.
    .normalize("NFKD")
    .replace(MARKS, "")
    .replace(LETTER, (letter) => LETTERS.get(letter) ?? letter);
  // Hangul is decomposed into its letters, which take three times the bytes.
  return ASCII.test(folded) ? folded : folded.normalize("NFC");
}
