/** Texts as JSON strings: plain text with references and CDATA, and XHTML as a string of markup. */
import { HTML_ENTITIES } from "../../xml/html-entities.ts";
import { escapeText, isVoidElement } from "../../xml/markup.ts";
import { AttributeScanner } from "./attribute-scanner.ts";
import { incomplete, unsupported } from "./byte-scanner.ts";
import { bytes, LAST_LETTER_CODE, letterCode } from "./scan-tables.ts";

/** The output for a reference in plain text, and in XHTML, where it stays escaped. Both are escaped for JSON. */
interface ReferenceOutput {
  readonly inText: Uint8Array;
  readonly inXhtml: Uint8Array;
}

const entityOutputs = new Map(Array.from(HTML_ENTITIES, ([name, text]) => [name, referenceOutput(text)]));

function referenceOutput(character: string): ReferenceOutput {
  return { inText: escapeForJson(character), inXhtml: escapeForJson(escapeText(character)) };
}

function escapeForJson(text: string): Uint8Array {
  return bytes(JSON.stringify(text).slice(1, -1));
}

/** How a byte of text is handled: copied, perhaps trimmed, or looked at by `readSpecial`. */
const LITERAL = 0;
const WHITESPACE = 1;
const SPECIAL = 2;
const byteClass = new Uint8Array(256).fill(LITERAL);
byteClass.fill(SPECIAL, 0, 0x20);
for (const byte of [0x20, 0x0a, 0x09, 0x0d]) byteClass[byte] = WHITESPACE;
for (const character of '<&>"\\]') byteClass[character.charCodeAt(0)] = SPECIAL;
// U+FFFE and U+FFFF, which XML forbids, begin with this byte, as other characters do.
byteClass[0xef] = SPECIAL;

const ESCAPED_GREATER_THAN = bytes("&gt;");
const MAX_XHTML_DEPTH = 20;
/**
 * Limit of XHTML elements in a product. Together with the ONIX elements that fit in a window, it stays below the
 * limit of `message-builder.ts`.
 */
const MAX_XHTML_ELEMENTS = 20_000;

export abstract class TextScanner extends AttributeScanner {
  /** XHTML elements of the current product so far. */
  protected xhtmlElements = 0;
  /** Open XHTML elements: the offsets of their names in the input, and the output end after their start tags. */
  private readonly openXhtml: { nameStart: number; nameEnd: number; outputEnd: number }[] = [];
  /** The end of the current CDATA section; -1 outside of one. */
  private cdataEnd = -1;

  /**
   * Reads the text from `position` to its end tag and trims it. Returns whether `looksLikeXhtml` is wrong about it,
   * which makes the text an exception (see `FieldBuilder.exceptions`).
   */
  protected readContent(): boolean {
    const { position, outputEnd, lineFeeds, lastLineFeed } = this;
    this.cdataEnd = -1;
    if (this.openXhtml.length > 0) this.openXhtml.length = 0;
    const isPlain = this.tryContent(false);
    if (!isPlain) {
      [this.position, this.outputEnd, this.lineFeeds, this.lastLineFeed] = [
        position,
        outputEnd,
        lineFeeds,
        lastLineFeed,
      ];
      this.tryContent(true);
    }
    return isPlain ? this.isXhtmlFormat && this.hasTagInOutput(outputEnd) : !this.isXhtmlFormat;
  }

  /** Reads plain text or XHTML. Returns false when plain text is expected and there is an element. */
  private tryContent(isXhtml: boolean): boolean {
    const { input, output, inputEnd } = this;
    const start = this.outputEnd;
    let { position, outputEnd } = this;
    /** The output end without trailing whitespace. */
    let trimmedEnd = outputEnd;
    this.ensureOutputSpace();
    for (;;) {
      if (position >= inputEnd) throw incomplete;
      const byte = input[position]!;
      const kind = byteClass[byte];
      if (kind === LITERAL) {
        output[outputEnd++] = byte;
        trimmedEnd = outputEnd;
        position++;
      } else if (kind === WHITESPACE) {
        if (byte === 0x0a) this.countLineFeed(position);
        if (byte === 0x0d) this.checkCarriageReturn(position);
        else if (trimmedEnd > start) {
          if (byte === 0x20) output[outputEnd++] = byte;
          else {
            output[outputEnd++] = 0x5c;
            output[outputEnd++] = byte === 0x0a ? 0x6e : 0x74;
          }
        }
        position++;
      } else {
        if (byte === 0x3c && this.cdataEnd < 0) {
          const next = this.byteAt(position + 1);
          if (next === 0x2f && this.openXhtml.length === 0) break;
          if (next !== 0x21 && !isXhtml) return false;
        }
        this.position = position;
        this.outputEnd = outputEnd;
        this.readSpecial(byte, isXhtml);
        position = this.position;
        if (this.outputEnd > outputEnd) {
          outputEnd = this.outputEnd;
          trimmedEnd = outputEnd;
        }
      }
    }
    this.position = position;
    this.outputEnd = trimmedEnd;
    return true;
  }

  /** Handles a byte of class SPECIAL at `position`. */
  private readSpecial(byte: number, isXhtml: boolean): void {
    if (byte === 0x22 || byte === 0x5c) {
      this.writeByte(0x5c);
      this.copyByte(byte);
    } else if (byte === 0xef) {
      this.checkNoncharacter(this.position);
      this.copyByte(byte);
    } else if (byte < 0x20) throw unsupported;
    else if (this.position === this.cdataEnd) {
      this.position += 3;
      this.cdataEnd = -1;
    } else if (byte === 0x5d || this.cdataEnd >= 0) this.copyByte(byte);
    else if (byte === 0x26) this.readReference(isXhtml);
    else if (byte === 0x3e) this.readGreaterThan(isXhtml);
    else if (!isXhtml) this.readCommentOrCdataStart();
    else if (this.input[this.position + 1] === 0x2f) this.readXhtmlEndTag();
    else this.readXhtmlStartTag();
  }

