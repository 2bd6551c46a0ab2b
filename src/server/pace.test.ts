/** How fast a client reads, as the server sees it behind the buffers of the system. A sweep stands for a second. */
import { expect, test } from "bun:test";
import type { ResponseLease } from "./app.ts";
import { Connections } from "./connections.ts";
import { DEFAULT_TIMEOUTS } from "./limits.ts";
import { setSocketOption } from "./listener/libc.ts";
import { Listener } from "./listener/listener.ts";
import { Response } from "./response.ts";
import { RawClient } from "./testing/raw-client.ts";
import { simpleApp } from "./testing/simple-app.ts";

const CHUNK_BYTES = 64 * 1024;
/** socket(7). */
const SOL_SOCKET = 1;
const SO_RCVBUF = 8;

/** Reads a response at a pace, for so many seconds at most. Returns what the server has seen of it. */
async function read(responseBytes: number, bytesPerSecond: number, maxSeconds: number) {
  const seen = { slowAfterSeconds: 0, longestStallSeconds: 0, receivedBytes: 0 };
  let seconds = 0;
  const lease: ResponseLease = {
    client: "",
    release() {},
    isRecalled({ isSlow, stalledSeconds }) {
      if (isSlow) seen.slowAfterSeconds ||= seconds;
      seen.longestStallSeconds = Math.max(seen.longestStallSeconds, stalledSeconds);
      return false;
    },
  };
  let bytesLeft = responseBytes;
  const next = () => {
    const bytes = Math.min(bytesLeft, CHUNK_BYTES);
    bytesLeft -= bytes;
    return bytes > 0 ? new Uint8Array(bytes) : undefined;
  };
  const app = simpleApp(() => new Response(200, "", { stream: { next, close() {} }, onFailure() {} }), lease);
  const connections = new Connections(app, { onSent: undefined, onRefused: undefined, onError() {} });
  const listener = new Listener(
    { host: "127.0.0.1", port: 0, reusePort: false, hasSuccessor: false, fd: undefined },
    connections.handler,
  );
  using client = new RawClient();
  // The system would enlarge the buffer of a client that is so fast in truth.
  setSocketOption(client.fd, SOL_SOCKET, SO_RCVBUF, new Uint8Array(Int32Array.of(CHUNK_BYTES).buffer));
  client.connect(listener.port);
  client.send("GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  for (let isOver = false; !isOver && seconds < maxSeconds; seconds++) {
    for (let missing = bytesPerSecond; missing > 0 && !isOver; ) {
      const bytes = client.receive(new Uint8Array(missing));
      isOver = bytes === 0;
      // The server sends more in a later event-loop tick.
      if (bytes < 0) await new Promise((resolve) => setTimeout(resolve, 0));
      else [missing, seen.receivedBytes] = [missing - bytes, seen.receivedBytes + bytes];
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    connections.sweep(DEFAULT_TIMEOUTS);
  }
  await listener.close();
  await connections.closed(0);
  return seen;
}

test.skipIf(process.platform !== "linux")(
  "a client of 20 kB/s is never slow and never stalls for 20 seconds, over a whole response (skipped without Linux)",
  async () => {
    const { receivedBytes, longestStallSeconds, slowAfterSeconds } = await read(4_000_000, 20_000, 1000);
    expect(receivedBytes).toBeGreaterThan(4_000_000);
    expect([slowAfterSeconds, longestStallSeconds < 20]).toEqual([0, true]);
  },
);

test.skipIf(process.platform !== "linux")(
  "a client of 1.5 kB every two seconds is slow after one or two minutes (skipped without Linux)",
  async () => {
    const { slowAfterSeconds } = await read(4_000_000, 750, 125);
    expect([slowAfterSeconds >= 59, slowAfterSeconds < 125]).toEqual([true, true]);
  },
);
