/** Reads the batches of a list, and closes its snapshot after them. */
import type { Batches, Snapshot } from "../../catalog/store.ts";
import { type Awaitable, then } from "../../lib/awaitable.ts";

export class BatchReader<T> {
  readonly #batches: Iterator<readonly T[]> | AsyncIterator<readonly T[]>;
  readonly #snapshot: Pick<Snapshot, "close">;
  #state: "open" | "ended" | "closed" = "open";

  constructor(batches: Batches<T>, snapshot: Pick<Snapshot, "close">) {
    this.#batches = Symbol.iterator in batches ? batches[Symbol.iterator]() : batches[Symbol.asyncIterator]();
    this.#snapshot = snapshot;
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Returns the next batch, or undefined at the end. */
  next(): Awaitable<readonly T[] | undefined> {
    return then(this.#batches.next(), (step) => {
      if (step.done) this.#state = "ended";
      return step.done ? undefined : step.value;
    });
  }

  /** Closes the snapshot after its batches: the store may still be reading one when the client leaves. */
  close(): void {
    if (this.#state === "closed") return;
    const isUnfinished = this.#state === "open";
    this.#state = "closed";
    let returned: unknown;
    try {
      returned = isUnfinished ? this.#batches.return?.() : undefined;
    } finally {
      if (returned instanceof Promise)
        returned.then(() => this.#snapshot.close()).catch(() => this.#snapshot.close());
      else this.#snapshot.close();
    }
  }
}
