/** Lists in flight share the service by token, however many lists a token has. */
import { describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import type { Store } from "../catalog/store.ts";
import { translationTable } from "../catalog/translations.ts";
import { waitFor } from "../lib/testing/wait-for.ts";
import { startServer } from "../server/server.ts";
import { openSocket } from "../server/testing/socket.ts";
import { books, importBooks } from "../stores/testing/books.ts";
import { ENGINES } from "../stores/testing/engines.ts";
import { createApp } from "./app.ts";

/** How many lists one token reads at once. */
const LISTS = 24;
/** A list of 4 MB is read in more than 20 parts. */
const importLongList = (store: Store) =>
  importBooks(store, books(1, 1000, { imprint: "A", title: "x".repeat(4000) }));

for (const engine of ENGINES) {
  describe(engine.name, () => {
    test("a list ends before those that another token began earlier, which all end, too", async () => {
      await using served = await serveLongList();
      const { request, ended } = served;
      const many = await Promise.all(Array.from({ length: LISTS }, () => request("many")));
      await waitFor("all lists have begun", () => many.every(({ bytesRead }) => bytesRead > 0));
      const endedBefore = ended.length;
      await request("few");
      await waitFor("all lists have ended", () => ended.length === LISTS + 1);
      // If lists took turns, and not tokens, it would be one of the last.
      expect(ended.indexOf("few") - endedBefore).toBeLessThan(LISTS / 2);
    });
  });

  /** Serves the list to tokens of any name. `ended` has the tokens of the complete responses, in the order of their ends. */
  async function serveLongList() {
    await using cleanup = new AsyncDisposableStack();
    const { store } = cleanup.use(await engine.createStore(importLongList));
    const onError = (error: unknown) => {
      throw error;
    };
    const app = createApp({
      store,
      authenticator: { authenticate: (header) => ({ ok: true, caller: { id: header!, name: header! } }) },
      translations: translationTable(),
      version: "0",
      codeListIssue: 70,
      onError,
      cacheBytes: 0,
    });
    const server = startServer({ app, host: "127.0.0.1", port: 0, onError });
    cleanup.defer(async () => void (await server.stop(0)));
    const disposal = cleanup.move();
    const ended: string[] = [];
    return {
      ended,
      async request(token: string): Promise<Socket> {
        const socket = await openSocket(server.port);
        let end = "";
        socket.on("data", (chunk: Buffer) => {
          end = (end + chunk.subarray(-7).toString("latin1")).slice(-7);
          if (end === "\r\n0\r\n\r\n") ended.push(token);
        });
        socket.on("error", () => {});
        socket.write(`GET /api/imprint/a HTTP/1.1\r\nHost: x\r\nAuthorization: ${token}\r\n\r\n`);
        return socket;
      },
      [Symbol.asyncDispose]: () => disposal.disposeAsync(),
    };
  }
}
