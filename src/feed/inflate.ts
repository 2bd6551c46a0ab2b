import type { Gunzip, InflateRaw } from "node:zlib";

/** Drives a zlib stream slice by slice, so that only the output of one slice is in memory. */
export class Inflater {
  /** The error message of zlib. Undefined while there is no error. */
  failure: string | undefined;
  /** The compressed data has reached its end marker. There may be input left. */
  ended = false;
  private output: Uint8Array[] = [];
  private inputBytes = 0;
  private resolveStep: () => void = () => {};

  constructor(private readonly stream: Gunzip | InflateRaw) {
    stream.on("data", (chunk: Uint8Array) => this.output.push(chunk));
    stream.on("end", () => {
      this.ended = true;
      this.resolveStep();
    });
    stream.on("error", (error: Error) => {
      this.failure = error.message;
      this.resolveStep();
    });
  }

  async push(slice: Uint8Array): Promise<readonly Uint8Array[]> {
    // Some gzip files are padded with zeros to a block size.
    if (this.ended) return [];
    this.inputBytes += slice.length;
    return this.step((done) => this.stream.write(slice, done));
  }

  /** Ends the input. Fails when the compressed data is truncated. */
  async finish(): Promise<readonly Uint8Array[]> {
    return this.ended ? [] : this.step(() => this.stream.end());
  }

  /** How many input bytes belong to the compressed data. */
  get consumed(): number {
    return this.stream.bytesWritten;
  }

  /** How many bytes of the last slice come after the end of the compressed data. */
  get excess(): number {
    return this.inputBytes - this.consumed;
  }

  close(): void {
    this.stream.destroy();
  }

  private async step(start: (done: () => void) => void): Promise<readonly Uint8Array[]> {
    await new Promise<void>((resolve) => {
      this.resolveStep = resolve;
      // zlib calls back for each write, but not always for the write in which the compressed data ends.
      start(() => resolve());
    });
    if (this.failure !== undefined) throw new Error(this.failure);
    const output = this.output;
    this.output = [];
    return output;
  }
}
