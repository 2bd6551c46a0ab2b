/** A sliding window of 1 MiB over the bytes of a document. */
import { isUtf8 } from "node:buffer";

const WINDOW_BYTES = 1 << 20;
/** The part that the tags `<Product` and `<product` have in common. */
const PRODUCT_TAIL = "roduct";
const PRODUCT_END_TAIL = "roduct>";

export class ByteWindow {
  isAtEnd = false;
  private readonly stream: AsyncIterator<Uint8Array>;
  /** The window is the part from `start` to `end`. */
  readonly buffer = Buffer.alloc(WINDOW_BYTES);
  start = 0;
  end = 0;
  /** The whole window is valid UTF-8. When false, parts of it may still be valid. */
  isUtf8 = false;
  /** The part of the last chunk that did not fit. */
  private remainder: Uint8Array = new Uint8Array(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.stream = bytes[Symbol.asyncIterator]();
  }

  get content(): Buffer {
    return this.buffer.subarray(this.start, this.end);
  }

  get isFull(): boolean {
    return this.end - this.start === WINDOW_BYTES;
  }

  take(byteCount: number): void {
    this.start += byteCount;
  }

  /** Fills the window. Returns false when the document has no more bytes. */
  async fill(): Promise<boolean> {
    this.buffer.copyWithin(0, this.start, this.end);
    this.end -= this.start;
    this.start = 0;
    const before = this.end;
    while (this.end < WINDOW_BYTES) {
      if (this.remainder.length === 0) {
        const { done, value } = await this.stream.next();
        if (done) {
          this.isAtEnd = true;
          break;
        }
        this.remainder = value;
      }
      const part = this.remainder.subarray(0, WINDOW_BYTES - this.end);
      this.buffer.set(part, this.end);
      this.end += part.length;
      this.remainder = this.remainder.subarray(part.length);
    }
    this.isUtf8 = isUtf8(this.buffer.subarray(0, this.endOfCompleteCharacters()));
    return this.end > before;
  }

  private endOfCompleteCharacters(): number {
    for (let back = 1; back <= 3 && back <= this.end; back++) {
      const byte = this.buffer[this.end - back]!;
      if (byte < 0x80) break;
      if (byte >= 0xc0) return this.end - back;
    }
    return this.end;
  }

  /** Returns the offset of the next product start tag that is at least `distance` away. */
  findProduct(distance: number): number | undefined {
    const { content } = this;
    let tail = content.indexOf(PRODUCT_TAIL, distance + 2);
    for (; tail >= 0; tail = content.indexOf(PRODUCT_TAIL, tail + 1)) {
      if (this.hasProductAt(tail - 2)) return tail - 2;
    }
    return undefined;
  }

  hasProductAt(offset: number): boolean {
    return /^<[Pp]roduct[>\s]/.test(this.content.toString("latin1", offset, offset + 9));
  }

  /** Returns the offset after the next product end tag. */
  findProductEnd(): number | undefined {
    const { content } = this;
    let tail = content.indexOf(PRODUCT_END_TAIL, 3);
    for (; tail >= 0; tail = content.indexOf(PRODUCT_END_TAIL, tail + 1)) {
      if (/^<\/[Pp]/.test(content.toString("latin1", tail - 3, tail))) return tail + PRODUCT_END_TAIL.length;
    }
    return undefined;
  }

  /** Yields the content and everything after it, for another reader. */
  async *remaining(): AsyncGenerator<Uint8Array> {
    yield this.content.slice();
    if (this.remainder.length > 0) yield this.remainder;
    for (;;) {
      const { done, value } = await this.stream.next();
      if (done) return;
      yield value;
    }
  }
}
