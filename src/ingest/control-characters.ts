/**
 * Finds C1 control characters (U+0080 to U+009F). No feed means them: they are letters of windows-1252 that were once
 * decoded as ISO-8859-1.
 */
import { Buffer } from "node:buffer";
import { findPosition, type Position } from "../xml/position.ts";

/** C1 control characters have two bytes in UTF-8: this one, and 80 to 9F. */
const LEAD = 0xc2;

/** Counts them in UTF-8. A native search makes it cheap for other text. */
export function countControlCharacters(utf8: Uint8Array): number {
  const buffer = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length);
  let count = 0;
  for (let lead = buffer.indexOf(LEAD); lead >= 0; lead = buffer.indexOf(LEAD, lead + 2)) {
    if (buffer[lead + 1]! < 0xa0) count++;
  }
  return count;
}

/** Finds the first one in XML, where it may be a character reference. */
export function findControlCharacter(
  xml: Uint8Array,
): { readonly name: string; readonly position: Position } | undefined {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.length).toString("latin1");
  const found = /\xc2([\x80-\x9f])|&#0*(1[2-5]\d);|&#x0*([89][0-9a-f]);/gi;
  for (const match of text.matchAll(found)) {
    const code = match[1]?.charCodeAt(0) ?? (match[2] ? Number(match[2]) : Number.parseInt(match[3]!, 16));
    if (code < 0x80) continue;
    const name = `U+00${code.toString(16).toUpperCase()}`;
    return { name, position: findPosition(xml, match.index) };
  }
  return undefined;
}
