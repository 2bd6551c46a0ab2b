/**
 * Attributes. Those of texts are collected until all texts of a name are read; those of composites and of XHTML are
 * written at once. Declarations of known namespaces are skipped. Values with characters that JSON or XML escapes are
 * not supported.
 */
import { isSpecialDateFormat } from "../date.ts";
import { isOnixNamespace } from "../message-version.ts";
import { ByteScanner, unsupported } from "./byte-scanner.ts";
import { bytes, jsonAttributeKeyOf, LAST_LETTER_CODE, letterCode } from "./scan-tables.ts";

const MAX_SCANNED_ATTRIBUTES = 8;
const TEXTFORMAT = bytes("textformat");
const DATEFORMAT = bytes("dateformat");
const XMLNS = bytes("xmlns");
const XHTML_NAMESPACE = "http://www.w3.org/1999/xhtml";
const JSON_NULL = bytes("null");

/** Offsets of the name and the value in the input. */
interface AttributeRange {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
}

export abstract class AttributeScanner extends ByteScanner {
  /** Attributes of the texts of one name, each with the index of its text. */
  protected textAttributes: { readonly attribute: AttributeRange; readonly member: number }[] = [];
  /** The current text has textformat 05, XHTML. */
  protected isXhtmlFormat = false;

  /** Collects the attributes of a text element. */
  protected readTextAttributes(member: number): void {
    this.isXhtmlFormat = false;
    this.position = this.nameEnd;
    // Most texts have no attributes.
    if (this.byteAt(this.position) === 0x3e) return;
    for (const attribute of this.readAttributes(this.position)) {
      const { nameStart, nameEnd, start, end } = attribute;
      if (nameEnd - nameStart === TEXTFORMAT.length && this.matchesAt(nameStart, TEXTFORMAT)) {
        this.isXhtmlFormat =
          end - start === 2 && this.input[start] === 0x30 && this.input[start + 1] === 0x35;
      } else if (nameEnd - nameStart === DATEFORMAT.length && this.matchesAt(nameStart, DATEFORMAT)) {
        // Few dates need their format to be read.
        if (isSpecialDateFormat(String.fromCharCode(...this.input.subarray(start, end)))) throw unsupported;
      }
      this.textAttributes.push({ attribute, member });
    }
  }

  /** Writes `"@name":"value"` for each attribute of a composite, as the first members of its object. */
  protected writeCompositeAttributes(): void {
    this.position = this.nameEnd;
    if (this.byteAt(this.position) === 0x3e) return;
    for (const { nameStart, nameEnd, start, end } of this.readAttributes(this.position)) {
      this.writeComma();
      this.writeByte(0x22);
      this.writeByte(0x40);
      this.copyInput(nameStart, nameEnd);
      this.writeByte(0x22);
      this.writeByte(0x3a);
      this.writeQuoted(start, end);
    }
  }

  /** Writes the attributes of an XHTML element as `serializeXhtml` does, escaped for JSON. */
  protected writeXhtmlAttributes(from: number): void {
    this.position = from;
    if (this.byteAt(from) === 0x3e) return;
    for (const { nameStart, nameEnd, start, end } of this.readAttributes(from, XHTML_NAMESPACE)) {
      this.writeByte(0x20);
      this.copyInput(nameStart, nameEnd);
      this.writeByte(0x3d);
      this.writeByte(0x5c);
      this.writeByte(0x22);
      this.copyInput(start, end);
      this.writeByte(0x5c);
      this.writeByte(0x22);
    }
  }

  /** Writes `"Name@attribute":` for each collected attribute, in the shape of the value, and clears the collection. */
  protected writeTextAttributes(element: number, count: number, isArray: boolean): void {
    const { textAttributes } = this;
    for (let index = 0; index < textAttributes.length; index++) {
      const { attribute } = textAttributes[index]!;
      if (this.indexOfAttribute(attribute) < index) continue;
      this.writeComma();
      this.writeBytes(jsonAttributeKeyOf[element]!);
      this.copyInput(attribute.nameStart, attribute.nameEnd);
      this.writeByte(0x22);
      this.writeByte(0x3a);
      if (isArray) this.writeByte(0x5b);
      for (let member = 0; member < count; member++) {
        if (member > 0) this.writeByte(0x2c);
        const own = textAttributes[this.indexOfAttribute(attribute, member)]?.attribute;
        if (own) this.writeQuoted(own.start, own.end);
        else this.writeBytes(JSON_NULL);
      }
      if (isArray) this.writeByte(0x5d);
    }
    textAttributes.length = 0;
  }

