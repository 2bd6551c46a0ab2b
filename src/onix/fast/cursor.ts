/** Reads bytes and writes bytes, and knows of XML what needs no state: blanks, comments, names, end tags. */
import { bytes, elementAt, letterOf, SIZE, spelled, spelledFrom, spelledTo, steps } from "./tables.ts";

/** Unknown, unusual or wrong: not for this way. */
class Unsure extends Error {}
export const unsure = new Unsure();
/** The bytes end before the product does. */
class Short extends Error {}
export const short = new Short();

const CDATA = bytes("<![CDATA[");
const COMMENT = bytes("<!--");

/** What stands for an element where an end tag is. */
export const NO_ELEMENT = -1;

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
  /** Behind the name that `element` has read. */
  protected nameEnd = 0;
  /** The name that was read last, by its node in the tree of names; and the one that came behind each when it last did. */
  private node = 0;
  private readonly behind = new Uint16Array(SIZE);

  constructor(size: number) {
    this.output = Buffer.alloc(size);
  }

  /** The element whose tag comes next, behind blanks and comments; `at` is its `<`. */
  protected element(): number {
    let next: number;
    for (;;) {
      this.blanks();
      if (this.byte(this.at) !== 0x3c) throw unsure;
      next = this.byte(this.at + 1);
      if (next !== 0x21) break;
      this.comment();
    }
    if (next === 0x2f) return NO_ELEMENT;
    // Feeds say the same things in the same order; and to compare with a name is quicker than to find one.
    const { node: last, behind } = this;
    let node = behind[last]!;
    if (!this.isName(node)) {
      node = this.name();
      behind[last] = node;
    }
    this.node = node;
    const element = elementAt[node]!;
    if (element < 0) throw unsure;
    return element;
  }

  /** Whether the name of the tag at `at` is this one; then `nameEnd` is behind it. */
  private isName(node: number): boolean {
    const { input } = this;
    const start = this.at + 1;
    const from = spelledFrom[node]!;
    const length = spelledTo[node]! - from;
    if (start + length >= this.end) return false;
    for (let of = 0; of < length; of++) if (input[start + of] !== spelled[from + of]) return false;
    this.nameEnd = start + length;
    return letterOf[input[this.nameEnd]!] === 0;
  }

  /** The name of the tag at `at`, letter by letter through the tree of names. */
  private name(): number {
    const { input, end } = this;
    let node = 0;
    let at = this.at + 1;
    for (; at < end; at++) {
      const letter = letterOf[input[at]!]!;
      if (letter === 0) break;
      node = steps[node * 64 + letter]!;
      if (node === 0) throw unsure;
    }
    if (at >= end) throw short;
    this.nameEnd = at;
    return node;
  }

  protected comment(): void {
    const { input, end } = this;
    if (!this.isAt(this.at, COMMENT)) throw unsure;
    for (let at = this.at + 4; ; at++) {
      if (at + 2 >= end) throw short;
      const byte = input[at]!;
      if (byte === 0x0a) this.lineFeed(at);
      else if (byte === 0x0d) this.halfOfLineEnd(at);
      else if (byte < 0x20 && byte !== 0x09) throw unsure;
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

  /** U+FFFE and U+FFFF, which XML forbids. */
  protected notForbidden(at: number): void {
    if (this.byte(at + 1) === 0xbf && this.byte(at + 2) >= 0xbe) throw unsure;
  }

  /** XML 1.0, 2.11: CR LF is LF; so is a CR of its own, which is seldom enough. */
  protected halfOfLineEnd(at: number): void {
    if (this.byte(at + 1) !== 0x0a) throw unsure;
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
      const byte = input[at]!;
      if (byte === 0x20) continue;
      if (byte > 0x20) break;
      if (byte === 0x0a) this.lineFeed(at);
      else if (byte === 0x0d) this.halfOfLineEnd(at);
      else if (byte !== 0x09) break;
    }
    this.at = at;
  }

  protected put(byte: number): void {
    this.output[this.to++] = byte;
  }

  protected write(from: Uint8Array): void {
    const { output, to } = this;
    const { length } = from;
    if (to + length + 64 > output.length) throw unsure;
    for (let at = 0; at < length; at++) output[to + at] = from[at]!;
    this.to = to + length;
  }

  protected writeInput(start: number, end: number): void {
    const { input, output, to } = this;
    if (to + end - start + 64 > output.length) throw unsure;
    for (let at = start; at < end; at++) output[to + at - start] = input[at]!;
    this.to = to + end - start;
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

  protected isCdata(at: number): boolean {
    return this.isAt(at, CDATA);
  }
}
