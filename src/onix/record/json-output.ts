/** A growing buffer of JSON bytes. */

const INITIAL_BYTES = 1 << 20;
/** Longer parts are copied by the platform, which costs as much as the loop does for this many bytes. */
const MAX_LOOP_BYTES = 160;
/** Single bytes may be written after `reserve` without another check. */
const SPARE_BYTES = 64;

/** Bytes that are written often. */
export interface JsonPart {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly length: number;
}

/** Prepares a text that is written often. */
export function jsonPart(text: string): JsonPart {
  const { length } = Buffer.from(text);
  // The loop of `copy` reads eight bytes at a time.
  const bytes = new Uint8Array(length + 8);
  bytes.set(Buffer.from(text));
  return { bytes, view: new DataView(bytes.buffer), length };
}

export class JsonOutput {
  bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  /** The end of the written bytes. */
  end = 0;
  private view = viewOf(this.bytes);

  /** Makes room for `count` more bytes, and for some single bytes after them. */
  reserve(count: number): void {
    if (this.end + count + SPARE_BYTES > this.bytes.length) this.grow(count);
  }

  /** Writes one byte. The last `reserve` must have left room for it. */
  byte(byte: number): void {
    this.bytes[this.end++] = byte;
  }

  write({ bytes, view, length }: JsonPart): void {
    this.copy(bytes, view, 0, length);
  }

  copy(from: Uint8Array, view: DataView, start: number, end: number): void {
    const length = end - start;
    if (this.end + length + SPARE_BYTES > this.bytes.length) this.grow(length);
    this.copyTo(this.end, from, view, start, length);
    this.end += length;
  }

  /** Copies bytes between quotes. They must not contain anything that JSON escapes. */
  string(from: Uint8Array, view: DataView, start: number, end: number): void {
    const length = end - start;
    if (this.end + length + SPARE_BYTES > this.bytes.length) this.grow(length);
    const { bytes, end: target } = this;
    bytes[target] = 0x22;
    this.copyTo(target + 1, from, view, start, length);
    bytes[target + length + 1] = 0x22;
    this.end = target + length + 2;
  }

  /**
   * Copies bytes of valid UTF-8, eight at a time as a double, four times as fast as byte by byte. The platform changes
   * some doubles that are not a number; those end with the bytes F0 to FF and 7F, which UTF-8 never contains.
   */
  private copyTo(target: number, from: Uint8Array, view: DataView, start: number, length: number): void {
    if (length > MAX_LOOP_BYTES) this.bytes.set(from.subarray(start, start + length), target);
    else if (start + length + 7 < from.length) {
      const output = this.view;
      // The last step may write up to seven bytes too many, which are overwritten.
      for (let i = 0; i < length; i += 8)
        output.setFloat64(target + i, view.getFloat64(start + i, true), true);
    } else {
      const output = this.bytes;
      for (let i = 0; i < length; i++) output[target + i] = from[start + i]!;
    }
  }

  text(text: string): void {
    this.reserve(text.length * 3);
    this.end += this.bytes.write(text, this.end, "utf8");
  }

  private grow(count: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.end + count + SPARE_BYTES));
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
    this.view = viewOf(grown);
  }
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
