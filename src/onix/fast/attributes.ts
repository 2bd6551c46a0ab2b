/**
 * Attributes whose values stand for themselves: of texts, kept until all texts of a name are there; of composites and
 * of XHTML, written at once. Declarations of the namespaces that are known here say nothing new, and are passed over.
 */
import { hasOwnReading } from "../day.ts";
import { isOnixNamespace } from "../release.ts";
import { Cursor, unsure } from "./cursor.ts";
import { attributeKeyOf, bytes, letterOf } from "./tables.ts";

const MOST_ATTRIBUTES = 8;
const TEXTFORMAT = bytes("textformat");
const DATEFORMAT = bytes("dateformat");
const XMLNS = bytes("xmlns");
const XHTML = "http://www.w3.org/1999/xhtml";
const NULL = bytes("null");

/** Places in the input. */
interface Attribute {
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
}

export abstract class AttributeScanner extends Cursor {
  /** Of the texts of one name, each with the number of its text. */
  protected attributes: { readonly attribute: Attribute; readonly member: number }[] = [];
  /** The text that is being scanned says that it is XHTML: textformat 05. */
  protected format = false;

  /** Of a text element, remembered until all texts of its name are there. */
  protected textAttributes(member: number): void {
    this.format = false;
    this.at = this.nameEnd;
    // As most do.
    if (this.byte(this.at) === 0x3e) return;
    for (const attribute of this.attributesBehind(this.at)) {
      const { nameStart, nameEnd, start, end } = attribute;
      if (nameEnd - nameStart === TEXTFORMAT.length && this.isAt(nameStart, TEXTFORMAT)) {
        this.format = end - start === 2 && this.input[start] === 0x30 && this.input[start + 1] === 0x35;
      } else if (nameEnd - nameStart === DATEFORMAT.length && this.isAt(nameStart, DATEFORMAT)) {
        // Dates that are not read by their shape are few.
        if (hasOwnReading(String.fromCharCode(...this.input.subarray(start, end)))) throw unsure;
      }
      this.attributes.push({ attribute, member });
    }
  }

  /** `"@name":"value"` of each attribute of a composite, as the first members of its object. */
  protected compositeAttributes(): void {
    this.at = this.nameEnd;
    if (this.byte(this.at) === 0x3e) return;
    for (const { nameStart, nameEnd, start, end } of this.attributesBehind(this.at)) {
      this.comma();
      this.put(0x22);
      this.put(0x40);
      this.writeInput(nameStart, nameEnd);
      this.put(0x22);
      this.put(0x3a);
      this.quoted(start, end);
    }
  }

  /** Within XHTML, as `markup.ts` writes them. */
  protected tagAttributes(from: number): void {
    this.at = from;
    if (this.byte(from) === 0x3e) return;
    for (const { nameStart, nameEnd, start, end } of this.attributesBehind(from, XHTML)) {
      this.put(0x20);
      this.writeInput(nameStart, nameEnd);
      this.put(0x3d);
      this.put(0x5c);
      this.put(0x22);
      this.writeInput(start, end);
      this.put(0x5c);
      this.put(0x22);
    }
  }

  /** `"Name@attribute":` of each attribute that the texts of one name have, in the shape of their value. */
  protected attributesOf(element: number, count: number, many: boolean): void {
    const { attributes } = this;
    for (let at = 0; at < attributes.length; at++) {
      const { attribute } = attributes[at]!;
      if (this.indexOf(attribute) < at) continue;
      this.comma();
      this.write(attributeKeyOf[element]!);
      this.writeInput(attribute.nameStart, attribute.nameEnd);
      this.put(0x22);
      this.put(0x3a);
      if (many) this.put(0x5b);
      for (let member = 0; member < count; member++) {
        if (member > 0) this.put(0x2c);
        const own = attributes[this.indexOf(attribute, member)]?.attribute;
        if (own) this.quoted(own.start, own.end);
        else this.write(NULL);
      }
      if (many) this.put(0x5d);
    }
    attributes.length = 0;
  }

  /** The first attribute of this name, of any text or of one of them; -1 for none. Called for each: without closures. */
  private indexOf(attribute: Attribute, member?: number): number {
    const { attributes } = this;
    for (let at = 0; at < attributes.length; at++) {
      const other = attributes[at]!;
      const isMember = member === undefined || other.member === member;
      if (isMember && this.isSameName(other.attribute, attribute)) return at;
    }
    return -1;
  }

  /** Passes `>`, or `/>`: says whether the element has ended with its start tag. */
  protected endOfStartTag(): boolean {
    const isEmpty = this.byte(this.at) === 0x2f;
    if (isEmpty) this.at++;
    if (this.byte(this.at) !== 0x3e) throw unsure;
    this.at++;
    return isEmpty;
  }

  /** A member of an object needs a comma before it, unless it is the first. */
  protected comma(): void {
    if (this.output[this.to - 1] !== 0x7b) this.put(0x2c);
  }

  private quoted(start: number, end: number): void {
    this.put(0x22);
    this.writeInput(start, end);
    this.put(0x22);
  }

  /** All attributes of a tag from behind its name; leaves `at` at its `>`, or the `/` before it. */
  private attributesBehind(nameEnd: number, namespace?: string): readonly Attribute[] {
    this.at = nameEnd;
    const found: Attribute[] = [];
    let declared = false;
    for (;;) {
      const before = this.at;
      this.blanks();
      const byte = this.byte(this.at);
      if (byte === 0x3e || byte === 0x2f) return found;
      if (this.at === before || found.length === MOST_ATTRIBUTES) throw unsure;
      const attribute = this.attribute(this.at);
      this.at = attribute.end + 1;
      if (this.isAt(attribute.nameStart, XMLNS)) {
        if (declared || !this.isKnownNamespace(attribute, namespace)) throw unsure;
        declared = true;
      } else {
        if (found.some((other) => this.isSameName(other, attribute))) throw unsure;
        found.push(attribute);
      }
    }
  }

  private attribute(from: number): Attribute {
    let at = from;
    while (letterOf[this.byte(at)] !== 0) at++;
    const nameEnd = at;
    const first = letterOf[this.input[from]!]!;
    if (nameEnd === from || first > 52 || this.byte(at) !== 0x3d) throw unsure;
    const quote = this.byte(at + 1);
    if (quote !== 0x22 && quote !== 0x27) throw unsure;
    const start = at + 2;
    for (at = start; ; at++) {
      const byte = this.byte(at);
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
        throw unsure;
    }
    return { nameStart: from, nameEnd, start, end: at };
  }

  /** `xmlns` and nothing more, with ONIX for its value, or the one that is known where it stands. */
  private isKnownNamespace({ nameStart, nameEnd, start, end }: Attribute, namespace?: string): boolean {
    const value = String.fromCharCode(...this.input.subarray(start, Math.min(end, start + 100)));
    return nameEnd - nameStart === XMLNS.length && (value === namespace || isOnixNamespace(value));
  }

  private isSameName(one: Attribute, other: Attribute): boolean {
    if (one === other) return true;
    const length = one.nameEnd - one.nameStart;
    if (other.nameEnd - other.nameStart !== length) return false;
    const { input } = this;
    for (let at = 0; at < length; at++) {
      if (input[one.nameStart + at] !== input[other.nameStart + at]) return false;
    }
    return true;
  }
}
