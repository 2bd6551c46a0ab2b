/** JSON arrays from the batches of a store: streamed, as fast as the client reads. */
import { CONTENT_TYPES } from "../../catalog/formats/format.ts";
import type { SearchQuery } from "../../catalog/search/query.ts";
import type { Selection } from "../../catalog/selection.ts";
import type { Batches, Imprint, Snapshot, View } from "../../catalog/store.ts";
import { type Awaitable, then } from "../../lib/awaitable.ts";
import { freeBuffer } from "../../lib/free-buffer.ts";
import type { BodyStream } from "../../server/response.ts";
import { BatchReader, ChunkBuffer } from "./batch-reader.ts";
import { type Coding, StreamEncoder } from "./content-coding.ts";

/** Joins the items of a batch, each after a comma; the first of all after the bracket. */
export type Join<T> = (batch: readonly T[], prefix: "[" | ",", buffer: ChunkBuffer) => Uint8Array;

/** An array up to this size is read at once, and sent as one body with a Content-Length. */
const DEFAULT_BUFFERED_BYTES = 16 * 1024;

interface JsonArrayOptions {
  /** An array up to this size is read at once. Default: 16 kB. */
  readonly maxBufferedBytes?: number | undefined;
  /** Header fields of the 200. The same ETag implies the same fields. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Returns what follows the last item. Default: the end of an array. */
  readonly end?: ((isEmpty: boolean) => string) | undefined;
  /** Default: application/json. */
  readonly contentType?: string | undefined;
  /** What the array has, for other formats. */
  readonly content?: ListContent | undefined;
}

export interface BookList {
  readonly kind: "books";
  readonly selection: Selection;
  readonly view: View;
  /** What the list depends on, beside the view. */
  readonly state: string;
  /** Returns what is sent of a stored body. CSV and XML have only what is stored. */
  readonly edit?: ((body: Uint8Array) => Uint8Array) | undefined;
  readonly snapshot: Snapshot;
  /** The query that has found the books. */
  readonly query?: SearchQuery | undefined;
}

/** What a list has. A format reads from it what it needs. */
export type ListContent =
  | BookList
  | { readonly kind: "isbns"; readonly batches: () => Batches<string> }
  | { readonly kind: "imprints"; readonly batches: () => Batches<Imprint> };

interface JsonArrayChanges extends JsonArrayOptions {
  readonly etag?: string;
  readonly open?: () => BodyStream;
  /** What the array depends on. When that is no state of the catalog, the array is not cached. */
  readonly state?: string;
}

/** An array that is only read when its body is needed. The responder closes the snapshot. */
export class JsonArray {
  readonly maxBufferedBytes: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly content: ListContent | undefined;

  constructor(
    readonly etag: string,
    readonly snapshot: Pick<Snapshot, "close" | "revision">,
    /** Opens the stream, which closes the snapshot when it is closed. */
    readonly open: () => BodyStream,
    options: JsonArrayOptions = {},
  ) {
    this.maxBufferedBytes = options.maxBufferedBytes ?? DEFAULT_BUFFERED_BYTES;
    this.headers = options.headers ?? {};
    this.contentType = options.contentType ?? CONTENT_TYPES.json;
    this.content = options.content;
  }

  /** Returns the same array, but for these changes. */
  with({ etag = this.etag, open = this.open, state, ...options }: JsonArrayChanges): JsonArray {
    const { maxBufferedBytes, headers, contentType, content } = this;
    const snapshot =
      state === undefined ? this.snapshot : { revision: state, close: () => this.snapshot.close() };
    return new JsonArray(etag, snapshot, open, {
      maxBufferedBytes,
      headers,
      contentType,
      content,
      ...options,
    });
  }
}

