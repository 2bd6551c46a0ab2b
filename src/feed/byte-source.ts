/** A stream of bytes with lookahead, and the little-endian integers that archives are made of. */

/** Slices are small because everything inflated from one slice is in memory at once, up to 1,000 times its size. */
const MAX_SLICE_BYTES = 16 << 10;

export class ByteSource implements AsyncIterable<Uint8Array> {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private buffer: Uint8Array = new Uint8Array(0);
  /** The next byte of `buffer` to hand out. */
  private offset = 0;
  private ended = false;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.iterator = bytes[Symbol.asyncIterator]();
  }

  /** Consumes the next slice, of at most `maxBytes`. Returns undefined at the end. */
  async next(maxBytes = MAX_SLICE_BYTES): Promise<Uint8Array | undefined> {
    if (!(await this.buffered(1))) return undefined;
    const slice = this.buffer.subarray(this.offset, this.offset + Math.min(maxBytes, MAX_SLICE_BYTES));
    this.offset += slice.length;
    return slice;
  }

  /** Returns the next `count` bytes without consuming them. Returns fewer near the end. */
  async peek(count: number): Promise<Uint8Array> {
    await this.buffered(count);
    return this.buffer.subarray(this.offset, this.offset + count);
  }

  /** Consumes exactly `count` bytes, and returns a copy of them. Returns undefined when the source ends before. */
  async take(count: number): Promise<Uint8Array | undefined> {
    if (!(await this.buffered(count))) return undefined;
    this.offset += count;
    return this.buffer.slice(this.offset - count, this.offset);
  }

  /** Gives back the last `count` bytes of the slice that `next` has just returned. */
  unread(count: number): void {
    this.offset -= count;
  }

  async close(): Promise<void> {
    if (!this.ended) await this.iterator.return?.();
    this.ended = true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    while (await this.buffered(1)) {
      const rest = this.buffer.subarray(this.offset);
      this.offset = this.buffer.length;
      yield rest;
    }
  }

  /** Reads until `count` bytes are buffered. Returns false when the source ends before. */
  private async buffered(count: number): Promise<boolean> {
    while (this.buffer.length - this.offset < count && !this.ended) {
      const { value, done } = await this.iterator.next();
      if (done) {
        this.ended = true;
      } else {
        const rest = this.buffer.subarray(this.offset);
        this.buffer = rest.length === 0 ? value : Buffer.concat([rest, value]);
        this.offset = 0;
      }
    }
    return this.buffer.length - this.offset >= count;
  }
}

export function u16(bytes: Uint8Array, offset = 0): number {
  return bytes[offset]! | (bytes[offset + 1]! << 8);
}

export function u32(bytes: Uint8Array, offset = 0): number {
  return (u16(bytes, offset) | (u16(bytes, offset + 2) << 16)) >>> 0;
}

export function u64(bytes: Uint8Array, offset: number): number {
  return u32(bytes, offset) + u32(bytes, offset + 4) * 2 ** 32;
}
