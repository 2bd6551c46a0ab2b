/** Texts: plain ones with their references and CDATA, and XHTML as a string of markup; each as JSON. */
import { HTML_ENTITIES } from "../../xml/entities.ts";
import { isVoid } from "../markup.ts";
import { AttributeScanner } from "./attributes.ts";
import { short, unsure } from "./cursor.ts";
import { bytes, letterOf } from "./tables.ts";

/** What a reference stands for, as JSON; and as XML within JSON. */
interface Spelled {
  readonly json: Uint8Array;
  readonly markup: Uint8Array;
}

const entities = new Map(Array.from(HTML_ENTITIES, ([name, text]) => [name, spelled(text)]));

function spelled(text: string): Spelled {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return { json: inJson(text), markup: inJson(escaped) };
}

function inJson(text: string): Uint8Array {
  return bytes(JSON.stringify(text).slice(1, -1));
}

/** What a byte of text asks for. */
const COPIED = 0;
const BLANK = 1;
const SIGN = 2;
const classOf = new Uint8Array(256).fill(COPIED);
classOf.fill(SIGN, 0, 0x20);
for (const byte of [0x20, 0x0a, 0x09, 0x0d]) classOf[byte] = BLANK;
for (const sign of '<&>"\\]') classOf[sign.charCodeAt(0)] = SIGN;
// U+FFFE and U+FFFF, which XML forbids, begin with this byte; so does much else.
classOf[0xef] = SIGN;

const GREATER = bytes("&gt;");
const DEEPEST = 20;
/** Elements of XHTML in a product: those of ONIX that fit into a window beside them are fewer than `tree.ts` refuses. */
const MOST_TAGS = 20_000;

export abstract class TextScanner extends AttributeScanner {
  /** Elements of XHTML so far of the product that is being scanned. */
  protected tags = 0;
  /** Elements of XHTML that are open: their names in the input, and where the output was behind their start tags. */
  private readonly open: { nameStart: number; nameEnd: number; to: number }[] = [];
  /** Where the CDATA section ends that is being read; -1 outside of one. */
  private cdataEnd = -1;

  /**
   * The text that begins at `at`, up to its end tag, without blanks at both ends. Says whether it is an exception: came
   * as elements though its format and look deny it, or the other way round (`fields.ts`).
   */
  protected content(): boolean {
    const { at, to, lines, lineFeedAt } = this;
    this.cdataEnd = -1;
    if (this.open.length > 0) this.open.length = 0;
    const isPlain = this.run(false);
    if (!isPlain) {
      [this.at, this.to, this.lines, this.lineFeedAt] = [at, to, lines, lineFeedAt];
      this.run(true);
    }
    return isPlain ? this.format && this.hasTagSince(to) : !this.format;
  }

  /** Plain text, or markup; false when there is an element in what should be plain. */
  private run(inMarkup: boolean): boolean {
    const { input, output, end } = this;
    const start = this.to;
    let { at, to } = this;
    /** Behind the last byte that is no blank. */
    let solid = to;
    this.needRoom();
    for (;;) {
      if (at >= end) throw short;
      const byte = input[at]!;
      const kind = classOf[byte];
      if (kind === COPIED) {
        output[to++] = byte;
        solid = to;
        at++;
      } else if (kind === BLANK) {
        if (byte === 0x0a) this.lineFeed(at);
        if (byte === 0x0d) this.halfOfLineEnd(at);
        else if (solid > start) {
          if (byte === 0x20) output[to++] = byte;
          else {
            output[to++] = 0x5c;
            output[to++] = byte === 0x0a ? 0x6e : 0x74;
          }
        }
        at++;
      } else {
        if (byte === 0x3c && this.cdataEnd < 0) {
          const next = this.byte(at + 1);
          if (next === 0x2f && this.open.length === 0) break;
          if (next !== 0x21 && !inMarkup) return false;
        }
        this.at = at;
        this.to = to;
        this.sign(byte, inMarkup);
        at = this.at;
        if (this.to > to) {
          to = this.to;
          solid = to;
        }
      }
    }
    this.at = at;
    this.to = solid;
    return true;
  }

  /** The byte at `at`, which does not stand for itself, or might not. */
  private sign(byte: number, inMarkup: boolean): void {
    if (byte === 0x22 || byte === 0x5c) {
      this.put(0x5c);
      this.literal(byte);
    } else if (byte === 0xef) {
      this.notForbidden(this.at);
      this.literal(byte);
    } else if (byte < 0x20) throw unsure;
    else if (this.at === this.cdataEnd) {
      this.at += 3;
      this.cdataEnd = -1;
    } else if (byte === 0x5d || this.cdataEnd >= 0) this.literal(byte);
    else if (byte === 0x26) this.reference(inMarkup);
    else if (byte === 0x3e) this.greater(inMarkup);
    else if (!inMarkup) this.aside();
    else if (this.input[this.at + 1] === 0x2f) this.closingTag();
    else this.openingTag();
  }

