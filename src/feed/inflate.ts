import type { Gunzip, InflateRaw } from "node:zlib";

/** One of zlib's streams, fed slice by slice: each gives all that it makes before the next is asked for. */
export class Inflater {
  /** Why zlib gave up, in its own words; undefined while it has not. */
  failure: string | undefined;
  /** The compressed data has come to its own end; there may be input left. */
  ended = false;
  private made: Uint8Array[] = [];
  private fed = 0;
  private wake: () => void = () => {};

  constructor(private readonly stream: Gunzip | InflateRaw) {
    stream.on("data", (chunk: Uint8Array) => this.made.push(chunk));
    stream.on("end", () => {
      this.ended = true;
      this.wake();
    });
    stream.on("error", (error: Error) => {
      this.failure = error.message;
      this.wake();
    });
  }

  async push(slice: Uint8Array): Promise<readonly Uint8Array[]> {
    // Zeros that pad a gzip file to a block.
    if (this.ended) return [];
    this.fed += slice.length;
    return this.step((done) => this.stream.write(slice, done));
  }

  /** No more input: what is cut off is a failure. */
  async finish(): Promise<readonly Uint8Array[]> {
    return this.ended ? [] : this.step(() => this.stream.end());
  }

  /** How many bytes of the input are compressed data. */
  get consumed(): number {
    return this.stream.bytesWritten;
  }

  /** How many bytes of the last slice lie behind the end. */
  get excess(): number {
    return this.fed - this.consumed;
  }

  close(): void {
    this.stream.destroy();
  }

  private async step(start: (done: () => void) => void): Promise<readonly Uint8Array[]> {
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      // zlib calls back for each write, but not always for the one in which its data ends.
      start(() => resolve());
    });
    if (this.failure !== undefined) throw new Error(this.failure);
    const made = this.made;
    this.made = [];
    return made;
  }
}
