/** A scanner thread of an import. It scans chunks in the order in which it receives them. */
import { ChunkEncoder, type ScanOptions, type ScanReply, type ScanRequest } from "./chunk-encoder.ts";

declare const self: Worker;

/** The options come first, then requests. */
export type ScannerMessage =
  | ({ readonly kind: "options" } & ScanOptions)
  | ({ readonly kind: "scan" } & ScanRequest);

let encoder: ChunkEncoder;

self.onmessage = ({ data }: MessageEvent<ScannerMessage>) => {
  if (data.kind === "options") encoder = new ChunkEncoder(data);
  else send(encoder.scan(data));
};

function send(reply: ScanReply): void {
  const { buffer, result } = reply;
  const transfer: ArrayBuffer[] = [buffer.buffer];
  if (result.kind === "scanned") transfer.push(result.products.bodies.buffer);
  self.postMessage(reply, transfer);
}
