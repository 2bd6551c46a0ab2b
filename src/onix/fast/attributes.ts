/** Attributes whose values stand for themselves: of texts, kept until all texts of a name are there; of XHTML, copied. */
import { Cursor, isBlank, unsure } from "./cursor.ts";
import { attributeKeyOf, bytes, letterOf } from "./tables.ts";

const MOST_ATTRIBUTES = 8;
const TEXTFORMAT = bytes("textformat");
const XMLNS = bytes("xmlns");
const NULL = bytes("null");

interface Attribute {
  /** Places in the input. */
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly start: number;
  readonly end: number;
}

export abstract class AttributeScanner extends Cursor {
  /** Of the texts of one name, each with the number of its text. */
  protected attributes: (Attribute & { readonly member: number })[] = [];
  /** The text that is being scanned says that it is XHTML: textformat 05. */
  protected format = false;

  /** Attributes within XHTML, copied: only those that need no thought. */
  protected tagAttributes(from: number, to: number): [number, number] {
    const names: [number, number][] = [];
    let at = from;
    let into = to;
    for (;;) {
      const before = at;
      for (; isBlank(this.byte(at)); at++) {
        if (this.input[at] === 0x0a) this.lineFeed(at);
        else if (this.input[at] === 0x0d && this.byte(at + 1) !== 0x0a) throw unsure;
      }
      const byte = this.byte(at);
      if (byte === 0x3e || byte === 0x2f) return [at, into];
      if (at === before) throw unsure;
      const { nameStart, nameEnd, start, end } = this.attribute(at);
      if (names.length >= MOST_ATTRIBUTES || names.some(([a, b]) => this.isSame(a, b, nameStart, nameEnd)))
        throw unsure;
      names.push([nameStart, nameEnd]);
      if (into + (end - nameStart) * 2 + 8 > this.output.length) throw unsure;
      this.output[into++] = 0x20;
      into = this.copyInput(nameStart, nameEnd, into);
      this.output[into++] = 0x3d;
      this.output[into++] = 0x5c;
      this.output[into++] = 0x22;
      into = this.copyInput(start, end, into);
      this.output[into++] = 0x5c;
      this.output[into++] = 0x22;
      at = end + 1;
    }
  }

  /** Attributes of a text element, remembered until all texts of its name are there. Gives the place behind them. */
  protected attributesIn(from: number, member: number): number {
    let at = from;
    if (member === 0) this.attributes.length = 0;
    let own = 0;
    for (;;) {
      const before = at;
      for (; isBlank(this.byte(at)); at++) {
        if (this.input[at] === 0x0a) this.lineFeed(at);
        else if (this.input[at] === 0x0d && this.byte(at + 1) !== 0x0a) throw unsure;
      }
      const byte = this.byte(at);
      if (byte === 0x3e || byte === 0x2f) return at;
      if (at === before) throw unsure;
      const attribute = { ...this.attribute(at), member };
      const { nameStart, nameEnd, start, end } = attribute;
      for (const other of this.attributes) {
        if (other.member === member && this.isSame(other.nameStart, other.nameEnd, nameStart, nameEnd))
          throw unsure;
      }
      if (++own > MOST_ATTRIBUTES) throw unsure;
      if (nameEnd - nameStart === 10 && this.isAt(nameStart, TEXTFORMAT)) {
        this.format = end - start === 2 && this.input[start] === 0x30 && this.input[start + 1] === 0x35;
      }
      this.attributes.push(attribute);
      at = end + 1;
    }
  }

  /** One attribute whose value stands for itself. */
  protected attribute(from: number): Attribute {
    let at = from;
    while (letterOf[this.byte(at)] !== 0) at++;
    const nameEnd = at;
    const first = letterOf[this.input[from]!]!;
    if (nameEnd === from || first > 52 || this.byte(at) !== 0x3d) throw unsure;
    if (this.isAt(from, XMLNS)) throw unsure;
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

  /** `"Name@attribute":` of each attribute that the texts of one name have, in the shape of their value. */
  protected attributesOf(element: number, count: number, many: boolean): void {
    const { attributes } = this;
    attributes.forEach((attribute, at) => {
      const { nameStart, nameEnd } = attribute;
      const isNew = !attributes
        .slice(0, at)
        .some((other) => this.isSame(other.nameStart, other.nameEnd, nameStart, nameEnd));
      if (!isNew) return;
      this.put(0x2c);
      this.write(attributeKeyOf[element]!);
      this.to = this.copyInput(nameStart, nameEnd, this.to);
      this.put(0x22);
      this.put(0x3a);
      if (many) this.put(0x5b);
      for (let member = 0; member < count; member++) {
        if (member > 0) this.put(0x2c);
        const own = attributes.find(
          (other) =>
            other.member === member && this.isSame(other.nameStart, other.nameEnd, nameStart, nameEnd),
        );
        if (!own) this.write(NULL);
        else {
          this.put(0x22);
          if (this.to + own.end - own.start + 8 > this.output.length) throw unsure;
          this.to = this.copyInput(own.start, own.end, this.to);
          this.put(0x22);
        }
      }
      if (many) this.put(0x5d);
    });
    attributes.length = 0;
  }
}
