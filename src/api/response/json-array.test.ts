/** Lists that do not fit into the buffers of a socket: backpressure, failures, and the snapshot behind them. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { waitFor } from "../../lib/testing/wait-for.ts";
import { openSocket } from "../../server/testing/socket.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import { type ServedApi, serveTestApi } from "../testing/api.ts";
import { longList } from "../testing/books.ts";
import { decode } from "../testing/decode.ts";

setDefaultTimeout(60_000);

const SIZE = 40_000_000;
const PATH = "/api/imprint/long-list";
/** What the buffers of both sockets and a few chunks may hold. */
const MAX_READ_AHEAD = 16_000_000;

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let it: ServedApi;
    beforeAll(async () => {
      it = await serveTestApi(engine, { books: false });
      await importBooks(it.store, longList(SIZE));
    });
    afterAll(() => it[Symbol.asyncDispose]());

    const request = (coding: string) =>
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\nAccept-Encoding: ${coding}\r\n\r\n`;

    /** A client that reads the first chunk and no more. */
    async function openStalledClient(coding: string) {
      it.observed.bytesRead = 0;
      const socket = await openSocket(it.port);
      const first = new Promise<void>((resolve) => {
        socket.once("data", () => {
          socket.pause();
          resolve();
        });
      });
      socket.write(request(coding));
      await first;
      // The store has stopped when it has read nothing for a while.
      for (let last = -1; last !== it.observed.bytesRead; ) {
        last = it.observed.bytesRead;
        await Bun.sleep(200);
      }
      return socket;
    }

    test("reads from the store only as fast as the client reads", async () => {
      const socket = await openStalledClient("identity");
      expect(it.observed.bytesRead).toBeGreaterThan(0);
      expect(it.observed.bytesRead).toBeLessThan(MAX_READ_AHEAD);
      expect(it.observed.openSnapshots).toBe(1);
      let rest = 0;
      let end = "";
      socket.on("data", (chunk) => {
        rest += chunk.length;
        end = (end + chunk.toString("latin1")).slice(-20);
      });
      socket.resume();
      await waitFor("the list has ended", () => end.endsWith("]\r\n0\r\n\r\n"));
      expect(rest).toBeGreaterThan(SIZE - 1_000_000);
      expect(it.observed.openSnapshots).toBe(0);
      socket.destroy();
    });

    test.each(["identity", "zstd", "gzip", "br"])(
      "closes the snapshot when the client disconnects (%s)",
      async (coding) => {
        const before = it.observed.snapshots;
        const socket = await openStalledClient(coding);
        expect(it.observed.snapshots).toBe(before + 1);
        // The socket's buffers may hold a whole encoded list.
        if (coding === "identity") expect(it.observed.openSnapshots).toBe(1);
        socket.destroy();
        await waitFor("the snapshot is closed", () => it.observed.openSnapshots === 0);
        expect(it.errors).toEqual([]);
      },
    );

    test.each(["identity", "zstd", "gzip", "br"])(
      "cuts the connection when the store fails in the middle (%s)",
      async (coding) => {
        it.observed.bytesRead = 0;
        it.observed.failAfterBytes = SIZE / 2;
        const socket = await openSocket(it.port);
        const chunks: Uint8Array[] = [];
        const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
        socket.on("data", (chunk: Buffer) => chunks.push(chunk));
        socket.on("error", () => {});
        socket.write(request(coding));
        await closed;
        delete it.observed.failAfterBytes;
        const text = Buffer.concat(chunks).toString("latin1");
        expect(text.startsWith("HTTP/1.1 200")).toBe(true);
        // RFC 9112 §7.1: without the last chunk, the client knows that the body is incomplete.
        expect(text.endsWith("\r\n0\r\n\r\n")).toBe(false);
        expect(text).not.toContain("secret");
        expect(it.observed.openSnapshots).toBe(0);
        const { error, request: failed } = it.errors.pop()!;
        expect(String(error)).toContain("secret of the disk");
        expect(failed).toMatchObject({ method: "GET", path: PATH });
        expect(it.errors).toEqual([]);
      },
    );

    test("makes fetch reject when the store fails in the middle", async () => {
      it.observed.bytesRead = 0;
      it.observed.failAfterBytes = SIZE / 2;
      const response = await fetch(it.url + PATH, { headers: { Authorization: `Bearer ${it.token}` } });
      expect(response.status).toBe(200);
      const outcome = await response.bytes().then(
        () => "complete",
        () => "cut off",
      );
      expect(outcome).toBe("cut off");
      delete it.observed.failAfterBytes;
      it.errors.length = 0;
      await waitFor("the snapshot is closed", () => it.observed.openSnapshots === 0);
    });

    test("sends every byte in every coding", async () => {
      const bodies = longList(SIZE).map(({ body }) => Buffer.from(body).toString("latin1"));
      const expected = Buffer.from(`[${bodies.join(",")}]`, "latin1");
      for (const coding of ["identity", "zstd", "gzip", "br"]) {
        const headers = { Authorization: `Bearer ${it.token}`, "Accept-Encoding": coding };
        const response = await fetch(it.url + PATH, { headers, decompress: false });
        const body = decode(await response.bytes(), response.headers.get("content-encoding"));
        expect(expected.equals(body)).toBe(true);
      }
    });
  });
}
