/** Slices are small, because what is unpacked of one is in memory at once: deflate makes 1,000 bytes of one. */
const SLICE = 16 << 10;

/** A stream of bytes that can be looked ahead in. */
export class ByteSource implements AsyncIterable<Uint8Array> {
  private readonly iterator: AsyncIterator<Uint8Array>;
  private buffer: Uint8Array = new Uint8Array(0);
  private at = 0;
  private ended = false;

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.iterator = bytes[Symbol.asyncIterator]();
  }

  /** The next slice, of at most `most` bytes; undefined at the end. */
  async next(most = SLICE): Promise<Uint8Array | undefined> {
    if (!(await this.hold(1))) return undefined;
    const slice = this.buffer.subarray(this.at, this.at + Math.min(most, SLICE));
    this.at += slice.length;
    return slice;
  }

  /** So many of the next bytes as there are, up to `count`; they stay. */
  async peek(count: number): Promise<Uint8Array> {
    await this.hold(count);
    return this.buffer.subarray(this.at, this.at + count);
  }

  /** Exactly so many bytes, or undefined when the end comes first. */
  async take(count: number): Promise<Uint8Array | undefined> {
    if (!(await this.hold(count))) return undefined;
    this.at += count;
    return this.buffer.subarray(this.at - count, this.at);
  }

  /** The last bytes of the slice that `next` has just given are to be given again. */
  unread(count: number): void {
    this.at -= count;
  }

  async close(): Promise<void> {
    if (!this.ended) await this.iterator.return?.();
    this.ended = true;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    while (await this.hold(1)) {
      const rest = this.buffer.subarray(this.at);
      this.at = this.buffer.length;
      yield rest;
    }
  }

  private async hold(count: number): Promise<boolean> {
    while (this.buffer.length - this.at < count && !this.ended) {
      const { value, done } = await this.iterator.next();
      if (done) {
        this.ended = true;
      } else {
        const rest = this.buffer.subarray(this.at);
        this.buffer = rest.length === 0 ? value : Buffer.concat([rest, value]);
        this.at = 0;
      }
    }
    return this.buffer.length - this.at >= count;
  }
}

/** Numbers, the least byte first. */
export function u16(bytes: Uint8Array, at = 0): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

export function u32(bytes: Uint8Array, at = 0): number {
  return (u16(bytes, at) | (u16(bytes, at + 2) << 16)) >>> 0;
}

export function u64(bytes: Uint8Array, at: number): number {
  return u32(bytes, at) + u32(bytes, at + 4) * 2 ** 32;
}
