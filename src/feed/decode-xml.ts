/**
 * Bytes of an XML document -> its text, with line ends as XML wants them (1.0, 2.11). What the bytes show wins
 * over what the document declares: first a BOM, then the shape of `<?x` in UTF-16 or UTF-32 (1.0, appendix F).
 * As on the web, ISO-8859-1 and US-ASCII are read as windows-1252, which has them whole and is what senders
 * mean by the bytes 80 to 9F.
 */
import { type Decoder, decoderOf, joined, knownEncoding } from "./decoder.ts";
import { printable } from "./feed-error.ts";
import { strangeBytes } from "./file-type.ts";

export interface TextPiece {
  readonly text: string;
  /** Bytes read so far. */
  readonly bytes: number;
}

/** No text, from here on: the reader knows where "here" is. */
export class Undecodable extends Error {
  override readonly name = "Undecodable";
}

/** The declaration must end within this; the rest of a document is decoded in steps of SLICE. */
const HEAD = 1024;
const SLICE = 65_536;

export async function* decodeXml(
  bytes: AsyncIterable<Uint8Array>,
  remark: (text: string) => void,
): AsyncGenerator<TextPiece, void, undefined> {
  let decoder: Decoder | undefined;
  let head: Uint8Array = new Uint8Array(0);
  let read = 0;
  // A CR at the end of a piece may be half of a CR LF.
  let heldCr = "";

  function* decoded(chunk: Uint8Array, last: boolean): Generator<TextPiece> {
    decoder ??= decoderFor(chunk, remark);
    for (let start = 0; start < chunk.length || last; start += SLICE) {
      const slice = chunk.subarray(start, start + SLICE);
      const final = last && start + SLICE >= chunk.length;
      const { text, failure } = decoder.decode(slice, final);
      read += slice.length;
      let whole = heldCr + text;
      heldCr = whole.endsWith("\r") && !final && !failure ? "\r" : "";
      if (heldCr) whole = whole.slice(0, -1);
      if (whole.includes("\r")) whole = whole.replace(/\r\n?/g, "\n");
      if (whole !== "") yield { text: whole, bytes: read };
      if (failure) throw new Undecodable(failure);
      if (final) return;
    }
  }

  for await (const chunk of bytes) {
    if (decoder) {
      yield* decoded(chunk, false);
    } else {
      head = head.length === 0 ? chunk : joined(head, chunk);
      if (head.length >= HEAD) yield* decoded(head, false);
    }
  }
  yield* decoded(decoder ? new Uint8Array(0) : head, true);
}

function decoderFor(head: Uint8Array, remark: (text: string) => void): Decoder {
  if (head.length === 0) throw new Undecodable("the feed is empty");
  const shownByBytes = shownEncoding(head);
  const strange = strangeBytes(head, shownByBytes !== undefined);
  if (strange !== undefined) throw new Undecodable(strange);

  const declared = declaredEncoding(head.subarray(shownByBytes?.bom ?? 0), shownByBytes?.name);
  if (shownByBytes) {
    const { name, bom } = shownByBytes;
    if (declared !== undefined && !isSame(declared, name)) {
      remark(`declared as ${printable(declared)}, but its bytes show ${name.toUpperCase()}: read as that`);
    }
    return decoderOf(name, bom);
  }
  if (declared === undefined) return decoderOf("utf-8", 0);
  if (/^(?:utf-?(?:16|32)|ucs-?[24]|iso-10646-ucs)/i.test(declared)) {
    // A text that was written by a program which thinks in UTF-16, and then saved: the bytes cannot be that.
    remark(`declared as ${printable(declared)}, but its bytes are not that: read as UTF-8`);
    return decoderOf("utf-8", 0);
  }
  const known = knownEncoding(declared);
  if (known === undefined) throw new Undecodable(`the encoding "${printable(declared)}" is not known here`);
  return decoderOf(known, 0);
}

interface ShownEncoding {
  readonly name: string;
  /** Length of the BOM; 0 without. */
  readonly bom: number;
}

function shownEncoding(head: Uint8Array): ShownEncoding | undefined {
  const [a, b, c, d] = [head[0], head[1], head[2], head[3]];
  if (a === 0xff && b === 0xfe) {
    return c === 0 && d === 0 ? { name: "utf-32le", bom: 4 } : { name: "utf-16le", bom: 2 };
  }
  if (a === 0xfe && b === 0xff) return { name: "utf-16be", bom: 2 };
  if (a === 0xef && b === 0xbb && c === 0xbf) return { name: "utf-8", bom: 3 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { name: "utf-32be", bom: 4 };
  if (a === 0 && b === 0 && c === 0 && mayBegin(d)) return { name: "utf-32be", bom: 0 };
  if (mayBegin(a) && b === 0 && c === 0 && d === 0) return { name: "utf-32le", bom: 0 };
  if (a === 0 && mayBegin(b) && c === 0) return { name: "utf-16be", bom: 0 };
  if (mayBegin(a) && b === 0 && d === 0) return { name: "utf-16le", bom: 0 };
  return undefined;
}

/** An XML document begins with `<`, or with blanks. */
function mayBegin(byte: number | undefined): boolean {
  return byte === 0x3c || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The declaration is ASCII in every encoding that gets here, but for the zeros of wide ones. */
function declaredEncoding(head: Uint8Array, wide: string | undefined): string | undefined {
  let ascii = "";
  for (const byte of head.subarray(0, HEAD)) {
    if (byte !== 0 || wide === undefined) ascii += String.fromCharCode(byte);
  }
  return /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'<>?]+)["']/.exec(ascii)?.[1];
}

function isSame(declared: string, shownName: string): boolean {
  const plain = declared.toLowerCase().replace(/[^a-z0-9]/g, "");
  const family = shownName.replace(/[^a-z0-9]/g, "");
  const wide = { utf16le: ["iso10646ucs2", "ucs2"], utf32le: ["iso10646ucs4", "ucs4"] };
  const aliases = wide[family.replace("be", "le") as keyof typeof wide] ?? [];
  return plain === family || plain === family.replace(/[lb]e$/, "") || aliases.includes(plain);
}
