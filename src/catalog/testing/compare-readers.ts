/** The fast way and the long way, side by side: they must give the same, to the byte, the line and the column. */
import { expect } from "bun:test";
import { FeedError } from "../../feed/feed-error.ts";
import { isScannedProduct, readFeedFast } from "../../onix/fast/fast-reader.ts";
import { readFeed } from "../../onix/feed-reader.ts";
import type { OnixRelease } from "../../onix/message-version.ts";
import { buildRecord, readProduct } from "../../onix/record.ts";
import { createEntry, imprintOf } from "../entry.ts";

type Outcome =
  | { products: unknown[]; header: unknown; remarks: unknown[]; scanned: number }
  | { refused: string };

export async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A product the long way: what the fast way must give, or leave alone. */
function longWay(element: Parameters<typeof readProduct>[0], release: OnixRelease) {
  const product = readProduct(element, release);
  const isPlain = product.remarks.length === 0 && product.isbn !== undefined;
  if (!isPlain) return undefined;
  const { record, origin } = buildRecord(product, product.isbn!);
  const { body, imprint: _imprint, etag: _etag, ...entry } = createEntry(record, product.reference, origin);
  const { line, column } = element;
  return { ...entry, imprint: imprintOf(record), body: text(body), line, column };
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function slow(bytes: Uint8Array): Promise<Outcome> {
  return refusable(async () => {
    const products: unknown[] = [];
    const remarks: unknown[] = [];
    let header: unknown;
    for await (const batch of readFeed(chunks(bytes, 65_536))) {
      for (const element of batch.products) products.push(longWay(element, batch.header.release) ?? element);
      remarks.push(...batch.remarks);
      header = batch.header;
    }
    return { products, header, remarks, scanned: 0 };
  });
}

async function fast(bytes: Uint8Array, size = 65_536): Promise<Outcome> {
  return refusable(async () => {
    const products: unknown[] = [];
    const remarks: unknown[] = [];
    let header: unknown;
    let scanned = 0;
    for await (const batch of readFeedFast(chunks(bytes, size))) {
      for (const each of batch.products) {
        if (isScannedProduct(each)) {
          scanned++;
          products.push({ ...each, body: text(each.body) });
        } else products.push(longWay(each, batch.header.release) ?? each);
      }
      remarks.push(...batch.remarks);
      header = batch.header;
    }
    return { products, header, remarks, scanned };
  });
}

async function refusable(read: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FeedError) return { refused: error.message };
    throw error;
  }
}

/** Both ways on the same bytes; gives how many products were scanned, -1 when the feed was refused. */
export async function compareReaders(bytes: Uint8Array, size?: number): Promise<number> {
  const [long, short] = await Promise.all([slow(bytes), fast(bytes, size)]);
  if ("refused" in long || "refused" in short) {
    expect(short).toEqual(long);
    return -1;
  }
  const { scanned, ...rest } = short;
  const { scanned: _, ...expected } = long;
  expect(rest).toEqual(expected);
  return scanned;
}

export const utf8 = (xml: string) => new TextEncoder().encode(xml);
