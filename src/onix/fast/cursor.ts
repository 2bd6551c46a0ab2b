/** Reads bytes and writes bytes, and knows of XML what needs no state: blanks, comments, names, end tags. */
import { bytes, elementAt, letterOf, steps } from "./tables.ts";

/** Out of order, unknown, unusual or wrong: not for this way. */
class Unsure extends Error {}
export const unsure = new Unsure();
/** The bytes end before the product does. */
class Short extends Error {}
export const short = new Short();

const CDATA = bytes("<![CDATA[");
const COMMENT = bytes("<!--");

export abstract class Cursor {
  input: Uint8Array = new Uint8Array(0);
  /** The next byte to be read. */
  at = 0;
  /** Line feeds that were passed, and where the last one was. */
  lines = 0;
  lineFeedAt = -1;
  readonly output: Buffer;
  /** The end of what was written. */
  to = 0;
  protected end = 0;

  constructor(size: number) {
    this.output = Buffer.alloc(size);
  }

  protected comment(): void {
    const { input, end } = this;
    if (!this.isAt(this.at, COMMENT)) throw unsure;
    for (let at = this.at + 4; ; at++) {
      if (at + 2 >= end) throw short;
      const byte = input[at]!;
      if (byte === 0x0a) this.lineFeed(at);
      else if (byte < 0x20 && byte !== 0x09 && byte !== 0x0d) throw unsure;
      else if (byte === 0xef) this.notForbidden(at);
      else if (byte === 0x2d && input[at + 1] === 0x2d) {
        if (input[at + 2] !== 0x3e) throw unsure;
        this.at = at + 3;
        return;
      }
    }
  }

  protected findCdataEnd(from: number): number {
    const { input, end } = this;
    for (let at = from; ; at++) {
      if (at + 2 >= end) throw short;
      if (input[at] === 0x5d && input[at + 1] === 0x5d && input[at + 2] === 0x3e) return at;
    }
  }

  protected notForbidden(at: number): void {
    if (this.byte(at + 1) === 0xbf && this.byte(at + 2) >= 0xbe) throw unsure;
  }

  protected name(start: number): { element: number; nameEnd: number } {
    let node = 0;
    let at = start;
    for (; letterOf[this.byte(at)] !== 0; at++) {
      node = steps[node * 64 + letterOf[this.input[at]!]!]!;
      if (node === 0) throw unsure;
    }
    const element = elementAt[node]!;
    if (element < 0) throw unsure;
    return { element, nameEnd: at };
  }

  protected endTag(nameStart: number, nameEnd: number): void {
    const { input, at } = this;
    const length = nameEnd - nameStart;
    if (at + length + 2 >= this.end) throw short;
    if (input[at] !== 0x3c || input[at + 1] !== 0x2f || input[at + length + 2] !== 0x3e) throw unsure;
    for (let of = 0; of < length; of++) if (input[at + 2 + of] !== input[nameStart + of]) throw unsure;
    this.at = at + length + 3;
  }

  protected lineFeed(at: number): void {
    this.lines++;
    this.lineFeedAt = at;
  }

  /** To the next byte that is none. */
  protected blanks(): void {
    const { input, end } = this;
    let at = this.at;
    for (; at < end; at++) {
      const byte = input[at];
      if (byte === 0x0a) this.lineFeed(at);
      else if (byte === 0x0d) {
        if (at + 1 < end && input[at + 1] !== 0x0a) throw unsure;
      } else if (byte !== 0x20 && byte !== 0x09) break;
    }
    this.at = at;
  }

  protected put(byte: number): void {
    this.output[this.to++] = byte;
  }

  protected write(from: Uint8Array): void {
    this.to = this.copy(from, this.to);
  }

  protected copy(from: Uint8Array, to: number): number {
    const { output } = this;
    const { length } = from;
    if (to + length + 64 > output.length) throw unsure;
    for (let at = 0; at < length; at++) output[to + at] = from[at]!;
    return to + length;
  }

  protected copyInput(start: number, end: number, to: number): number {
    const { input, output } = this;
    for (let at = start; at < end; at++) output[to + at - start] = input[at]!;
    return to + end - start;
  }

  protected byte(at: number): number {
    if (at >= this.end) throw short;
    return this.input[at]!;
  }

  protected isAt(at: number, what: Uint8Array): boolean {
    if (at + what.length > this.end) throw short;
    for (let of = 0; of < what.length; of++) if (this.input[at + of] !== what[of]) return false;
    return true;
  }

  protected isSame(a: number, aEnd: number, b: number, bEnd: number): boolean {
    if (aEnd - a !== bEnd - b) return false;
    for (let of = 0; of < aEnd - a; of++) if (this.input[a + of] !== this.input[b + of]) return false;
    return true;
  }

  protected isCdata(at: number): boolean {
    return this.isAt(at, CDATA);
  }
}

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x09 || byte === 0x0d;
}
