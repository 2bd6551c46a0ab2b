/** A list whose state is gone is cut off: its client never takes a part of it for the whole. */
import { expect, test } from "bun:test";
import { SnapshotExpired } from "../catalog/store-errors.ts";
import { translationTable } from "../catalog/translations.ts";
import { waitFor } from "../lib/testing/wait-for.ts";
import { startServer } from "../server/server.ts";
import { collect, openSocket } from "../server/testing/socket.ts";
import { openSqlite } from "../stores/sqlite/store.ts";
import { TempFolder } from "../stores/sqlite/testing/folder.ts";
import { book, books, importBooks } from "../stores/testing/books.ts";
import { createApp } from "./app.ts";

test("a list that is read slowly is cut off before its end when an import has superseded it", async () => {
  using folder = new TempFolder();
  const store = openSqlite(folder.catalog, { create: true, snapshotHoldMs: 100 });
  // More than the buffers of two sockets hold.
  await importBooks(store, books(1, 5000, { imprint: "A", title: "x".repeat(4000) }));
  const errors: unknown[] = [];
  const app = createApp({
    store,
    authenticator: { authenticate: () => ({ ok: true, caller: { id: "1", name: "Any" } }) },
    translations: translationTable(),
    version: "0",
    codeListIssue: 70,
    onError: (error) => errors.push(error),
  });
  const server = startServer({ app, host: "127.0.0.1", port: 0, onError: (error) => errors.push(error) });
  const client = await openSocket(server.port);
  client.pause();
  // The connection may be closed as soon as the state has ended, before the client reads on.
  const received = collect(client);
  client.write("GET /api/imprint/a HTTP/1.1\r\nHost: x\r\n\r\n");
  await waitFor("the list has begun", () => store.load?.().openLists === 1);
  await importBooks(store, [book(1, { imprint: "A", title: "new" })]);
  await waitFor("its state has ended", () => store.load?.().openLists === 0);
  client.resume();
  await waitFor("the connection is closed", () => received.closed);
  // A reset can take away what the client has not read.
  if (received.text !== "") expect(received.text).toStartWith("HTTP/1.1 200 ");
  expect(received.text).not.toEndWith("\r\n0\r\n\r\n");
  expect(errors).toEqual([expect.any(SnapshotExpired)]);
  await server.stop(0);
  await store.close();
});
