/** What no feed means to contain: control characters, and endless whitespace between products. */
import { FeedError } from "../feed/feed-error.ts";
import { bufferOf } from "../lib/text.ts";
import { isWhitespace } from "../xml/characters.ts";
import { findPosition, type Position, positionFrom } from "../xml/position.ts";

/**
 * C1 control characters (U+0080 to U+009F) have two bytes in UTF-8: this one, and 80 to 9F. They are letters of
 * windows-1252 that were once decoded as ISO-8859-1.
 */
const LEAD = 0xc2;

/** Counts control characters in UTF-8. A native search makes it cheap for other text. */
export function countControlCharacters(utf8: Uint8Array): number {
  const buffer = bufferOf(utf8);
  let count = 0;
  for (let lead = buffer.indexOf(LEAD); lead >= 0; lead = buffer.indexOf(LEAD, lead + 2)) {
    if (buffer[lead + 1]! < 0xa0) count++;
  }
  return count;
}

/** Finds the first control character in XML, where it may be a character reference. */
export function findControlCharacter(
  xml: Uint8Array,
): { readonly name: string; readonly position: Position } | undefined {
  const text = bufferOf(xml).toString("latin1");
  const found = /\xc2([\x80-\x9f])|&#0*(1[2-5]\d);|&#x0*([89][0-9a-f]);/gi;
  for (const match of text.matchAll(found)) {
    const code = match[1]?.charCodeAt(0) ?? (match[2] ? Number(match[2]) : Number.parseInt(match[3]!, 16));
    if (code < 0x80) continue;
    const name = `U+00${code.toString(16).toUpperCase()}`;
    return { name, position: findPosition(xml, match.index) };
  }
  return undefined;
}

/** The limit of any other text. */
const MAX_WHITESPACE_BYTES = 4 << 20;
/** The position of a shorter run at the end of a chunk is not computed: such a run is at the end of most chunks. */
const LONG_WHITESPACE_BYTES = 1000;

/**
 * Rejects endless whitespace between products. The scanner passes over it chunk by chunk, so that it takes no memory,
 * but a small gzip file can have very much of it.
 */
export class WhitespaceRun {
  private bytes = 0;
  private start: Position = { line: 1, column: 1 };

  /** Adds bytes of the document, from `start` to `end`. @throws {FeedError} when the whitespace at their end is too long */
  add(bytes: Uint8Array, start: Position, end: Position): void {
    let from = bytes.length;
    while (from > 0 && isWhitespace(bytes[from - 1]!)) from--;
    const length = bytes.length - from;
    if (from > 0 || this.bytes === 0) {
      this.bytes = 0;
      this.start = length < LONG_WHITESPACE_BYTES ? end : positionFrom(start, findPosition(bytes, from));
    }
    this.bytes += length;
    if (this.bytes <= MAX_WHITESPACE_BYTES) return;
    const { line, column } = this.start;
    throw new FeedError("a text or comment is larger than 4 MB", line, column);
  }
}
