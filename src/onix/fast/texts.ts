/** Texts: plain ones with their entities and CDATA, and XHTML as a string of markup; each as JSON. */
import { HTML_ENTITIES } from "../entities.ts";
import { AttributeScanner } from "./attributes.ts";
import { short, unsure } from "./cursor.ts";
import { bytes, letterOf } from "./tables.ts";

/** Every entity as JSON, by its name; and as XML within JSON. */
const entities = new Map<string, { json: Uint8Array; markup: Uint8Array }>();
for (const [name, text] of [
  ...HTML_ENTITIES,
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
] as const) {
  entities.set(name, spelled(text));
}

function spelled(text: string): { json: Uint8Array; markup: Uint8Array } {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return { json: inJson(text), markup: inJson(escaped) };
}

function inJson(text: string): Uint8Array {
  return bytes(JSON.stringify(text).slice(1, -1));
}

/** What a byte of text asks for: 0 to be copied, 1 a blank, 2 something else. */
const classOf = new Uint8Array(256);
classOf.fill(2, 0, 0x20);
for (const byte of [0x20, 0x0a, 0x09, 0x0d]) classOf[byte] = 1;
for (const sign of '<&>"\\') classOf[sign.charCodeAt(0)] = 2;
// U+FFFE and U+FFFF, which XML forbids, begin with this byte; so does much else.
classOf[0xef] = 2;

const GREATER = bytes("&gt;");

export abstract class TextScanner extends AttributeScanner {
  /** Texts so far of the child of the product that is being scanned; and which of them are exceptions. */
  protected texts = 0;
  protected own: number[] = [];

  /** Text and CDATA up to the next tag, without blanks at both ends. False when there is an element in it. */
  protected plain(from: number, start: number): boolean {
    const { input, output, end } = this;
    let at = from;
    let to = start;
    let solid = start;
    // No byte of text becomes more than two.
    if (to + (end - at) * 2 + 64 > output.length) throw unsure;
    for (;;) {
      if (at >= end) throw short;
      const byte = input[at]!;
      const kind = classOf[byte]!;
      if (kind === 0) {
        output[to++] = byte;
        solid = to;
        at++;
      } else if (kind === 1) {
        if (byte === 0x0a) this.lineFeed(at);
        if (byte === 0x0d) {
          // XML 1.0, 2.11: CR LF and a lone CR are LF.
          if (at + 1 >= end) throw short;
          if (input[at + 1] !== 0x0a) throw unsure;
        } else if (solid > start) {
          if (byte === 0x20) output[to++] = 0x20;
          else {
            output[to++] = 0x5c;
            output[to++] = byte === 0x0a ? 0x6e : 0x74;
          }
        }
        at++;
      } else if (byte === 0x3c) {
        if (at + 1 >= end) throw short;
        const next = input[at + 1];
        if (next === 0x2f) break;
        if (next !== 0x21) return false;
        if (this.isCdata(at)) {
          const close = this.findCdataEnd(at + 9);
          for (let inside = at + 9; inside < close; inside++) {
            const raw = input[inside]!;
            if (raw === 0x20 || raw === 0x0a || raw === 0x09) {
              if (raw === 0x0a) this.lineFeed(inside);
              if (solid === start) continue;
              if (raw === 0x20) output[to++] = 0x20;
              else {
                output[to++] = 0x5c;
                output[to++] = raw === 0x0a ? 0x6e : 0x74;
              }
            } else if (raw < 0x20) {
              if (raw !== 0x0d || input[inside + 1] !== 0x0a) throw unsure;
            } else {
              if (raw === 0x22 || raw === 0x5c) output[to++] = 0x5c;
              if (raw === 0xef) this.notForbidden(inside);
              if (raw === 0x3c && this.format) throw unsure;
              output[to++] = raw;
              solid = to;
            }
          }
          at = close + 3;
        } else {
          this.at = at;
          this.comment();
          at = this.at;
        }
      } else if (byte === 0x26) {
        at = this.entity(at, to, false);
        to = this.to;
        solid = to;
      } else if (byte === 0x22 || byte === 0x5c) {
        output[to++] = 0x5c;
        output[to++] = byte;
        solid = to;
        at++;
      } else if (byte === 0x3e) {
        if (at >= 2 && input[at - 1] === 0x5d && input[at - 2] === 0x5d) throw unsure;
        output[to++] = byte;
        solid = to;
        at++;
      } else if (byte === 0xef) {
        this.notForbidden(at);
        output[to++] = byte;
        solid = to;
        at++;
      } else throw unsure;
    }
    this.at = at;
    this.to = solid;
    return true;
  }

