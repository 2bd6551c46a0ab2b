/** Lists that are larger than what a socket takes: pace, memory, and what becomes of the view. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Api, api, until } from "../testing/api.ts";
import { fill, shelf } from "../testing/books.ts";
import { decoded } from "../testing/decoded.ts";
import { ENGINES } from "../testing/engines.ts";
import { dial } from "../testing/socket.ts";

setDefaultTimeout(60_000);

const SIZE = 40_000_000;
const PATH = "/api/imprint/long-shelf";
/** What the buffers of both sockets and a few blocks may hold. */
const AHEAD = 16_000_000;

for (const engine of ENGINES) {
  describe(engine.name, () => {
    let it: Api;
    beforeAll(async () => {
      it = await api(engine, { books: false });
      await fill(it.store, [...shelf(SIZE)]);
    });
    afterAll(() => it[Symbol.asyncDispose]());

    const request = (coding: string) =>
      `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\nAccept-Encoding: ${coding}\r\n\r\n`;

    /** A reader that takes the first piece and no more. */
    async function stalled(coding: string) {
      it.watch.bytes = 0;
      const socket = await dial(it.port);
      const first = new Promise<void>((resolve) => {
        socket.once("data", () => {
          socket.pause();
          resolve();
        });
      });
      socket.write(request(coding));
      await first;
      // It has stalled when nothing more has been read for a while: else it is just slow, and has read less.
      for (let last = -1; last !== it.watch.bytes; ) {
        last = it.watch.bytes;
        await Bun.sleep(200);
      }
      return socket;
    }

    test("is read at the reader's pace", async () => {
      const socket = await stalled("identity");
      expect(it.watch.bytes).toBeGreaterThan(0);
      expect(it.watch.bytes).toBeLessThan(AHEAD);
      expect(it.watch.open).toBe(1);
      let rest = 0;
      let end = "";
      socket.on("data", (chunk) => {
        rest += chunk.length;
        end = (end + chunk.toString("latin1")).slice(-20);
      });
      socket.resume();
      await until(() => end.endsWith("]\r\n0\r\n\r\n"));
      expect(rest).toBeGreaterThan(SIZE - 1_000_000);
      expect(it.watch.open).toBe(0);
      socket.destroy();
    });

    test.each(["identity", "zstd", "gzip", "br"])(
      "a client that leaves closes the view (%s)",
      async (coding) => {
        if (coding === "identity") (await stalled(coding)).destroy();
        else {
          const socket = await dial(it.port);
          socket.write(request(coding));
          await new Promise((resolve) => socket.once("data", resolve));
          socket.destroy();
        }
        await until(() => it.watch.open === 0);
        expect(it.watch.opened).toBeGreaterThan(0);
        expect(it.errors).toEqual([]);
      },
    );

    test.each(["identity", "zstd", "gzip", "br"])(
      "a store that fails in the middle breaks the connection off (%s)",
      async (coding) => {
        it.watch.bytes = 0;
        it.watch.breakAfter = SIZE / 2;
        const socket = await dial(it.port);
        const chunks: Uint8Array[] = [];
        const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
        socket.on("data", (chunk: Buffer) => chunks.push(chunk));
        socket.on("error", () => {});
        socket.write(request(coding));
        await closed;
        delete it.watch.breakAfter;
        const text = Buffer.concat(chunks).toString("latin1");
        expect(text.startsWith("HTTP/1.1 200")).toBe(true);
        // RFC 9112, 7.1: without the last chunk of size 0, the body is known to be incomplete.
        expect(text.endsWith("\r\n0\r\n\r\n")).toBe(false);
        expect(text).not.toContain("secret");
        expect(it.watch.open).toBe(0);
        const { error, request: failed } = it.errors.pop()!;
        expect(String(error)).toContain("secret of the disk");
        expect(failed).toMatchObject({ method: "GET", path: PATH });
        expect(it.errors).toEqual([]);
      },
    );

    test("a client of fetch sees the failure as one", async () => {
      it.watch.bytes = 0;
      it.watch.breakAfter = SIZE / 2;
      const response = await fetch(it.url + PATH, { headers: { Authorization: `Bearer ${it.token}` } });
      expect(response.status).toBe(200);
      const outcome = await response.bytes().then(
        () => "complete",
        () => "broken off",
      );
      expect(outcome).toBe("broken off");
      delete it.watch.breakAfter;
      it.errors.length = 0;
      await until(() => it.watch.open === 0);
    });

    test("is whole, in every coding", async () => {
      const bodies = [...shelf(SIZE)].map(({ body }) => Buffer.from(body).toString("latin1"));
      const expected = Buffer.from(`[${bodies.join(",")}]`, "latin1");
      for (const coding of ["identity", "zstd", "gzip", "br"]) {
        const headers = { Authorization: `Bearer ${it.token}`, "Accept-Encoding": coding };
        const response = await fetch(it.url + PATH, { headers, decompress: false });
        const body = decoded(await response.bytes(), response.headers.get("content-encoding"));
        expect(expected.equals(body)).toBe(true);
      }
    });
  });
}
