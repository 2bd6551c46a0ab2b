/** Reads a feed on another thread: that thread parses while this one writes to the store. */
import { decodeBatch } from "./batch-codec.ts";
import type { PreparedBatch } from "./feed-batches.ts";
import { ImportError } from "./import-error.ts";
import type { ReaderMessage, ReaderRequest } from "./reader-thread.worker.ts";

/** The number of batches that the thread may read ahead: a few MB, enough to keep both threads busy. */
const READ_AHEAD_BATCHES = 4;

/** Reads the file at `path`, or standard input for "-". Throws an ImportError when the feed cannot be read. */
export async function* readInThread(path: string): AsyncGenerator<PreparedBatch> {
  const thread = new Worker(new URL("./reader-thread.worker.ts", import.meta.url).href);
  const send = (request: ReaderRequest) => thread.postMessage(request);
  const received: ReaderMessage[] = [];
  let wake = () => {};
  thread.onmessage = ({ data }: MessageEvent<ReaderMessage>) => {
    received.push(data);
    wake();
  };
  thread.onerror = ({ message }) => {
    received.push({ kind: "crashed", message });
    wake();
  };
  try {
    send({ kind: "read", path });
    for (let count = 0; count < READ_AHEAD_BATCHES; count++) send({ kind: "next-batch" });
    for (;;) {
      const message = received.shift();
      if (!message) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if (message.kind === "end") return;
      if (message.kind === "import-error") throw new ImportError(message.message);
      if (message.kind === "crashed") throw new Error(message.message);
      send({ kind: "next-batch" });
      yield decodeBatch(message.batch);
    }
  } finally {
    thread.terminate();
  }
}
