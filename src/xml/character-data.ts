/** Texts and CDATA sections. */
import {
  AMPERSAND,
  BACKSLASH,
  CR,
  GREATER_THAN,
  isForbiddenAt,
  LESS_THAN,
  LF,
  MAYBE_NONCHARACTER,
  QUOTATION_MARK,
  RIGHT_BRACKET,
  SPACE,
  TAB,
} from "./characters.ts";
import type { Cursor } from "./cursor.ts";

/** Bytes that need no attention in a text are 0; the others are 1. */
const textClass = new Uint8Array(256);
textClass.fill(1, 0, SPACE);
for (const byte of [
  LESS_THAN,
  AMPERSAND,
  GREATER_THAN,
  QUOTATION_MARK,
  BACKSLASH,
  RIGHT_BRACKET,
  MAYBE_NONCHARACTER,
]) {
  textClass[byte] = 1;
}

/** The same for two bytes as a number, of which the first is the lower half. */
const pairClass = new Uint8Array(65_536);
for (let pair = 0; pair < pairClass.length; pair++) {
  pairClass[pair] = textClass[pair & 0xff]! | textClass[pair >> 8]!;
}

const CDATA_START_BYTES = "<![CDATA[".length;
const CDATA_END_BYTES = "]]>".length;

export class CharacterData {
  /** The characters go from `start` to `end` in the input. */
  start = 0;
  end = 0;
  isCdata = false;
  /** There is no `&`, CR, LF, TAB, `"` or `\`: the bytes may be copied into JSON. */
  isPlain = true;
  isWhitespace = false;

  constructor(private readonly cursor: Cursor) {}

  /** Skips whitespace up to a `<`. Returns false, and skips nothing, when the text has more than that. */
  skipLayout(): boolean {
    const { cursor } = this;
    const { input, end } = cursor;
    let { line, lineStart } = cursor;
    let offset = cursor.position;
    for (; offset < end; offset++) {
      const byte = input[offset]!;
      if (byte === SPACE || byte === TAB) continue;
      if (byte === LF) {
        line++;
        lineStart = offset + 1;
      } else if (byte !== CR || input[offset + 1] !== LF) break;
    }
    if (offset >= end || input[offset] !== LESS_THAN) return false;
    cursor.checkTokenBytes(offset);
    cursor.position = offset;
    cursor.line = line;
    cursor.lineStart = lineStart;
    return true;
  }

  /** Reads a text up to the next `<`. */
  scanText(): void {
    const { cursor } = this;
    const { input, view, end } = cursor;
    const lastPair = end - 2;
    let offset = cursor.position;
    let { line, lineStart } = cursor;
    let isPlain = true;
    this.start = offset;
    this.isCdata = false;
    // Most texts are the whitespace between two tags: a line end and an indentation.
    for (; offset < end; offset++) {
      const byte = input[offset]!;
      if (byte === SPACE) continue;
      if (byte === LF) {
        line++;
        lineStart = offset + 1;
      } else if (byte === CR) {
        if (offset + 1 === end || input[offset + 1] !== LF) {
          line++;
          lineStart = offset + 1;
        }
      } else if (byte !== TAB) break;
      isPlain = false;
    }
    const isWhitespace = offset >= end || input[offset] === LESS_THAN;
    if (!isWhitespace) {
      for (; offset < end; offset++) {
        while (offset <= lastPair && pairClass[view.getUint16(offset, true)] === 0) offset += 2;
        if (offset >= end) break;
        const byte = input[offset]!;
        if (textClass[byte] === 0) continue;
        if (byte === LESS_THAN) break;
        if (byte === LF) {
          line++;
          lineStart = offset + 1;
          isPlain = false;
        } else if (byte === CR) {
          if (offset + 1 === end || input[offset + 1] !== LF) {
            line++;
            lineStart = offset + 1;
          }
          isPlain = false;
        } else if (byte === AMPERSAND) {
          offset = cursor.skipReference(offset) - 1;
          isPlain = false;
        } else if (byte === GREATER_THAN) this.checkGreaterThan(offset);
        else if (byte === QUOTATION_MARK || byte === BACKSLASH || byte === TAB) isPlain = false;
        else if (isForbiddenAt(input, offset)) cursor.rejectCharacter("", offset);
      }
    }
    cursor.position = offset;
    cursor.line = line;
    cursor.lineStart = lineStart;
    this.end = offset;
    this.isPlain = isPlain;
    this.isWhitespace = isWhitespace;
    cursor.checkTokenBytes(offset);
  }

  private checkGreaterThan(offset: number): void {
    const { input } = this.cursor;
    if (offset < this.start + 2 || input[offset - 1] !== RIGHT_BRACKET || input[offset - 2] !== RIGHT_BRACKET)
      return;
    this.cursor.reject("not well-formed: ]]> in a text: write ]]&gt;", offset);
  }

  /** Reads the CDATA section at the cursor. */
  scanCdata(): void {
    const { cursor } = this;
    const { input, end } = cursor;
    let offset = cursor.position + CDATA_START_BYTES;
    let isPlain = true;
    let isWhitespace = true;
    this.start = offset;
    for (; ; offset++) {
      if (offset >= end) cursor.rejectEnd();
      const byte = input[offset]!;
      if (textClass[byte] === 0) {
        if (byte !== SPACE) isWhitespace = false;
        continue;
      }
      if (byte === LF || byte === CR || byte === TAB) {
        if (byte === LF) cursor.countLine(offset);
        else if (byte === CR) cursor.countCarriageReturn(offset);
        isPlain = false;
        continue;
      }
      if (byte === RIGHT_BRACKET && offset + 1 >= end) cursor.rejectEnd();
      if (byte === RIGHT_BRACKET && input[offset + 1] === RIGHT_BRACKET) {
        if (offset + 2 >= end) cursor.rejectEnd();
        if (input[offset + 2] === GREATER_THAN) break;
      }
      isWhitespace = false;
      if (byte === AMPERSAND || byte === QUOTATION_MARK || byte === BACKSLASH) isPlain = false;
      else if (isForbiddenAt(input, offset)) cursor.rejectCharacter("", offset);
    }
    cursor.position = offset + CDATA_END_BYTES;
    this.end = offset;
    this.isCdata = true;
    this.isPlain = isPlain;
    this.isWhitespace = isWhitespace;
    cursor.checkTokenBytes(offset);
  }
}
