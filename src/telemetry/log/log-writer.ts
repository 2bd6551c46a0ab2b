/** Writes log lines in batches without blocking, and keeps a bounded number of them in memory. */
import { fstatSync } from "node:fs";
import { atMost } from "../../lib/awaitable.ts";

/** The limits of the members that contain text of others. Together they keep every line below MAX_LINE_BYTES. */
export const MAX_BYTES = {
  id: 128,
  client: 64,
  method: 32,
  requestPath: 2048,
  error: 2560,
  reason: 2560,
  "feed.reason": 1024,
  routes: 256,
  tokenId: 128,
  tokenName: 256,
  /** All others. */
  text: 512,
} as const;

/** Resolves when the chunk is written, or when nobody reads it any more. Rejects when it could not be written. */
export type Sink = (chunk: Buffer) => Promise<void>;

/**
 * PIPE_BUF of Linux. POSIX guarantees that other processes do not interleave with a write of at most this size to a
 * pipe. So the lines of workers stay whole.
 */
export const MAX_LINE_BYTES = 4096;

/** The largest write to anything but a pipe. Each write costs about as much as formatting 20 lines. */
const MAX_BATCH_BYTES = 64 * 1024;

/** A batch is written when it has this size, or after the interval. */
const LOG_BATCH_CHARS = 64 * 1024;
const BATCH_INTERVAL_MS = 100;
/** Lines beyond this are dropped until the reader catches up. */
const MAX_BUFFERED_CHARS = 1024 * 1024;

const LINE_FEED = 0x0a;

export interface LogWriterOptions {
  readonly maxBufferedChars?: number | undefined;
  /** The sink gets whole lines of at most so many bytes at once. Default: MAX_LINE_BYTES, as a pipe needs it. */
  readonly maxWriteBytes?: number | undefined;
}

export class LogWriter {
  readonly #sink: Sink;
  readonly #maxBufferedChars: number;
  readonly #maxWriteBytes: number;
  readonly #formatDropped: (count: number) => string;
  /** Chunks of whole lines. Each has at most `#maxWriteBytes` characters; its bytes are counted when it is written. */
  #chunks: string[] = [];
  #currentChunk = "";
  #bufferedChars = 0;
  #droppedLines = 0;
  /** The part of `#droppedLines` that the log has already reported. */
  #reportedDropped = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;
  #isFailing = false;

  /** `formatDropped` returns the line that reports a number of dropped lines. */
  constructor(
    sink: Sink,
    formatDropped: (count: number) => string,
    { maxBufferedChars = MAX_BUFFERED_CHARS, maxWriteBytes = MAX_LINE_BYTES }: LogWriterOptions = {},
  ) {
    this.#sink = sink;
    this.#maxBufferedChars = maxBufferedChars;
    this.#maxWriteBytes = maxWriteBytes;
    this.#formatDropped = formatDropped;
  }

  /** The number of dropped lines since the start. */
  get droppedLines(): number {
    return this.#droppedLines;
  }

  /** Adds a line, given without its line feed. */
  add(line: string): void {
    if (this.#bufferedChars + line.length >= this.#maxBufferedChars) {
      this.#droppedLines++;
      return;
    }
    this.#append(line);
    if (this.#writing) return;
    if (this.#bufferedChars >= LOG_BATCH_CHARS) this.#startWriting();
    else this.#timer ??= setTimeout(() => this.#startWriting(), BATCH_INTERVAL_MS);
  }

  /** Writes the buffered lines, and gives up after the timeout. */
  async close(timeoutMs: number): Promise<void> {
    if (!this.#writing && this.#bufferedChars > 0) this.#startWriting();
    await atMost(timeoutMs, this.#writing);
  }

  #append(line: string): void {
    if (this.#currentChunk.length + line.length >= this.#maxWriteBytes) this.#endChunk();
    this.#currentChunk += `${line}\n`;
    this.#bufferedChars += line.length + 1;
  }

  #endChunk(): void {
    if (this.#currentChunk !== "") this.#chunks.push(this.#currentChunk);
    this.#currentChunk = "";
  }

  #startWriting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#bufferedChars > 0) {
      this.#endChunk();
      const chunks = this.#chunks;
      this.#chunks = [];
      for (const chunk of chunks) {
        for (const bytes of splitAtLines(Buffer.from(chunk), this.#maxWriteBytes))
          await this.#writeOrDrop(bytes);
        this.#bufferedChars -= chunk.length;
      }
      // While the sink fails, the report would fail too.
      if (!this.#isFailing) this.#reportDropped();
    }
  }

  async #writeOrDrop(lines: Buffer): Promise<void> {
    try {
      await this.#sink(lines);
      this.#isFailing = false;
    } catch {
      this.#isFailing = true;
      this.#droppedLines += lines.reduce((count, byte) => count + (byte === LINE_FEED ? 1 : 0), 0);
    }
  }

  #reportDropped(): void {
    const count = this.#droppedLines - this.#reportedDropped;
    if (count === 0) return;
    this.#reportedDropped = this.#droppedLines;
    this.#append(this.#formatDropped(count));
  }
}

/** Splits whole lines into parts of at most `maxBytes`. A longer line is a part of its own. */
function* splitAtLines(bytes: Buffer, maxBytes: number): Generator<Buffer> {
  let rest = bytes;
  while (rest.length > maxBytes) {
    const lastLineFeed = rest.lastIndexOf("\n", maxBytes - 1);
    const end = lastLineFeed < 0 ? rest.indexOf("\n") : lastLineFeed;
    yield rest.subarray(0, end + 1);
    rest = rest.subarray(end + 1);
  }
  if (rest.length > 0) yield rest;
}

/** Where a log goes. */
export interface LogTarget {
  readonly sink: Sink;
  readonly maxWriteBytes: number;
}

/** Returns standard error as a target. Bun writes to it without blocking. After EPIPE, everything is discarded. */
export function standardError(): LogTarget {
  process.stderr.on("error", () => {});
  return {
    sink: (chunk) => new Promise((resolve) => process.stderr.write(chunk, () => resolve())),
    maxWriteBytes: maxWriteBytesOf(process.stderr.fd),
  };
}

/**
 * Returns how much is written to a descriptor at once. Linux writes any amount to a file without interleaving it with
 * that of another process, and 4 kB to a pipe.
 */
export function maxWriteBytesOf(descriptor: number): number {
  try {
    return fstatSync(descriptor).isFile() ? MAX_BATCH_BYTES : MAX_LINE_BYTES;
  } catch {
    // Standard error is closed: what is written to it is discarded.
    return MAX_LINE_BYTES;
  }
}
