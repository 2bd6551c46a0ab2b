import { expect, test } from "bun:test";
import { bytesOf } from "../../feed/testing/streams.ts";
import { message, product } from "../../onix/testing/message.ts";
import type { ScanRequest } from "./chunk-encoder.ts";
import { ThreadedScanners } from "./scanners.ts";

const [MAX_THREADS, CHUNKS] = [3, 12];

function request(): ScanRequest {
  const buffer = bytesOf(message(product()));
  return { buffer: new Uint8Array(buffer), length: buffer.length, context: undefined, isLast: true };
}

/** Scans chunks of a long feed. */
async function threadsAfter(
  scan: (scanners: ThreadedScanners) => Promise<unknown>,
  bytesBeforeNextThread = 0,
): Promise<number> {
  const scanners = new ThreadedScanners({ checks: false }, MAX_THREADS, bytesBeforeNextThread);
  try {
    await scan(scanners);
    return scanners.concurrency;
  } finally {
    scanners.close();
  }
}

test("a store that takes its time has one scanner thread, whatever the length of the feed", async () => {
  const threads = await threadsAfter(async (scanners) => {
    for (let chunk = 0; chunk < CHUNKS; chunk++) await scanners.scan(request());
  });
  expect(threads).toBe(1);
});

test("chunks that wait in a long feed start further threads, up to the limit", async () => {
  const threads = await threadsAfter((scanners) =>
    Promise.all(Array.from({ length: CHUNKS }, () => scanners.scan(request()))),
  );
  expect(threads).toBe(MAX_THREADS);
});

test("a store that waits for its scanner now and then starts no further thread", async () => {
  const burst = 6;
  const threads = await threadsAfter(async (scanners) => {
    for (let chunk = 0; chunk < CHUNKS; chunk++)
      await Promise.all(Array.from({ length: burst }, () => scanners.scan(request())));
  }, burst * request().length);
  expect(threads).toBe(1);
});

test("chunks that wait at the beginning of a feed start no further thread", async () => {
  const scanners = new ThreadedScanners({ checks: false }, MAX_THREADS);
  await Promise.all(Array.from({ length: CHUNKS }, () => scanners.scan(request())));
  expect(scanners.concurrency).toBe(1);
  scanners.close();
});
