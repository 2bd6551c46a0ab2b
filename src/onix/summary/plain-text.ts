/** Turns markup of descriptions and titles (HTML or XHTML) into plain text, in one pass. */
import { HTML_ENTITIES } from "../../xml/html-entities.ts";

const HAS_MARKUP = /<[A-Za-z!/?]/;
const HAS_LINES = /[\r\n]/;

/** What the tag of an element does: begin a line, separate words, or hide the content. Other tags do nothing. */
const [BLOCK, CELL, INVISIBLE] = ["block", "cell", "invisible"] as const;
const KINDS: ReadonlyMap<string, typeof BLOCK | typeof CELL | typeof INVISIBLE> = new Map([
  ...(
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre section summary " +
    "table tbody tfoot thead tr ul"
  )
    .split(" ")
    .map((name) => [name, BLOCK] as const),
  // Words of two cells must not join.
  ...["td", "th"].map((name) => [name, CELL] as const),
  ...["script", "style", "head"].map((name) => [name, INVISIBLE] as const),
]);

/**
 * Returns the text without markup. Blocks become lines, whitespace is collapsed as in HTML, and entities are decoded.
 * Text without markup keeps its line feeds.
 */
export function plainText(text: string): string {
  if (HAS_MARKUP.test(text)) return new MarkupRemover(text).run();
  const decoded = decodeEntities(text);
  return HAS_LINES.test(decoded) ? tidyLines(decoded) : decoded.trim();
}

const IS_UNTIDY = /[<&\t\r\n]| {2}/;

/** Returns a text of one line, such as a title, without markup, entities and repeated spaces. */
export function plainLine(text: string): string {
  return IS_UNTIDY.test(text) ? collapseSpace(plainText(text)) : text;
}

class MarkupRemover {
  private readonly lines: string[] = [];
  private line = "";
  /** Where a search for the end of a comment or a CDATA section has failed. It would fail again. */
  private readonly unfinished = new Set<string>();

  constructor(private readonly text: string) {}

  run(): string {
    const { text } = this;
    let position = 0;
    for (;;) {
      const tag = text.indexOf("<", position);
      const end = tag < 0 ? text.length : tag;
      this.line += text.slice(position, end);
      if (tag < 0) break;
      position = this.skipMarkup(tag);
    }
    this.endLine();
    return this.lines.join("\n");
  }

  /** Returns where the text goes on after what begins at `start` with a less-than sign. */
  private skipMarkup(start: number): number {
    const { text } = this;
    const isEnd = text.charCodeAt(start + 1) === SLASH;
    const from = isEnd ? start + 2 : start + 1;
    const first = text.charCodeAt(from);
    if (!isLetter(first)) {
      const isDeclaration = !isEnd && (first === EXCLAMATION_MARK || first === QUESTION_MARK);
      return isDeclaration ? this.skipDeclaration(start) : this.keepLessThan(start);
    }
    let nameEnd = from + 1;
    while (isNameCharacter(text.charCodeAt(nameEnd))) nameEnd++;
    const end = text.charCodeAt(nameEnd) === GREATER_THAN ? nameEnd + 1 : endOfTag(text, nameEnd);
    if (end < 0) return this.keepLessThan(start);
    const name = text.slice(from, nameEnd);
    const kind = KINDS.get(name) ?? KINDS.get(name.toLowerCase());
    if (kind === BLOCK) this.endLine();
    else if (kind === CELL) this.line += " ";
    else if (kind === INVISIBLE && !isEnd) return this.endOfInvisible(name.toLowerCase(), end);
    return end;
  }

  /** A less-than sign before a space or a digit, or of a tag without an end, is text. */
  private keepLessThan(start: number): number {
    this.line += "<";
    return start + 1;
  }

  private skipDeclaration(start: number): number {
    const { text } = this;
    if (text.startsWith("<!--", start)) return this.endOf("-->", start + 4);
    if (!text.startsWith("<![CDATA[", start)) {
      const end = endOfTag(text, start + 1);
      return end < 0 ? this.keepLessThan(start) : end;
    }
    const end = this.endOf("]]>", start + 9);
    const isFinished = text.startsWith("]]>", end - 3);
    this.line += text.slice(start + 9, isFinished ? end - 3 : end).replaceAll("&", "&amp;");
    return end;
  }

