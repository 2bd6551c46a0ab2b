import type { Awaitable } from "../../lib/awaitable.ts";
import type { Blocks } from "../response/json-array.ts";

/** A list that is read slowly is not waited for: what it has gathered so far would take up memory meanwhile. */
const PATIENCE_MS = 10_000;

const PIECE = 1024 * 1024;

/** One at a time, whoever asks: so that gathering costs no more memory than what is gathered. */
let busy = false;

export interface Gathering {
  readonly mostBytes: number;
  /** Told how many bytes there are by now, and 0 in the end. */
  readonly grows: (bytes: number) => void;
  readonly whole: (pieces: readonly Uint8Array[]) => void;
}

/** Blocks as they are, gathered on their way out: `whole` is called with all of them when they have ended. */
export function gathering(blocks: Blocks, { mostBytes, grows, whole }: Gathering): Blocks {
  if (busy) return blocks;
  busy = true;
  const begun = performance.now();
  let all: Pieces | undefined = new Pieces();
  const stop = () => {
    if (!all) return;
    all = undefined;
    busy = false;
    grows(0);
  };
  const take = (block: Uint8Array | undefined) => {
    if (all && block) {
      all.add(block);
      if (all.size > mostBytes || performance.now() - begun > PATIENCE_MS) stop();
      else grows(all.size);
    } else if (all) {
      const pieces = all.end();
      stop();
      whole(pieces);
    }
    return block;
  };
  return {
    next(): Awaitable<Uint8Array | undefined> {
      const block = blocks.next();
      return block instanceof Promise ? block.then(take) : take(block);
    },
    close() {
      stop();
      blocks.close();
    },
  };
}

/** Of 1 MB each, but for the last: as a whole, a list would be there twice for a moment. */
class Pieces {
  size = 0;
  readonly #full: Uint8Array[] = [];
  #piece = new Uint8Array(PIECE);
  #used = 0;

  add(block: Uint8Array): void {
    this.size += block.length;
    for (let at = 0; at < block.length; ) {
      if (this.#used === PIECE) {
        this.#full.push(this.#piece);
        this.#piece = new Uint8Array(PIECE);
        this.#used = 0;
      }
      const part = block.subarray(at, at + PIECE - this.#used);
      this.#piece.set(part, this.#used);
      this.#used += part.length;
      at += part.length;
    }
  }

  end(): readonly Uint8Array[] {
    return [...this.#full, this.#piece.slice(0, this.#used)];
  }
}
