import { printable } from "../feed/feed-error.ts";
import { HTML_ENTITIES } from "./html-entities.ts";

/** Explains what is wrong with the reference at the start of `text`, a `&`. Returns undefined when it is valid. */
export function referenceError(text: string): string | undefined {
  const name = /^&(#?[^\s&;<>"'#]+);/.exec(text)?.[1];
  if (name === undefined) return "not well-formed: & does not begin a reference: write &amp;";
  if (HTML_ENTITIES.has(name)) return undefined;
  if (!name.startsWith("#"))
    return `the entity &${printable(name)}; is unknown, and entities of a DTD are not expanded`;
  const digits = /^#(?:([0-9]+)|x([0-9A-Fa-f]+))$/.exec(name);
  const code = digits?.[1] ? Number(digits[1]) : Number.parseInt(digits?.[2] ?? "0", 16);
  // XML 1.0 §2.2, Char.
  const isCharacter =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code < 0xfffe) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isCharacter ? undefined : `not well-formed: &${printable(name)}; is not a character of XML`;
}
