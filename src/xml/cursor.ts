/** The place in the input that is being read, shared by the parts of the tokenizer, and what they do on errors. */
import { FeedError, printable } from "../feed/feed-error.ts";
import {
  CR,
  characterBytes,
  codePointAt,
  EXCLAMATION_MARK,
  isForbiddenAt,
  isNameCharacter,
  isNameStart,
  LESS_THAN,
  LF,
  NAME_BYTE,
  NO_NAME_BYTE,
  NON_ASCII_BYTE,
  nameClass,
  QUESTION_MARK,
  SPACE,
  TAB,
} from "./characters.ts";
import type { OpenElements } from "./open-elements.ts";
import { findPosition } from "./position.ts";
import { MAX_REFERENCE_BYTES, referenceError, scanReference, utf8Text } from "./references.ts";

/** Limits of one token, in bytes. Real feeds stay far below them. */
const MAX_TOKEN_BYTES = 4 << 20;
const MAX_TAG_BYTES = 1 << 20;

/** `&lt;` and `&gt;` as little-endian numbers: the references of escaped markup. */
const LESS_THAN_REFERENCE = 0x3b746c26;
const GREATER_THAN_REFERENCE = 0x3b746726;

class IncompleteInput extends Error {
  override readonly name = "IncompleteInput";
}

/** Thrown when a chunk that is not the last ends inside a token. */
export const incomplete = new IncompleteInput("the chunk ends inside a token");

export class Cursor {
  input: Uint8Array = new Uint8Array(0);
  /** The same bytes up to `end`, for reading several at once. */
  view: DataView = new DataView(new ArrayBuffer(0));
  end = 0;
  /** No bytes follow after `end`. */
  isLast = true;
  /** The offset of the next byte to read, its line, and the offset at which that line begins. */
  position = 0;
  line = 1;
  lineStart = 0;
  /** The same for the first byte of the current token. */
  tokenStart = 0;
  tokenLine = 1;
  tokenLineStart = 0;

  constructor(private readonly elements: OpenElements) {}

  begin(input: Uint8Array, end: number, isLast: boolean): void {
    this.input = input;
    this.view = new DataView(input.buffer, input.byteOffset, end);
    this.end = end;
    this.isLast = isLast;
    this.position = 0;
    this.line = 1;
    this.lineStart = 0;
  }

  /** Skips whitespace from `offset` and counts lines. Returns the offset after it. */
  skipWhitespace(offset: number): number {
    const { input, end } = this;
    let next = offset;
    for (; next < end; next++) {
      const byte = input[next]!;
      if (byte === SPACE || byte === TAB) continue;
      if (byte === LF) this.countLine(next);
      else if (byte === CR) this.countCarriageReturn(next);
      else break;
    }
    return next;
  }

  /** Counts the line that ends with the LF at `offset`. */
  countLine(offset: number): void {
    this.line++;
    this.lineStart = offset + 1;
  }

  /** Counts the line that ends with the CR at `offset`. The LF of CR LF counts instead of the CR. */
  countCarriageReturn(offset: number): void {
    if (offset + 1 < this.end && this.input[offset + 1] === LF) return;
    this.line++;
    this.lineStart = offset + 1;
  }

  /** Tells whether the markup at the cursor begins with these characters, of which `<!` has been read. */
  isMarkup(expected: string): boolean {
    const { input, end, position } = this;
    for (let index = 2; index < expected.length; index++) {
      if (position + index >= end) this.rejectEnd();
      if (input[position + index] !== expected.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Returns the offset after the name at `offset`, which may contain colons. It is `offset` when there is no name. */
  skipName(offset: number): number {
    return this.isNameStartAt(offset) ? this.skipNameCharacters(offset) : offset;
  }

  /** Tells whether the character at `offset` may begin a name (XML 1.0 §2.3, NameStartChar). */
  isNameStartAt(offset: number): boolean {
    if (offset >= this.end) return false;
    const kind = nameClass[this.input[offset]!]!;
    if (kind === NON_ASCII_BYTE) return isNameStart(codePointAt(this.input, offset));
    return kind !== NO_NAME_BYTE && kind !== NAME_BYTE;
  }

  /** Returns the offset after the characters at `offset` that may be part of a name (XML 1.0 §2.3, NameChar). */
  skipNameCharacters(offset: number): number {
    const { input, end } = this;
    let next = offset;
    while (next < end) {
      const byte = input[next]!;
      const kind = nameClass[byte]!;
      if (kind === NO_NAME_BYTE) break;
      if (kind === NON_ASCII_BYTE && !isNameCharacter(codePointAt(input, next))) break;
      next += characterBytes(byte);
    }
    return next;
  }

  /** Checks the reference at `offset`. Returns the offset after it. */
  skipReference(offset: number): number {
    if (offset + 4 <= this.end) {
      const four = this.view.getInt32(offset, true);
      if (four === LESS_THAN_REFERENCE || four === GREATER_THAN_REFERENCE) return offset + 4;
    }
    const next = scanReference(this.input, offset, this.end);
    return next >= 0 ? next : this.rejectReference(offset);
  }

  private rejectReference(offset: number): never {
    const { input, end, isLast } = this;
    const text = utf8Text(input, offset, Math.min(end, offset + MAX_REFERENCE_BYTES));
    const mayContinue = end - offset < MAX_REFERENCE_BYTES && !isLast && /^&[^\s&;<>"']*$/.test(text);
    if (mayContinue) this.rejectEnd();
    this.reject(referenceError(text) ?? "not well-formed: invalid reference", offset);
  }

  /** Rejects a character that is not allowed where it stands. Characters that XML forbids everywhere have one text. */
  rejectCharacter(reason: string, offset: number): never {
    if (offset >= this.end) this.rejectEnd();
    if (isForbiddenAt(this.input, offset)) {
      const code = codePointAt(this.input, offset).toString(16).toUpperCase().padStart(4, "0");
      this.reject(`not well-formed: disallowed character U+${code}`, offset);
    }
    this.reject(`not well-formed: ${reason}`, offset);
  }

  /** Rejects the end of the input inside the current token. */
  rejectEnd(): never {
    const { input, end, elements } = this;
    this.checkTokenBytes(end);
    if (!this.isLast) throw incomplete;
    const where = elements.depth === 0 ? "a tag or comment" : `<${printable(elements.innermostName(input))}>`;
    this.reject(`not well-formed: the feed ends inside ${where}`, end);
  }

  /** Rejects the current token when it goes to `to` and is too long. */
  checkTokenBytes(to: number): void {
    const bytes = to - this.tokenStart;
    if (bytes <= MAX_TAG_BYTES) return;
    if (this.isInTag()) this.rejectToken("a tag is larger than 1 MB");
    if (bytes > MAX_TOKEN_BYTES) this.rejectToken("a text or comment is larger than 4 MB");
  }

  private isInTag(): boolean {
    const { input, tokenStart } = this;
    const next = input[tokenStart + 1];
    return input[tokenStart] === LESS_THAN && next !== EXCLAMATION_MARK && next !== QUESTION_MARK;
  }

  /** Rejects the current token. The position is that of its first character. */
  rejectToken(reason: string): never {
    this.reject(reason, this.tokenStart);
  }

  reject(reason: string, offset: number): never {
    const { line, column } = findPosition(this.input, offset);
    throw new FeedError(reason, line, column);
  }
}