  /** XHTML as a string of markup: tags as `markup.ts` writes them, texts escaped. */
  protected markup(from: number, start: number): void {
    const { input, output, end } = this;
    const open: { nameStart: number; nameEnd: number; emptyAt: number }[] = [];
    let at = from;
    let to = start;
    let solid = start;
    let elements = 0;
    for (;;) {
      if (at >= end) throw short;
      if (to + 64 > output.length) throw unsure;
      const byte = input[at]!;
      const kind = classOf[byte]!;
      if (kind === 0) {
        output[to++] = byte;
        solid = to;
        at++;
      } else if (kind === 1) {
        if (byte === 0x0a) this.lineFeed(at);
        if (byte === 0x0d) {
          if (at + 1 >= end) throw short;
          if (input[at + 1] !== 0x0a) throw unsure;
        } else if (solid > start) {
          if (byte === 0x20) output[to++] = 0x20;
          else {
            output[to++] = 0x5c;
            output[to++] = byte === 0x0a ? 0x6e : 0x74;
          }
        }
        at++;
      } else if (byte === 0x26) {
        at = this.entity(at, to, true);
        to = this.to;
        solid = to;
      } else if (byte === 0x22 || byte === 0x5c) {
        output[to++] = 0x5c;
        output[to++] = byte;
        solid = to;
        at++;
      } else if (byte === 0x3e) {
        if (input[at - 1] === 0x5d && input[at - 2] === 0x5d) throw unsure;
        to = this.copy(GREATER, to);
        solid = to;
        at++;
      } else if (byte === 0xef) {
        this.notForbidden(at);
        output[to++] = byte;
        solid = to;
        at++;
      } else if (byte === 0x3c) {
        if (at + 1 >= end) throw short;
        if (input[at + 1] === 0x2f) {
          const last = open.pop();
          if (!last) break;
          this.at = at;
          this.endTag(last.nameStart, last.nameEnd);
          at = this.at;
          if (last.emptyAt === to) {
            // Nothing came between: as one tag.
            output[to - 1] = 0x2f;
            output[to++] = 0x3e;
          } else {
            output[to++] = 0x3c;
            output[to++] = 0x2f;
            to = this.copyInput(last.nameStart, last.nameEnd, to);
            output[to++] = 0x3e;
          }
          solid = to;
        } else if (letterOf[input[at + 1]!]! === 0 || letterOf[input[at + 1]!]! > 52) throw unsure;
        else {
          elements++;
          const nameStart = at + 1;
          let nameEnd = nameStart;
          while (nameEnd < end && letterOf[input[nameEnd]!] !== 0) nameEnd++;
          output[to++] = 0x3c;
          to = this.copyInput(nameStart, nameEnd, to);
          at = nameEnd;
          if (this.byte(at) !== 0x3e && this.byte(at) !== 0x2f) {
            [at, to] = this.tagAttributes(at, to);
          }
          if (this.byte(at) === 0x2f) {
            if (this.byte(at + 1) !== 0x3e) throw unsure;
            output[to++] = 0x2f;
            output[to++] = 0x3e;
            at += 2;
          } else {
            output[to++] = 0x3e;
            at++;
            if (open.length > 20) throw unsure;
            open.push({ nameStart, nameEnd, emptyAt: to });
          }
          solid = to;
        }
      } else throw unsure;
    }
    if (elements === 0) throw unsure;
    if (!this.format) this.own.push(this.texts);
    this.at = at;
    this.to = solid;
  }

  /** Writes what a reference stands for behind `to`; gives the place behind it. */
  protected entity(at: number, to: number, inMarkup: boolean): number {
    let end = at + 1;
    while (this.byte(end) !== 0x3b) {
      if (end - at > 10) throw unsure;
      end++;
    }
    const name = this.isAmp(at, end) ? "amp" : String.fromCharCode(...this.input.subarray(at + 1, end));
    let found = entities.get(name);
    if (!found) {
      const digits = /^#(?:([0-9]{2,7})|x([0-9A-Fa-f]{2,6}))$/.exec(name);
      if (!digits) throw unsure;
      const code = digits[1] ? Number(digits[1]) : Number.parseInt(digits[2]!, 16);
      // Blanks would be trimmed, and not all characters may be referred to: seldom enough.
      if (
        code < 0x21 ||
        (code > 0x7e && code < 0xa0) ||
        (code >= 0xd800 && code <= 0xdfff) ||
        (code & 0xfffe) === 0xfffe ||
        code > 0x10ffff
      )
        throw unsure;
      found = spelled(String.fromCodePoint(code));
    }
    // `<` in a text of XHTML that came escaped: whether it looks like elements is not for here.
    if (this.format && !inMarkup && name === "lt") throw unsure;
    this.to = to;
    this.write(inMarkup ? found.markup : found.json);
    return end + 1;
  }

  /** The one that there is most of. */
  private isAmp(at: number, end: number): boolean {
    const { input } = this;
    return end - at === 4 && input[at + 1] === 0x61 && input[at + 2] === 0x6d && input[at + 3] === 0x70;
  }
}
