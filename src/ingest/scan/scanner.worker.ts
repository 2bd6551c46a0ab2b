/** A scanner thread of an import. It scans chunks in the order in which it receives them. */
import { ChunkEncoder, type ScanOptions, type ScanRequest } from "./chunk-encoder.ts";

declare const self: Worker;

/** The options come first, then requests. */
export type ScannerMessage =
  | ({ readonly kind: "options" } & ScanOptions)
  | ({ readonly kind: "scan" } & ScanRequest);

let encoder: Promise<ChunkEncoder>;

self.onmessage = ({ data }: MessageEvent<ScannerMessage>) => {
  if (data.kind === "options") encoder = ChunkEncoder.create(data);
  else scan(data).catch(throwUncaught);
};

async function scan(request: ScanRequest): Promise<void> {
  const reply = (await encoder).scan(request);
  const { buffer, result } = reply;
  const transfer: ArrayBuffer[] = [buffer.buffer];
  if (result.kind === "scanned") {
    const { bodies, summaries, searchDocuments } = result.products;
    transfer.push(bodies.buffer, summaries.bytes.buffer, searchDocuments.bytes.buffer);
  }
  self.postMessage(reply, transfer);
}

/** The main thread is notified of uncaught errors. */
function throwUncaught(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
