/** Scans the chunks of feeds: on this thread until a feed turns out to be large, then on threads. */
import { availableParallelism } from "node:os";
import { threadModule } from "../../lib/program-files.ts";
import { ChunkEncoder, type ScanOptions, type ScanReply, type ScanRequest } from "./chunk-encoder.ts";
import type { ScannerMessage } from "./scanner.worker.ts";

/** The main thread writes to the store, and more scanners than this are faster than it. */
const MAX_THREADS = 4;

export interface Scanners {
  /** Scans on this thread. */
  scanHere(request: ScanRequest): Promise<ScanReply>;
  /** Scans on another thread. */
  scan(request: ScanRequest): Promise<ScanReply>;
  /** How many chunks are scanned at once: the number of threads so far, at least one. */
  readonly concurrency: number;
  /** Threads have been started, so that it costs nothing more to use them. */
  readonly hasStarted: boolean;
  /** Set while most products of a feed are unchanged: the store makes the summaries of the others when it needs them. */
  omitsExtracts: boolean;
}

/** Threads start with the first request for one. Starting them takes longer than scanning a small feed. */
export class ThreadedScanners implements Scanners {
  omitsExtracts = false;
  private pool: ScannerPool | undefined;
  private local: Promise<ChunkEncoder> | undefined;

  constructor(
    private readonly options: ScanOptions,
    private readonly maxThreads = Math.min(availableParallelism(), MAX_THREADS),
    private readonly bytesBeforeNextThread = BYTES_BEFORE_NEXT_THREAD,
  ) {}

  get concurrency(): number {
    return this.pool?.size ?? 1;
  }

  get hasStarted(): boolean {
    return this.pool !== undefined;
  }

  async scanHere(request: ScanRequest): Promise<ScanReply> {
    this.local ??= ChunkEncoder.create(this.options);
    return (await this.local).scan({ ...request, omitsExtracts: this.omitsExtracts });
  }

  scan(request: ScanRequest): Promise<ScanReply> {
    this.pool ??= new ScannerPool(this.maxThreads, this.bytesBeforeNextThread, this.options);
    return this.pool.scan({ ...request, omitsExtracts: this.omitsExtracts });
  }

  close(): void {
    this.pool?.terminate();
  }
}

interface PendingScan {
  readonly resolve: (reply: ScanReply) => void;
  readonly reject: (error: Error) => void;
}

/** When the store has waited for the threads during this many bytes of the feed, the next one may start. */
const BYTES_BEFORE_NEXT_THREAD = 64 << 20;
/** With a chunk in work and another one waiting, a thread is slower than the store. */
const FULL_LOAD = 2;

/**
 * Scanner threads. Chunks go to the thread that has the fewest of them. Another thread starts only when the store
 * waits for the others all the time: each compiles the scanner anew, which takes two seconds of CPU time, and has a heap
 * of 40 MB.
 */
class ScannerPool {
  private readonly threads: ScannerThread[];
  /** The bytes since the store was slower than the threads, or since the last one started. */
  private waitedBytes = 0;

  constructor(
    private readonly maxThreads: number,
    private readonly bytesBeforeNextThread: number,
    private readonly options: ScanOptions,
  ) {
    this.threads = [new ScannerThread(options)];
  }

  get size(): number {
    return this.threads.length;
  }

  /** Transfers the buffer to a thread. The reply has it again. */
  scan(request: ScanRequest): Promise<ScanReply> {
    let thread = this.threads.reduce((least, each) => (each.load < least.load ? each : least));
    if (thread.load < FULL_LOAD) this.waitedBytes = 0;
    else if (this.waitedBytes >= this.bytesBeforeNextThread && this.size < this.maxThreads) {
      thread = new ScannerThread(this.options);
      this.threads.push(thread);
      this.waitedBytes = 0;
    }
    this.waitedBytes += request.length;
    return thread.scan(request);
  }

  /** Ends the threads, whatever they are doing. Requests without a reply get none. */
  terminate(): void {
    for (const thread of this.threads) thread.terminate();
  }
}

class ScannerThread {
  private readonly worker = new Worker(threadModule("src/ingest/scan/scanner.worker.ts"));
  /** Requests without a reply, oldest first. The thread replies in order. */
  private readonly pending: PendingScan[] = [];
  private failure: Error | undefined;

  constructor(options: ScanOptions) {
    this.send({ kind: "options", ...options });
    this.worker.onmessage = ({ data }: MessageEvent<ScanReply>) => this.pending.shift()!.resolve(data);
    this.worker.onerror = ({ message }) => {
      this.failure = new Error(`a scanner thread has failed: ${message}`);
      for (const { reject } of this.pending.splice(0)) reject(this.failure);
    };
  }

  get load(): number {
    return this.pending.length;
  }

  scan(request: ScanRequest): Promise<ScanReply> {
    if (this.failure) return Promise.reject(this.failure);
    const { promise, resolve, reject } = Promise.withResolvers<ScanReply>();
    this.pending.push({ resolve, reject });
    this.send({ kind: "scan", ...request }, [request.buffer.buffer]);
    return promise;
  }

  terminate(): void {
    this.worker.terminate();
  }

  private send(message: ScannerMessage, transfer: ArrayBuffer[] = []): void {
    this.worker.postMessage(message, transfer);
  }
}
