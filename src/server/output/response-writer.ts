/** Writes the responses of one connection, one after the other, as fast as the client reads. */
import { freeBuffer } from "../../lib/free-buffer.ts";
import type { ResponsePace } from "../app.ts";
import { MIN_BYTES_PER_SECOND, PACE_SECONDS } from "../limits.ts";
import {
  httpDate,
  isStreamed,
  Response,
  type SerializedResponse,
  type StreamedBody,
  statusAndDate,
} from "../response.ts";
import { type BodyReader, BufferedBody, type ChunkReceiver, StreamBody } from "./body.ts";

export interface ByteSink {
  /** Returns how many bytes were taken, or a negative number when the socket is gone. */
  write(bytes: Uint8Array): number;
  terminate(): void;
}

/** How a response is written, beside what it says. */
interface WriteOptions {
  /** For HEAD. */
  readonly omitBody: boolean;
  readonly isHttp10: boolean;
  /** Header lines for this response alone, each with its CRLF. */
  readonly extraHeaders: string;
  /** Identifies the client among those that share the time for long responses. */
  readonly client?: string;
}

export interface Written {
  readonly status: number;
  readonly bodyBytes: number;
  /** When the system took the first byte, by `performance.now`. Undefined when it took all or nothing. */
  readonly firstByteAtMs: number | undefined;
}

/** A body up to this size goes out with its head. */
const MAX_COMPOSED_BODY_BYTES = 64 * 1024;

interface BatchWriter {
  /** Writes the bytes now, or copies them. */
  writeBatched(bytes: Uint8Array): void;
}

const BATCH_BUFFER_BYTES = 512 * 1024;

/**
 * Coalesces the writes of one event-loop tick. Written one by one, each response wakes its client on its own, which costs
 * the system as much again as sending it: 13 µs a request instead of 20, measured with 64 connections.
 */
class WriteBatch {
  /** Holds heads and short bodies. The system has copied them when the next tick begins. */
  readonly #buffer = Buffer.allocUnsafeSlow(BATCH_BUFFER_BYTES);
  #used = 0;
  #writers: BatchWriter[] = [];
  #bytes: Uint8Array[] = [];
  #scheduled = false;

  /** Writes the bytes at the end of the tick. They come from `compose`, or do not change until then. */
  add(writer: BatchWriter, bytes: Uint8Array): void {
    this.#writers.push(writer);
    this.#bytes.push(bytes);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#flush);
  }

  /** Returns a head, in latin1, followed by a body. */
  compose(head: string, body: Uint8Array | undefined): Uint8Array {
    const bytes = this.#allocate(head.length + (body?.length ?? 0));
    bytes.write(head, "latin1");
    if (body) bytes.set(body, head.length);
    return bytes;
  }

  #allocate(size: number): Buffer {
    if (this.#used + size > BATCH_BUFFER_BYTES) return Buffer.allocUnsafeSlow(size);
    const start = this.#used;
    this.#used += size;
    return this.#buffer.subarray(start, this.#used);
  }

  readonly #flush = () => {
    const writers = this.#writers;
    const bytes = this.#bytes;
    this.#writers = [];
    this.#bytes = [];
    this.#scheduled = false;
    for (let index = 0; index < writers.length; index++) writers[index]!.writeBatched(bytes[index]!);
    // A connection that went on with its next request has composed a response meanwhile.
    if (this.#writers.length === 0) this.#used = 0;
  };
}

const batch = new WriteBatch();

export class ResponseWriter implements BatchWriter, ChunkReceiver, ResponsePace {
  readonly #sink: ByteSink;
  readonly #onWritten: (written: Written) => void;
  /** The status of the response in flight; 0 when there is none. */
  #status = 0;
  #bodyBytes = 0;
  #firstByteAtMs: number | undefined;
  /** Bytes of a write that the socket has not taken yet. */
  #unsent: Uint8Array | undefined;
  #body: BodyReader | undefined;
  #stopped = false;
  /** Sweeps since the socket last took anything. */
  #stalledSweeps = 0;
  /** The minute in which the pace is being judged: its sweeps, and what the client had taken before. */
  #paceSweeps = 0;
  #paceBytes = 0;
  #isSlow = false;
  client = "";

  /** Calls `onWritten` when the system has taken all of a response. */
  constructor(sink: ByteSink, onWritten: (written: Written) => void) {
    this.#sink = sink;
    this.#onWritten = onWritten;
  }

  write(response: Response | SerializedResponse, options: WriteOptions): void {
    this.#status = response.status;
    this.#bodyBytes = 0;
    this.#firstByteAtMs = undefined;
    this.#paceSweeps = 0;
    this.#paceBytes = 0;
    this.#isSlow = false;
    this.client = options.client ?? "";
    if (response instanceof Response) this.#writeResponse(response, options);
    else this.#writeSerialized(response, options);
  }

