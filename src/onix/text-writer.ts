/** Writes the text of an element as a JSON string: plain text, or XHTML as a string of markup. */
import { escapeAttribute, escapeText, isVoidElement } from "../xml/markup.ts";
import { decodeAttribute, decodeReference } from "../xml/references.ts";
import { CDATA_NODE, type ElementTree, HAS_ELEMENTS, IS_PLAIN, TEXT_NODE } from "./element-tree.ts";
import type { JsonOutput } from "./json-output.ts";

/** How a byte of text is handled. */
const LITERAL = 0;
const WHITESPACE = 1;
const SPECIAL = 2;
const byteClass = new Uint8Array(256).fill(LITERAL);
for (const byte of [0x20, 0x0a, 0x09, 0x0d]) byteClass[byte] = WHITESPACE;
for (const character of '<&>"\\') byteClass[character.charCodeAt(0)] = SPECIAL;

/** No byte of text becomes more bytes of JSON: `&` in CDATA becomes `&amp;`. */
const MAX_BYTES_PER_BYTE = 5;

/** The JSON bytes of a reference in plain text, and in XHTML, where markup characters stay escaped. */
interface ReferenceOutput {
  readonly inText: Uint8Array;
  readonly inXhtml: Uint8Array;
  readonly isWhitespace: boolean;
  /** A carriage return is written as `&#13;` in XHTML, which is not whitespace. */
  readonly isWhitespaceInXhtml: boolean;
}

/** Feeds repeat a few references very often. */
const referenceOutputs = new Map<string, ReferenceOutput>();
const MAX_CACHED_REFERENCES = 10_000;

export class TextWriter {
  /** The output end after the last character that is not whitespace. */
  private trimmedEnd = 0;
  private start = 0;

  constructor(private readonly output: JsonOutput) {}

  /** Writes the content of an element between quotes, without whitespace at its ends (XML 1.0 §2.3). */
  write(tree: ElementTree, node: number): void {
    const { output } = this;
    const child = node + 1;
    output.reserve(0);
    output.byte(0x22);
    if (tree.next[node] === child + 1 && (tree.flags[child]! & IS_PLAIN) !== 0) {
      this.writePlain(tree, child);
    } else if (tree.next[node]! > child) {
      this.begin();
      if ((tree.flags[node]! & HAS_ELEMENTS) !== 0) this.writeXhtml(tree, node);
      else this.writeTexts(tree, node);
      output.end = this.trimmedEnd;
    }
    output.byte(0x22);
  }

  /** Writes the content of an element as XHTML, even when it has no elements. */
  writeMarkup(tree: ElementTree, node: number): void {
    const { output } = this;
    output.reserve(0);
    output.byte(0x22);
    this.begin();
    this.writeXhtml(tree, node);
    output.end = this.trimmedEnd;
    output.byte(0x22);
  }

  /** Writes only the texts among the children, between quotes and trimmed. */
  writeStrayText(tree: ElementTree, node: number): void {
    const { output } = this;
    output.reserve(0);
    output.byte(0x22);
    this.begin();
    this.writeTexts(tree, node);
    output.end = this.trimmedEnd;
    output.byte(0x22);
  }

  /** Writes the value of an attribute between quotes. */
  writeAttribute(tree: ElementTree, attribute: number): void {
    const { output } = this;
    const from = tree.attributeFrom[attribute]!;
    const to = tree.attributeTo[attribute]!;
    if (tree.attributeFlags[attribute] === IS_PLAIN) {
      output.reserve(0);
      output.byte(0x22);
      output.copy(tree.input, from, to);
      output.byte(0x22);
    } else output.text(JSON.stringify(decodeAttribute(tree.input, from, to)));
  }

  private begin(): void {
    this.start = this.output.end;
    this.trimmedEnd = this.start;
  }

  /** Most texts are plain: their bytes are copied. */
  private writePlain(tree: ElementTree, text: number): void {
    const { input } = tree;
    let from = tree.from[text]!;
    let to = tree.to[text]!;
    while (from < to && input[from] === 0x20) from++;
    while (to > from && input[to - 1] === 0x20) to--;
    this.output.copy(input, from, to);
  }

  private writeTexts(tree: ElementTree, node: number): void {
    for (let child = node + 1; child < tree.next[node]!; child = tree.next[child]!) {
      if (tree.kind[child]! <= TEXT_NODE) this.writeText(tree, child, false);
    }
  }

  private writeXhtml(tree: ElementTree, node: number): void {
    for (let child = node + 1; child < tree.next[node]!; child = tree.next[child]!) {
      if (tree.kind[child]! <= TEXT_NODE) this.writeText(tree, child, true);
      else this.writeXhtmlElement(tree, child);
    }
  }

