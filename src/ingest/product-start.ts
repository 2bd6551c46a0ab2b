/**
 * Finds start tags of products in UTF-8, with native searches. This is a guess: inside a comment or CDATA the same bytes
 * are text. So whoever cuts there has to check it.
 */
import { Buffer } from "node:buffer";

/** The part that the tags `<Product` and `<product` have in common. */
const TAIL = "roduct";
/** Longer prefixes of a namespace are not found. */
const MAX_PREFIX_BYTES = 64;

const LESS_THAN = 0x3c;
const COLON = 0x3a;

/** Returns the offset of the first product that begins at `from` or later. Returns -1 when there is none. */
export function firstProductStart(bytes: Uint8Array, from: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let tail = buffer.indexOf(TAIL, from); tail >= 0; tail = buffer.indexOf(TAIL, tail + 1)) {
    const start = productStart(buffer, tail);
    if (start >= from) return start;
  }
  return -1;
}

/** Returns the offset of the last product that begins after the first byte. Returns -1 when there is none. */
export function lastProductStart(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let tail = buffer.lastIndexOf(TAIL); tail > 0; tail = buffer.lastIndexOf(TAIL, tail - 1)) {
    const start = productStart(buffer, tail);
    if (start > 0) return start;
  }
  return -1;
}

/** Returns the offset of the `<` of the tag whose name ends in the `roduct` at `tail`, or -1 when it is no product. */
function productStart(buffer: Buffer, tail: number): number {
  const initial = buffer[tail - 1];
  const next = buffer[tail + TAIL.length];
  if ((initial !== 0x50 && initial !== 0x70) || !endsName(next)) return -1;
  let start = tail - 2;
  if (buffer[start] === COLON) {
    const limit = Math.max(0, start - MAX_PREFIX_BYTES);
    do start--;
    while (start > limit && isPrefixByte(buffer[start]!));
  }
  return buffer[start] === LESS_THAN ? start : -1;
}

/** Whitespace, `>` or `/`. A tag that is cut off after its name is not found. */
function endsName(byte: number | undefined): boolean {
  return byte === 0x3e || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x2f;
}

/** Anything but the bytes that end a tag or a name. The tokenizer checks names. */
function isPrefixByte(byte: number): boolean {
  return (
    byte > 0x20 && byte !== LESS_THAN && byte !== 0x3e && byte !== 0x2f && byte !== 0x22 && byte !== 0x27
  );
}