  /** Called when the socket has room again. */
  drain(): void {
    const unsent = this.#unsent;
    if (unsent === undefined) return;
    this.#unsent = undefined;
    this.#send(unsent, true);
  }

  /** Stops writing. Returns how far the response in flight got, if there is one. */
  stop(): Written | undefined {
    this.#stopped = true;
    this.#unsent = undefined;
    this.#body?.close();
    this.#body = undefined;
    return this.#status === 0 ? undefined : this.#progress();
  }

  /** Called once a second. Returns whether bytes wait for the client. Without them the store is slow, not the client. */
  sweep(): boolean {
    if (this.#unsent === undefined) return false;
    this.#stalledSweeps++;
    if (++this.#paceSweeps === PACE_SECONDS) {
      const takenBytes = this.#bodyBytes - this.#unsent.length;
      this.#isSlow = takenBytes - this.#paceBytes < MIN_BYTES_PER_SECOND * PACE_SECONDS;
      this.#paceSweeps = 0;
      this.#paceBytes = takenBytes;
    }
    return true;
  }

  get stalledSeconds(): number {
    return this.#stalledSweeps;
  }

  get isSlow(): boolean {
    return this.#isSlow;
  }

  #writeSerialized(response: SerializedResponse, { omitBody, extraHeaders }: WriteOptions): void {
    const date = httpDate();
    if (!omitBody && response.longBody) this.#body = new BufferedBody(response.longBody, this);
    else if (!omitBody) this.#bodyBytes = response.bodyBytes;
    if (extraHeaders !== "") batch.add(this, response.startWith(extraHeaders, date, omitBody));
    else batch.add(this, omitBody ? response.head(date) : response.start(date));
  }

  #writeResponse({ status, headers, body, ownsBody }: Response, options: WriteOptions): void {
    const head = `${statusAndDate(status, httpDate())}${headers}${options.extraHeaders}`;
    if (body === undefined) batch.add(this, batch.compose(`${head}\r\n`, undefined));
    else if (isStreamed(body)) this.#writeStreamed(head, body, options);
    else {
      this.#writeBuffered(`${head}Content-Length: ${body.length}\r\n\r\n`, body, options.omitBody, ownsBody);
    }
  }

  #writeBuffered(head: string, body: Uint8Array, omitBody: boolean, ownsBody: boolean): void {
    const isComposed = !omitBody && body.length <= MAX_COMPOSED_BODY_BYTES;
    if (isComposed) this.#bodyBytes = body.length;
    else if (!omitBody) this.#body = new BufferedBody([body], this, ownsBody);
    batch.add(this, batch.compose(head, isComposed ? body : undefined));
    if (ownsBody && this.#body === undefined) freeBuffer(body);
  }

  #writeStreamed(head: string, { stream, onFailure }: StreamedBody, options: WriteOptions): void {
    const { omitBody, isHttp10 } = options;
    if (omitBody) stream?.close();
    else if (stream) this.#body = new StreamBody(stream, !isHttp10, onFailure, this);
    const framing = isHttp10 ? "\r\n" : "Transfer-Encoding: chunked\r\n\r\n";
    batch.add(this, batch.compose(head + framing, undefined));
  }

  writeBatched(bytes: Uint8Array): void {
    if (!this.#stopped) this.#send(bytes, false);
  }

  /** Leaves what the socket does not take to `drain`. Bytes that are not constant are copied: others need their memory. */
  #send(bytes: Uint8Array, isConstant: boolean): void {
    this.#stalledSweeps = 0;
    const taken = this.#sink.write(bytes);
    if (taken >= bytes.length) {
      this.#continue();
    } else if (taken < 0) {
      this.#sink.terminate();
    } else {
      if (taken > 0) this.#firstByteAtMs ??= performance.now();
      this.#unsent = bytes.subarray(taken);
      if (!isConstant) this.#copyUnsent();
    }
  }

  #copyUnsent(): void {
    // Not with `slice`: that of a Buffer does not copy.
    this.#unsent = new Uint8Array(this.#unsent!);
    this.#body?.suspend();
  }

  #continue(): void {
    if (this.#body) {
      this.#firstByteAtMs ??= performance.now();
      this.#body.next();
      return;
    }
    const written = this.#progress();
    this.#status = 0;
    this.#onWritten(written);
  }

  #progress(): Written {
    return { status: this.#status, bodyBytes: this.#bodyBytes, firstByteAtMs: this.#firstByteAtMs };
  }

  receive(body: BodyReader, chunk: Uint8Array | undefined): void {
    if (this.#body !== body) return;
    if (chunk === undefined) {
      this.#body = undefined;
      this.#continue();
    } else {
      this.#bodyBytes += chunk.length;
      this.#send(chunk, body.isConstant);
    }
  }

  fail(body: BodyReader): void {
    if (this.#body !== body) return;
    this.#body = undefined;
    // Without the last chunk, the client knows that the body is incomplete.
    this.#sink.terminate();
  }
}
