/** Writes the generated ONIX feed of all measurements, as a stream or to a file. The same options give the same bytes. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type ProductOptions, productXml } from "./product-xml.ts";

export interface FeedOptions extends ProductOptions {
  /** Omits all products but those whose number is a multiple of this: a feed of changes, spread over the catalog. */
  readonly every?: number;
  readonly form?: FeedForm;
}

/** How the file differs from plain UTF-8 with reference tags. */
export interface FeedForm {
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
/** Encodes the characters of ISO 8859-1 and the apostrophe, which are all that the feed has. */
export const WINDOWS_1252: Encoding = {
  name: "windows-1252",
  encode: (text) => Buffer.from(text.replaceAll("’", "\x92"), "latin1"),
};

const GOLDEN_RATIO = 0.618;
const CHUNK_CHARACTERS = 1 << 20;

/** Writes the feed to a file, and returns the number of its products. */
export async function writeFeed(path: string, options: FeedOptions): Promise<number> {
  await writeMessage(path, messageParts(options), options.form);
  return Math.ceil(options.products / (options.every ?? 1));
}

/** Writes the parts of a message, without their XML declaration, to a file. */
export async function writeMessage(path: string, parts: Iterable<string>, form?: FeedForm): Promise<void> {
  const bytes = messageBytes(parts, form);
  const file = createWriteStream(path);
  if (form?.isCompressed) await pipeline(bytes, createGzip(), file);
  else await pipeline(bytes, file);
}

/** Returns the parts of a message as a stream of bytes, with the XML declaration of the encoding. */
export function messageBytes(
  parts: Iterable<string>,
  { transform = (xml) => xml, encoding = UTF_8 }: FeedForm = {},
): Readable {
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
  return Readable.from(chunks());
}

/** Yields the start of the message, each product, and the end. Products are in no order of their ISBNs. */
export function* messageParts(options: FeedOptions): Generator<string> {
  const { products, every = 1 } = options;
  yield '<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">\n';
  yield "<Header><Sender><SenderName>Bench</SenderName></Sender><SentDateTime>20260101</SentDateTime></Header>\n";
  for (const index of shuffledIndexes(Math.ceil(products / every))) yield productXml(index * every, options);
  yield "</ONIXMessage>\n";
}

/** Yields each index once. Neighbours are far apart, as in the feeds of a distributor. */
function* shuffledIndexes(count: number): Generator<number> {
  let step = Math.max(1, Math.floor(count * GOLDEN_RATIO));
  while (greatestCommonDivisor(step, count) !== 1) step++;
  for (let number = 0, index = 0; number < count; number++, index = (index + step) % count) yield index;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
