/** Makes the summaries of the products of a chunk, and encodes them in one buffer that is transferred between threads. */
import { etagOf } from "../../catalog/entry.ts";
import type { StoredRecord } from "../../catalog/store.ts";
import type { ScannedProduct } from "../../onix/scanned-product.ts";
import { readSummary } from "../../onix/summary/summary.ts";
import type { SearchDocumentEncoder } from "./search-codec.ts";

export interface EncodedSummaries {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The ends of the summaries in `bytes`. A product without a summary has an empty one. */
  readonly ends: Uint32Array;
  /** The etags of the summaries, concatenated. Missing ones are spaces. */
  readonly etags: string;
}

const ETAG_LENGTH = 32;
const NO_ETAG = " ".repeat(ETAG_LENGTH);
const MIN_BUFFER_BYTES = 256 * 1024;

/** Returns an object of its own for each chunk, because its buffer is transferred. */
export function noSummaries(): EncodedSummaries {
  return { bytes: new Uint8Array(0), ends: new Uint32Array(0), etags: "" };
}

/** Keeps its buffer from chunk to chunk. */
export class SummaryEncoder {
  private readonly encoder = new TextEncoder();
  private buffer = new Uint8Array(MIN_BUFFER_BYTES);

  /** Makes the search documents too, from the same parsed records. */
  encode(products: readonly ScannedProduct[], search: SearchDocumentEncoder): EncodedSummaries {
    const ends = new Uint32Array(products.length);
    let [etags, end] = ["", 0];
    products.forEach((product, index) => {
      if (isStoredWhole(product)) {
        const start = end;
        const { record, summary } = readSummary(product.body);
        end = this.append(JSON.stringify(summary), start);
        etags += etagOf(this.buffer.subarray(start, end));
        search.add(record, summary);
      } else {
        etags += NO_ETAG;
        search.addNone();
      }
      ends[index] = end;
    });
    return { bytes: this.buffer.slice(0, end), ends, etags };
  }

  /** Returns the end of the text in the buffer. */
  private append(text: string, start: number): number {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    const needed = start + text.length * 3;
    if (needed > this.buffer.length) {
      const grown = new Uint8Array(needed * 2);
      grown.set(this.buffer.subarray(0, start));
      this.buffer = grown;
    }
    return start + this.encoder.encodeInto(text, this.buffer.subarray(start)).written;
  }
}

/** An update of some blocks gets its summary when it has been merged into the record. */
function isStoredWhole({ action, isWhole }: ScannedProduct): boolean {
  return action === "record" || (action === "update" && isWhole);
}

export function decodeSummary(
  { bytes, ends, etags }: EncodedSummaries,
  index: number,
): StoredRecord | undefined {
  const [start, end] = [ends[index - 1] ?? 0, ends[index] ?? 0];
  if (start === end) return undefined;
  const etag = etags.slice(index * ETAG_LENGTH, (index + 1) * ETAG_LENGTH);
  return { body: bytes.subarray(start, end), etag };
}
