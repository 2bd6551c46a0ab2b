/** Character and entity references, and the decoding of texts and attribute values that contain them. */
import { printable } from "../feed/feed-error.ts";
import { isXmlCharacter, NUMBER_SIGN, SEMICOLON } from "./characters.ts";
import { HTML_ENTITIES } from "./html-entities.ts";
import { NameTable } from "./names.ts";

/** Longer references are not looked at. Those that exist have at most 10 bytes, unless they begin with zeros. */
export const MAX_REFERENCE_BYTES = 200;

const entityNames = new NameTable([...HTML_ENTITIES.keys()]);
/** The code points of the entities, by symbol. */
const entityCodes = Int32Array.from(HTML_ENTITIES.values(), (character) => character.codePointAt(0)!);

// A byte order mark inside a text is a character of the text.
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Returns the characters of valid UTF-8. */
export function utf8Text(input: Uint8Array, from: number, to: number): string {
  return utf8.decode(input.subarray(from, to));
}

/** Checks the reference whose `&` is at `offset`. Returns the offset after its `;`, or -1 when it is not valid. */
export function scanReference(input: Uint8Array, offset: number, end: number): number {
  const limit = Math.min(end, offset + MAX_REFERENCE_BYTES);
  let to = offset + 1;
  while (to < limit && isReferenceByte(input[to]!)) to++;
  if (to >= limit || input[to] !== SEMICOLON) return -1;
  return referenceCode(input, offset + 1, to) < 0 ? -1 : to + 1;
}

function isReferenceByte(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    byte === NUMBER_SIGN
  );
}

/** Returns the code point of a reference, from the name between its `&` and `;`. Returns -1 when it has none. */
export function referenceCode(input: Uint8Array, from: number, to: number): number {
  if (input[from] !== NUMBER_SIGN) {
    const symbol = entityNames.symbolAt(input, from, to);
    return symbol < 0 ? -1 : entityCodes[symbol]!;
  }
  const isHexadecimal = input[from + 1] === 0x78;
  const digits = from + (isHexadecimal ? 2 : 1);
  if (digits >= to) return -1;
  let code = 0;
  for (let offset = digits; offset < to; offset++) {
    const digit = digitValue(input[offset]!);
    if (digit >= (isHexadecimal ? 16 : 10)) return -1;
    code = Math.min(code * (isHexadecimal ? 16 : 10) + digit, 0x110000);
  }
  return isXmlCharacter(code) ? code : -1;
}

function digitValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 16;
}

/** Returns the character of a reference, by the name between its `&` and `;`: `amp`, `eacute`, `#233`, `#xE9`. */
export function decodeReference(name: string): string | undefined {
  if (!name.startsWith("#")) return HTML_ENTITIES.get(name);
  const bytes = new TextEncoder().encode(name);
  const code = referenceCode(bytes, 0, bytes.length);
  return code < 0 ? undefined : String.fromCodePoint(code);
}

/** Returns the characters of a text or CDATA section that the tokenizer has checked. */
export function decodeText(input: Uint8Array, from: number, to: number, isCdata: boolean): string {
  let text = utf8Text(input, from, to);
  if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
  return isCdata ? text : decodeReferences(text);
}

/** Returns the value of an attribute that the tokenizer has checked (XML 1.0 §3.3.3). */
export function decodeAttribute(input: Uint8Array, from: number, to: number): string {
  return decodeReferences(utf8Text(input, from, to).replace(/\r\n|[\t\n\r]/g, " "));
}

function decodeReferences(text: string): string {
  return text.includes("&") ? text.replace(/&([^;]*);/g, (all, name) => decodeReference(name) ?? all) : text;
}

/** Explains what is wrong with the reference at the start of `text`, a `&`. Returns undefined when it is valid. */
export function referenceError(text: string): string | undefined {
  const name = /^&(#?[^\s&;<>"'#]+);/.exec(text)?.[1];
  if (name === undefined) return "not well-formed: & does not begin a reference: write &amp;";
  if (decodeReference(name) !== undefined) return undefined;
  return name.startsWith("#")
    ? `not well-formed: &${printable(name)}; is not a character of XML`
    : `the entity &${printable(name)}; is unknown, and entities of a DTD are not expanded`;
}
