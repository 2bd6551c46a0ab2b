/**
 * Notices that a document in a declared single-byte encoding is really UTF-8: all of its bytes are valid as UTF-8, and
 * some are not ASCII. Text in such an encoding practically never has only letters that form UTF-8 sequences.
 */
import { isUtf8 } from "node:buffer";
import { concatBytes, endOfCompleteUtf8, utf8SequenceBytes } from "./decoder.ts";

const LF = 0x0a;
const CR = 0x0d;
const FIRST_NON_ASCII = 0x80;
const MAX_SEQUENCE_BYTES = 4;

export interface MisdeclaredUtf8 {
  /** The bytes of the first character that is not ASCII. */
  readonly sequence: Uint8Array;
  readonly line: number;
  readonly column: number;
}

/** Returns true for the encodings of the WHATWG Encoding Standard §9 that have one byte per character. */
export function isSingleByteEncoding(name: string): boolean {
  return /^(?:ibm866|iso-8859-|koi8-|macintosh|windows-|x-mac-)/.test(name);
}

export class MisdeclaredUtf8Check {
  private isValid = true;
  /** The beginning of a character that the next bytes complete. */
  private incomplete: Uint8Array = new Uint8Array(0);
  /** The first bytes from the first one that is not ASCII. */
  private sequence: number[] = [];
  private line = 1;
  private column = 1;
  private isAfterCr = false;

  add(bytes: Uint8Array): void {
    if (!this.isValid) return;
    if (this.sequence.length < MAX_SEQUENCE_BYTES) this.findSequence(bytes);
    this.isValid = this.checkUtf8(bytes);
  }

  /** Returns undefined when the document has bytes that are not UTF-8, or only ASCII. */
  finish(): MisdeclaredUtf8 | undefined {
    if (!this.isValid || this.incomplete.length > 0 || this.sequence.length === 0) return undefined;
    const { line, column } = this;
    const length = utf8SequenceBytes(this.sequence[0]!);
    return { sequence: Uint8Array.from(this.sequence.slice(0, length)), line, column };
  }

  private findSequence(bytes: Uint8Array): void {
    let offset = 0;
    if (this.sequence.length === 0) {
      for (; offset < bytes.length && bytes[offset]! < FIRST_NON_ASCII; offset++)
        this.advance(bytes[offset]!);
    }
    this.sequence.push(...bytes.subarray(offset, offset + MAX_SEQUENCE_BYTES - this.sequence.length));
  }

  private advance(byte: number): void {
    if (byte === CR || (byte === LF && !this.isAfterCr)) {
      this.line++;
      this.column = 1;
    } else if (byte !== LF) this.column++;
    this.isAfterCr = byte === CR;
  }

  private checkUtf8(bytes: Uint8Array): boolean {
    let start = 0;
    if (this.incomplete.length > 0) {
      start = utf8SequenceBytes(this.incomplete[0]!) - this.incomplete.length;
      const joined = concatBytes(this.incomplete, bytes.subarray(0, start));
      if (start > bytes.length) {
        this.incomplete = joined;
        return true;
      }
      this.incomplete = new Uint8Array(0);
      if (!isUtf8(joined)) return false;
    }
    const end = Math.max(start, endOfCompleteUtf8(bytes));
    this.incomplete = bytes.slice(end);
    return isUtf8(bytes.subarray(start, end));
  }
}
