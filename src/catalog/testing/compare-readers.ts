/** Compares the fast reader with the full reader: both must return the same bytes, fields, remarks and positions. */
import { expect } from "bun:test";
import { FeedError } from "../../feed/feed-error.ts";
import type { OnixElement } from "../../onix/element.ts";
import { isScannedProduct, readFeedFast } from "../../onix/fast/fast-reader.ts";
import { readFeed } from "../../onix/feed-reader.ts";
import type { OnixRelease } from "../../onix/message-version.ts";
import { buildRecord, readProduct } from "../../onix/record.ts";
import { createEntry, imprintOf } from "../entry.ts";

interface ReadResult {
  readonly products: unknown[];
  readonly header: unknown;
  readonly remarks: unknown[];
  /** How many products the fast reader scanned. */
  readonly scanned: number;
}

type Outcome = ReadResult | { readonly error: string };

export async function* chunks(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += chunkBytes) {
    yield bytes.subarray(offset, offset + chunkBytes);
  }
}

/** Returns what a scanned product must be equal to, or undefined when the scanner must not scan it. */
function expectedScan(element: OnixElement, release: OnixRelease) {
  const product = readProduct(element, release);
  const canBeScanned = product.remarks.length === 0 && product.isbn !== undefined;
  if (!canBeScanned) return undefined;
  const { record, origin } = buildRecord(product, product.isbn!);
  const { body, imprint: _imprint, etag: _etag, ...entry } = createEntry(record, product.reference, origin);
  const { line, column } = element;
  return { ...entry, imprint: imprintOf(record), body: decode(body), line, column };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

async function readFully(bytes: Uint8Array): Promise<Outcome> {
  return errorAsOutcome(async () => {
    const products: unknown[] = [];
    const remarks: unknown[] = [];
    let header: unknown;
    for await (const batch of readFeed(chunks(bytes, 65_536))) {
      for (const element of batch.products) {
        products.push(expectedScan(element, batch.header.release) ?? element);
      }
      remarks.push(...batch.remarks);
      header = batch.header;
    }
    return { products, header, remarks, scanned: 0 };
  });
}

async function readFast(bytes: Uint8Array, chunkBytes = 65_536): Promise<Outcome> {
  return errorAsOutcome(async () => {
    const products: unknown[] = [];
    const remarks: unknown[] = [];
    let header: unknown;
    let scanned = 0;
    for await (const batch of readFeedFast(chunks(bytes, chunkBytes))) {
      for (const product of batch.products) {
        if (isScannedProduct(product)) {
          scanned++;
          products.push({ ...product, body: decode(product.body) });
        } else products.push(expectedScan(product, batch.header.release) ?? product);
      }
      remarks.push(...batch.remarks);
      header = batch.header;
    }
    return { products, header, remarks, scanned };
  });
}

async function errorAsOutcome(read: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FeedError) return { error: error.message };
    throw error;
  }
}

/** Reads the bytes with both readers. Returns how many products were scanned, or -1 when both reject the feed. */
export async function compareReaders(bytes: Uint8Array, chunkBytes?: number): Promise<number> {
  const [full, fast] = await Promise.all([readFully(bytes), readFast(bytes, chunkBytes)]);
  if ("error" in full || "error" in fast) {
    expect(fast).toEqual(full);
    return -1;
  }
  const { scanned, ...actual } = fast;
  const { scanned: _, ...expected } = full;
  expect(actual).toEqual(expected);
  return scanned;
}

export const utf8 = (xml: string) => new TextEncoder().encode(xml);
