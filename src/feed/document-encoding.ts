/**
 * Finds the encoding of an XML document.
 *
 * The encoding that the bytes show takes precedence over the declared one. They show it by a BOM, or by the pattern
 * of `<?x` in UTF-16 or UTF-32 (XML 1.0 appendix F). ISO-8859-1 and US-ASCII are read as windows-1252, as browsers do:
 * it contains both, and such feeds mean its characters by the bytes 80 to 9F.
 */
import { canonicalEncoding } from "./decoder.ts";
import { DecodeError, printable } from "./feed-error.ts";

/** The XML declaration must end within the head. */
export const HEAD_BYTES = 1024;

export interface DocumentEncoding {
  /** The name in the WHATWG Encoding Standard, or utf-32le or utf-32be. */
  readonly name: string;
  /** The name in the XML declaration. Undefined when there is none, or when the bytes show another encoding. */
  readonly declared?: string | undefined;
  /** Length of the BOM; 0 without one. */
  readonly bomBytes: number;
}

/** @throws {DecodeError} when the declared encoding is not supported */
export function documentEncoding(head: Uint8Array, warn: (text: string) => void): DocumentEncoding {
  const detected = detectEncoding(head);
  const declared = declaredEncoding(head.subarray(detected?.bomBytes ?? 0), detected !== undefined);
  if (detected) {
    if (declared !== undefined && !isSameEncoding(declared, detected.name)) {
      const actual = detected.name.toUpperCase();
      warn(
        `The feed is declared as ${printable(declared)}, but its bytes are ${actual}: it was read as that.`,
      );
    }
    return detected;
  }
  if (declared === undefined) return { name: "utf-8", bomBytes: 0 };
  if (/^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs)/i.test(declared)) {
    // Some programs write a declaration for their UTF-16 strings in memory, and then save the file as UTF-8.
    warn(`The feed is declared as ${printable(declared)}, but its bytes are not: it was read as UTF-8.`);
    return { name: "utf-8", bomBytes: 0 };
  }
  const name = canonicalEncoding(declared);
  if (name === undefined) {
    throw new DecodeError(`the encoding "${printable(declared)}" is not supported: save the feed as UTF-8`);
  }
  return { name, declared, bomBytes: 0 };
}

/** Returns undefined when the bytes do not show their encoding: it is one that contains ASCII. */
export function detectEncoding(head: Uint8Array): DocumentEncoding | undefined {
  const [a, b, c, d] = [head[0], head[1], head[2], head[3]];
  if (a === 0xff && b === 0xfe) {
    return c === 0 && d === 0 ? { name: "utf-32le", bomBytes: 4 } : { name: "utf-16le", bomBytes: 2 };
  }
  if (a === 0xfe && b === 0xff) return { name: "utf-16be", bomBytes: 2 };
  if (a === 0xef && b === 0xbb && c === 0xbf) return { name: "utf-8", bomBytes: 3 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { name: "utf-32be", bomBytes: 4 };
  if (a === 0 && b === 0 && c === 0 && canBeginXml(d)) return { name: "utf-32be", bomBytes: 0 };
  if (canBeginXml(a) && b === 0 && c === 0 && d === 0) return { name: "utf-32le", bomBytes: 0 };
  if (a === 0 && canBeginXml(b) && c === 0) return { name: "utf-16be", bomBytes: 0 };
  if (canBeginXml(a) && b === 0 && d === 0) return { name: "utf-16le", bomBytes: 0 };
  return undefined;
}

/** An XML document begins with `<` or with whitespace. */
function canBeginXml(byte: number | undefined): boolean {
  return byte === 0x3c || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Without the zero bytes of UTF-16 and UTF-32, the declaration is ASCII in every supported encoding. */
function declaredEncoding(head: Uint8Array, dropZeros: boolean): string | undefined {
  const bytes = head.subarray(0, HEAD_BYTES);
  const ascii = Buffer.from(dropZeros ? bytes.filter((byte) => byte !== 0) : bytes).toString("latin1");
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'<>?]+)["']/.exec(ascii)?.[1];
}

/** Compares names without case and punctuation. "UTF-16" and "UCS-2" match both byte orders. */
function isSameEncoding(declared: string, detected: string): boolean {
  const declaredName = declared.toLowerCase().replace(/[^a-z0-9]/g, "");
  const detectedName = detected.replace(/[^a-z0-9]/g, "");
  const ucsNames = { utf16le: ["iso10646ucs2", "ucs2"], utf32le: ["iso10646ucs4", "ucs4"] };
  const aliases = ucsNames[detectedName.replace("be", "le") as keyof typeof ucsNames] ?? [];
  return (
    declaredName === detectedName ||
    declaredName === detectedName.replace(/[lb]e$/, "") ||
    aliases.includes(declaredName)
  );
}
