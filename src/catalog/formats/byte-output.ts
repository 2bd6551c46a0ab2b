/** Collects texts and bytes as UTF-8 in a buffer that is used again for each chunk. */
export class ByteOutput {
  #buffer = new Uint8Array(16 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  write(content: string | Uint8Array): void {
    if (typeof content === "string") {
      // UTF-8 takes at most three bytes for each UTF-16 code unit.
      this.#reserve(content.length * 3);
      this.#length += encoder.encodeInto(content, this.#buffer.subarray(this.#length)).written;
    } else {
      this.#reserve(content.length);
      this.#buffer.set(content, this.#length);
      this.#length += content.length;
    }
  }

  /** Returns what was written since the last call. The bytes are valid until the next write. */
  take(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#buffer.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#buffer.length));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

const encoder = new TextEncoder();
