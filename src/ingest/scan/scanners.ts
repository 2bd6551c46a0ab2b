/** Scans the chunks of feeds: on this thread until a feed turns out to be large, then on threads. */
import { availableParallelism } from "node:os";
import { ChunkEncoder, type ScanOptions, type ScanReply, type ScanRequest } from "./chunk-encoder.ts";
import { ScannerPool } from "./scanner-pool.ts";

/** The main thread writes to the store, and more scanners than this are faster than it. */
const MAX_THREADS = 4;

export interface Scanners {
  /** Scans on this thread. */
  scanHere(request: ScanRequest): Promise<ScanReply>;
  /** Scans on another thread. */
  scan(request: ScanRequest): Promise<ScanReply>;
  /** How many chunks can be scanned at once. */
  readonly concurrency: number;
  /** Threads have been started, so that it costs nothing more to use them. */
  readonly hasStarted: boolean;
}

/** Threads start with the first request for one. Starting them takes longer than scanning a small feed. */
export class ThreadedScanners implements Scanners {
  private pool: ScannerPool | undefined;
  private local: Promise<ChunkEncoder> | undefined;

  constructor(
    private readonly options: ScanOptions,
    readonly concurrency = Math.min(availableParallelism(), MAX_THREADS),
  ) {}

  get hasStarted(): boolean {
    return this.pool !== undefined;
  }

  async scanHere(request: ScanRequest): Promise<ScanReply> {
    this.local ??= ChunkEncoder.create(this.options);
    return (await this.local).scan(request);
  }

  scan(request: ScanRequest): Promise<ScanReply> {
    this.pool ??= new ScannerPool(this.concurrency, this.options);
    return this.pool.scan(request);
  }

  close(): void {
    this.pool?.terminate();
  }
}
