/**
 * Reads the products of a document. It is cut into chunks at what looks like products, and the chunks are scanned on
 * several threads. This is the judge of the results: it takes them in order. A chunk counts when the one before it
 * ended exactly where it begins; else what is left of that one is joined with it and scanned again.
 */
import type { PreparedProduct } from "../catalog/entry.ts";
import { DecodeError, FeedError } from "../feed/feed-error.ts";
import { type Complaint, complaintsFrom } from "../onix/complaint.ts";
import type { MessageHeader } from "../onix/message-header.ts";
import type { MessageContext } from "../onix/reader/chunk-result.ts";
import { MAX_MESSAGE_COMPLAINTS, MAX_PART_BYTES } from "../onix/reader/chunk-scanner.ts";
import { DOCUMENT_START, type Position, positionAfterBytes, positionFrom } from "../xml/position.ts";
import { type Chunk, ChunkCutter } from "./chunk-cutter.ts";
import { ChunkQueue, type QueuedChunk } from "./chunk-queue.ts";
import { findControlCharacter, WhitespaceRun } from "./document-text.ts";
import { decodeProducts } from "./scan/batch-codec.ts";
import type { EncodedResult, ScanReply } from "./scan/chunk-encoder.ts";
import type { Scanners } from "./scan/scanners.ts";

export interface DocumentBatch {
  readonly header: MessageHeader;
  /** In the order of the document. May be empty. */
  readonly products: readonly PreparedProduct[];
  /** Complaints about the message as a whole. */
  readonly complaints: readonly Complaint[];
}

export const CHUNK_BYTES = 1 << 20;

type Scanned = Extract<EncodedResult, { kind: "scanned" }>;

export class DocumentReader {
  private readonly cutter: ChunkCutter;
  private readonly queue: ChunkQueue;
  /** The position at which the next chunk, or `rest`, begins. */
  private start: Position = DOCUMENT_START;
  private context: MessageContext | undefined;
  /** Bytes that were read, but not scanned to a boundary between two products. */
  private rest: Uint8Array = new Uint8Array(0);
  private complaintCount = 0;
  private readonly whitespace = new WhitespaceRun();
  private controlCharacters = 0;
  private firstControlCharacter: { readonly name: string; readonly position: Position } | undefined;

  /** Expects UTF-8 without a BOM. Calls `takeComplaints` for complaints about the bytes that were read so far. */
  constructor(
    document: AsyncIterable<Uint8Array>,
    private readonly scanners: Scanners,
    private readonly takeComplaints: () => Complaint[],
    chunkBytes = CHUNK_BYTES,
  ) {
    this.cutter = new ChunkCutter(document, chunkBytes);
    this.queue = new ChunkQueue(this.cutter, scanners);
  }

  /**
   * Yields at least one batch. Products may be yielded before an error is found later in the document.
   * @throws {FeedError} when the document is not ONIX 3, not well-formed, or exceeds a limit
   */
  async *batches(): AsyncGenerator<DocumentBatch> {
    try {
      yield* this.scannedBatches();
    } finally {
      this.queue.close();
    }
  }

  private async *scannedBatches(): AsyncGenerator<DocumentBatch> {
    let complaints: Complaint[] = [];
    for (;;) {
      const chunk = await this.queue.shift();
      const { scanned, joined } = await this.scan(chunk);
      const start = this.start;
      const { buffer, result } = scanned;
      if (result.kind === "error") throw feedError(result.message, positionFrom(start, result.position));
      this.advance(result, buffer, joined);
      if (this.context) complaints.push(...this.messageComplaints(complaintsFrom(start, result.complaints)));
      if (joined.isLast) complaints.push(...this.controlCharacterComplaints());
      const products = decodeProducts(result.products, start);
      // What looks like a product may be in a comment before the header: complaints wait for that.
      const isHeaderKnown = this.context?.hasHeader || this.context?.hasProducts;
      if (joined.isLast || products.length > 0 || (isHeaderKnown && complaints.length > 0)) {
        yield { header: this.context!.header, products, complaints };
        complaints = [];
      }
      if (joined.isLast) return;
      if (joined.failure) throw this.positioned(joined.failure.error);
    }
  }

