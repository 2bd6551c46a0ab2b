/** Collects the words of books that an import indexes, for the table of words. Most were seen before in the same import. */
import { LABEL_WORD, NAME_WORD, TITLE_WORD } from "../search/index-terms.ts";
import type { SearchDocument } from "../search/search-document.ts";

/** Shorter words are near to no word that is corrected. */
const MIN_WORD_BYTES = 3;
const MAX_PENDING_WORDS = 5000;
/** A word replaces the one before it in its slot, which is then collected again. 2 MB. */
const SLOTS = 1 << 18;

const SPACE = 0x20;
const [DIGIT_0, DIGIT_9] = [0x30, 0x39];
/** The marks of words are as long, and differ in the letter between two characters of two bytes. */
const MARK_BYTES = Buffer.byteLength(TITLE_WORD);
const LETTER_AT = 2;
const WORD_LETTERS: ReadonlySet<number> = new Set(
  [TITLE_WORD, NAME_WORD, LABEL_WORD].map((mark) => Buffer.from(mark)[LETTER_AT]!),
);

const decoder = new TextDecoder();

export class NewWords {
  #pending = new Set<string>();
  /** Two hashes of the word in each slot. */
  #seen: Uint32Array | undefined;

  get isFull(): boolean {
    return this.#pending.size >= MAX_PENDING_WORDS;
  }

  add(document: SearchDocument): void {
    const bytes = document.bytesOf("marks");
    for (let at = 0; at < bytes.length; ) {
      if (bytes[at] === SPACE) at++;
      const start = at + MARK_BYTES;
      let [first, second] = [0x811c_9dc5, 0x9e37_79b1];
      let hasDigit = false;
      const isWord = WORD_LETTERS.has(bytes[at + LETTER_AT]!);
      for (at = start; at < bytes.length && bytes[at] !== SPACE; at++) {
        const byte = bytes[at]!;
        if (byte >= DIGIT_0 && byte <= DIGIT_9) hasDigit = true;
        // FNV-1a, and a second hash: both together are equal for no two words of a catalog.
        first = Math.imul(first ^ byte, 0x0100_0193);
        second = Math.imul(second ^ byte, 0x85eb_ca6b);
        second ^= second >>> 13;
      }
      const isNeeded = isWord && !hasDigit && at - start >= MIN_WORD_BYTES;
      if (isNeeded && this.#isNew(first, second))
        this.#pending.add(decoder.decode(bytes.subarray(start, at)));
    }
  }

  take(): readonly string[] {
    const words = [...this.#pending];
    this.#pending.clear();
    return words;
  }

  #isNew(first: number, second: number): boolean {
    this.#seen ??= new Uint32Array(2 * SLOTS);
    const slot = 2 * ((first ^ (first >>> 15)) & (SLOTS - 1));
    if (this.#seen[slot] === first >>> 0 && this.#seen[slot + 1] === second >>> 0) return false;
    this.#seen[slot] = first;
    this.#seen[slot + 1] = second;
    return true;
  }
}
