/** The body of an answer, as pieces to be written one after the other. */
import type { Blocks } from "../api/response/json-array.ts";
import { Queue } from "./fair-queue.ts";

/** A piece is good until the next one is asked for. */
export interface Body {
  /** Gives the next piece, or undefined after the last one. `fail`: the body has broken off. */
  next(put: (piece: Uint8Array | undefined) => void, fail: () => void): void;
  /** Left early or late, it is closed. */
  close(): void;
}

/** As much as is written at once: others get their turn after it. */
const PIECE = 256 * 1024;

/** A quarter of a millisecond: one block of a list from the store, or two pieces of one that is kept. */
const queue = new Queue(0.25);

/** A body that is all there. */
export class WholeBody implements Body {
  readonly #pieces: readonly Uint8Array[];
  #place = 0;
  #at = 0;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
  }

  next(put: (piece: Uint8Array | undefined) => void): void {
    const begun = this.#place > 0 || this.#at > 0;
    const piece = this.#take();
    if (begun && piece) queue.add(() => put(piece));
    else put(piece);
  }

  close(): void {}

  #take(): Uint8Array | undefined {
    const bytes = this.#pieces[this.#place];
    if (bytes === undefined) return undefined;
    const piece = bytes.subarray(this.#at, this.#at + PIECE);
    this.#at += piece.length;
    if (this.#at >= bytes.length) {
      this.#place++;
      this.#at = 0;
    }
    return piece;
  }
}

/** RFC 9112, 7.1: the size of a chunk stands before it, and a line end behind. */
const LAST = Buffer.from("\r\n0\r\n\r\n");

/** The blocks of a list, each read when the one before has gone out. */
export class BlockBody implements Body {
  readonly #blocks: Blocks;
  readonly #chunked: boolean;
  readonly #failed: (error: unknown) => void;
  /** Its size has been written, it has not. */
  #block: Uint8Array | undefined;
  #begun = false;
  #open = true;

  constructor(blocks: Blocks, chunked: boolean, failed: (error: unknown) => void) {
    this.#blocks = blocks;
    this.#chunked = chunked;
    this.#failed = failed;
  }

  /**
   * A block is read after a turn of the loop: else a reader who is fast enough would have all of a list before
   * anyone else is heard.
   */
  next(put: (piece: Uint8Array | undefined) => void, fail: () => void): void {
    const block = this.#block;
    this.#block = undefined;
    if (block || !this.#open) put(block);
    else if (this.#begun) queue.add(() => this.#read(put, fail));
    else this.#read(put, fail);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    try {
      this.#blocks.close();
    } catch (error) {
      this.#failed(error);
    }
  }

  #read(put: (piece: Uint8Array | undefined) => void, fail: () => void): void {
    if (!this.#open) return;
    const take = (block: Uint8Array | undefined) => {
      if (!this.#open) return;
      // RFC 9112, 7.1: a chunk of no bytes would be the last.
      if (block?.length === 0) this.#read(put, fail);
      else put(this.#framed(block));
    };
    const give = (error: unknown) => {
      if (!this.#open) return;
      this.#failed(error);
      this.close();
      fail();
    };
    let block: ReturnType<Blocks["next"]>;
    try {
      block = this.#blocks.next();
    } catch (error) {
      give(error);
      return;
    }
    if (block instanceof Promise) block.then(take, give);
    else take(block);
  }

  /** What is to be written before the block; the block itself when nothing is. */
  #framed(block: Uint8Array | undefined): Uint8Array | undefined {
    const first = !this.#begun;
    this.#begun = true;
    if (block === undefined) {
      this.close();
      if (!this.#chunked) return undefined;
      return first ? LAST.subarray(2) : LAST;
    }
    if (!this.#chunked) return block;
    this.#block = block;
    return Buffer.from(`${first ? "" : "\r\n"}${block.length.toString(16)}\r\n`, "latin1");
  }
}
