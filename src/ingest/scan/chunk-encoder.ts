/** Scans one chunk and encodes the result. Runs on a scanner thread or, for small feeds, on the main thread. */
import type { ChunkError, MessageContext, ScannedChunk } from "../../onix/reader/chunk-result.ts";
import { ChunkScanner } from "../../onix/reader/chunk-scanner.ts";
import { countControlCharacters } from "../document-text.ts";
import { type EncodedProducts, encodeProducts } from "./batch-codec.ts";
import { ExtractEncoder } from "./extract-codec.ts";

export interface ScanRequest {
  /** Transferred to the scanner and back. */
  readonly buffer: Uint8Array<ArrayBuffer>;
  /** The chunk is the first `length` bytes of the buffer. */
  readonly length: number;
  readonly context: MessageContext | undefined;
  readonly isLast: boolean;
  /** Makes no summaries and search documents. Default: as the scanner was created. */
  readonly omitsExtracts?: boolean;
}

export interface ScanOptions {
  /** The quality checks of `colophon check` become complaints too. */
  readonly checks: boolean;
}

export interface ScanReply {
  readonly buffer: Uint8Array<ArrayBuffer>;
  readonly result: EncodedResult;
}

/** A `ChunkResult` with encoded products. Positions are relative to the chunk. */
export type EncodedResult =
  | (Omit<ScannedChunk, "products"> & {
      readonly products: EncodedProducts;
      /** The number of C1 control characters in the records. */
      readonly controlCharacters: number;
    })
  | ChunkError;

/** One scanner, which keeps its buffers from chunk to chunk. */
export class ChunkEncoder {
  private constructor(
    private readonly scanner: ChunkScanner,
    private readonly summaries: ExtractEncoder | undefined,
  ) {}

  /** Loads the quality checks, with their tables, only when they are needed. */
  static async create({ checks }: ScanOptions): Promise<ChunkEncoder> {
    if (!checks) {
      const summaries = new ExtractEncoder();
      return new ChunkEncoder(new ChunkScanner(undefined, summaries), summaries);
    }
    const { ProductChecker } = await import("../../onix/check/product-checker.ts");
    // A check stores nothing, so it needs no summaries.
    return new ChunkEncoder(new ChunkScanner(new ProductChecker()), undefined);
  }

  scan({ buffer, length, context, isLast, omitsExtracts = false }: ScanRequest): ScanReply {
    if (this.summaries) this.summaries.isOff = omitsExtracts;
    const result = this.scanner.scan(buffer.subarray(0, length), context, isLast);
    if (result.kind === "error") return { buffer, result };
    const products = encodeProducts(result.products, this.summaries?.take());
    const controlCharacters = countControlCharacters(products.bodies);
    return { buffer, result: { ...result, products, controlCharacters } };
  }
}
