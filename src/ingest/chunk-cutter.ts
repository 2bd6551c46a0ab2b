/** Cuts a stream of UTF-8 into chunks that begin at start tags of products, as far as a search for them can tell. */
import { Buffer } from "node:buffer";
import { endOfCompleteUtf8 } from "../feed/decoder.ts";
import { COLON, CR, GREATER_THAN, isWhitespace, LESS_THAN, SLASH } from "../xml/characters.ts";

export interface Chunk {
  /** Nothing else uses its ArrayBuffer, which can be transferred to another thread. */
  readonly buffer: Uint8Array<ArrayBuffer>;
  /** The chunk is the first `length` bytes of the buffer. */
  readonly length: number;
  /** The chunk begins at what looks like a product, so that it can be scanned before the chunks in front of it. */
  readonly beginsAtProduct: boolean;
  /** The next chunk begins at what looks like a product. */
  readonly endsAtProduct: boolean;
  /** No bytes follow in the document. */
  readonly isLast: boolean;
  /** The document could be read only up to the end of this chunk. No chunk follows. */
  readonly failure?: { readonly error: unknown };
}

/** The first chunk ends at the first product, so that the header is known as soon as possible. */
export class ChunkCutter {
  private readonly stream: AsyncIterator<Uint8Array>;
  /** The part of the last bytes of the stream that is in no buffer yet. */
  private unread: Uint8Array = new Uint8Array(0);
  private buffer: Uint8Array<ArrayBuffer>;
  private length = 0;
  private isFirst = true;
  private beginsAtProduct = false;
  private readonly freeBuffers: Uint8Array<ArrayBuffer>[] = [];

  constructor(
    document: AsyncIterable<Uint8Array>,
    private readonly chunkBytes: number,
  ) {
    this.stream = document[Symbol.asyncIterator]();
    this.buffer = new Uint8Array(chunkBytes);
  }

  /** Must not be called again after the last chunk or a failure. */
  async next(): Promise<Chunk> {
    let searched = 1;
    for (;;) {
      if (this.length === this.chunkBytes) return this.cutAt(endOfChunk(this.buffer));
      let bytes = this.unread;
      if (bytes.length === 0) {
        try {
          const { value, done } = await this.stream.next();
          if (done) return this.finishFew();
          bytes = value;
        } catch (error) {
          return this.finish(false, { error });
        }
      }
      const part = bytes.subarray(0, this.chunkBytes - this.length);
      this.buffer.set(part, this.length);
      this.length += part.length;
      this.unread = bytes.subarray(part.length);
      if (!this.isFirst) continue;
      const start = firstProductStart(this.buffer.subarray(0, this.length), searched);
      if (start > 0) return this.cutAt(start);
      // The end may have half a tag.
      searched = Math.max(1, this.length - 100);
    }
  }

  /** Takes back the buffer of a chunk that is no longer needed. */
  recycle(buffer: Uint8Array<ArrayBuffer>): void {
    if (buffer.length === this.chunkBytes) this.freeBuffers.push(buffer);
  }

  /** Does not wait: a read of standard input that has begun may take forever. */
  close(): void {
    this.stream.return?.().catch(() => {});
  }

  /** Returns the bytes before a product as a chunk. The others begin the next one. Accepts -1 for no product. */
  private cutAt(productStart: number): Chunk {
    const endsAtProduct = productStart > 0;
    const end = endsAtProduct ? productStart : this.endWithoutProduct();
    const { buffer, beginsAtProduct } = this;
    const next = this.freeBuffers.pop() ?? new Uint8Array(this.chunkBytes);
    next.set(buffer.subarray(end, this.length));
    this.buffer = next;
    this.length -= end;
    this.isFirst = false;
    this.beginsAtProduct = endsAtProduct;
    return { buffer, length: end, beginsAtProduct, endsAtProduct, isLast: false };
  }

  /** Prefers the beginning of a tag. Divides neither a character nor CR LF. */
  private endWithoutProduct(): number {
    const bytes = this.buffer.subarray(0, this.length);
    const tag = bytes.lastIndexOf(LESS_THAN);
    if (tag > 0) return tag;
    const end = endOfCompleteUtf8(bytes);
    return bytes[end - 1] === CR && end > 1 ? end - 1 : end;
  }

