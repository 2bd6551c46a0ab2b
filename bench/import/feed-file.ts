/** Writes the parts of a message into a file, in any encoding, plain or compressed. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

const CHUNK_CHARACTERS = 1 << 20;

/** How a feed differs from the tidy one. */
export interface FeedVariant {
  /** Changes a part of the message: a product, or what precedes or follows all products. */
  readonly transform?: (xml: string) => string;
  readonly encoding?: Encoding;
  readonly isCompressed?: boolean;
}

export interface Encoding {
  /** As the XML declaration names it. */
  readonly name: string;
  readonly byteOrderMark?: string;
  readonly encode: (text: string) => Uint8Array;
}

export const UTF_8: Encoding = { name: "UTF-8", encode: (text) => Buffer.from(text, "utf8") };
export const UTF_16: Encoding = {
  name: "UTF-16",
  byteOrderMark: "\ufeff",
  encode: (text) => Buffer.from(text, "utf16le"),
};
/** Encodes the characters of ISO 8859-1 and the apostrophe, which are all that the generated feed has. */
export const WINDOWS_1252: Encoding = {
  name: "windows-1252",
  encode: (text) => Buffer.from(text.replaceAll("’", "\x92"), "latin1"),
};

/** Takes the parts of a message without the XML declaration. */
export async function writeFeedFile(
  path: string,
  parts: Iterable<string>,
  { transform = (xml) => xml, encoding = UTF_8, isCompressed = false }: FeedVariant = {},
): Promise<void> {
  function* chunks(): Generator<Uint8Array> {
    let chunk = `${encoding.byteOrderMark ?? ""}<?xml version="1.0" encoding="${encoding.name}"?>\n`;
    for (const part of parts) {
      chunk += transform(part);
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield encoding.encode(chunk);
      chunk = "";
    }
    yield encoding.encode(chunk);
  }
  const file = createWriteStream(path);
  if (isCompressed) await pipeline(Readable.from(chunks()), createGzip(), file);
  else await pipeline(Readable.from(chunks()), file);
}
