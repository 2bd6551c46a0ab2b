/**
 * Reads chunks of a document ahead, and has them scanned before the result of the chunks in front of them is known.
 * Each of them is scanned as if it began between two products, with the context that is expected there.
 */
import type { MessageContext } from "../onix/reader/chunk-result.ts";
import type { Chunk, ChunkCutter } from "./chunk-cutter.ts";
import type { ScanReply } from "./scan/chunk-encoder.ts";
import type { Scanners } from "./scan/scanners.ts";

export interface QueuedChunk extends Chunk {
  /** The scan that has begun. The buffer is then detached until the reply returns it. */
  readonly early: EarlyScan | undefined;
}

interface EarlyScan {
  readonly context: MessageContext;
  readonly reply: Promise<ScanReply>;
}

export class ChunkQueue {
  private readonly chunks: QueuedChunk[] = [];
  private expectedContext: MessageContext | undefined;
  private isReading = false;
  private isAtEnd = false;
  private wake = () => {};

  constructor(
    private readonly cutter: ChunkCutter,
    private readonly scanners: Scanners,
  ) {
    this.readAhead();
  }

  /** One for each thread to scan, one for it to continue with, and one that is being read. */
  private get maxChunks(): number {
    return this.scanners.concurrency * 2 + 1;
  }

  /** Returns the next chunk. Must not be called after the last one. */
  async shift(): Promise<QueuedChunk> {
    while (this.chunks.length === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const chunk = this.chunks.shift()!;
    this.readAhead();
    return chunk;
  }

  /** The header is known: from here on, chunks can be scanned early. `context` is that of the next chunk. */
  expectContext(context: MessageContext): void {
    for (const [index, chunk] of this.chunks.entries()) {
      this.chunks[index] = this.scanEarly(chunk, index === 0 ? context : { ...context, hasProducts: true });
    }
    this.expectedContext = { ...context, hasProducts: true };
  }

  get hasExpectedContext(): boolean {
    return this.expectedContext !== undefined;
  }

  /** Stops reading. A read that has begun may end later. */
  close(): void {
    this.isAtEnd = true;
    this.cutter.close();
  }

  private readAhead(): void {
    if (this.isReading || this.isAtEnd || this.chunks.length >= this.maxChunks) return;
    this.isReading = true;
    void this.cutter.next().then((chunk) => {
      this.isReading = false;
      if (this.isAtEnd) return;
      this.isAtEnd = chunk.isLast || chunk.failure !== undefined;
      this.chunks.push(this.scanEarly(chunk, this.expectedContext));
      this.wake();
      this.readAhead();
    });
  }

  private scanEarly(chunk: Chunk, context: MessageContext | undefined): QueuedChunk {
    const isWorthThreads = !chunk.isLast || this.scanners.hasStarted;
    if (!context || !chunk.beginsAtProduct || !isWorthThreads) return { ...chunk, early: undefined };
    const { buffer, length, isLast } = chunk;
    const reply = this.scanners.scan({ buffer, length, context, isLast });
    // When another chunk ends the import, nobody waits for this one.
    reply.catch(() => {});
    return { ...chunk, early: { context, reply } };
  }
}
