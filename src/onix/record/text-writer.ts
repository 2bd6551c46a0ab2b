/** Writes the text of an element as a JSON string: plain text, or XHTML as a string of markup. */
import { escapeAttribute, isVoidElement } from "../../xml/markup.ts";
import { decodeAttribute } from "../../xml/references.ts";
import {
  CDATA_NODE,
  type ElementTree,
  HAS_ELEMENTS,
  IS_PLAIN,
  IS_PLAIN_TEXT,
  TEXT_NODE,
} from "../reader/element-tree.ts";
import { type JsonOutput, jsonPart } from "./json-output.ts";
import { escapeForJson, referenceOutput } from "./reference-output.ts";

/** Bytes that are copied are LITERAL. */
const LITERAL = 0;
const SPECIAL = 1;
const byteClass = new Uint8Array(256).fill(LITERAL);
for (const character of '\n\r\t<&>"\\') byteClass[character.charCodeAt(0)] = SPECIAL;

const ESCAPED_LESS_THAN = jsonPart("&lt;");
const ESCAPED_GREATER_THAN = jsonPart("&gt;");
const ESCAPED_AMPERSAND = jsonPart("&amp;");

export class TextWriter {
  /** The output end after the last character that is not whitespace. */
  private trimmedEnd = 0;
  private start = 0;

  constructor(private readonly output: JsonOutput) {}

  /** Writes the content of an element between quotes, without whitespace at its ends (XML 1.0 §2.3). */
  write(tree: ElementTree, node: number): void {
    const { output } = this;
    const child = node + 1;
    if ((tree.flags[node]! & IS_PLAIN_TEXT) !== 0) {
      this.writePlain(tree, child);
      return;
    }
    output.reserve(0);
    output.byte(0x22);
    if (tree.next[node]! > child) {
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
      output.string(tree.input, tree.view, from, to);
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
    this.output.string(input, tree.view, from, to);
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
    output.copy(input, tree.view, from, to);
    for (let index = tree.attributes[node]!; index < tree.attributesEnd(node); index++) {
      const value = decodeAttribute(input, tree.attributeFrom[index]!, tree.attributeTo[index]!);
      output.byte(0x20);
      output.write(tree.attributeNames.partOf(tree.attributeName[index]!));
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
      output.copy(input, tree.view, from, to);
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
    const { input, view } = tree;
    const isCdata = tree.kind[text] === CDATA_NODE;
    const to = tree.to[text]!;
    let offset = tree.from[text]!;
    while (offset < to) {
      let runEnd = offset;
      while (runEnd < to && byteClass[input[runEnd]!] === LITERAL) runEnd++;
      if (runEnd > offset) {
        // Whitespace at the beginning of the text is dropped.
        if (this.trimmedEnd === start) while (offset < runEnd && input[offset] === 0x20) offset++;
        output.copy(input, view, offset, runEnd);
        let trimmed = runEnd;
        while (trimmed > offset && input[trimmed - 1] === 0x20) trimmed--;
        if (trimmed > offset) this.trimmedEnd = output.end - (runEnd - trimmed);
        offset = runEnd;
        continue;
      }
      const byte = input[offset]!;
      if (byte === 0x26 && !isCdata) offset = this.writeReference(input, offset, inXhtml);
      else {
        // CR LF and CR are read as LF (XML 1.0 §2.11).
        const isHalfOfCrLf = byte === 0x0d && offset + 1 < to && input[offset + 1] === 0x0a;
        if (!isHalfOfCrLf) this.writeSpecial(byte, inXhtml);
        offset++;
      }
    }
  }

  /** Writes a byte that JSON or markup escapes. */
  private writeSpecial(byte: number, inXhtml: boolean): void {
    const { output } = this;
    output.reserve(8);
    if (byte === 0x0a || byte === 0x0d || byte === 0x09) {
      if (this.trimmedEnd === this.start) return;
      output.byte(0x5c);
      output.byte(byte === 0x09 ? 0x74 : 0x6e);
      return;
    }
    if (byte === 0x22 || byte === 0x5c) {
      output.byte(0x5c);
      output.byte(byte);
    } else if (!inXhtml) output.byte(byte);
    else
      output.write(
        byte === 0x3c ? ESCAPED_LESS_THAN : byte === 0x3e ? ESCAPED_GREATER_THAN : ESCAPED_AMPERSAND,
      );
    this.trimmedEnd = output.end;
  }

  /** Writes the reference at `offset`. Returns the offset after it. */
  private writeReference(input: Uint8Array, offset: number, inXhtml: boolean): number {
    const { output } = this;
    const end = input.indexOf(0x3b, offset);
    const reference = referenceOutput(input, offset + 1, end);
    const isWhitespace = inXhtml ? reference.isWhitespaceInXhtml : reference.isWhitespace;
    if (!isWhitespace || this.trimmedEnd > this.start) {
      output.write(inXhtml ? reference.inXhtml : reference.inText);
      if (!isWhitespace) this.trimmedEnd = output.end;
    }
    return end + 1;
  }
}
