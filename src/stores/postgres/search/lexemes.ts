/**
 * The lexemes of the search index. Colophon makes them itself, so that no dictionary or setting of the server matters.
 *
 * A GIN index does not know where a word stands. A query for words of titles would have to read every book with these
 * words, so they have lexemes of their own, and so have the beginnings of titles. Only phrases read the positions.
 */
import { TEXT_BREAK, TITLE_END, TITLE_START } from "../../../catalog/search/index-terms.ts";
import type { SearchDocument } from "../../../catalog/search/search-document.ts";

/** Stand before a word, and before words that are joined by spaces. No word and no filter term has these characters. */
export const IN_TITLE = ".";
export const IN_CONTRIBUTOR = ",";
export const IN_LABEL = ";";
/** Stands before the first letter of a word of a name. */
export const NAME_INITIAL = ":";
export const TITLE_BEGINS = "^";
export const TITLE_IS = "=";
/** The beginnings of titles have lexemes up to this number of words. */
export const MAX_TITLE_LEXEME_WORDS = 4;

/** A position has 14 bits for the place and, above them, 2 for the weight. */
const WEIGHTS = { A: 3 << 14, B: 2 << 14, D: 0 } as const;
/** The limits of the type tsvector (`ts_type.h`), which has 2^20 bytes. Documents have less than half of the 2^14 places. */
const MAX_POSITIONS = 255;
const MAX_LEXEME_BYTES = 1_000_000;
/** A gap between two fields, so that a phrase does not match across them. */
const FIELD_GAP = 2;

const SPACE = 0x20;
/** The terms that are no words have two bytes each, and the first is the same. */
const [BREAK, START, END] = [TEXT_BREAK, TITLE_START, TITLE_END].map((term) => Buffer.from(term)[1]!);
const [MARK_BYTE] = Buffer.from(TEXT_BREAK);
/** FNV-1a. The start is secret, so that no feed can choose words with the same hash. */
const HASH_START = crypto.getRandomValues(new Int32Array(1))[0]!;
const HASH_PRIME = 0x0100_0193;
/** The table has so many slots at first. A document that fills half of them doubles it. */
const FIRST_SLOTS = 4096;

/** Seven numbers describe a lexeme, in space for eight. The prefix is a byte that stands before the range, or 0. */
const FIELDS = 8;
const [PREFIX, FROM, TO, HASH, COUNT, FIRST, LAST] = [0, 1, 2, 3, 4, 5, 6] as const;

type Range = readonly [start: number, end: number];

const decoder = new TextDecoder();

/**
 * The lexemes of one document after the other, as ranges of its bytes: strings and a map of them would take twice as long.
 * A lexeme that no phrase needs has no positions.
 */
export class LexemeSet {
  #bytes = new Uint8Array(0);
  #size = 0;
  #place = 0;
  /** The bytes that count towards `MAX_LEXEME_BYTES`. */
  #countedBytes = 0;
  /** The length of the tsvector without its number of lexemes. */
  #encodedBytes = 0;
  /** The number of each lexeme plus one, or 0. */
  #slots = new Int32Array(FIRST_SLOTS);
  /** The fields of each lexeme. */
  #fields = new Int32Array(FIRST_SLOTS * FIELDS);
  readonly #positions: number[] = [];
  readonly #next: number[] = [];

  /** The length of the tsvector in the binary format. */
  get encodedLength(): number {
    return 4 + this.#encodedBytes;
  }

  readDocument(document: SearchDocument): this {
    this.#clear(document.bytes);
    this.#addField(document.rangeOf("title"), WEIGHTS.A, IN_TITLE);
    this.#addField(document.rangeOf("contributor"), WEIGHTS.B, IN_CONTRIBUTOR);
    this.#addTitles(document.rangeOf("title"));
    this.#addInitials(document.rangeOf("contributor"));
    this.#addWords(document.rangeOf("label"), IN_LABEL);
    this.#addWords(document.rangeOf("filter"));
    this.#addField(document.rangeOf("label", "rest"), WEIGHTS.D);
    this.#addField(document.rangeOf("description"), WEIGHTS.D);
    return this;
  }

