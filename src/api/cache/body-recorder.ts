/** Records the body of a list while it is sent, so that the response cache can store it. */
import type { Awaitable } from "../../lib/awaitable.ts";
import type { BodyStream } from "../../server/response.ts";

/** A slow reader's list is not recorded to the end: its memory would be taken for too long. */
const MAX_RECORDING_MS = 10_000;

const BUFFER_BYTES = 1024 * 1024;

/** One recording at a time in the whole process: so recordings take no more memory than one cached list. */
let recording = false;

export interface RecorderOptions {
  readonly maxBytes: number;
  /** Is told how many bytes the recording takes, and 0 when it ends. */
  readonly onSize: (bytes: number) => void;
  /** Is called with the whole body when the stream has ended. */
  readonly onComplete: (body: readonly Uint8Array[]) => void;
}

/** Returns a stream of the same chunks. */
export function recordBody(stream: BodyStream, options: RecorderOptions): BodyStream {
  if (recording) return stream;
  recording = true;
  const { maxBytes, onSize, onComplete } = options;
  const startedMs = performance.now();
  let buffers: BufferList | undefined = new BufferList();
  const stop = () => {
    if (!buffers) return;
    buffers = undefined;
    recording = false;
    onSize(0);
  };
  const record = (chunk: Uint8Array | undefined) => {
    if (buffers && chunk) {
      buffers.append(chunk);
      if (buffers.sizeBytes > maxBytes || performance.now() - startedMs > MAX_RECORDING_MS) stop();
      else onSize(buffers.sizeBytes);
    } else if (buffers) {
      const body = buffers.finish();
      stop();
      onComplete(body);
    }
    return chunk;
  };
  return {
    next(): Awaitable<Uint8Array | undefined> {
      const chunk = stream.next();
      return chunk instanceof Promise ? chunk.then(record) : record(chunk);
    },
    close() {
      stop();
      stream.close();
    },
  };
}

/** Buffers of 1 MB: joining them into one would take the memory of a list twice for a moment. */
class BufferList {
  sizeBytes = 0;
  readonly #full: Uint8Array[] = [];
  #buffer = new Uint8Array(BUFFER_BYTES);
  #used = 0;

  append(chunk: Uint8Array): void {
    this.sizeBytes += chunk.length;
    for (let offset = 0; offset < chunk.length; ) {
      if (this.#used === BUFFER_BYTES) {
        this.#full.push(this.#buffer);
        this.#buffer = new Uint8Array(BUFFER_BYTES);
        this.#used = 0;
      }
      const part = chunk.subarray(offset, offset + BUFFER_BYTES - this.#used);
      this.#buffer.set(part, this.#used);
      this.#used += part.length;
      offset += part.length;
    }
  }

  finish(): readonly Uint8Array[] {
    return [...this.#full, this.#buffer.slice(0, this.#used)];
  }
}