  private literal(byte: number): void {
    this.put(byte);
    this.at++;
  }

  private greater(inMarkup: boolean): void {
    const { input, at } = this;
    // XML 1.0, 2.4: not behind two of these.
    if (input[at - 1] === 0x5d && input[at - 2] === 0x5d) throw unsure;
    if (inMarkup) {
      this.write(GREATER);
      this.at++;
      this.needRoom();
    } else this.literal(0x3e);
  }

  /** A comment, or the beginning of a CDATA section. */
  private aside(): void {
    if (this.isCdata(this.at)) {
      this.cdataEnd = this.findCdataEnd(this.at + 9);
      this.at += 9;
    } else this.comment();
  }

  /** Tags of XHTML are written as `markup.ts` does. */
  private openingTag(): void {
    const { at, input } = this;
    const nameStart = at + 1;
    const first = letterOf[input[nameStart]!]!;
    if (first === 0 || first > 52 || ++this.tags > MOST_TAGS) throw unsure;
    let nameEnd = nameStart;
    while (letterOf[this.byte(nameEnd)] !== 0) nameEnd++;
    this.put(0x3c);
    this.writeInput(nameStart, nameEnd);
    this.tagAttributes(nameEnd);
    const isEmpty = this.endOfStartTag();
    this.put(0x3e);
    if (isEmpty) {
      this.endOfElement(nameStart, nameEnd, true);
      return;
    }
    if (this.open.length > DEEPEST) throw unsure;
    this.open.push({ nameStart, nameEnd, to: this.to });
  }

  private closingTag(): void {
    const { nameStart, nameEnd, to } = this.open.pop()!;
    this.endTag(nameStart, nameEnd);
    this.endOfElement(nameStart, nameEnd, to === this.to);
  }

  /** Behind its start tag, or what came after it. */
  private endOfElement(nameStart: number, nameEnd: number, isEmpty: boolean): void {
    if (isEmpty && this.isVoid(nameStart, nameEnd)) {
      // As one tag.
      this.output[this.to - 1] = 0x2f;
    } else {
      this.put(0x3c);
      this.put(0x2f);
      this.writeInput(nameStart, nameEnd);
    }
    this.put(0x3e);
  }

  private isVoid(nameStart: number, nameEnd: number): boolean {
    const { input } = this;
    // `br`, which nearly all are.
    if (nameEnd - nameStart === 2 && input[nameStart] === 0x62 && input[nameStart + 1] === 0x72) return true;
    return isVoid(String.fromCharCode(...input.subarray(nameStart, nameEnd)));
  }

  private reference(inMarkup: boolean): void {
    const { at, input } = this;
    let end = at + 1;
    while (this.byte(end) !== 0x3b) {
      if (end - at > 10) throw unsure;
      end++;
    }
    const name = this.isAmp(at, end) ? "amp" : String.fromCharCode(...input.subarray(at + 1, end));
    const found = entities.get(name) ?? spelled(characterOf(name));
    this.write(inMarkup ? found.markup : found.json);
    this.at = end + 1;
  }

  /** The one that there is most of. */
  private isAmp(at: number, end: number): boolean {
    const { input } = this;
    return end - at === 4 && input[at + 1] === 0x61 && input[at + 2] === 0x6d && input[at + 3] === 0x70;
  }

  /** No byte of text becomes more than two, but for those that ask again. */
  private needRoom(): void {
    if (this.to + (this.end - this.at) * 2 + 64 > this.output.length) throw unsure;
  }

  /** Whether what was written looks like elements: `looksLikeElements` of `fields.ts`. */
  private hasTagSince(start: number): boolean {
    const { output, to } = this;
    for (let at = start; at < to - 1; at++) {
      if (output[at] !== 0x3c) continue;
      const letter = letterOf[output[at + 1]!]!;
      if (letter > 0 && letter <= 52) return true;
    }
    return false;
  }
}

/** Of a numeric reference. Blanks would be trimmed, and not every number is a character: left to the reader. */
function characterOf(name: string): string {
  const digits = /^#(?:([0-9]{2,7})|x([0-9A-Fa-f]{2,6}))$/.exec(name);
  if (!digits) throw unsure;
  const code = digits[1] ? Number(digits[1]) : Number.parseInt(digits[2]!, 16);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < 0x21 || isSurrogate || (code & 0xfffe) === 0xfffe || code > 0x10ffff) throw unsure;
  return String.fromCodePoint(code);
}