  readFacts(document: SearchDocument): this {
    this.#clear(document.bytes);
    this.#addWords(document.rangeOf("facts"));
    return this;
  }

  /** Writes the tsvector. The server sorts its lexemes, which takes it less time than us. */
  encode(buffer: Buffer, from: number): void {
    let at = buffer.writeInt32BE(this.#size, from);
    const fields = this.#fields;
    for (let lexeme = 0; lexeme < FIELDS * this.#size; lexeme += FIELDS) {
      const prefix = fields[lexeme + PREFIX]!;
      if (prefix !== 0) buffer[at++] = prefix;
      for (let index = fields[lexeme + FROM]!, end = fields[lexeme + TO]!; index < end; index++)
        buffer[at++] = this.#bytes[index]!;
      const count = fields[lexeme + COUNT]!;
      buffer[at++] = 0;
      buffer[at++] = count >>> 8;
      buffer[at++] = count;
      for (let left = count, index = fields[lexeme + FIRST]!; left > 0; left--, index = this.#next[index]!) {
        const position = this.#positions[index]!;
        buffer[at++] = position >>> 8;
        buffer[at++] = position;
      }
    }
  }

  /** Yields the lexemes with their positions, in ascending order. */
  *[Symbol.iterator](): Generator<readonly [lexeme: string, positions: readonly number[]], void> {
    for (let lexeme = 0; lexeme < this.#size; lexeme++) {
      const [prefix, from, to, , count, first] = this.#fields.subarray(FIELDS * lexeme);
      const positions: number[] = [];
      for (let index = first!; positions.length < count!; index = this.#next[index]!)
        positions.push(this.#positions[index]!);
      const text = decoder.decode(this.#bytes.subarray(from, to));
      yield [prefix === 0 ? text : String.fromCharCode(prefix!) + text, positions];
    }
  }

  #clear(bytes: Uint8Array<ArrayBuffer>): void {
    this.#bytes = bytes;
    this.#size = 0;
    this.#place = 0;
    this.#countedBytes = 0;
    this.#encodedBytes = 0;
    this.#slots.fill(0);
    this.#positions.length = 0;
    this.#next.length = 0;
  }

  #addField(range: Range, weight: number, prefix?: string): void {
    this.#addTerms(range, (start, end, hash, mark) => {
      this.#place++;
      if (mark === BREAK) return;
      const lexeme = this.#add("", start, end, hash);
      if (lexeme !== undefined) this.#addPosition(lexeme, weight | this.#place);
      if (prefix !== undefined && mark === undefined) this.#add(prefix, start, end, hash);
    });
    this.#place += FIELD_GAP;
  }

