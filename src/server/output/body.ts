/** The body of a response as chunks that are written one after the other. */
import { freeBuffer } from "../../lib/free-buffer.ts";
import type { BodyStream } from "../response.ts";
import { listQueue } from "./fair-queue.ts";

/** Receives the chunks of a body. */
export interface ChunkReceiver {
  /** Identifies the client in the queue of lists. */
  readonly client: string;
  /** Takes a chunk, or undefined after the last one. The chunk is valid until `next` or `suspend` of the body. */
  receive(body: BodyReader, chunk: Uint8Array | undefined): void;
  /** Called when the body ends early. */
  fail(body: BodyReader): void;
}

export interface BodyReader {
  /** Gives the next chunk to the receiver, now or later. */
  next(): void;
  /** Called when the client takes no more for a while. Gives back the memory of the chunk, unless it is that of a cached body. */
  suspend(): void;
  /** The bytes of chunks do not change, so what the client has not taken need not be copied. */
  readonly isConstant: boolean;
  /** Ends reading, early or late. */
  close(): void;
}

/** The most that is written at once, before other connections have their share of the tick. */
const MAX_WRITE_BYTES = 256 * 1024;

/** A body that is complete in memory. */
export class BufferedBody implements BodyReader {
  readonly isConstant = true;
  readonly #receiver: ChunkReceiver;
  readonly #ownsBuffers: boolean;
  #buffers: readonly Uint8Array[];
  #index = 0;
  #offset = 0;

  /** `ownsBuffers`: nothing else refers to them, so they are freed at the end. */
  constructor(buffers: readonly Uint8Array[], receiver: ChunkReceiver, ownsBuffers = false) {
    this.#buffers = buffers;
    this.#receiver = receiver;
    this.#ownsBuffers = ownsBuffers;
  }

  next(): void {
    const isFirst = this.#index === 0 && this.#offset === 0;
    if (isFirst || this.#index === this.#buffers.length) this.#give();
    else listQueue.add(this.#give, this.#receiver.client);
  }

  suspend(): void {}

  close(): void {
    if (this.#ownsBuffers) for (const buffer of this.#buffers) freeBuffer(buffer);
    this.#buffers = [];
  }

  readonly #give = () => this.#receiver.receive(this, this.#take());

  #take(): Uint8Array | undefined {
    const buffer = this.#buffers[this.#index];
    if (buffer === undefined) {
      this.close();
      return undefined;
    }
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

/**
 * A stream, of which each chunk is read when the one before has been sent. Its callbacks are made once: those of
 * hundreds of lists that wait for their turn would survive collections of young objects, and pile up.
 */
export class StreamBody implements BodyReader {
  readonly isConstant = false;
  readonly #stream: BodyStream;
  readonly #chunked: boolean;
  readonly #onFailure: (error: unknown) => void;
  readonly #receiver: ChunkReceiver;
  /** Data whose chunk size has been written. */
  #pending: Uint8Array | undefined;
  #isFirst = true;
  #isReading = false;
  #open = true;

  /** `chunked`: frames the data as chunks (RFC 9112 §7.1). */
  constructor(
    stream: BodyStream,
    chunked: boolean,
    onFailure: (error: unknown) => void,
    receiver: ChunkReceiver,
  ) {
    this.#stream = stream;
    this.#chunked = chunked;
    this.#onFailure = onFailure;
    this.#receiver = receiver;
  }

  /** Reads through the queue, or a fast reader would get a whole list before any other request is handled. */
  next(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending || !this.#open) {
      this.#receiver.receive(this, pending);
      return;
    }
    // Other lists can use its memory while this one waits in the queue.
    this.#stream.release?.();
    if (this.#isFirst) this.#read();
    else listQueue.add(this.#read, this.#receiver.client);
  }

  suspend(): void {
    this.#pending &&= new Uint8Array(this.#pending);
    if (this.#open) this.#stream.release?.();
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#endRead();
    try {
      this.#stream.close();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  readonly #read = (): void => {
    if (!this.#open) return;
    let data: ReturnType<BodyStream["next"]>;
    try {
      data = this.#stream.next();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (data instanceof Promise) {
      this.#isReading = true;
      listQueue.beginRead(this.#receiver.client);
      data.then(this.#succeed, this.#fail);
    } else this.#succeed(data);
  };

  #endRead(): void {
    if (this.#isReading) listQueue.endRead(this.#receiver.client);
    this.#isReading = false;
  }

  readonly #succeed = (data: Uint8Array | undefined): void => {
    if (!this.#open) return;
    this.#endRead();
    // RFC 9112 §7.1: an empty chunk would be the last one.
    if (data?.length === 0) listQueue.add(this.#read, this.#receiver.client);
    else this.#receiver.receive(this, this.#frame(data));
  };

  readonly #fail = (error: unknown): void => {
    if (!this.#open) return;
    this.#onFailure(error);
    this.close();
    this.#receiver.fail(this);
  };

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
