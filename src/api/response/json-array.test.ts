/** Lists that do not fit into the buffers of a socket: backpressure, failures, and the snapshot behind them. */
import { describe, expect, test } from "bun:test";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { openSocket } from "../../server/testing/socket.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { decode, serveTestApi } from "../testing/api.ts";
import { LONG_LIST_PATH, longList } from "../testing/books.ts";
import { sharedApi } from "../testing/shared-api.ts";
import { ChunkBuffer } from "./batch-reader.ts";

/** More than the buffers of both sockets and a few chunks may hold. */
const LIST_BYTES = 16_000_000;
const MAX_READ_AHEAD_BYTES = 12_000_000;
/** More than a list that is sent as one body. */
const FAIL_AFTER_BYTES = 1_000_000;
const CODINGS = ["identity", "zstd", "gzip", "br"];

/** Books of 20 kB: an import costs by the book. */
const LIST = longList(LIST_BYTES, 20_000);
const LIST_JSON = Buffer.from(
  `[${LIST.map(({ body }) => Buffer.from(body).toString("latin1")).join(",")}]`,
  "latin1",
);

for (const engine of ENGINES) {
  describe(engine.name, () => {
    const api = sharedApi(() => serveTestApi(engine, { books: LIST }));

    const request = (coding: string) =>
      `GET ${LONG_LIST_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.token}\r\nAccept-Encoding: ${coding}\r\n\r\n`;

    /** Opens a client that reads the beginning of the response and no more. */
    async function openStalledClient(coding: string) {
      api.observed.bytesRead = 0;
      const socket = await openSocket(api.port);
      const beginning = new Promise<void>((resolve) => {
        socket.once("data", () => {
          socket.pause();
          resolve();
        });
      });
      socket.write(request(coding));
      await beginning;
      return socket;
    }

    /** Waits until nothing has been read from the store for 300 ms. */
    async function waitForBackpressure(): Promise<void> {
      let [bytesRead, unchanged] = [-1, 0];
      await waitFor("the store is not read any more", async () => {
        await Bun.sleep(100);
        unchanged = api.observed.bytesRead === bytesRead ? unchanged + 1 : 0;
        bytesRead = api.observed.bytesRead;
        return unchanged === 3;
      });
    }

    test("reads from the store only as fast as the client reads", async () => {
      const socket = await openStalledClient("identity");
      await waitForBackpressure();
      expect(api.observed.bytesRead).toBeGreaterThan(0);
      expect(api.observed.bytesRead).toBeLessThan(MAX_READ_AHEAD_BYTES);
      expect(api.observed.openSnapshots).toBe(1);
      let rest = 0;
      let end = "";
      socket.on("data", (chunk) => {
        rest += chunk.length;
        end = (end + chunk.toString("latin1")).slice(-20);
      });
      socket.resume();
      await waitFor("the list has ended", () => end.endsWith("]\r\n0\r\n\r\n"));
      expect(rest).toBeGreaterThan(LIST_BYTES - 1_000_000);
      expect(api.observed.openSnapshots).toBe(0);
      socket.destroy();
    });

    test("closes the snapshot when a client disconnects that does not read", async () => {
      const socket = await openStalledClient("identity");
      await waitForBackpressure();
      expect(api.observed.openSnapshots).toBe(1);
      socket.destroy();
      await waitFor("the snapshot is closed", () => api.observed.openSnapshots === 0);
      expect(api.errors).toEqual([]);
    });

    test.each(CODINGS)("closes the snapshot when the client disconnects (%s)", async (coding) => {
      const { snapshots } = api.observed;
      const socket = await openStalledClient(coding);
      expect(api.observed.snapshots).toBe(snapshots + 1);
      expect(api.observed.openSnapshots).toBe(1);
      socket.destroy();
      await waitFor("the snapshot is closed", () => api.observed.openSnapshots === 0);
      expect(api.observed.bytesRead).toBeLessThan(LIST_BYTES);
      expect(api.errors).toEqual([]);
    });

    test.each(CODINGS)("cuts the connection when the store fails in the middle (%s)", async (coding) => {
      api.observed.bytesRead = 0;
      api.observed.failAfterBytes = FAIL_AFTER_BYTES;
      const socket = await openSocket(api.port);
      const chunks: Uint8Array[] = [];
      const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      socket.on("error", () => {});
      socket.write(request(coding));
      await closed;
      delete api.observed.failAfterBytes;
      const text = Buffer.concat(chunks).toString("latin1");
      expect(text.startsWith("HTTP/1.1 200")).toBe(true);
      // RFC 9112 §7.1: without the last chunk, the client knows that the body is incomplete.
      expect(text.endsWith("\r\n0\r\n\r\n")).toBe(false);
      expect(text).not.toContain("secret");
      expect(api.observed.openSnapshots).toBe(0);
      const { error, request: failed } = api.errors.pop()!;
      expect(String(error)).toContain("secret of the disk");
      expect(failed).toMatchObject({ method: "GET", path: LONG_LIST_PATH });
      expect(api.errors).toEqual([]);
    });

    test("sends every byte in every coding", async () => {
      // The bytes come from the engine. It does not know what they are encoded in.
      for (const coding of engine === ENGINES[0] ? CODINGS : ["identity"]) {
        const headers = { Authorization: `Bearer ${api.token}`, "Accept-Encoding": coding };
        const response = await fetch(api.url + LONG_LIST_PATH, { headers, decompress: false });
        const body = decode(await response.bytes(), response.headers.get("content-encoding"));
        expect(LIST_JSON.equals(body)).toBe(true);
      }
    });
  });
}

test("two lists use the same memory, one after the other", () => {
  const [first, second] = [new ChunkBuffer(), new ChunkBuffer()];
  const { buffer } = first.ofSize(1000);
  first.release();
  expect(second.ofSize(2000).buffer).toBe(buffer);
  second.release();
});

test("two lists that have chunks at the same time use different memory", () => {
  const [first, second] = [new ChunkBuffer(), new ChunkBuffer()];
  expect(first.ofSize(1000).buffer).not.toBe(second.ofSize(1000).buffer);
  first.release();
  second.release();
});

test("returns an array of the size that is requested, and keeps none that is too large for others", () => {
  const chunks = new ChunkBuffer();
  expect(chunks.ofSize(10)).toHaveLength(10);
  const large = chunks.ofSize(1_000_000);
  expect(large).toHaveLength(1_000_000);
  chunks.release();
  expect(new ChunkBuffer().ofSize(1_000_000).buffer).not.toBe(large.buffer);
});
