/** The reader thread of an import. It parses one feed, and sends one batch per "next-batch" request. */
import { type EncodedBatch, encodeBatch } from "./batch-codec.ts";
import { parseFeed } from "./feed-batches.ts";
import { ImportError } from "./import-error.ts";

declare const self: Worker;

export type ReaderRequest =
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "next-batch" };

export type ReaderMessage =
  | { readonly kind: "batch"; readonly batch: EncodedBatch }
  | { readonly kind: "end" }
  | { readonly kind: "import-error"; readonly message: string }
  | { readonly kind: "crashed"; readonly message: string };

/** The number of batches that were requested and not sent yet. */
let requestedBatches = 0;
let wake = () => {};

self.onmessage = ({ data }: MessageEvent<ReaderRequest>) => {
  if (data.kind === "read") void read(data.path);
  else {
    requestedBatches++;
    wake();
  }
};

async function read(path: string): Promise<void> {
  try {
    const isStdin = path === "-";
    const bytes = isStdin ? Bun.stdin.stream() : Bun.file(path).stream();
    for await (const batch of parseFeed(isStdin ? "standard input" : path, bytes)) {
      while (requestedBatches === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      requestedBatches--;
      const encoded = encodeBatch(batch);
      send({ kind: "batch", batch: encoded }, [encoded.bodies.buffer as ArrayBuffer]);
    }
    send({ kind: "end" });
  } catch (error) {
    send(
      error instanceof ImportError
        ? { kind: "import-error", message: error.message }
        : { kind: "crashed", message: String((error as Error).stack) },
    );
  }
}

function send(message: ReaderMessage, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, transfer);
}
