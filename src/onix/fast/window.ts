/** The part of a feed that is being looked at: bytes from a stream, of which the first are taken as they are done with. */
import { isUtf8 } from "node:buffer";

const SIZE = 1 << 20;
/** Of `Product` and `product`, what they have in common. */
const NAME = "roduct";
const NAME_END = "roduct>";

export class Window {
  /** Bytes taken so far. */
  taken = 0;
  isAtEnd = false;
  private readonly stream: AsyncIterator<Uint8Array>;
  /** The window is the part of this from `start` to `end`. */
  readonly buffer = Buffer.alloc(SIZE);
  start = 0;
  end = 0;
  /** All of the window is valid. When false, parts of it may still be. */
  isUtf8 = false;
  /** Of a chunk, what did not fit. */
  private left: Uint8Array = new Uint8Array(0);

  constructor(bytes: AsyncIterable<Uint8Array>) {
    this.stream = bytes[Symbol.asyncIterator]();
  }

  get rest(): Buffer {
    return this.buffer.subarray(this.start, this.end);
  }

  get isFull(): boolean {
    return this.end - this.start === SIZE;
  }

  take(count: number): void {
    this.start += count;
    this.taken += count;
  }

  /** Fills the window up as far as there is something to fill it with; false when there is nothing more. */
  async fill(): Promise<boolean> {
    this.buffer.copyWithin(0, this.start, this.end);
    this.end -= this.start;
    this.start = 0;
    const before = this.end;
    while (this.end < SIZE) {
      if (this.left.length === 0) {
        const { done, value } = await this.stream.next();
        if (done) {
          this.isAtEnd = true;
          break;
        }
        this.left = value;
      }
      const part = this.left.subarray(0, SIZE - this.end);
      this.buffer.set(part, this.end);
      this.end += part.length;
      this.left = this.left.subarray(part.length);
    }
    this.isUtf8 = isUtf8(this.buffer.subarray(0, this.wholeCharacters()));
    return this.end > before;
  }

  /** Up to where no character is cut in two by the end of the window. */
  private wholeCharacters(): number {
    for (let back = 1; back <= 3 && back <= this.end; back++) {
      const byte = this.buffer[this.end - back]!;
      if (byte < 0x80) break;
      if (byte >= 0xc0) return this.end - back;
    }
    return this.end;
  }

  /** Where the next product begins that is at least so far away. */
  findProduct(distance: number): number | undefined {
    const { rest } = this;
    for (let at = rest.indexOf(NAME, distance + 2); at >= 0; at = rest.indexOf(NAME, at + 1)) {
      if (this.startsWithProduct(at - 2)) return at - 2;
    }
    return undefined;
  }

  startsWithProduct(from: number): boolean {
    return /^<[Pp]roduct[>\s]/.test(this.rest.toString("latin1", from, from + 9));
  }

  /** Behind the end of the next product. */
  findProductEnd(): number | undefined {
    const { rest } = this;
    for (let at = rest.indexOf(NAME_END, 3); at >= 0; at = rest.indexOf(NAME_END, at + 1)) {
      if (/^<\/[Pp]/.test(rest.toString("latin1", at - 3, at))) return at + NAME_END.length;
    }
    return undefined;
  }

  /** All bytes that are left, for another reader. */
  async *remaining(): AsyncGenerator<Uint8Array> {
    yield this.rest.slice();
    if (this.left.length > 0) yield this.left;
    for (;;) {
      const { done, value } = await this.stream.next();
      if (done) return;
      yield value;
    }
  }
}