  /** Called again and again until few products are left. */
  private finishFew(): Chunk {
    const start = startAfterMany(this.buffer.subarray(0, this.length));
    return start > 0 ? this.cutAt(start) : this.finish(true);
  }

  private finish(isLast: boolean, failure?: { readonly error: unknown }): Chunk {
    const { buffer, beginsAtProduct } = this;
    const length = isLast ? this.length : endOfCompleteUtf8(buffer.subarray(0, this.length));
    const chunk = { buffer, length, beginsAtProduct, endsAtProduct: false, isLast };
    return failure ? { ...chunk, failure } : chunk;
  }
}

// Finding products is a guess: inside a comment or CDATA the same bytes are text. So whoever cuts there has to check it.

/** The part that the tags `<Product` and `<product` have in common. */
const TAIL = "roduct";
/** Longer prefixes of a namespace are not found. */
const MAX_PREFIX_BYTES = 64;

/** Returns the offset of the first product that begins at `from` or later. Returns -1 when there is none. */
export function firstProductStart(bytes: Uint8Array, from: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let tail = buffer.indexOf(TAIL, from); tail >= 0; tail = buffer.indexOf(TAIL, tail + 1)) {
    const start = productStart(buffer, tail);
    if (start >= from) return start;
  }
  return -1;
}

/** Products of some bytes take much more memory than that, so a chunk has at most so many. */
const MAX_PRODUCTS = 4000;

/** Samples tell whether it is worth counting, which takes 3 % of the time of an import. */
const SAMPLES = 4;
const SAMPLE_BYTES = 4096;

function isCrowded(bytes: Uint8Array): boolean {
  const step = Math.max(SAMPLE_BYTES, Math.ceil(bytes.length / SAMPLES));
  let count = 0;
  for (let from = 0; from < bytes.length; from += step) {
    const sample = bytes.subarray(from, from + SAMPLE_BYTES);
    for (let at = firstProductStart(sample, 0); at >= 0; at = firstProductStart(sample, at + 1)) count++;
  }
  return (count * step) / SAMPLE_BYTES > MAX_PRODUCTS / 2;
}

/** Returns the offset of the product after so many, or -1 when there are fewer. */
function startAfterMany(bytes: Uint8Array): number {
  if (!isCrowded(bytes)) return -1;
  let start = 0;
  for (let count = 0; count <= MAX_PRODUCTS && start >= 0; count++)
    start = firstProductStart(bytes, start + 1);
  return start;
}

/** Returns where a full chunk ends: at its last product, or after many. Returns -1 when there is no product. */
function endOfChunk(bytes: Uint8Array): number {
  const start = startAfterMany(bytes);
  return start > 0 ? start : lastProductStart(bytes);
}

/** Returns the offset of the last product that begins after the first byte. Returns -1 when there is none. */
export function lastProductStart(bytes: Uint8Array): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let tail = buffer.lastIndexOf(TAIL); tail > 0; tail = buffer.lastIndexOf(TAIL, tail - 1)) {
    const start = productStart(buffer, tail);
    if (start > 0) return start;
  }
  return -1;
}

/** Returns the offset of the `<` of the tag whose name ends in the `roduct` at `tail`, or -1 when it is no product. */
function productStart(buffer: Buffer, tail: number): number {
  const initial = buffer[tail - 1];
  const next = buffer[tail + TAIL.length];
  if ((initial !== 0x50 && initial !== 0x70) || !endsName(next)) return -1;
  let start = tail - 2;
  if (buffer[start] === COLON) {
    const limit = Math.max(0, start - MAX_PREFIX_BYTES);
    do start--;
    while (start > limit && isPrefixByte(buffer[start]!));
  }
  return buffer[start] === LESS_THAN ? start : -1;
}

/** Whitespace, `>` or `/`. A tag that is cut off after its name is not found. */
function endsName(byte: number | undefined): boolean {
  return byte !== undefined && (byte === GREATER_THAN || byte === SLASH || isWhitespace(byte));
}

/** Anything but the bytes that end a tag or a name. The tokenizer checks names. */
function isPrefixByte(byte: number): boolean {
  return (
    byte > 0x20 && byte !== LESS_THAN && byte !== 0x3e && byte !== 0x2f && byte !== 0x22 && byte !== 0x27
  );
}
