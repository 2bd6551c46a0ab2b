/** Reads a feed: bytes to batches of products. It does not need the catalog, so any thread can run it. */
import { type PreparedProduct, prepareProduct } from "../catalog/prepare-product.ts";
import { unpackDocuments } from "../feed/container.ts";
import { FeedError } from "../feed/feed-error.ts";
import type { OnixElement } from "../onix/element.ts";
import type { ScannedProduct } from "../onix/fast/batch-scanner.ts";
import { readFeedFast } from "../onix/fast/fast-reader.ts";
import type { OnixRelease } from "../onix/message-version.ts";
import type { Remark } from "../onix/remark.ts";
import { ImportError } from "./import-error.ts";

interface BatchOrigin {
  /** The name of the feed, or of the document inside a ZIP archive. */
  readonly file: string;
  /** The number of the document within the feed, from 1. */
  readonly document: number;
  /** Remarks about the ONIX message, not about one product. */
  readonly remarks: readonly Remark[];
  /** The number of bytes of the feed that were read so far, before decompression. */
  readonly bytesRead: number;
}

/** Products as the ONIX reader returns them. */
export interface ParsedBatch extends BatchOrigin {
  readonly products: readonly (OnixElement | ScannedProduct)[];
  readonly release: OnixRelease;
}

/** Products that the catalog can import. */
export interface PreparedBatch extends BatchOrigin {
  readonly products: readonly PreparedProduct[];
}

/** Reads and prepares a feed on this thread. Throws an ImportError when the feed cannot be read. */
export async function* prepareFeed(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<PreparedBatch> {
  for await (const { products, release, ...origin } of parseFeed(name, bytes)) {
    yield { ...origin, products: products.map((product) => prepareProduct(product, release)) };
  }
}

/** Reads a feed. Throws an ImportError that names it when it cannot be read. */
export async function* parseFeed(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ParsedBatch> {
  let bytesRead = 0;
  let document = 0;
  let file = name;
  async function* countedBytes(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of bytes) {
        bytesRead += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw new ImportError(`${name}: cannot be read: ${(error as Error).message}`);
    }
  }
  try {
    for await (const each of unpackDocuments(countedBytes(), name)) {
      document++;
      file = each.name;
      for await (const { products, remarks, header } of readFeedFast(each.bytes)) {
        yield { file, document, products, release: header.release, remarks, bytesRead };
      }
    }
  } catch (error) {
    throw error instanceof FeedError ? new ImportError(`${file}: ${error.message}`) : error;
  }
}
