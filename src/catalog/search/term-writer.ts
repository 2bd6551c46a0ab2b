/** Writes the terms of a part of a search document, each text and each term once. */
import {
  LABEL_WORD,
  MARK,
  MAX_BEGINNING_WORDS,
  MAX_VALUE_CHARS,
  NAME_INITIAL,
  NAME_WORD,
  TEXT_BREAK,
  TITLE_BEGINNING,
  TITLE_END,
  TITLE_START,
  TITLE_WORD,
  wholeTitleTerm,
} from "./index-terms.ts";
import { RangeSet } from "./range-set.ts";
import { MAX_WORD_CHARS } from "./tokens.ts";
import { endOfChars, WordWriter } from "./word-writer.ts";

/** Bounds what a record with thousands of subjects, contributors or titles costs. */
const MAX_TERMS = 2000;

const NEXT_TEXT = ` ${TEXT_BREAK} `;
const FIRST_TITLE = `${TITLE_START} `;
const NEXT_TITLE = ` ${TITLE_START} `;
const AFTER_TITLE = ` ${TITLE_END}`;

/** The bytes of the marks between texts in UTF-8. No word begins with a character of the same first byte. */
const SPACE = 0x20;
const MARK_BYTE = 0xc2;
const MARK_END_BYTE = MARK.charCodeAt(0);
const TITLE_END_BYTE = TITLE_END.charCodeAt(0);

export class TermWriter extends WordWriter {
  readonly #seen = new RangeSet();
  /** Where the part begins, and how many terms it has. */
  #start = 0;
  #terms = 0;

  beginPart(): void {
    this.#start = this.end;
    this.#terms = 0;
    this.#seen.clear();
  }

  /** Returns the number of different texts or terms of the part. */
  get size(): number {
    return this.#seen.size;
  }

  /** Writes the words of a text, separated from the texts before. */
  addText(text: string): void {
    if (text !== "") this.#addWords(text, this.#terms === 0 ? "" : NEXT_TEXT, "");
  }

  /** Writes the words of a title between the marks of a title. */
  addTitle(title: string): void {
    this.#addWords(title, this.#terms === 0 ? FIRST_TITLE : NEXT_TITLE, AFTER_TITLE);
  }

  #addWords(text: string, before: string, after: string): void {
    if (this.#terms >= MAX_TERMS) return;
    const end = this.end;
    this.text(before);
    const start = this.end;
    const words = this.words(text);
    if (words === 0 || !this.#seen.add(this.bytes, start, this.end)) {
      this.end = end;
      return;
    }
    this.text(after);
    this.#terms += words + (after === "" ? Number(before !== "") : 2);
    if (this.#terms > MAX_TERMS) this.cut(this.#start, MAX_TERMS);
  }

  /** Writes a term, unless the part has it. */
  addTerm(term: string): void {
    const end = this.end;
    const start = this.#beginTerm();
    this.text(term);
    this.#endTerm(end, start);
  }

  /** Writes the term of a name as `filterTerm` makes it. Returns false, and writes nothing, when the name is long. */
  addNameTerm(prefix: string, name: string): boolean {
    if (name.length > MAX_WORD_CHARS) return false;
    const end = this.end;
    const start = this.#beginTerm();
    this.text(prefix);
    const from = this.end;
    const words = this.words(name);
    const isShort = this.end - from <= MAX_VALUE_CHARS;
    if (isShort) {
      this.#markSpaces(from, words - 1);
      this.#endTerm(end, start);
    } else this.end = end;
    return isShort;
  }

  /** Replaces the spaces since `from` by marks, which take a byte more. */
  #markSpaces(from: number, spaces: number): void {
    if (spaces < 1) return;
    this.reserve(spaces);
    const { bytes } = this;
    let at = this.end;
    let to = at + spaces;
    this.end = to;
    while (at > from) {
      const byte = bytes[--at]!;
      if (byte === SPACE) {
        bytes[--to] = MARK_END_BYTE;
        bytes[--to] = MARK_BYTE;
      } else bytes[--to] = byte;
    }
  }

  /** Writes the terms of the words, the beginnings and the whole of each title that was written in this range. */
  addTitleMarks(start: number, end: number): void {
    let first = 0;
    let words = 0;
    let last = 0;
    for (let at = start; at < end; ) {
      const to = this.#endOfTerm(at, end);
      if (this.bytes[at] !== MARK_BYTE) {
        if (words++ === 0) first = at;
        last = to;
        this.#addMark(TITLE_WORD, at, to);
        if (words <= MAX_BEGINNING_WORDS) this.#addBeginning(first, to);
      } else {
        // A title that was cut has no end, and is not whole.
        if (this.bytes[at + 1] === TITLE_END_BYTE)
          this.addTerm(wholeTitleTerm(this.bytes.subarray(first, last)));
        words = 0;
      }
      at = to + 1;
    }
  }

  /** Writes the terms of the words of the names that were written in this range, and of their first letters. */
  addNameMarks(start: number, end: number): void {
    this.#addMarks(NAME_WORD, start, end);
    for (let at = start; at < end; at = this.#endOfTerm(at, end) + 1) {
      if (this.bytes[at] !== MARK_BYTE) this.#addMark(NAME_INITIAL, at, endOfChars(this.bytes, at, end, 1));
    }
  }

  /** Writes the terms of the words of the labels that were written in this range. */
  addLabelMarks(start: number, end: number): void {
    this.#addMarks(LABEL_WORD, start, end);
  }

  #addMarks(prefix: string, start: number, end: number): void {
    for (let at = start; at < end; ) {
      const to = this.#endOfTerm(at, end);
      if (this.bytes[at] !== MARK_BYTE) this.#addMark(prefix, at, to);
      at = to + 1;
    }
  }

  #addMark(prefix: string, from: number, to: number): void {
    const end = this.end;
    const start = this.#beginTerm();
    this.text(prefix);
    this.copy(from, to);
    this.#endTerm(end, start);
  }

  /** Writes the first words of a title as one term. */
  #addBeginning(from: number, to: number): void {
    const end = this.end;
    const start = this.#beginTerm();
    this.text(TITLE_BEGINNING);
    for (let at = from; at < to; ) {
      if (at > from) this.text(MARK);
      const wordEnd = this.#endOfTerm(at, to);
      this.copy(at, wordEnd);
      at = wordEnd + 1;
    }
    this.#endTerm(end, start);
  }

  /** Returns where the term begins. */
  #beginTerm(): number {
    if (this.end > this.#start) {
      this.reserve(1);
      this.bytes[this.end++] = SPACE;
    }
    return this.end;
  }

  #endTerm(before: number, start: number): void {
    if (!this.#seen.add(this.bytes, start, this.end)) this.end = before;
  }

  #endOfTerm(start: number, end: number): number {
    let at = start;
    while (at < end && this.bytes[at] !== SPACE) at++;
    return at;
  }
}
