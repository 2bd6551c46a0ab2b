/**
 * Folds a text and splits it into words in one pass, as `wordsOfAnyScript` does with regular expressions, which take
 * several times as long. The words are written as UTF-8 with spaces between them.
 */
import { fold } from "./fold.ts";
import { MAX_WORD_CHARS, wordsOfAnyScript } from "./tokens.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Values of the tables that are not the bytes of a folded character. */
const SLOW = 0;
const SEPARATOR = 1;
const DROPPED = 2;

/** Latin, Greek, Cyrillic and combining marks; Latin Extended Additional; punctuation, currencies, letterlike symbols. */
const [LOW_END, EXTENDED, EXTENDED_END, SYMBOLS, SYMBOLS_END] = [0x530, 0x1e00, 0x1f00, 0x2000, 0x2150];

/** For each character of the ranges above: one of the values above, or up to three bytes of folded UTF-8. */
const lowTable = tableOf(0, LOW_END);
const extendedTable = tableOf(EXTENDED, EXTENDED_END);
const symbolTable = tableOf(SYMBOLS, SYMBOLS_END);

const SPACE = 0x20;
/** For each character of the first range: its byte if it is folded to one, a space if it separates words, else 0. */
const byteTable = Uint8Array.from(lowTable, (folded) =>
  folded === SEPARATOR ? SPACE : folded > DROPPED && folded < 0x80 ? folded : 0,
);
const MIN_BUFFER_BYTES = 1 << 14;
const MAX_KEPT_BYTES = 8 << 20;
/** A byte becomes at most three, and a word has one more for its space. */
const MAX_FOLDED_BYTES = 4;

/** A growing buffer of words and other terms in UTF-8. */
export class WordWriter {
  bytes = new Uint8Array(MIN_BUFFER_BYTES);
  end = 0;

  /** Forgets what was written, and the buffer of a text that was unusually long. */
  clear(): void {
    this.end = 0;
    if (this.bytes.length > MAX_KEPT_BYTES) this.bytes = new Uint8Array(MIN_BUFFER_BYTES);
  }

  /** Makes room for more bytes. */
  reserve(count: number): void {
    const needed = this.end + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(needed * 2);
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
  }

  /** Writes the folded words of a text. Returns their number. */
  words(text: string): number {
    scratch.end = 0;
    scratch.text(text);
    return this.wordsOfUtf8(scratch.bytes, 0, scratch.end) ?? this.#wordsOfAnyScript(text);
  }

  /**
   * Does the same with UTF-8. Returns undefined, and writes nothing, when only a regular expression can tell the words.
   * Where words end cannot be predicted, so that the loop has no branch for it: a separator is written, and overwritten
   * when it does not follow a word.
   */
  wordsOfUtf8(input: Uint8Array, from: number, to: number): number | undefined {
    this.reserve((to - from) * MAX_FOLDED_BYTES);
    const { bytes } = this;
    const start = this.end;
    let end = start;
    let words = 0;
    /** 1 within a word, and the characters of the word so far. */
    let isWord = 0;
    let chars = 0;
    for (let at = from; at < to; at++) {
      let code = input[at]!;
      if (code >= 0x80) {
        if (code < 0xe0) code = ((code & 0x1f) << 6) | (input[++at]! & 0x3f);
        else if (code < 0xf0) {
          code = ((code & 0x0f) << 12) | ((input[at + 1]! & 0x3f) << 6) | (input[at + 2]! & 0x3f);
          at += 2;
        } else return undefined;
      }
      const byte = code < LOW_END ? byteTable[code]! : 0;
      if (byte !== 0) {
        // Letters and digits have one of these bits, and a space has none.
        const isLetter = ((byte >> 4) | (byte >> 6)) & 1;
        bytes[end] = byte;
        end += isLetter | isWord;
        words += isLetter & ~isWord;
        isWord = isLetter;
        chars = (chars + 1) & -isLetter;
        if (chars > MAX_WORD_CHARS) end--;
        continue;
      }
      const folded = foldedValue(code);
      if (folded === DROPPED) continue;
      if (folded === SLOW) return undefined;
      if (folded === SEPARATOR) {
        bytes[end] = SPACE;
        end += isWord;
        isWord = 0;
        chars = 0;
        continue;
      }
      words += 1 - isWord;
      isWord = 1;
      for (let rest = folded; rest !== 0; rest >>>= 8) {
        const part = rest & 0xff;
        // A byte that continues a character belongs to the one that was written or cut.
        if ((part & 0xc0) !== 0x80) chars++;
        if (chars <= MAX_WORD_CHARS) bytes[end++] = part;
      }
    }
    this.end = isWord === 0 && end > start ? end - 1 : end;
    return words;
  }

