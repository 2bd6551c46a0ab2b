/** Incremental decoders: bytes in one encoding to text. UTF-8 is never decoded. */
import { isUtf8 } from "node:buffer";

/** Bun's types list fewer labels than its TextDecoder supports. */
type Label = ConstructorParameters<typeof TextDecoder>[0];

interface Decoder {
  /** Returns the text up to the first invalid byte, and the reason for stopping there. */
  decode(bytes: Uint8Array, isLast: boolean): { readonly text: string; readonly failure?: string };
}

export function createDecoder(encoding: string): Decoder {
  if (encoding.startsWith("utf-32")) return new Utf32Decoder(encoding === "utf-32le");
  if (encoding.startsWith("utf-16")) return new Utf16Decoder(encoding === "utf-16le");
  return new PlatformDecoder(encoding);
}

/** Returns the name of an encoding in the WHATWG Encoding Standard, or undefined when TextDecoder has no such one. */
export function canonicalEncoding(declared: string): string | undefined {
  try {
    return new TextDecoder(declared as Label).encoding;
  } catch {
    return undefined;
  }
}

/** Wraps TextDecoder, for all encodings but those of Unicode. */
class PlatformDecoder implements Decoder {
  private readonly decoder: TextDecoder;

  constructor(private readonly encoding: string) {
    this.decoder = this.newTextDecoder();
  }

  decode(bytes: Uint8Array, isLast: boolean) {
    try {
      return { text: this.decoder.decode(bytes, { stream: !isLast }) };
    } catch {
      return { text: this.validPrefix(bytes), failure: `not valid as ${this.encoding.toUpperCase()}` };
    }
  }

  private newTextDecoder(): TextDecoder {
    return new TextDecoder(this.encoding as Label, { fatal: true, ignoreBOM: true });
  }

  /** Finds the longest prefix that can be decoded, by binary search. Runs at most once per document. */
  private validPrefix(bytes: Uint8Array): string {
    let [validEnd, invalidEnd] = [0, bytes.length + 1];
    let text = "";
    while (invalidEnd - validEnd > 1) {
      const middle = (validEnd + invalidEnd) >> 1;
      try {
        text = this.newTextDecoder().decode(bytes.subarray(0, middle), { stream: true });
        validEnd = middle;
      } catch {
        invalidEnd = middle;
      }
    }
    return text;
  }
}

/** TextDecoder takes three times as long. */
class Utf16Decoder implements Decoder {
  private incomplete: Uint8Array = new Uint8Array(0);

  constructor(private readonly littleEndian: boolean) {}

  decode(bytes: Uint8Array, isLast: boolean) {
    // A copy, because the bytes are swapped in place, and the caller may use its buffer again.
    const all = Buffer.concat([this.incomplete, bytes]);
    const even = all.length - (all.length % 2);
    const units = all.subarray(0, even);
    if (!this.littleEndian) units.swap16();
    const high = units[even - 1] ?? 0;
    const end = !isLast && high >= 0xd8 && high < 0xdc ? even - 2 : even;
    const text = units.toString("utf16le", 0, end);
    if (!this.littleEndian) units.subarray(end).swap16();
    this.incomplete = all.subarray(end);
    if (text.isWellFormed() && !(isLast && end < all.length)) return { text };
    const failure = `not valid as UTF-16${this.littleEndian ? "LE" : "BE"}`;
    return { text: wellFormedPrefix(text), failure };
  }
}

/** Returns the text before the first surrogate that is not part of a pair. */
function wellFormedPrefix(text: string): string {
  const replaced = text.toWellFormed();
  let end = 0;
  while (end < text.length && text.charCodeAt(end) === replaced.charCodeAt(end)) end++;
  return text.slice(0, end);
}

/** TextDecoder does not support UTF-32. */
class Utf32Decoder implements Decoder {
  private incomplete: Uint8Array = new Uint8Array(0);

  constructor(private readonly littleEndian: boolean) {}

  decode(bytes: Uint8Array, isLast: boolean) {
    const all = concatBytes(this.incomplete, bytes);
    const end = all.length - (all.length % 4);
    this.incomplete = all.subarray(end);
    const view = new DataView(all.buffer, all.byteOffset);
    let text = "";
    for (let offset = 0; offset < end; offset += 4) {
      const code = view.getUint32(offset, this.littleEndian);
      if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return { text, failure: "not valid as UTF-32" };
      text += String.fromCodePoint(code);
    }
    return isLast && end < all.length ? { text, failure: "not valid as UTF-32" } : { text };
  }
}

/** Returns the length of the longest prefix of UTF-8 that does not end inside a character. */
export function endOfCompleteUtf8(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= 3 && back <= length; back++) {
    const byte = bytes[length - back]!;
    if (byte >= 0xc0) return utf8SequenceBytes(byte) > back ? length - back : length;
    if (byte < 0x80) break;
  }
  return length;
}

/** Returns how many bytes the character has that begins with `lead`. */
export function utf8SequenceBytes(lead: number): number {
  if (lead < 0xc0) return 1;
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}

export function concatBytes(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}

/** Returns how many bytes from the beginning are valid UTF-8. */
export function validUtf8Length(bytes: Uint8Array): number {
  if (isUtf8(bytes)) return bytes.length;
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    // A prefix may end inside a character, so that up to three of its bytes are missing.
    const isValid = [0, 1, 2, 3].some(
      (back) => middle - back >= 0 && isUtf8(bytes.subarray(0, middle - back)),
    );
    if (isValid) valid = middle;
    else invalid = middle;
  }
  for (let end = valid; end > 0; end--) if (isUtf8(bytes.subarray(0, end))) return end;
  return 0;
}
