/** The body of a response as chunks that are written one after the other. */

import type { BodyStream } from "../response.ts";
import { listQueue } from "./fair-queue.ts";

export interface BodyReader {
  /** Calls `onChunk` with the next chunk, or undefined after the last. A chunk is valid until the next call. */
  next(onChunk: (chunk: Uint8Array | undefined) => void, onFailure: () => void): void;
  /** Ends reading, early or late. */
  close(): void;
}

/** The most that is written at once, before other connections have their share of the tick. */
const MAX_WRITE_BYTES = 256 * 1024;

/** A body that is complete in memory. */
export class BufferedBody implements BodyReader {
  readonly #buffers: readonly Uint8Array[];
  #index = 0;
  #offset = 0;

  constructor(buffers: readonly Uint8Array[]) {
    this.#buffers = buffers;
  }

  next(onChunk: (chunk: Uint8Array | undefined) => void): void {
    const isFirst = this.#index === 0 && this.#offset === 0;
    const chunk = this.#take();
    if (isFirst || chunk === undefined) onChunk(chunk);
    else listQueue.add(() => onChunk(chunk));
  }

  close(): void {}

  #take(): Uint8Array | undefined {
    const buffer = this.#buffers[this.#index];
    if (buffer === undefined) return undefined;
    const chunk = buffer.subarray(this.#offset, this.#offset + MAX_WRITE_BYTES);
    this.#offset += chunk.length;
    if (this.#offset >= buffer.length) {
      this.#index++;
      this.#offset = 0;
    }
    return chunk;
  }
}

/** RFC 9112 §7.1: the end of the chunk before, and the last chunk. */
const LAST_CHUNK = Buffer.from("\r\n0\r\n\r\n");

/** A stream, of which each chunk is read when the one before has been sent. */
export class StreamBody implements BodyReader {
  readonly #stream: BodyStream;
  readonly #chunked: boolean;
  readonly #onFailure: (error: unknown) => void;
  /** Data whose chunk size has been written. */
  #pending: Uint8Array | undefined;
  #isFirst = true;
  #open = true;

  /** `chunked`: frames the data as chunks (RFC 9112 §7.1). */
  constructor(stream: BodyStream, chunked: boolean, onFailure: (error: unknown) => void) {
    this.#stream = stream;
    this.#chunked = chunked;
    this.#onFailure = onFailure;
  }

  /** Reads through the queue, or a fast reader would get a whole list before any other request is handled. */
  next(onChunk: (chunk: Uint8Array | undefined) => void, onFailure: () => void): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending || !this.#open) onChunk(pending);
    else if (this.#isFirst) this.#read(onChunk, onFailure);
    else listQueue.add(() => this.#read(onChunk, onFailure));
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.#stream.close();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #read(onChunk: (chunk: Uint8Array | undefined) => void, onFailure: () => void): void {
    if (!this.#open) return;
    const succeed = (data: Uint8Array | undefined) => {
      if (!this.#open) return;
      // RFC 9112 §7.1: an empty chunk would be the last one.
      if (data?.length === 0) this.#read(onChunk, onFailure);
      else onChunk(this.#frame(data));
    };
    const fail = (error: unknown) => {
      if (!this.#open) return;
      this.#onFailure(error);
      this.close();
      onFailure();
    };
    let data: ReturnType<BodyStream["next"]>;
    try {
      data = this.#stream.next();
    } catch (error) {
      fail(error);
      return;
    }
    if (data instanceof Promise) data.then(succeed, fail);
    else succeed(data);
  }

  /** Returns what is written before the data: the chunk size, or the data itself when it is not chunked. */
  #frame(data: Uint8Array | undefined): Uint8Array | undefined {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (data === undefined) {
      this.close();
      if (!this.#chunked) return undefined;
      return isFirst ? LAST_CHUNK.subarray(2) : LAST_CHUNK;
    }
    if (!this.#chunked) return data;
    this.#pending = data;
    return Buffer.from(`${isFirst ? "" : "\r\n"}${data.length.toString(16)}\r\n`, "latin1");
  }
}