  /** Cuts what was written since `start` after its first words. */
  cut(start: number, words: number): void {
    const { bytes, end } = this;
    let spaces = 0;
    let at = start;
    while (at < end && !(bytes[at] === SPACE && ++spaces === words)) at++;
    this.end = at;
  }

  /** Writes a text as it is. */
  text(text: string): void {
    this.reserve(text.length * 3);
    const { bytes } = this;
    let end = this.end;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x80) bytes[end++] = code;
      else if (code < 0x800) {
        bytes[end++] = 0xc0 | (code >> 6);
        bytes[end++] = 0x80 | (code & 0x3f);
      } else {
        this.end += encoder.encodeInto(text, bytes.subarray(this.end)).written;
        return;
      }
    }
    this.end = end;
  }

  /** Writes bytes that were written before. */
  copy(start: number, end: number): void {
    this.reserve(end - start);
    const { bytes } = this;
    let to = this.end;
    for (let at = start; at < end; at++) bytes[to++] = bytes[at]!;
    this.end = to;
  }

  /** Returns what was written since `start`, decoded. */
  textFrom(start: number): string {
    return decoder.decode(this.bytes.subarray(start, this.end));
  }

  #wordsOfAnyScript(text: string): number {
    const words = wordsOfAnyScript(text);
    this.text(words.join(" "));
    return words.length;
  }
}

/** Texts are folded from its bytes. */
const scratch = new WordWriter();
const queryWriter = new WordWriter();

/** Returns the folded words of a text; see `wordsOfAnyScript`. */
export function wordsOf(text: string): readonly string[] {
  const words = wordTextOf(text);
  return words === "" ? [] : words.split(" ");
}

/** Returns the words with spaces between them. */
export function wordTextOf(text: string): string {
  queryWriter.clear();
  queryWriter.words(text);
  return queryWriter.textFrom(0);
}

/** Returns the end of the first characters of a text in UTF-8. */
export function endOfChars(bytes: Uint8Array, start: number, end: number, maxChars: number): number {
  let chars = 0;
  for (let at = start; at < end; at++) {
    // A byte that continues a character belongs to the one before.
    if ((bytes[at]! & 0xc0) !== 0x80 && chars++ === maxChars) return at;
  }
  return end;
}

function foldedValue(code: number): number {
  if (code < LOW_END) return lowTable[code]!;
  if (code >= SYMBOLS && code < SYMBOLS_END) return symbolTable[code - SYMBOLS]!;
  return code >= EXTENDED && code < EXTENDED_END ? extendedTable[code - EXTENDED]! : SLOW;
}

function tableOf(first: number, end: number): Int32Array {
  const table = new Int32Array(end - first);
  for (let code = first; code < end; code++) table[code - first] = foldedBytes(String.fromCodePoint(code));
  return table;
}

function foldedBytes(character: string): number {
  const folded = fold(character);
  const words = wordsOfAnyScript(character);
  if (words.length === 0) return folded === "" ? DROPPED : SEPARATOR;
  const utf8 = encoder.encode(folded);
  // A character that becomes several words, or a word beside a separator, is left to the slow way.
  if (words[0] !== folded || utf8.length > 3) return SLOW;
  return utf8.reduceRight((all, byte) => (all << 8) | byte, 0);
}
