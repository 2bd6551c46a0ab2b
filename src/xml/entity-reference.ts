import { printable } from "../feed/feed-error.ts";
import { HTML_ENTITIES } from "./entities.ts";

/** Of what begins with `&`; undefined when it is a reference that can be resolved. */
export function whyNoReference(text: string): string | undefined {
  const name = /^&(#?[^\s&;<>"'#]+);/.exec(text)?.[1];
  if (name === undefined) return "not well-formed: & that begins no reference (write &amp;)";
  if (HTML_ENTITIES.has(name)) return undefined;
  if (!name.startsWith("#"))
    return `the entity &${printable(name)}; is not known, and those of a DTD are not expanded`;
  const digits = /^#(?:([0-9]+)|x([0-9A-Fa-f]+))$/.exec(name);
  const code = digits?.[1] ? Number(digits[1]) : Number.parseInt(digits?.[2] ?? "0", 16);
  const isCharacter =
    code === 9 ||
    code === 10 ||
    code === 13 ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code < 0xfffe) ||
    (code >= 0x10000 && code <= 0x10ffff);
  return isCharacter ? undefined : `not well-formed: &${printable(name)}; is no character of XML`;
}
