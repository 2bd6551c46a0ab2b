/** Byte streams and encoded text for tests. */

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export async function* streamOf(
  ...chunks: readonly Uint8Array[]
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}

/** Splits the bytes at the given offsets, each taken modulo the length. */
export function splitAt(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const ends = [...offsets.map((offset) => offset % bytes.length), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(index === 0 ? 0 : ends[index - 1]!, end));
}

/** Encodes text, because TextEncoder only supports UTF-8. @throws when the encoding lacks a character */
export function encodeAs(text: string, encoding: string): Uint8Array {
  if (encoding === "utf-8") return bytesOf(text);
  const utf = /^utf-(16|32)([lb])e$/.exec(encoding);
  if (!utf) return encodeLegacy(text, encoding);
  const units =
    utf[1] === "16"
      ? Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
      : Array.from(text, (character) => character.codePointAt(0)!);
  const size = Number(utf[1]) / 8;
  const view = new DataView(new ArrayBuffer(units.length * size));
  for (const [index, unit] of units.entries()) {
    if (size === 2) view.setUint16(index * 2, unit, utf[2] === "l");
    else view.setUint32(index * 4, unit, utf[2] === "l");
  }
  return new Uint8Array(view.buffer);
}

/** Builds the inverse table by decoding every sequence of one and two bytes. */
function encodeLegacy(text: string, encoding: string): Uint8Array {
  type Label = ConstructorParameters<typeof TextDecoder>[0];
  const decoder = new TextDecoder(encoding as Label, { fatal: true });
  const escapeIn = encoding === "iso-2022-jp" ? [0x1b, 0x24, 0x42] : [];
  const table = new Map<string, number[]>();
  const add = (bytes: number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if (Array.from(character).length === 1 && !table.has(character)) table.set(character, bytes);
    } catch {}
  };
  for (let byte = 0; byte < 256; byte++) add([byte]);
  for (let lead = 0x21; lead < 256; lead++) {
    for (let trail = 0x21; trail < 256; trail++) {
      add(escapeIn.length > 0 ? [...escapeIn, lead, trail, 0x1b, 0x28, 0x42] : [lead, trail]);
    }
  }
  const bytes = Array.from(text).flatMap((character) => {
    const found = table.get(character);
    if (!found) throw new Error(`${encoding} has no ${character}`);
    return found;
  });
  // An escape out of the character set that is followed at once by one back into it is an error.
  const merged = Buffer.from(bytes).toString("latin1").replaceAll("\x1b(B\x1b$B", "");
  return Uint8Array.from(Buffer.from(merged, "latin1"));
}
