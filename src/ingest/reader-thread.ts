/** Batches that another thread prepares, so that both cores are at work: one reads the feed, the other writes the catalog. */
import { unpack } from "./batch-codec.ts";
import { ImportError, type PreparedBatch } from "./feed-batches.ts";
import type { FromWorker } from "./reader-thread.worker.ts";

/** How far the other thread may be ahead: some MB, and enough to keep both at work. */
const AHEAD = 4;

export async function* preparedByWorker(path: string): AsyncGenerator<PreparedBatch> {
  const worker = new Worker(new URL("./reader-thread.worker.ts", import.meta.url).href);
  const arrived: FromWorker[] = [];
  let wake = () => {};
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    arrived.push(data);
    wake();
  };
  worker.onerror = (event) => {
    arrived.push({ failed: event.message });
    wake();
  };
  try {
    worker.postMessage({ path });
    for (let ahead = 0; ahead < AHEAD; ahead++) worker.postMessage("more");
    for (;;) {
      const message = arrived.shift();
      if (!message) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      if ("end" in message) return;
      if ("refused" in message) throw new ImportError(message.refused);
      if ("failed" in message) throw new Error(message.failed);
      worker.postMessage("more");
      yield unpack(message.batch);
    }
  } finally {
    worker.terminate();
  }
}