  /** The scanner limits the complaints on a chunk in the same way, so that their number does not depend on the chunks. */
  private messageComplaints(found: readonly Complaint[]): Complaint[] {
    const kept = found.slice(0, MAX_MESSAGE_COMPLAINTS - this.complaintCount);
    this.complaintCount += kept.length;
    return [...kept, ...this.takeComplaints()];
  }

  /** Returns the result of a chunk together with the bytes in front of it that are not scanned yet. */
  private async scan(chunk: QueuedChunk): Promise<{ scanned: ScanReply; joined: Chunk }> {
    const { early } = chunk;
    if (early && this.rest.length === 0 && isSameContext(early.context, this.context)) {
      return { scanned: await early.reply, joined: chunk };
    }
    const joined = await this.join(chunk);
    const { buffer, length, isLast } = joined;
    const request = { buffer, length, context: this.context, isLast };
    const scanned = this.scanners.hasStarted
      ? await this.scanners.scan(request)
      : await this.scanners.scanHere(request);
    return { scanned, joined };
  }

  /**
   * Joins the rest with as many chunks as double it, so that scanning it again and again takes linear time. A product
   * that is too large is not joined further.
   */
  private async join(first: QueuedChunk): Promise<Chunk> {
    if (this.rest.length === 0) return { ...first, buffer: await bufferOf(first) };
    const parts = [this.rest];
    const enough = Math.min(this.rest.length * 2, MAX_PART_BYTES + 1);
    let length = this.rest.length;
    let last = first;
    for (;;) {
      const buffer = await bufferOf(last);
      parts.push(buffer.slice(0, last.length));
      this.cutter.recycle(buffer);
      length += last.length;
      if (last.isLast || last.failure || length >= enough) break;
      last = await this.queue.shift();
    }
    return { ...last, buffer: new Uint8Array(Buffer.concat(parts)), length };
  }

  /** Moves to the end of what was scanned. */
  private advance(
    result: Scanned,
    buffer: Uint8Array<ArrayBuffer>,
    { length, isLast, endsAtProduct }: Chunk,
  ): void {
    const { consumed } = result;
    this.controlCharacters += result.controlCharacters;
    if (result.controlCharacters > 0 && !this.firstControlCharacter) {
      const found = findControlCharacter(buffer.subarray(0, length));
      if (found)
        this.firstControlCharacter = { ...found, position: positionFrom(this.start, found.position) };
    }
    const end = positionFrom(this.start, result.end);
    this.whitespace.add(buffer.subarray(0, consumed), this.start, end);
    this.start = end;
    this.context = result.context;
    this.rest = buffer.slice(consumed, length);
    this.cutter.recycle(buffer);
    if (isLast || this.queue.hasExpectedContext) return;
    if (result.context && this.rest.length === 0 && endsAtProduct) this.queue.expectContext(result.context);
  }

  private controlCharacterComplaints(): Complaint[] {
    if (this.controlCharacters === 0) return [];
    const { name = "U+0080", position = DOCUMENT_START } = this.firstControlCharacter ?? {};
    const text =
      this.controlCharacters === 1
        ? `The text has the control character ${name}: it probably is a letter of windows-1252.`
        : `The text has control characters such as ${name}, ${this.controlCharacters} in all: they probably are letters of windows-1252.`;
    return [{ kind: "control-characters", text, ...position }];
  }

  /** A decoder knows no positions: its error belongs to the end of what it returned. */
  private positioned(error: unknown): unknown {
    if (!(error instanceof DecodeError)) return error;
    return feedError(error.message, positionAfterBytes(this.start, this.rest));
  }
}

async function bufferOf({ buffer, early }: QueuedChunk): Promise<Uint8Array<ArrayBuffer>> {
  return early ? (await early.reply).buffer : buffer;
}

/** A context that has been on another thread is a copy. */
function isSameContext(expected: MessageContext, actual: MessageContext | undefined): boolean {
  return JSON.stringify(expected) === JSON.stringify(actual);
}

function feedError(message: string, { line, column }: Position): FeedError {
  return new FeedError(message, line, column);
}
