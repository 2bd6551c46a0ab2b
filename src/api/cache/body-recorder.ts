/** Records the body of a list while it is sent, so that the response cache can store it. */
import type { Awaitable } from "../../lib/awaitable.ts";
import type { BodyStream } from "../../server/response.ts";

/** A slow reader's list is not recorded to the end: its memory would be taken for too long. */
const MAX_RECORDING_MS = 10_000;

const RECORDING_BUFFER_BYTES = 1024 * 1024;

/** Makes one recording at a time, so that recordings take no more memory than one cached list. */
export class BodyRecorder {
  readonly #maxBytes: number;
  readonly #onSize: (bytes: number) => void;
  #recording = false;

  /** Calls `onSize` with the bytes that the recording takes, and with 0 when it ends. */
  constructor(maxBytes: number, onSize: (bytes: number) => void) {
    this.#maxBytes = maxBytes;
    this.#onSize = onSize;
  }

  /** Returns a stream of the same chunks. Calls `onComplete` with the whole body when the stream has ended. */
  record(stream: BodyStream, onComplete: (body: readonly Uint8Array[]) => void): BodyStream {
    if (this.#recording) return stream;
    this.#recording = true;
    const startedMs = performance.now();
    let buffers: BufferList | undefined = new BufferList();
    const end = () => {
      buffers = undefined;
      this.#recording = false;
      this.#onSize(0);
    };
    const stop = () => {
      if (buffers) end();
    };
    const record = (chunk: Uint8Array | undefined) => {
      if (buffers && chunk) {
        buffers.append(chunk);
        const isTooSlow = performance.now() - startedMs > MAX_RECORDING_MS;
        if (buffers.sizeBytes > this.#maxBytes || isTooSlow) stop();
        else this.#onSize(buffers.sizeBytes);
      } else if (buffers) {
        const body = buffers.finish();
        end();
        onComplete(body);
      }
      return chunk;
    };
    return {
      next(): Awaitable<Uint8Array | undefined> {
        const chunk = stream.next();
        return chunk instanceof Promise ? chunk.then(record) : record(chunk);
      },
      release: () => stream.release?.(),
      close() {
        stop();
        stream.close();
      },
    };
  }
}

/** Buffers of 1 MB: joining them into one would take the memory of a list twice for a moment. */
class BufferList {
  sizeBytes = 0;
  readonly #full: Uint8Array[] = [];
  #buffer = new Uint8Array(RECORDING_BUFFER_BYTES);
  #used = 0;

  append(chunk: Uint8Array): void {
    this.sizeBytes += chunk.length;
    for (let offset = 0; offset < chunk.length; ) {
      if (this.#used === RECORDING_BUFFER_BYTES) {
        this.#full.push(this.#buffer);
        this.#buffer = new Uint8Array(RECORDING_BUFFER_BYTES);
        this.#used = 0;
      }
      const part = chunk.subarray(offset, offset + RECORDING_BUFFER_BYTES - this.#used);
      this.#buffer.set(part, this.#used);
      this.#used += part.length;
      offset += part.length;
    }
  }

  finish(): readonly Uint8Array[] {
    return [...this.#full, this.#buffer.slice(0, this.#used)];
  }
}
