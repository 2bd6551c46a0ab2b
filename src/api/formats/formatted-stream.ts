/** A list in a format that its items are converted to: streamed, as fast as the client reads. */
import { ByteOutput, type ListWriter } from "../../catalog/formats/list-writer.ts";
import type { Batches, Snapshot } from "../../catalog/store.ts";
import { type Awaitable, then } from "../../lib/awaitable.ts";
import type { BodyStream } from "../../server/response.ts";
import { BatchReader } from "../response/batch-reader.ts";

/** Converting takes the event loop for about this long at a time, and for one item at least. */
const SLICE_MS = 1;

/** About what a socket accepts at once. */
const MAX_CHUNK_BYTES = 64 * 1024;

interface FormattedListOptions<T> {
  readonly batches: Batches<T>;
  readonly writer: ListWriter<T>;
  readonly snapshot: Pick<Snapshot, "close">;
  /** Frees the memory of an item that has been written. The garbage collector would do so much later. */
  readonly free?: ((item: T) => void) | undefined;
  /** Called after the last item, before the list is ended. What it throws cuts the list off. */
  readonly beforeEnd?: (() => Awaitable<void>) | undefined;
}

export class FormattedStream<T> implements BodyStream {
  readonly #reader: BatchReader<T>;
  readonly #writer: ListWriter<T>;
  readonly #free: (item: T) => void;
  readonly #beforeEnd: () => Awaitable<void>;
  readonly #output = new ByteOutput();
  /** The rest of the batch that was read last. */
  #batch: readonly T[] = [];
  #written = 0;
  #hasBegun = false;

  constructor({ batches, writer, snapshot, free, beforeEnd }: FormattedListOptions<T>) {
    this.#reader = new BatchReader(batches, snapshot);
    this.#writer = writer;
    this.#free = free ?? (() => {});
    this.#beforeEnd = beforeEnd ?? (() => {});
  }

  next(): Awaitable<Uint8Array | undefined> {
    if (!this.#hasBegun) {
      this.#hasBegun = true;
      this.#writer.begin?.(this.#output);
    }
    if (this.#written < this.#batch.length) return this.#convertSlice();
    if (!this.#reader.isOpen) return undefined;
    return then(this.#reader.next(), (batch) => {
      if (batch === undefined) return this.#end();
      this.#batch = batch;
      this.#written = 0;
      return batch.length === 0 ? this.next() : this.#convertSlice();
    });
  }

  close(): void {
    this.#reader.close();
  }

  #convertSlice(): Awaitable<Uint8Array> {
    const endMs = performance.now() + SLICE_MS;
    do {
      const item = this.#batch[this.#written++]!;
      const written = this.#writer.write(item, this.#output);
      if (written instanceof Promise) return written.then(() => this.#output.take());
      this.#free(item);
    } while (
      this.#written < this.#batch.length &&
      this.#output.length < MAX_CHUNK_BYTES &&
      performance.now() < endMs
    );
    return this.#output.take();
  }

  #end(): Awaitable<Uint8Array | undefined> {
    return then(this.#beforeEnd(), () => {
      this.#writer.end?.(this.#output);
      return this.#output.length === 0 ? undefined : this.#output.take();
    });
  }
}
