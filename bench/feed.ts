/** Writes the generated ONIX feed of all measurements to a file. The same options give the same bytes. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type ProductOptions, productXml } from "./product-xml.ts";

export interface FeedOptions extends ProductOptions {
  /** Omits all products but every so many: a feed of changes, spread over the catalog. */
  readonly every?: number;
  /** The number of the first of them, less than `every`. Default: 0. */
  readonly first?: number;
}

const GOLDEN_RATIO = 0.618;
const CHUNK_CHARACTERS = 1 << 20;

/** Writes the feed to a file, and returns the number of its products. */
export async function writeFeed(path: string, options: FeedOptions): Promise<number> {
  await writeMessage(path, messageParts(options));
  return countOf(options);
}

/** Writes the parts of a message, without their XML declaration, to a file. */
export async function writeMessage(path: string, parts: Iterable<string>): Promise<void> {
  function* chunks(): Generator<string> {
    let chunk = '<?xml version="1.0" encoding="UTF-8"?>\n';
    for (const part of parts) {
      chunk += part;
      if (chunk.length < CHUNK_CHARACTERS) continue;
      yield chunk;
      chunk = "";
    }
    yield chunk;
  }
  await pipeline(Readable.from(chunks()), createWriteStream(path));
}

/** Yields the start of the message, each product, and the end. Products are in no order of their ISBNs. */
export function* messageParts(options: FeedOptions): Generator<string> {
  const { every = 1, first = 0 } = options;
  yield '<ONIXMessage release="3.0" xmlns="http://ns.editeur.org/onix/3.0/reference">\n';
  yield "<Header><Sender><SenderName>Bench</SenderName></Sender><SentDateTime>20260101</SentDateTime></Header>\n";
  for (const index of shuffledIndexes(countOf(options))) yield productXml(first + index * every, options);
  yield "</ONIXMessage>\n";
}

function countOf({ products, every = 1, first = 0 }: FeedOptions): number {
  return Math.ceil((products - first) / every);
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