  private writeXhtmlElement(tree: ElementTree, node: number): void {
    const { output } = this;
    const { input } = tree;
    const from = tree.from[node]!;
    const to = tree.to[node]!;
    output.reserve(to - from);
    output.byte(0x3c);
    output.copy(input, from, to);
    for (let index = tree.attributes[node]!; index < tree.attributesEnd(node); index++) {
      const value = decodeAttribute(input, tree.attributeFrom[index]!, tree.attributeTo[index]!);
      output.byte(0x20);
      output.write(tree.attributeNames.bytesOf(tree.attributeName[index]!));
      output.text(`=\\"${escapeForJson(escapeAttribute(value))}\\"`);
    }
    const isEmpty = tree.next[node] === node + 1;
    if (isEmpty && this.isVoid(input, from, to)) {
      output.byte(0x2f);
      output.byte(0x3e);
    } else {
      output.byte(0x3e);
      this.trimmedEnd = output.end;
      this.writeXhtml(tree, node);
      output.reserve(to - from);
      output.byte(0x3c);
      output.byte(0x2f);
      output.copy(input, from, to);
      output.byte(0x3e);
    }
    this.trimmedEnd = output.end;
  }

  private isVoid(input: Uint8Array, from: number, to: number): boolean {
    // Nearly all void elements are `br`.
    if (to - from === 2 && input[from] === 0x62 && input[from + 1] === 0x72) return true;
    return isVoidElement(String.fromCharCode(...input.subarray(from, to)));
  }

  /** Writes a text or CDATA section. In XHTML, `&`, `<` and `>` stay escaped. */
  private writeText(tree: ElementTree, text: number, inXhtml: boolean): void {
    const { output, start } = this;
    const { input } = tree;
    const isCdata = tree.kind[text] === CDATA_NODE;
    const to = tree.to[text]!;
    output.reserve((to - tree.from[text]!) * MAX_BYTES_PER_BYTE);
    let { bytes, end } = output;
    let { trimmedEnd } = this;
    for (let offset = tree.from[text]!; offset < to; offset++) {
      const byte = input[offset]!;
      const handling = byteClass[byte];
      if (handling === LITERAL) {
        bytes[end++] = byte;
        trimmedEnd = end;
      } else if (handling === WHITESPACE) {
        // CR LF and CR are read as LF (XML 1.0 §2.11).
        const isHalfOfCrLf = byte === 0x0d && input[offset + 1] === 0x0a && offset + 1 < to;
        if (trimmedEnd === start || isHalfOfCrLf) continue;
        if (byte === 0x20) bytes[end++] = byte;
        else {
          bytes[end++] = 0x5c;
          bytes[end++] = byte === 0x09 ? 0x74 : 0x6e;
        }
      } else if (byte === 0x22 || byte === 0x5c) {
        bytes[end++] = 0x5c;
        bytes[end++] = byte;
        trimmedEnd = end;
      } else if (byte === 0x26 && !isCdata) {
        const semicolon = input.indexOf(0x3b, offset);
        const reference = referenceOutput(input, offset + 1, semicolon);
        offset = semicolon;
        const isWhitespace = inXhtml ? reference.isWhitespaceInXhtml : reference.isWhitespace;
        if (isWhitespace && trimmedEnd === start) continue;
        output.end = end;
        output.write(inXhtml ? reference.inXhtml : reference.inText);
        output.reserve((to - offset) * MAX_BYTES_PER_BYTE);
        ({ bytes, end } = output);
        if (!isWhitespace) trimmedEnd = end;
      } else {
        if (inXhtml) {
          output.end = end;
          output.text(byte === 0x3c ? "&lt;" : byte === 0x3e ? "&gt;" : "&amp;");
          output.reserve((to - offset) * MAX_BYTES_PER_BYTE);
          ({ bytes, end } = output);
        } else bytes[end++] = byte;
        trimmedEnd = end;
      }
    }
    output.end = end;
    this.trimmedEnd = trimmedEnd;
  }
}

function referenceOutput(input: Uint8Array, from: number, to: number): ReferenceOutput {
  const name = String.fromCharCode(...input.subarray(from, to));
  const known = referenceOutputs.get(name);
  if (known) return known;
  const text = decodeReference(name)!;
  const output = {
    inText: Buffer.from(escapeForJson(text)),
    inXhtml: Buffer.from(escapeForJson(escapeText(text))),
    isWhitespace: /^[ \t\r\n]$/.test(text),
    isWhitespaceInXhtml: /^[ \t\n]$/.test(text),
  };
  if (referenceOutputs.size < MAX_CACHED_REFERENCES) referenceOutputs.set(name, output);
  return output;
}

function escapeForJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
