/** Reads bytes of XML and writes bytes of JSON: names, end tags, comments, whitespace. */
import {
  bytes,
  elementOfNode,
  letterCode,
  MAX_NODES,
  nameBytes,
  nameEnds,
  nameStarts,
  trieSteps,
} from "./scan-tables.ts";

class UnsupportedInput extends Error {}
/** Thrown for input that is unknown, unusual or invalid: the full reader must read the product. */
export const unsupported = new UnsupportedInput();

class IncompleteInput extends Error {}
/** Thrown when the input ends inside the product. */
export const incomplete = new IncompleteInput();

const CDATA_START = bytes("<![CDATA[");
const COMMENT_START = bytes("<!--");

/** `nextElement` returns it at an end tag. */
export const NO_ELEMENT = -1;

export abstract class ByteScanner {
  input: Uint8Array = new Uint8Array(0);
  /** The offset in the input of the next byte to read. */
  position = 0;
  /** How many line feeds were read, and the offset of the last one. */
  lineFeeds = 0;
  lastLineFeed = -1;
  readonly output: Buffer;
  /** The end of the written output. */
  outputEnd = 0;
  protected inputEnd = 0;
  /** The end of the name that `nextElement` has read. */
  protected nameEnd = 0;
  /** The trie node of the last name. */
  private lastNode = 0;
  /** The node that followed each node the last time, as a prediction. */
  private readonly predictedNode = new Uint16Array(MAX_NODES);

  constructor(outputBytes: number) {
    this.output = Buffer.alloc(outputBytes);
  }

  /** Skips whitespace and comments. Returns the element of the next start tag; `position` is at its `<`. */
  protected nextElement(): number {
    let next: number;
    for (;;) {
      this.skipWhitespace();
      if (this.byteAt(this.position) !== 0x3c) throw unsupported;
      next = this.byteAt(this.position + 1);
      if (next !== 0x21) break;
      this.skipComment();
    }
    if (next === 0x2f) return NO_ELEMENT;
    // Feeds repeat the same elements in the same order, and comparing a name is faster than looking it up.
    const { lastNode, predictedNode } = this;
    let node = predictedNode[lastNode]!;
    if (!this.matchesName(node)) {
      node = this.lookUpName();
      predictedNode[lastNode] = node;
    }
    this.lastNode = node;
    const element = elementOfNode[node]!;
    if (element < 0) throw unsupported;
    return element;
  }

  /** Tells whether the tag at `position` has the name of this node, and sets `nameEnd`. */
  private matchesName(node: number): boolean {
    const { input } = this;
    const start = this.position + 1;
    const from = nameStarts[node]!;
    const length = nameEnds[node]! - from;
    if (start + length >= this.inputEnd) return false;
    for (let i = 0; i < length; i++) if (input[start + i] !== nameBytes[from + i]) return false;
    this.nameEnd = start + length;
    return letterCode[input[this.nameEnd]!] === 0;
  }

  /** Looks up the name of the tag at `position` in the trie, and sets `nameEnd`. */
  private lookUpName(): number {
    const { input, inputEnd } = this;
    let node = 0;
    let offset = this.position + 1;
    for (; offset < inputEnd; offset++) {
      const letter = letterCode[input[offset]!]!;
      if (letter === 0) break;
      node = trieSteps[node * 64 + letter]!;
      if (node === 0) throw unsupported;
    }
    if (offset >= inputEnd) throw incomplete;
    this.nameEnd = offset;
    return node;
  }

  protected skipComment(): void {
    const { input, inputEnd } = this;
    if (!this.matchesAt(this.position, COMMENT_START)) throw unsupported;
    for (let offset = this.position + 4; ; offset++) {
      if (offset + 2 >= inputEnd) throw incomplete;
      const byte = input[offset]!;
      if (byte === 0x0a) this.countLineFeed(offset);
      else if (byte === 0x0d) this.checkCarriageReturn(offset);
      else if (byte < 0x20 && byte !== 0x09) throw unsupported;
      else if (byte === 0xef) this.checkNoncharacter(offset);
      else if (byte === 0x2d && input[offset + 1] === 0x2d) {
        if (input[offset + 2] !== 0x3e) throw unsupported;
        this.position = offset + 3;
        return;
      }
    }
  }

  /** Returns the offset of the `]]>` that ends a CDATA section. */
  protected findCdataEnd(from: number): number {
    const { input, inputEnd } = this;
    for (let offset = from; ; offset++) {
      if (offset + 2 >= inputEnd) throw incomplete;
      if (input[offset] === 0x5d && input[offset + 1] === 0x5d && input[offset + 2] === 0x3e) return offset;
    }
  }

  /** XML forbids U+FFFE and U+FFFF, which begin with the byte EF. */
  protected checkNoncharacter(offset: number): void {
    if (this.byteAt(offset + 1) === 0xbf && this.byteAt(offset + 2) >= 0xbe) throw unsupported;
  }

  /** CR LF is read as LF (XML 1.0 §2.11). A CR alone is rare, and is not supported. */
  protected checkCarriageReturn(offset: number): void {
    if (this.byteAt(offset + 1) !== 0x0a) throw unsupported;
  }

  /** Reads the end tag of the element whose name is at these offsets of the input. */
  protected readEndTag(nameStart: number, nameEnd: number): void {
    const { input, position } = this;
    const length = nameEnd - nameStart;
    if (position + length + 2 >= this.inputEnd) throw incomplete;
    if (input[position] !== 0x3c || input[position + 1] !== 0x2f || input[position + length + 2] !== 0x3e)
      throw unsupported;
    for (let i = 0; i < length; i++) if (input[position + 2 + i] !== input[nameStart + i]) throw unsupported;
    this.position = position + length + 3;
  }

  protected countLineFeed(offset: number): void {
    this.lineFeeds++;
    this.lastLineFeed = offset;
  }

  protected skipWhitespace(): void {
    const { input, inputEnd } = this;
    let offset = this.position;
    for (; offset < inputEnd; offset++) {
      const byte = input[offset]!;
      if (byte === 0x20) continue;
      if (byte > 0x20) break;
      if (byte === 0x0a) this.countLineFeed(offset);
      else if (byte === 0x0d) this.checkCarriageReturn(offset);
      else if (byte !== 0x09) break;
    }
    this.position = offset;
  }

  /** Does not check for space: `writeBytes`, `copyInput` and `ensureOutputSpace` leave 64 bytes free. */
  protected writeByte(byte: number): void {
    this.output[this.outputEnd++] = byte;
  }

  protected writeBytes(from: Uint8Array): void {
    const { output, outputEnd } = this;
    const { length } = from;
    if (outputEnd + length + 64 > output.length) throw unsupported;
    for (let i = 0; i < length; i++) output[outputEnd + i] = from[i]!;
    this.outputEnd = outputEnd + length;
  }

  protected copyInput(start: number, end: number): void {
    const { input, output, outputEnd } = this;
    if (outputEnd + end - start + 64 > output.length) throw unsupported;
    for (let offset = start; offset < end; offset++) output[outputEnd + offset - start] = input[offset]!;
    this.outputEnd = outputEnd + end - start;
  }

  protected byteAt(offset: number): number {
    if (offset >= this.inputEnd) throw incomplete;
    return this.input[offset]!;
  }

  protected matchesAt(offset: number, expected: Uint8Array): boolean {
    if (offset + expected.length > this.inputEnd) throw incomplete;
    for (let i = 0; i < expected.length; i++) if (this.input[offset + i] !== expected[i]) return false;
    return true;
  }

  protected isCdataAt(offset: number): boolean {
    return this.matchesAt(offset, CDATA_START);
  }
}
