/** JSON arrays from the batches of a store: streamed, as fast as the client reads. */
import type { Batches, Imprint, Snapshot } from "../../catalog/store.ts";
import { type Awaitable, then } from "../../lib/awaitable.ts";
import { freeBuffer } from "../../lib/free-buffer.ts";
import type { BodyStream } from "../../server/response.ts";
import { type Coding, StreamEncoder } from "./content-coding.ts";

/** Joins the items of a batch, each after a comma; the first of all after the bracket. */
export type Join<T> = (batch: readonly T[], prefix: "[" | ",", buffer: ReusableBuffer) => Uint8Array;

/** The memory for the chunks of one list: allocating it for each chunk would cost as much as everything else. */
export class ReusableBuffer {
  #bytes = new Uint8Array(0);

  /** Returns an array of this size. It replaces the one before. */
  ofSize(size: number): Uint8Array {
    if (size > this.#bytes.length) this.#bytes = new Uint8Array(size + (size >>> 3));
    return this.#bytes.subarray(0, size);
  }
}

/** An array up to this size is read at once, and sent as one body with a Content-Length. */
const DEFAULT_BUFFERED_BYTES = 16 * 1024;

export interface JsonArrayOptions {
  /** An array up to this size is read at once. Default: 16 kB. */
  readonly maxBufferedBytes?: number | undefined;
  /** Header fields of the 200. The same ETag implies the same fields. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns what follows the last item. Default: the end of an array. */
  readonly end?: ((isEmpty: boolean) => string) | undefined;
}

/** An array that is only read when its body is needed. The responder closes the snapshot. */
export class JsonArray {
  readonly maxBufferedBytes: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly etag: string,
    readonly snapshot: Pick<Snapshot, "close" | "revision">,
    /** Opens the stream, which closes the snapshot when it is closed. */
    readonly open: () => BodyStream,
    { maxBufferedBytes = DEFAULT_BUFFERED_BYTES, headers = {} }: JsonArrayOptions = {},
  ) {
    this.maxBufferedBytes = maxBufferedBytes;
    this.headers = headers;
  }
}

export function jsonArrayOf<T>(
  etag: string,
  snapshot: Snapshot,
  items: () => Batches<T>,
  join: Join<T>,
  options?: JsonArrayOptions,
): JsonArray {
  const open = () => new JsonArrayStream(items(), join, snapshot, options?.end);
  return new JsonArray(etag, snapshot, open, options);
}

function endOfArray(isEmpty: boolean): string {
  return isEmpty ? "[]" : "]";
}

class JsonArrayStream<T> implements BodyStream {
  readonly #items: Iterator<readonly T[]> | AsyncIterator<readonly T[]>;
  readonly #join: Join<T>;
  readonly #snapshot: Pick<Snapshot, "close">;
  readonly #end: (isEmpty: boolean) => string;
  readonly #buffer = new ReusableBuffer();
  #prefix: "[" | "," = "[";
  #state: "open" | "ended" | "closed" = "open";

  constructor(batches: Batches<T>, join: Join<T>, snapshot: Pick<Snapshot, "close">, end = endOfArray) {
    this.#items = Symbol.iterator in batches ? batches[Symbol.iterator]() : batches[Symbol.asyncIterator]();
    this.#join = join;
    this.#snapshot = snapshot;
    this.#end = end;
  }

  next(): Awaitable<Uint8Array | undefined> {
    return this.#state === "open" ? then(this.#items.next(), (step) => this.#chunkOf(step)) : undefined;
  }

  #chunkOf(step: IteratorResult<readonly T[]>): Awaitable<Uint8Array | undefined> {
    if (step.done) {
      this.#state = "ended";
      return encoder.encode(this.#end(this.#prefix === "["));
    }
    if (step.value.length === 0) return this.next();
    const chunk = this.#join(step.value, this.#prefix, this.#buffer);
    this.#prefix = ",";
    return chunk;
  }

