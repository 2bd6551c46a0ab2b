/** The other thread of an import: reads and prepares a file, as far ahead as it is told that it may. */

import { type PackedBatch, pack } from "./batch-codec.ts";
import { batchesFrom, ImportError } from "./feed-batches.ts";

declare const self: Worker;

export type FromWorker =
  | { readonly batch: PackedBatch }
  | { readonly end: true }
  | { readonly refused: string }
  | { readonly failed: string };

let allowed = 0;
let wake = () => {};

self.onmessage = ({ data }: MessageEvent<{ path: string } | "more">) => {
  if (data === "more") {
    allowed++;
    wake();
  } else run(data.path);
};

async function run(path: string): Promise<void> {
  try {
    const bytes = path === "-" ? Bun.stdin.stream() : Bun.file(path).stream();
    for await (const batch of batchesFrom(path === "-" ? "standard input" : path, bytes)) {
      while (allowed === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      allowed--;
      const packed = pack(batch);
      self.postMessage({ batch: packed } satisfies FromWorker, [packed.bodies.buffer as ArrayBuffer]);
    }
    self.postMessage({ end: true } satisfies FromWorker);
  } catch (error) {
    const told =
      error instanceof ImportError ? { refused: error.message } : { failed: String((error as Error).stack) };
    self.postMessage(told satisfies FromWorker);
  }
}
