/** Cached bodies that are still being sent after the cache has dropped them: clients that do not read hold their memory. */
import { freeBuffer } from "../../lib/free-buffer.ts";
import type { ResponseLease } from "../../server/app.ts";

/** The memory of all such bodies. While it exceeds its limit, no long body is cached, so none can be dropped. */
export class DroppedBodies {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get isFull(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** Called by a body. `bytes` is negative when nobody reads the body any more. */
  change(bytes: number): void {
    this.#bytes += bytes;
  }
}

/** The body of one cached response, and how many responses in flight use it. */
export class SharedBody {
  readonly #sizeBytes: number;
  readonly #dropped: DroppedBodies;
  readonly #ownChunks: readonly Uint8Array[];
  #readers = 0;
  #isDropped = false;

  /** `ownChunks` is the body when only the cache and its leases refer to it: it is freed after the last of them. */
  constructor(sizeBytes: number, dropped: DroppedBodies, ownChunks: readonly Uint8Array[]) {
    this.#sizeBytes = sizeBytes;
    this.#dropped = dropped;
    this.#ownChunks = ownChunks;
  }

  /** Called when the cache no longer has the body. */
  drop(): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    if (this.#readers > 0) this.#dropped.change(this.#sizeBytes);
    else this.#free();
  }

  /** Counts a response until its lease is released. A slow client loses the body when others need the memory. */
  lease(client: string): ResponseLease {
    if (this.#readers++ === 0 && this.#isDropped) this.#dropped.change(this.#sizeBytes);
    let isReleased = false;
    return {
      client,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        if (--this.#readers > 0 || !this.#isDropped) return;
        this.#dropped.change(-this.#sizeBytes);
        this.#free();
      },
      isRecalled: ({ isSlow }) => isSlow && this.#isDropped && this.#dropped.isFull,
    };
  }

  #free(): void {
    for (const chunk of this.#ownChunks) freeBuffer(chunk);
  }
}