  /** Returns where the end tag of an element without visible content begins. */
  private endOfInvisible(element: string, from: number): number {
    const { text, unfinished } = this;
    const endTag = new RegExp(`</${element}(?![\\w:-])`, "gi");
    endTag.lastIndex = from;
    const found = unfinished.has(element) ? undefined : endTag.exec(text)?.index;
    if (found === undefined) unfinished.add(element);
    return found ?? text.length;
  }

  /** Returns the position after the next occurrence of a text or, without one, the end. */
  private endOf(search: string, from: number): number {
    const { text, unfinished } = this;
    const found = unfinished.has(search) ? -1 : text.indexOf(search, from);
    if (found >= 0) return found + search.length;
    unfinished.add(search);
    return text.length;
  }

  private endLine(): void {
    if (this.line === "") return;
    const line = decodeEntities(collapseSpace(this.line)).trim();
    if (line !== "") this.lines.push(line);
    this.line = "";
  }
}

const EXCLAMATION_MARK = 0x21;
const DOUBLE_QUOTE = 0x22;
const APOSTROPHE = 0x27;
const HYPHEN = 0x2d;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const QUESTION_MARK = 0x3f;
const UNDERSCORE = 0x5f;

function isLetter(character: number): boolean {
  const lowerCase = character | 0x20;
  return lowerCase >= 0x61 && lowerCase <= 0x7a;
}

function isNameCharacter(character: number): boolean {
  if (isLetter(character) || (character >= 0x30 && character <= 0x39)) return true;
  return character === HYPHEN || character === COLON || character === UNDERSCORE;
}

/** Searching for each character by itself is several times as fast as one expression. */
function collapseSpace(line: string): string {
  const isEven = !line.includes("\n") && !line.includes("  ") && !line.includes("\t") && !line.includes("\r");
  return isEven ? line : line.replace(/[ \t\r\n]+/g, " ");
}

/**
 * Returns the position after the tag whose name ends before `start`, or -1 when it has no end. A value in quotes may contain
 * any character. No position is reached from more than three tags that have no end: between two less-than signs, each
 * quote exchanges two of the three states (in a tag, and in a value in one of both quotes).
 */
function endOfTag(text: string, start: number): number {
  for (let position = start; position < text.length; position++) {
    const character = text.charCodeAt(position);
    if (character === GREATER_THAN) return position + 1;
    if (character === LESS_THAN) break;
    if (character !== DOUBLE_QUOTE && character !== APOSTROPHE) continue;
    position = text.indexOf(character === APOSTROPHE ? "'" : '"', position + 1);
    if (position < 0) break;
  }
  return endWithoutQuotes(text, start);
}

/** A quote that is never closed is a mistake in the tag, and the tag ends nevertheless. */
function endWithoutQuotes(text: string, start: number): number {
  for (let position = start; position < text.length; position++) {
    const character = text.charCodeAt(position);
    if (character === GREATER_THAN) return position + 1;
    if (character === LESS_THAN) return -1;
  }
  return -1;
}

/** Removes spaces at the ends of lines, and more than one empty line in a row. */
function tidyLines(text: string): string {
  const lines = text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const ENTITY = /&(?:#(?:[xX]0*([0-9A-Fa-f]{1,6})|0*([0-9]{1,7}))|([A-Za-z][A-Za-z0-9]{0,31}));/y;
/** HTML (§13.2.5.80) reads numbers of C1 control characters as those of windows-1252: `&#146;` is an apostrophe. */
const WINDOWS_1252 = new TextDecoder("windows-1252");

/** Unknown names stay as they are. */
export function decodeEntities(text: string): string {
  let start = text.indexOf("&");
  if (start < 0) return text;
  let [decoded, position] = ["", 0];
  for (; start >= 0; start = text.indexOf("&", position)) {
    decoded += text.slice(position, start);
    // Most entities are this one.
    const isAmpersand = text.startsWith("&amp;", start);
    ENTITY.lastIndex = start;
    const match = isAmpersand ? undefined : ENTITY.exec(text);
    decoded += match ? characterOf(match) : "&";
    position = start + (isAmpersand ? "&amp;".length : (match?.[0].length ?? 1));
  }
  return decoded + text.slice(position);
}

function characterOf([entity, hex, decimal, name]: RegExpExecArray): string {
  if (name !== undefined) return HTML_ENTITIES.get(name) ?? entity;
  const code = Number.parseInt((hex ?? decimal)!, hex === undefined ? 10 : 16);
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.decode(Uint8Array.of(code));
  return isCharacter(code) ? String.fromCodePoint(code) : entity;
}

/** XML 1.0 §2.2: no control characters but tab, line feed and carriage return, and no surrogates. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
}
