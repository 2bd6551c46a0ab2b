/** A growing buffer of JSON bytes. */

const INITIAL_BYTES = 1 << 20;
/** Longer pieces are copied by the platform. Its call costs as much as the loop for this many bytes. */
const LOOP_BYTES = 160;

export class JsonOutput {
  bytes: Buffer = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  /** The end of the written bytes. */
  end = 0;

  /** Makes room for `count` more bytes, and for some single bytes after them. */
  reserve(count: number): void {
    if (this.end + count + 64 > this.bytes.length) this.grow(count);
  }

  /** Writes one byte. The last `reserve` must have left room for it. */
  byte(byte: number): void {
    this.bytes[this.end++] = byte;
  }

  write(from: Uint8Array): void {
    this.copy(from, 0, from.length);
  }

  copy(from: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.end + length + 64 > this.bytes.length) this.grow(length);
    const { bytes, end: target } = this;
    if (length > LOOP_BYTES) bytes.set(from.subarray(start, end), target);
    else for (let i = 0; i < length; i++) bytes[target + i] = from[start + i]!;
    this.end = target + length;
  }

  text(text: string): void {
    this.reserve(text.length * 3);
    this.end += this.bytes.write(text, this.end, "utf8");
  }

  /** Writes a comma before a member of an object or array, except before the first. */
  separator(): void {
    const last = this.bytes[this.end - 1];
    if (last !== 0x7b && last !== 0x5b) this.bytes[this.end++] = 0x2c;
  }

  private grow(count: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.end + count + 64));
    grown.set(this.bytes.subarray(0, this.end));
    this.bytes = grown;
  }
}
