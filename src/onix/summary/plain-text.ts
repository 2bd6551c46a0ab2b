/** Turns markup of a description (HTML or XHTML) into plain text. */
import { HTML_ENTITIES } from "../../xml/html-entities.ts";

/** A tag, a comment, a CDATA section or a processing instruction. A less-than sign before a space is text. */
const MARKUP =
  /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)|<[!?][^<>]*>|<(\/?)([A-Za-z][\w:-]*)[^<>]*>/g;
const HAS_MARKUP = /<[A-Za-z!/?]/;
/** The content of these elements is not text. */
const INVISIBLE = /<(script|style|head)\b[^<>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
/** Elements that begin and end a line of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  "address article aside blockquote br caption dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul".split(
    " ",
  ),
);
/** Cells of a table are separated, because words of two cells must not join. */
const CELLS: ReadonlySet<string> = new Set(["td", "th"]);

/** Stands for the end of a line until whitespace is collapsed. XML does not allow the character. */
const LINE_END = "\u0001";

/**
 * Returns the text without markup. Blocks become lines, whitespace is collapsed as in HTML, and entities are decoded.
 * Text without markup keeps its line feeds.
 */
export function plainText(text: string): string {
  if (!HAS_MARKUP.test(text)) return tidyLines(decodeEntities(text).replace(/\r\n?/g, "\n"));
  const withoutTags = text
    .replaceAll(LINE_END, "")
    .replace(INVISIBLE, "")
    .replace(MARKUP, (_, cdata: string | undefined, _closing, name: string | undefined) => {
      if (cdata !== undefined) return cdata.replaceAll("&", "&amp;");
      const element = name?.toLowerCase() ?? "";
      return BLOCKS.has(element) ? LINE_END : CELLS.has(element) ? " " : "";
    })
    .replace(/[ \t\r\n]+/g, " ");
  const lines = withoutTags.split(LINE_END).map((line) => decodeEntities(line).trim());
  return lines.filter((line) => line !== "").join("\n");
}

/** Removes spaces at the ends of lines, and more than one empty line in a row. */
function tidyLines(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

/** Unknown names stay as they are. */
function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(?:[xX]([0-9A-Fa-f]{1,6})|([0-9]{1,7}))|([A-Za-z][A-Za-z0-9]*));/g,
    (entity, hex, decimal, name) => {
      if (name !== undefined) return HTML_ENTITIES.get(name) ?? entity;
      const code = Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16);
      return isCharacter(code) ? String.fromCodePoint(code) : entity;
    },
  );
}

/** XML 1.0 §2.2: no control characters but tab, line feed and carriage return, and no surrogates. */
function isCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code < 0xd800 || (code > 0xdfff && code <= 0x10ffff);
}