  /** Adds the beginnings of titles, and the whole titles. One that was cut has no end. */
  #addTitles(range: Range): void {
    let [words, first, last] = [0, 0, 0];
    this.#addTerms(range, (start, end, _, mark) => {
      if (mark === START) [words, first, last] = [0, start, start];
      else if (mark === END && words <= MAX_TITLE_LEXEME_WORDS) this.#add(TITLE_IS, first, last);
      else if (mark === undefined) {
        if (words++ === 0) first = start;
        last = end;
        if (words <= MAX_TITLE_LEXEME_WORDS) this.#add(TITLE_BEGINS, first, end);
      }
    });
  }

  #addInitials(range: Range): void {
    this.#addTerms(range, (start, _, __, mark) => {
      if (mark === undefined) this.#add(NAME_INITIAL, start, start + charLength(this.#bytes[start]!));
    });
  }

  #addWords(range: Range, prefix = ""): void {
    this.#addTerms(range, (start, end, hash, mark) => {
      if (mark === undefined) this.#add(prefix, start, end, hash);
    });
  }

  /** Calls a function with the range of each term and its hash, and with its second byte if it is no word. */
  #addTerms(
    [from, to]: Range,
    onTerm: (start: number, end: number, hash: number, mark: number | undefined) => void,
  ): void {
    const bytes = this.#bytes;
    for (let at = from; at < to; at++) {
      const start = at;
      let hash = HASH_START;
      for (; at < to && bytes[at] !== SPACE; at++) hash = Math.imul(hash ^ bytes[at]!, HASH_PRIME);
      const mark = at - start === 2 && bytes[start] === MARK_BYTE ? bytes[start + 1] : undefined;
      onTerm(start, at, hash, mark === BREAK || mark === START || mark === END ? mark : undefined);
    }
  }

  #hashOf(start: number, end: number): number {
    let hash = HASH_START;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ this.#bytes[at]!, HASH_PRIME);
    return hash;
  }

  /** Returns where the fields of the lexeme begin; undefined when the document has become too large for it. */
  #add(
    before: string,
    start: number,
    end: number,
    hashOfRange = this.#hashOf(start, end),
  ): number | undefined {
    const prefix = before === "" ? 0 : before.charCodeAt(0);
    const hash = Math.imul(hashOfRange ^ prefix, HASH_PRIME);
    const mask = this.#slots.length - 1;
    let slot = slotOf(hash, mask);
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const known = FIELDS * (this.#slots[slot]! - 1);
      if (this.#fields[known + HASH] === hash && this.#isSame(known, prefix, start, end)) return known;
    }
    const length = end - start + (prefix === 0 ? 0 : 1);
    // With a padding and the number of positions. The positions themselves take less than the limit leaves.
    this.#countedBytes += length + 4;
    if (this.#countedBytes > MAX_LEXEME_BYTES) return undefined;
    const lexeme = FIELDS * this.#size++;
    this.#slots[slot] = this.#size;
    this.#fields[lexeme + PREFIX] = prefix;
    this.#fields[lexeme + FROM] = start;
    this.#fields[lexeme + TO] = end;
    this.#fields[lexeme + HASH] = hash;
    this.#fields[lexeme + COUNT] = 0;
    this.#encodedBytes += length + 3;
    if (this.#size > mask / 2) this.#grow();
    return lexeme;
  }

  #isSame(lexeme: number, prefix: number, start: number, end: number): boolean {
    const known = this.#fields[lexeme + FROM]!;
    if (this.#fields[lexeme + PREFIX] !== prefix || this.#fields[lexeme + TO]! - known !== end - start)
      return false;
    for (let at = start; at < end; at++)
      if (this.#bytes[at] !== this.#bytes[known + at - start]) return false;
    return true;
  }

  #addPosition(lexeme: number, position: number): void {
    const fields = this.#fields;
    const count = fields[lexeme + COUNT]!;
    if (count === MAX_POSITIONS) return;
    const index = this.#positions.push(position) - 1;
    this.#next.push(0);
    if (count === 0) fields[lexeme + FIRST] = index;
    else this.#next[fields[lexeme + LAST]!] = index;
    fields[lexeme + LAST] = index;
    fields[lexeme + COUNT] = count + 1;
    this.#encodedBytes += 2;
  }

  #grow(): void {
    const fields = new Int32Array(2 * this.#fields.length);
    fields.set(this.#fields);
    this.#fields = fields;
    this.#slots = new Int32Array(2 * this.#slots.length);
    const mask = this.#slots.length - 1;
    for (let lexeme = 0; lexeme < this.#size; lexeme++) {
      let slot = slotOf(fields[FIELDS * lexeme + HASH]!, mask);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = lexeme + 1;
    }
  }
}

function slotOf(hash: number, mask: number): number {
  return (hash ^ (hash >>> 15)) & mask;
}

/** Returns the length in bytes of the character of UTF-8 that begins with this byte. */
function charLength(first: number): number {
  if (first < 0x80) return 1;
  if (first < 0xe0) return 2;
  return first < 0xf0 ? 3 : 4;
}