  private copyByte(byte: number): void {
    this.writeByte(byte);
    this.position++;
  }

  private readGreaterThan(isXhtml: boolean): void {
    const { input, position } = this;
    // `]]>` is not allowed in text (XML 1.0 §2.4).
    if (input[position - 1] === 0x5d && input[position - 2] === 0x5d) throw unsupported;
    if (isXhtml) {
      this.writeBytes(ESCAPED_GREATER_THAN);
      this.position++;
      this.ensureOutputSpace();
    } else this.copyByte(0x3e);
  }

  private readCommentOrCdataStart(): void {
    if (this.isCdataAt(this.position)) {
      this.cdataEnd = this.findCdataEnd(this.position + 9);
      this.position += 9;
    } else this.skipComment();
  }

  /** Writes XHTML tags as `serializeXhtml` does. */
  private readXhtmlStartTag(): void {
    const { position, input } = this;
    const nameStart = position + 1;
    const first = letterCode[input[nameStart]!]!;
    if (first === 0 || first > LAST_LETTER_CODE || ++this.xhtmlElements > MAX_XHTML_ELEMENTS)
      throw unsupported;
    let nameEnd = nameStart;
    while (letterCode[this.byteAt(nameEnd)] !== 0) nameEnd++;
    this.writeByte(0x3c);
    this.copyInput(nameStart, nameEnd);
    this.writeXhtmlAttributes(nameEnd);
    const isEmpty = this.readStartTagEnd();
    this.writeByte(0x3e);
    if (isEmpty) {
      this.writeXhtmlEnd(nameStart, nameEnd, true);
      return;
    }
    if (this.openXhtml.length > MAX_XHTML_DEPTH) throw unsupported;
    this.openXhtml.push({ nameStart, nameEnd, outputEnd: this.outputEnd });
  }

  private readXhtmlEndTag(): void {
    const { nameStart, nameEnd, outputEnd } = this.openXhtml.pop()!;
    this.readEndTag(nameStart, nameEnd);
    this.writeXhtmlEnd(nameStart, nameEnd, outputEnd === this.outputEnd);
  }

  /** Writes the end tag, or turns the start tag of an empty void element into `<br/>`. */
  private writeXhtmlEnd(nameStart: number, nameEnd: number, isEmpty: boolean): void {
    if (isEmpty && this.isVoidName(nameStart, nameEnd)) {
      // Replaces the `>` of the start tag.
      this.output[this.outputEnd - 1] = 0x2f;
    } else {
      this.writeByte(0x3c);
      this.writeByte(0x2f);
      this.copyInput(nameStart, nameEnd);
    }
    this.writeByte(0x3e);
  }

  private isVoidName(nameStart: number, nameEnd: number): boolean {
    const { input } = this;
    // Nearly all void elements are `br`.
    if (nameEnd - nameStart === 2 && input[nameStart] === 0x62 && input[nameStart + 1] === 0x72) return true;
    return isVoidElement(String.fromCharCode(...input.subarray(nameStart, nameEnd)));
  }

  private readReference(isXhtml: boolean): void {
    const { position, input } = this;
    let end = position + 1;
    while (this.byteAt(end) !== 0x3b) {
      if (end - position > 10) throw unsupported;
      end++;
    }
    const name = this.isAmp(position, end)
      ? "amp"
      : String.fromCharCode(...input.subarray(position + 1, end));
    const output = entityOutputs.get(name) ?? referenceOutput(decodeCharacterReference(name));
    this.writeBytes(isXhtml ? output.inXhtml : output.inText);
    this.position = end + 1;
  }

  /** Recognizes the most frequent reference without creating a string. */
  private isAmp(start: number, end: number): boolean {
    const { input } = this;
    return (
      end - start === 4 && input[start + 1] === 0x61 && input[start + 2] === 0x6d && input[start + 3] === 0x70
    );
  }

  /** A byte of text becomes at most two bytes of output. Code that writes more must check again. */
  private ensureOutputSpace(): void {
    if (this.outputEnd + (this.inputEnd - this.position) * 2 + 64 > this.output.length) throw unsupported;
  }

  /** Tells whether the output since `start` contains `<` and a letter, as `looksLikeXhtml` does. */
  private hasTagInOutput(start: number): boolean {
    const { output, outputEnd } = this;
    for (let offset = start; offset < outputEnd - 1; offset++) {
      if (output[offset] !== 0x3c) continue;
      const letter = letterCode[output[offset + 1]!]!;
      if (letter > 0 && letter <= LAST_LETTER_CODE) return true;
    }
    return false;
  }
}

/** Decodes `#233` and `#xE9`. Whitespace, which may have to be trimmed, and invalid numbers are not supported. */
function decodeCharacterReference(name: string): string {
  const digits = /^#(?:([0-9]{2,7})|x([0-9A-Fa-f]{2,6}))$/.exec(name);
  if (!digits) throw unsupported;
  const code = digits[1] ? Number(digits[1]) : Number.parseInt(digits[2]!, 16);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < 0x21 || isSurrogate || (code & 0xfffe) === 0xfffe || code > 0x10ffff) throw unsupported;
  return String.fromCodePoint(code);
}
