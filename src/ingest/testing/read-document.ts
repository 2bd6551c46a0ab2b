/** Reads one document of any encoding, as the reader of a feed does after unpacking it. */
import type { PreparedProduct } from "../../catalog/entry.ts";
import { fieldsOfDocument } from "../../catalog/testing/search-model.ts";
import { FeedError } from "../../feed/feed-error.ts";
import { streamOf } from "../../feed/testing/streams.ts";
import { utf8Document } from "../../feed/utf8-document.ts";
import type { Complaint } from "../../onix/complaint.ts";
import { type DocumentBatch, DocumentReader } from "../document-reader.ts";
import { ChunkEncoder, type ScanReply, type ScanRequest } from "../scan/chunk-encoder.ts";
import type { Scanners } from "../scan/scanners.ts";

/** Scanners for tests: the real scanner on this thread, with replies in an order that the test chooses. */
export class LocalScanners implements Scanners {
  readonly hasStarted = true;
  omitsExtracts = false;
  /** The length of each chunk that was scanned, in the order of the requests. */
  readonly scannedBytes: number[] = [];
  private readonly encoder = ChunkEncoder.create({ checks: false });

  /** `delay` returns how many event-loop ticks a reply waits. */
  constructor(
    readonly concurrency = 2,
    private readonly delay: () => number = () => 0,
  ) {}

  scanHere(request: ScanRequest): Promise<ScanReply> {
    return this.scan(request);
  }

  async scan(request: ScanRequest): Promise<ScanReply> {
    this.scannedBytes.push(request.length);
    // Like a transfer to another thread, this detaches the buffer at once.
    const { omitsExtracts } = this;
    const received = structuredClone({ ...request, omitsExtracts }, { transfer: [request.buffer.buffer] });
    for (let ticks = this.delay(); ticks > 0; ticks--) await new Promise((resolve) => setImmediate(resolve));
    return (await this.encoder).scan(received);
  }
}

interface DocumentContent {
  readonly header: DocumentBatch["header"];
  readonly products: DocumentBatch["products"];
  readonly complaints: readonly Complaint[];
}

/** A scanner keeps its buffers, so that one for all is much faster than one for each document. */
const sharedScanners = new LocalScanners();

/** @throws {FeedError} when the document is not ONIX 3, not well-formed, or exceeds a limit */
export async function* readDocument(
  bytes: AsyncIterable<Uint8Array>,
  chunkBytes?: number,
  scanners = sharedScanners,
): AsyncGenerator<DocumentBatch> {
  const complaints: Complaint[] = [];
  const warn = (text: string, line: number, column: number) =>
    complaints.push({ kind: "encoding", text, line, column });
  yield* new DocumentReader(
    utf8Document(bytes, warn),
    scanners,
    () => complaints.splice(0),
    chunkBytes,
  ).batches();
}

export async function readWholeDocument(
  bytes: AsyncIterable<Uint8Array>,
  chunkBytes?: number,
): Promise<DocumentContent> {
  const batches = await Array.fromAsync(readDocument(bytes, chunkBytes));
  return {
    header: batches[0]!.header,
    products: batches.flatMap((batch) => batch.products),
    complaints: batches.flatMap((batch) => batch.complaints),
  };
}

/** Returns a product with texts instead of bytes, whatever chunk they are in. */
export function comparableProduct({ body, search, ...rest }: PreparedProduct) {
  return { ...rest, search: search && fieldsOfDocument(search), body: Buffer.from(body).toString() };
}

/** Returns everything that the reader returns as JSON, or the error message. */
export async function outcome(parts: readonly Uint8Array[], chunkBytes?: number): Promise<string> {
  try {
    const { header, products, complaints } = await readWholeDocument(streamOf(...parts), chunkBytes);
    return JSON.stringify({ header, products: products.map(comparableProduct), complaints });
  } catch (error) {
    if (error instanceof FeedError) return `error: ${error.message}`;
    throw error;
  }
}
