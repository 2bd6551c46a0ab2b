/** From the bytes of a source to what its products ask for. All of it is done without the catalog, on any thread. */
import { type Warning, type PreparedProduct, prepareProduct } from "../catalog/prepare-product.ts";
import { unpackDocuments } from "../feed/container.ts";
import { FeedError } from "../feed/feed-error.ts";
import type { OnixElement } from "../onix/element.ts";
import { readFeedFast } from "../onix/fast/fast-reader.ts";
import type { ScannedProduct } from "../onix/fast/batch-scanner.ts";
import type { OnixRelease } from "../onix/message-version.ts";

interface OfSource {
  /** The source, or the document within it. */
  readonly file: string;
  /** Counted from 1 within the source. */
  readonly document: number;
  /** About the message as a whole. */
  readonly notes: readonly Warning[];
  /** Bytes of the source taken in so far. */
  readonly bytes: number;
}

/** As it was read. */
export interface Batch extends OfSource {
  readonly products: readonly (OnixElement | ScannedProduct)[];
  readonly release: OnixRelease;
}

export interface PreparedBatch extends OfSource {
  readonly products: readonly PreparedProduct[];
}

/** A feed that was refused, with its name; nothing of the import has taken effect. */
export class ImportError extends Error {}

export async function* preparedFrom(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<PreparedBatch> {
  for await (const { products, release, ...batch } of batchesFrom(name, bytes)) {
    yield { ...batch, products: products.map((product) => prepareProduct(product, release)) };
  }
}

export async function* batchesFrom(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Batch> {
  let read = 0;
  let document = 0;
  let file = name;
  async function* counted(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of bytes) {
        read += chunk.length;
        yield chunk;
      }
    } catch (error) {
      throw new ImportError(`${name}: cannot be read: ${(error as Error).message}`);
    }
  }
  try {
    for await (const each of unpackDocuments(counted(), name)) {
      document++;
      file = each.name;
      for await (const { products, remarks, header } of readFeedFast(each.bytes)) {
        yield { file, document, products, release: header.release, notes: remarks, bytes: read };
      }
    }
  } catch (error) {
    throw error instanceof FeedError ? new ImportError(`${file}: ${error.message}`) : error;
  }
}
