/** Lines on their way out: gathered, written in batches, and never more of them in memory than fit. */

/** Resolves when the piece is out, or never will be. */
export type Sink = (piece: Buffer) => Promise<void>;

/**
 * POSIX (write, PIPE_BUF): up to here a write into a pipe is not torn apart by those of other processes, so the
 * workers' lines do not run into each other. 4,096 is Linux's.
 */
export const LONGEST_LINE = 4096;

/** Characters that are enough to be written at once, and milliseconds after which anything is. */
const BATCH = 64 * 1024;
const EVERY_MS = 100;
/** Characters that wait for a slow reader; what comes then is dropped. Those of a log are mostly bytes. */
const MOST_WAITING = 1024 * 1024;

export class Outlet {
  readonly #sink: Sink;
  readonly #most: number;
  /** The line that says how many were dropped. */
  readonly #lineOfDropped: (count: number) => string;
  /** Each of whole lines, and of at most LONGEST_LINE characters: bytes are counted when they are written. */
  #pieces: string[] = [];
  #piece = "";
  #waiting = 0;
  #dropped = 0;
  #toldDropped = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;

  constructor(sink: Sink, lineOfDropped: (count: number) => string, most = MOST_WAITING) {
    this.#sink = sink;
    this.#most = most;
    this.#lineOfDropped = lineOfDropped;
  }

  /** So far, in all. */
  get dropped(): number {
    return this.#dropped;
  }

  /** One line, without its end. */
  add(line: string): void {
    if (this.#waiting + line.length >= this.#most) {
      this.#dropped++;
      return;
    }
    this.#put(line);
    if (this.#writing) return;
    if (this.#waiting >= BATCH) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), EVERY_MS);
  }

  /** Waits for what is on its way, but no longer than so many milliseconds. */
  async close(patience: number): Promise<void> {
    if (!this.#writing && this.#waiting > 0) this.#write();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, patience);
    await Promise.race([this.#writing, late]);
    clearTimeout(timer);
  }

  #put(line: string): void {
    if (this.#piece.length + line.length >= LONGEST_LINE) this.#endPiece();
    this.#piece += `${line}\n`;
    this.#waiting += line.length + 1;
  }

  #endPiece(): void {
    if (this.#piece !== "") this.#pieces.push(this.#piece);
    this.#piece = "";
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting > 0) {
      this.#endPiece();
      const pieces = this.#pieces;
      this.#pieces = [];
      for (const piece of pieces) {
        for (const bytes of wholeLines(Buffer.from(piece))) await this.#sink(bytes);
        this.#waiting -= piece.length;
      }
      this.#tellDropped();
    }
  }

  #tellDropped(): void {
    const count = this.#dropped - this.#toldDropped;
    if (count === 0) return;
    this.#toldDropped = this.#dropped;
    this.#put(this.#lineOfDropped(count));
  }
}

/** The same bytes in pieces of at most LONGEST_LINE, as far as lines allow: letters beyond ASCII take more than one. */
function* wholeLines(bytes: Buffer): Generator<Buffer> {
  let rest = bytes;
  while (rest.length > LONGEST_LINE) {
    const before = rest.lastIndexOf("\n", LONGEST_LINE - 1);
    const end = before < 0 ? rest.indexOf("\n") : before;
    yield rest.subarray(0, end + 1);
    rest = rest.subarray(end + 1);
  }
  if (rest.length > 0) yield rest;
}

/**
 * Standard error, one piece at a time. Bun does not block on it, whatever it is; where it is gone (EPIPE) there is
 * nobody to tell, and the service goes on.
 */
export function standardError(): Sink {
  process.stderr.on("error", () => {});
  return (piece) => new Promise((resolve) => process.stderr.write(piece, () => resolve()));
}