export function jsonArrayOf<T>(
  etag: string,
  snapshot: Pick<Snapshot, "close" | "revision">,
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
  readonly #items: BatchReader<T>;
  readonly #join: Join<T>;
  readonly #end: (isEmpty: boolean) => string;
  readonly #buffer = new ChunkBuffer();
  #prefix: "[" | "," = "[";

  constructor(batches: Batches<T>, join: Join<T>, snapshot: Pick<Snapshot, "close">, end = endOfArray) {
    this.#items = new BatchReader(batches, snapshot);
    this.#join = join;
    this.#end = end;
  }

  next(): Awaitable<Uint8Array | undefined> {
    return this.#items.isOpen ? then(this.#items.next(), (batch) => this.#chunkOf(batch)) : undefined;
  }

  #chunkOf(batch: readonly T[] | undefined): Awaitable<Uint8Array | undefined> {
    if (batch === undefined) return encoder.encode(this.#end(this.#prefix === "["));
    if (batch.length === 0) return this.next();
    const chunk = this.#join(batch, this.#prefix, this.#buffer);
    this.#prefix = ",";
    return chunk;
  }

  release(): void {
    this.#buffer.release();
  }

  /** Leaves a chunk that is in use to the garbage collector: a thread may be encoding it. */
  close(): void {
    this.#items.close();
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

  /** Encodes one chunk, whose output can be empty: the next one is another turn in the queue of lists. */
  async next(): Promise<Uint8Array | undefined> {
    if (this.#ended) return undefined;
    const chunk = await this.#stream.next();
    this.#ended = chunk === undefined;
    const output = chunk === undefined ? await this.#encoder.end() : await this.#encoder.push(chunk);
    this.#stream.release?.();
    return output;
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

/** Reads of a store, or of what a format makes in a millisecond: enough for `BUFFERED_BYTES_BY_ISBN`. */
const MAX_START_READS = 6;
/** Reads that take longer go on in another tick of the event loop. */
const START_MS_PER_TICK = 1;

/**
 * Reads to the end of a stream, or until there is more than `maxBytes`. What is read can be much more than what is sent
 * of it, so the reads are limited, too.
 */
export function readStart(stream: BodyStream, maxBytes: number): Awaitable<StreamStart> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const readMore = (): Awaitable<StreamStart> => {
    const endMs = performance.now() + START_MS_PER_TICK;
    while (size <= maxBytes && chunks.length < MAX_START_READS) {
      const chunk = stream.next();
      if (chunk instanceof Promise) return chunk.then((late) => (add(late) ? finish(true) : readMore()));
      if (add(chunk)) return finish(true);
      // Not `setImmediate`: a request that follows would begin a tick in it, see `freshness.ts`.
      if (performance.now() > endMs) return Bun.sleep(0).then(readMore);
    }
    return finish(false);
  };
  /** Returns true at the end of the stream. */
  const add = (chunk: Uint8Array | undefined): boolean => {
    if (chunk === undefined) return true;
    chunks.push(new Uint8Array(chunk));
    size += chunk.length;
    stream.release?.();
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

/** Returns the whole stream again, after its start was read. Frees the start once it has been sent. */
export function prepend({ bytes }: StreamStart, stream: BodyStream): BodyStream {
  let state: "unsent" | "sent" | "freed" = "unsent";
  const release = () => {
    if (state === "freed") stream.release?.();
    if (state === "sent") {
      freeBuffer(bytes);
      state = "freed";
    }
  };
  return {
    next() {
      if (state === "unsent") {
        state = "sent";
        return bytes;
      }
      release();
      return stream.next();
    },
    release,
    close: () => stream.close(),
  };
}

const encoder = new TextEncoder();
const OPENING_BRACKET = 0x5b;
const COMMA = 0x2c;

/** Records: their bytes as they are stored. Frees the bodies. */
export function joinBodies(batch: readonly Uint8Array[], prefix: "[" | ",", buffer: ChunkBuffer): Uint8Array {
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
export function joinIsbns(batch: readonly string[], prefix: "[" | ",", buffer: ChunkBuffer): Uint8Array {
  const text = `${prefix}"${batch.join('","')}"`;
  const joined = buffer.ofSize(text.length);
  encoder.encodeInto(text, joined);
  return joined;
}

export function joinImprints(batch: readonly Imprint[], prefix: "[" | ","): Uint8Array {
  return encoder.encode(prefix + batch.map((imprint) => JSON.stringify(imprintEntry(imprint))).join(","));
}

/** Returns an imprint as the API shows it. */
export function imprintEntry({ slug, name }: Imprint) {
  return { _id: { slug }, slug, name };
}