  /**
   * Returns the index of the first attribute of the same name, of one member or, when omitted, of any; -1 for none.
   * Runs for every attribute, so it allocates no closure.
   */
  private indexOfAttribute(attribute: AttributeRange, member?: number): number {
    const { textAttributes } = this;
    for (let index = 0; index < textAttributes.length; index++) {
      const other = textAttributes[index]!;
      const isMember = member === undefined || other.member === member;
      if (isMember && this.hasSameName(other.attribute, attribute)) return index;
    }
    return -1;
  }

  /** Reads `>` or `/>`. Returns true for `/>`. */
  protected readStartTagEnd(): boolean {
    const isEmpty = this.byteAt(this.position) === 0x2f;
    if (isEmpty) this.position++;
    if (this.byteAt(this.position) !== 0x3e) throw unsupported;
    this.position++;
    return isEmpty;
  }

  /** Writes a comma before a member of an object, except before the first. */
  protected writeComma(): void {
    if (this.output[this.outputEnd - 1] !== 0x7b) this.writeByte(0x2c);
  }

  private writeQuoted(start: number, end: number): void {
    this.writeByte(0x22);
    this.copyInput(start, end);
    this.writeByte(0x22);
  }

  /** Reads all attributes of a tag, and leaves `position` at the `>` or `/>`. */
  private readAttributes(nameEnd: number, knownNamespace?: string): readonly AttributeRange[] {
    this.position = nameEnd;
    const found: AttributeRange[] = [];
    let hasNamespace = false;
    for (;;) {
      const before = this.position;
      this.skipWhitespace();
      const byte = this.byteAt(this.position);
      if (byte === 0x3e || byte === 0x2f) return found;
      if (this.position === before || found.length === MAX_SCANNED_ATTRIBUTES) throw unsupported;
      const attribute = this.readAttribute(this.position);
      this.position = attribute.end + 1;
      if (this.matchesAt(attribute.nameStart, XMLNS)) {
        if (hasNamespace || !this.declaresKnownNamespace(attribute, knownNamespace)) throw unsupported;
        hasNamespace = true;
      } else {
        if (found.some((other) => this.hasSameName(other, attribute))) throw unsupported;
        found.push(attribute);
      }
    }
  }

  private readAttribute(from: number): AttributeRange {
    let offset = from;
    while (letterCode[this.byteAt(offset)] !== 0) offset++;
    const nameEnd = offset;
    const first = letterCode[this.input[from]!]!;
    if (nameEnd === from || first > LAST_LETTER_CODE || this.byteAt(offset) !== 0x3d) throw unsupported;
    const quote = this.byteAt(offset + 1);
    if (quote !== 0x22 && quote !== 0x27) throw unsupported;
    const start = offset + 2;
    for (offset = start; ; offset++) {
      const byte = this.byteAt(offset);
      if (byte === quote) break;
      if (
        byte < 0x20 ||
        byte === 0x26 ||
        byte === 0x3c ||
        byte === 0x3e ||
        byte === 0x22 ||
        byte === 0x5c ||
        byte === 0xef
      )
        throw unsupported;
    }
    return { nameStart: from, nameEnd, start, end: offset };
  }

  /** Accepts the attribute `xmlns`, without a prefix, for a namespace of ONIX or the given one. */
  private declaresKnownNamespace(
    { nameStart, nameEnd, start, end }: AttributeRange,
    knownNamespace?: string,
  ): boolean {
    const value = String.fromCharCode(...this.input.subarray(start, Math.min(end, start + 100)));
    return nameEnd - nameStart === XMLNS.length && (value === knownNamespace || isOnixNamespace(value));
  }

  private hasSameName(one: AttributeRange, other: AttributeRange): boolean {
    if (one === other) return true;
    const length = one.nameEnd - one.nameStart;
    if (other.nameEnd - other.nameStart !== length) return false;
    const { input } = this;
    for (let i = 0; i < length; i++) {
      if (input[one.nameStart + i] !== input[other.nameStart + i]) return false;
    }
    return true;
  }
}
