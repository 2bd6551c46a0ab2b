/** Incremental decoders: bytes in one encoding to text. */

/** Bun's types list fewer labels than its TextDecoder supports. */
type Label = ConstructorParameters<typeof TextDecoder>[0];

export interface Decoder {
  /** Returns the text up to the first invalid byte, and the reason for stopping there. */
  decode(bytes: Uint8Array, isLast: boolean): { readonly text: string; readonly failure?: string };
}

export function createDecoder(encoding: string, bomBytes = 0): Decoder {
  const decoder = encoding.startsWith("utf-32")
    ? new Utf32Decoder(encoding === "utf-32le")
    : new PlatformDecoder(encoding);
  return bomBytes === 0 ? decoder : new BomSkippingDecoder(decoder, bomBytes);
}

/** Returns the name of an encoding in the WHATWG Encoding Standard, or undefined when TextDecoder has no such one. */
export function canonicalEncoding(declared: string): string | undefined {
  try {
    return new TextDecoder(declared as Label).encoding;
  } catch {
    return undefined;
  }
}

class BomSkippingDecoder implements Decoder {
  constructor(
    private readonly decoder: Decoder,
    private bytesToSkip: number,
  ) {}

  decode(bytes: Uint8Array, isLast: boolean) {
    const rest = this.bytesToSkip === 0 ? bytes : bytes.subarray(this.bytesToSkip);
    this.bytesToSkip = Math.max(0, this.bytesToSkip - bytes.length);
    return this.decoder.decode(rest, isLast);
  }
}

/**
 * Wraps TextDecoder. Holds back the bytes of an incomplete character, so that a failed chunk can be decoded again
 * from its beginning to find the valid part.
 */
class PlatformDecoder implements Decoder {
  private readonly decoder: TextDecoder;
  private incomplete: Uint8Array = new Uint8Array(0);

  constructor(private readonly encoding: string) {
    this.decoder = this.newTextDecoder();
  }

  decode(bytes: Uint8Array, isLast: boolean) {
    const all = this.incomplete.length === 0 ? bytes : concatBytes(this.incomplete, bytes);
    const end = isLast ? all.length : this.endOfCompleteCharacters(all);
    // Copies, because `subarray` shares memory and the caller may reuse its buffer.
    this.incomplete = new Uint8Array(all.subarray(end));
    const complete = all.subarray(0, end);
    try {
      return { text: this.decoder.decode(complete, { stream: !isLast }) };
    } catch {
      return { text: this.validPrefix(complete), failure: `not valid as ${this.encoding.toUpperCase()}` };
    }
  }

  private newTextDecoder(): TextDecoder {
    return new TextDecoder(this.encoding as Label, { fatal: true, ignoreBOM: true });
  }

  /** For UTF-8 and UTF-16. For other encodings TextDecoder itself holds back incomplete characters. */
  private endOfCompleteCharacters(bytes: Uint8Array): number {
    const length = bytes.length;
    if (this.encoding === "utf-8") {
      for (let back = 1; back <= 3 && back <= length; back++) {
        const byte = bytes[length - back]!;
        if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? length - back : length;
        if (byte < 0x80) return length;
      }
    } else if (this.encoding.startsWith("utf-16")) {
      const even = length - (length % 2);
      const high = bytes[even - (this.encoding === "utf-16le" ? 1 : 2)];
      return high !== undefined && high >= 0xd8 && high < 0xdc ? even - 2 : even;
    }
    return length;
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
