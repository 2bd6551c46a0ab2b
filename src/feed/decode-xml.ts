/**
 * Decodes the bytes of an XML document into text and normalizes line ends to LF (XML 1.0 §2.11).
 *
 * The encoding that the bytes show takes precedence over the declared one. They show it by a BOM, or by the pattern
 * of `<?x` in UTF-16 or UTF-32 (XML 1.0 appendix F). ISO-8859-1 and US-ASCII are read as windows-1252, as browsers do:
 * it contains both, and such feeds mean its characters by the bytes 80 to 9F.
 */
import { canonicalEncoding, concatBytes, createDecoder, type Decoder } from "./decoder.ts";
import { printable } from "./feed-error.ts";
import { describeNonXmlBytes } from "./file-type.ts";

/** Thrown when the bytes that follow cannot be decoded. The caller knows their line and column. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/** The XML declaration must end within the head. */
const HEAD_BYTES = 1024;
const DECODE_STEP_BYTES = 65_536;

export async function* decodeXml(
  bytes: AsyncIterable<Uint8Array>,
  warn: (text: string) => void,
): AsyncGenerator<string, void, undefined> {
  let decoder: Decoder | undefined;
  let head: Uint8Array = new Uint8Array(0);
  // A CR at the end of a chunk may be the first half of a CR LF. It is carried over to the next chunk.
  let pendingCr = "";

  function* decode(chunk: Uint8Array, isLast: boolean): Generator<string> {
    decoder ??= decoderFor(chunk, warn);
    for (let start = 0; start < chunk.length || isLast; start += DECODE_STEP_BYTES) {
      const slice = chunk.subarray(start, start + DECODE_STEP_BYTES);
      const isFinal = isLast && start + DECODE_STEP_BYTES >= chunk.length;
      const { text, failure } = decoder.decode(slice, isFinal);
      let normalized = pendingCr + text;
      pendingCr = normalized.endsWith("\r") && !isFinal && !failure ? "\r" : "";
      if (pendingCr) normalized = normalized.slice(0, -1);
      if (normalized.includes("\r")) normalized = normalized.replace(/\r\n?/g, "\n");
      if (normalized !== "") yield normalized;
      if (failure) throw new DecodeError(failure);
      if (isFinal) return;
    }
  }

  for await (const chunk of bytes) {
    if (decoder) {
      yield* decode(chunk, false);
    } else {
      head = head.length === 0 ? chunk : concatBytes(head, chunk);
      if (head.length >= HEAD_BYTES) yield* decode(head, false);
    }
  }
  yield* decode(decoder ? new Uint8Array(0) : head, true);
}

function decoderFor(head: Uint8Array, warn: (text: string) => void): Decoder {
  if (head.length === 0) throw new DecodeError("the feed is empty");
  const detected = detectEncoding(head);
  const otherFormat = describeNonXmlBytes(head, detected !== undefined);
  if (otherFormat !== undefined) throw new DecodeError(otherFormat);

  const declared = declaredEncoding(head.subarray(detected?.bomBytes ?? 0), detected !== undefined);
  if (detected) {
    const { name, bomBytes } = detected;
    if (declared !== undefined && !isSameEncoding(declared, name)) {
      warn(`declared as ${printable(declared)}, but the bytes are ${name.toUpperCase()}: read as that`);
    }
    return createDecoder(name, bomBytes);
  }
  if (declared === undefined) return createDecoder("utf-8", 0);
  if (/^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs)/i.test(declared)) {
    // Some programs write a declaration for their UTF-16 strings in memory, and then save the file as UTF-8.
    warn(`declared as ${printable(declared)}, but the bytes are not: read as UTF-8`);
    return createDecoder("utf-8", 0);
  }
  const known = canonicalEncoding(declared);
  if (known === undefined) {
    throw new DecodeError(`the encoding "${printable(declared)}" is not supported: save the feed as UTF-8`);
  }
  return createDecoder(known, 0);
}

interface DetectedEncoding {
  readonly name: string;
  /** Length of the BOM; 0 without one. */
  readonly bomBytes: number;
}

/** Returns undefined when the bytes do not show their encoding: it is one that contains ASCII. */
function detectEncoding(head: Uint8Array): DetectedEncoding | undefined {
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
  let ascii = "";
  for (const byte of head.subarray(0, HEAD_BYTES)) {
    if (byte !== 0 || !dropZeros) ascii += String.fromCharCode(byte);
  }
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
