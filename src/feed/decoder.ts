/** Bytes in one encoding -> text. */

/** Bun's types know fewer labels than its TextDecoder. */
type Label = ConstructorParameters<typeof TextDecoder>[0];

export interface Decoder {
  /** The text that is right comes back even when what follows it is not. */
  decode(bytes: Uint8Array, last: boolean): { readonly text: string; readonly failure?: string };
}

/** `skip` is the length of the BOM. */
export function decoderOf(name: string, skip: number): Decoder {
  const decoder = name.startsWith("utf-32") ? new Utf32(name === "utf-32le") : new Platform(name);
  return skip === 0 ? decoder : new AfterBom(decoder, skip);
}

/** As the web calls it; undefined when TextDecoder does not know it. */
export function knownEncoding(declared: string): string | undefined {
  try {
    return new TextDecoder(declared as Label).encoding;
  } catch {
    return undefined;
  }
}

class AfterBom implements Decoder {
  constructor(
    private readonly decoder: Decoder,
    private skip: number,
  ) {}

  decode(bytes: Uint8Array, last: boolean) {
    const rest = this.skip === 0 ? bytes : bytes.subarray(this.skip);
    this.skip = Math.max(0, this.skip - bytes.length);
    return this.decoder.decode(rest, last);
  }
}

/** What TextDecoder knows. The bytes of a character that is cut in two wait here, so that it can be asked twice. */
class Platform implements Decoder {
  private readonly decoder: TextDecoder;
  private waiting: Uint8Array = new Uint8Array(0);

  constructor(private readonly name: string) {
    this.decoder = this.fresh();
  }

  decode(bytes: Uint8Array, last: boolean) {
    const all = this.waiting.length === 0 ? bytes : joined(this.waiting, bytes);
    const whole = last ? all.length : this.wholeCharacters(all);
    // A copy, which the slice of a Buffer is not: whoever gave the bytes may use their buffer again.
    this.waiting = new Uint8Array(all.subarray(whole));
    const ready = all.subarray(0, whole);
    try {
      return { text: this.decoder.decode(ready, { stream: !last }) };
    } catch {
      return { text: this.rightPart(ready), failure: `not valid as ${this.name.toUpperCase()}` };
    }
  }

  private fresh(): TextDecoder {
    return new TextDecoder(this.name as Label, { fatal: true, ignoreBOM: true });
  }

  /** Up to where the bytes are whole characters; other encodings than these keep their state in the decoder. */
  private wholeCharacters(bytes: Uint8Array): number {
    const length = bytes.length;
    if (this.name === "utf-8") {
      for (let back = 1; back <= 3 && back <= length; back++) {
        const byte = bytes[length - back]!;
        if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? length - back : length;
        if (byte < 0x80) return length;
      }
    } else if (this.name.startsWith("utf-16")) {
      const even = length - (length % 2);
      const high = bytes[even - (this.name === "utf-16le" ? 1 : 2)];
      return high !== undefined && high >= 0xd8 && high < 0xdc ? even - 2 : even;
    }
    return length;
  }

  /** The longest beginning that can be decoded, found by halving: it happens once. */
  private rightPart(bytes: Uint8Array): string {
    let [right, wrong] = [0, bytes.length + 1];
    let text = "";
    while (wrong - right > 1) {
      const middle = (right + wrong) >> 1;
      try {
        text = this.fresh().decode(bytes.subarray(0, middle), { stream: true });
        right = middle;
      } catch {
        wrong = middle;
      }
    }
    return text;
  }
}

/** TextDecoder does not know it. */
class Utf32 implements Decoder {
  private waiting: Uint8Array = new Uint8Array(0);

  constructor(private readonly littleEndian: boolean) {}

  decode(bytes: Uint8Array, last: boolean) {
    const all = joined(this.waiting, bytes);
    const whole = all.length - (all.length % 4);
    this.waiting = all.subarray(whole);
    const view = new DataView(all.buffer, all.byteOffset);
    let text = "";
    for (let at = 0; at < whole; at += 4) {
      const code = view.getUint32(at, this.littleEndian);
      if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return { text, failure: "not valid as UTF-32" };
      text += String.fromCodePoint(code);
    }
    return last && whole < all.length ? { text, failure: "not valid as UTF-32" } : { text };
  }
}

export function joined(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}