  /** Closes the snapshot after its batches: the store may still be reading one when the client leaves. */
  close(): void {
    if (this.#state === "closed") return;
    const isUnfinished = this.#state === "open";
    this.#state = "closed";
    let returned: unknown;
    try {
      returned = isUnfinished ? this.#items.return?.() : undefined;
    } finally {
      if (returned instanceof Promise)
        returned.then(() => this.#snapshot.close()).catch(() => this.#snapshot.close());
      else this.#snapshot.close();
    }
  }
}

/** The same stream in a content coding. */
export class EncodedStream implements BodyStream {
  readonly #stream: BodyStream;
  readonly #encoder: StreamEncoder;
  #ended = false;

  constructor(stream: BodyStream, coding: Coding) {
    this.#stream = stream;
    this.#encoder = new StreamEncoder(coding);
  }

  async next(): Promise<Uint8Array | undefined> {
    while (!this.#ended) {
      const chunk = await this.#stream.next();
      this.#ended = chunk === undefined;
      const output = chunk === undefined ? await this.#encoder.end() : await this.#encoder.push(chunk);
      if (output.length > 0) return output;
    }
    return undefined;
  }

  close(): void {
    this.#encoder.close();
    this.#stream.close();
  }
}

/** The beginning of a stream. */
export interface StreamStart {
  readonly bytes: Uint8Array;
  /** There is no more than this. */
  readonly isWhole: boolean;
}

/** Reads to the end of a stream, or until there is more than `maxBytes`. */
export function readStart(stream: BodyStream, maxBytes: number): Awaitable<StreamStart> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const readMore = (): Awaitable<StreamStart> => {
    while (size <= maxBytes) {
      const chunk = stream.next();
      if (chunk instanceof Promise) return chunk.then((late) => (add(late) ? finish(true) : readMore()));
      if (add(chunk)) return finish(true);
    }
    return finish(false);
  };
  /** Returns true at the end of the stream. */
  const add = (chunk: Uint8Array | undefined): boolean => {
    if (chunk === undefined) return true;
    chunks.push(new Uint8Array(chunk));
    size += chunk.length;
    return false;
  };
  const finish = (isWhole: boolean): StreamStart => {
    if (chunks.length === 1) return { bytes: chunks[0]!, isWhole };
    const bytes = Buffer.concat(chunks, size);
    for (const chunk of chunks) freeBuffer(chunk);
    return { bytes, isWhole };
  };
  return readMore();
}

/** Returns the whole stream again, after its start was read. */
export function prepend({ bytes }: StreamStart, stream: BodyStream): BodyStream {
  let start: Uint8Array | undefined = bytes;
  return {
    next() {
      if (start === undefined) return stream.next();
      const chunk = start;
      start = undefined;
      return chunk;
    },
    close: () => stream.close(),
  };
}

const encoder = new TextEncoder();
const OPENING_BRACKET = 0x5b;
const COMMA = 0x2c;

/** Records: their bytes as they are stored. Frees the bodies. */
export function joinBodies(
  batch: readonly Uint8Array[],
  prefix: "[" | ",",
  buffer: ReusableBuffer,
): Uint8Array {
  let size = 0;
  for (const body of batch) size += 1 + body.length;
  const joined = buffer.ofSize(size);
  let offset = 0;
  for (const body of batch) {
    joined[offset] = offset === 0 && prefix === "[" ? OPENING_BRACKET : COMMA;
    joined.set(body, offset + 1);
    offset += 1 + body.length;
    freeBuffer(body);
  }
  return joined;
}

/** ISBNs are digits, so nothing is escaped. */
export function joinIsbns(batch: readonly string[], prefix: "[" | ","): Uint8Array {
  return encoder.encode(`${prefix}"${batch.join('","')}"`);
}

export function joinImprints(batch: readonly Imprint[], prefix: "[" | ","): Uint8Array {
  const entries = batch.map(({ slug, name }) => JSON.stringify({ _id: { slug }, slug, name }));
  return encoder.encode(prefix + entries.join(","));
}
