/** Turns markup of a description (HTML or XHTML) into plain text, in one pass. */
import { HTML_ENTITIES } from "../../xml/html-entities.ts";

const HAS_MARKUP = /<[A-Za-z!/?]/;
const HAS_LINES = /[\r\n]/;
const UNEVEN_SPACE = /[\t\r\n]| {2}/;
/** Elements that begin and end a line of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote br caption dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li " +
    "main nav ol p pre section table tr ul"
  ).split(" "),
);
/** Cells of a table are separated, because words of two cells must not join. */
const CELLS: ReadonlySet<string> = new Set(["td", "th"]);
/** The content of these elements is not text. */
const INVISIBLE: ReadonlySet<string> = new Set(["script", "style", "head"]);

/**
 * Returns the text without markup. Blocks become lines, whitespace is collapsed as in HTML, and entities are decoded.
 * Text without markup keeps its line feeds.
 */
export function plainText(text: string): string {
  if (HAS_MARKUP.test(text)) return new MarkupRemover(text).run();
  const decoded = decodeEntities(text);
  return HAS_LINES.test(decoded) ? tidyLines(decoded) : decoded.trim();
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
    if (text.startsWith("<!--", start)) return this.endOf("-->", start + 4);
    if (text.startsWith("<![CDATA[", start)) {
      const end = this.endOf("]]>", start + 9);
      const isFinished = text.startsWith("]]>", end - 3);
      this.line += text.slice(start + 9, isFinished ? end - 3 : end).replaceAll("&", "&amp;");
      return end;
    }
    TAG.lastIndex = start;
    const [tag, name] = TAG.exec(text) ?? [];
    if (tag === undefined) {
      this.line += "<";
      return start + 1;
    }
    const element = name?.toLowerCase() ?? "";
    const end = start + tag.length;
    if (BLOCKS.has(element)) this.endLine();
    else if (CELLS.has(element)) this.line += " ";
    else if (INVISIBLE.has(element) && tag[1] !== "/") return this.endOf(`</${name}`, end);
    return end;
  }

  /** Returns the position after the next occurrence of a text or, without one, the end. */
  private endOf(search: string, from: number): number {
    const { text, unfinished } = this;
    const found = unfinished.has(search) ? -1 : text.indexOf(search, from);
    if (found >= 0) return search.startsWith("</") ? found : found + search.length;
    unfinished.add(search);
    return text.length;
  }

  private endLine(): void {
    const collapsed = UNEVEN_SPACE.test(this.line) ? this.line.replace(/[ \t\r\n]+/g, " ") : this.line;
    const line = decodeEntities(collapsed).trim();
    if (line !== "") this.lines.push(line);
    this.line = "";
  }
}

/** A start or end tag, a declaration or a processing instruction. A less-than sign before a space is text. */
const TAG = /<(?:\/?([A-Za-z][\w:-]*)|[!?])[^<>]*>/y;

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

const ENTITY = /&(?:#(?:[xX]([0-9A-Fa-f]{1,6})|([0-9]{1,7}))|([A-Za-z][A-Za-z0-9]{0,31}));/g;

/** Unknown names stay as they are. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (entity, hex, decimal, name) => {
    if (name !== undefined) return HTML_ENTITIES.get(name) ?? entity;
    const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16);
    return isCharacter(code) ? String.fromCodePoint(code) : entity;
  });
}

/** XML 1.0 §2.2: no control characters but tab, line feed and carriage return, and no surrogates. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
}
