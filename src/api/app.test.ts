import { expect, test } from "bun:test";
import { translationTable } from "../catalog/translations.ts";
import { Asked } from "../server/request.ts";
import { createApp } from "./app.ts";
import { api, until } from "./testing/api.ts";
import { BOOKS, entry, fill, shelf as longShelf } from "./testing/books.ts";
import { ENGINES, SQLITE } from "./testing/engines.ts";
import { headersOf } from "./testing/reply.ts";
import { dial } from "./testing/socket.ts";

const gate = { authenticate: () => ({ ok: true, caller: { id: undefined, name: undefined } }) as const };
const rest = { gate, translations: translationTable(), version: "0", codeListIssue: 1, onError() {} };

test("an embedded store is answered from at once: no promise is made", async () => {
  await using shelf = await SQLITE.fresh();
  await fill(shelf.store, BOOKS.map(entry));
  const app = createApp({ ...rest, store: shelf.store });
  for (const path of [
    "/api/isbn/9789999923019",
    "/api/isbn/9780000000002",
    "/api/isbn/x",
    "/api/imprints",
    "/api/news",
  ]) {
    for (const coding of ["identity", "zstd", "gzip", "br"]) {
      const headers = { "Accept-Encoding": coding };
      expect(app(new Asked("GET", path, new Headers(headers)))).not.toBeInstanceOf(Promise);
    }
  }
});

test("answers that are made at the same time keep their own tags", async () => {
  for (const engine of ENGINES) {
    await using shelf = await engine.fresh();
    await fill(shelf.store, BOOKS.map(entry));
    const app = createApp({ ...rest, store: shelf.store });
    const responses = await Promise.all(
      BOOKS.map(({ isbn }) => app(new Asked("GET", `/api/isbn/${isbn}`, new Headers()))),
    );
    expect(responses.map((reply) => headersOf(reply).get("etag"))).toEqual(
      BOOKS.map((book) => `"${entry(book).etag}"`),
    );
  }
});

test("between the blocks of a list others get their turn, however fast its reader is", async () => {
  for (const engine of ENGINES) {
    await using it = await api(engine, { books: false });
    // All of it goes into the buffers of a socket: nothing but a turn that is given stops it.
    await fill(it.store, [...longShelf(1_500_000)]);
    for (const coding of ["identity", "zstd"]) {
      const [list, other] = [await dial(it.port), await dial(it.port)];
      const ask = (path: string) =>
        `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nAuthorization: Bearer ${it.token}\r\n\r\n`;
      it.watch.bytes = 0;
      const answered = new Promise((resolve) => other.once("data", () => resolve(it.watch.bytes)));
      list.write(ask("/api/imprint/long-shelf"));
      other.write(ask("/api/translations"));
      expect(await answered).toBeLessThan(1_000_000);
      await until(() => it.watch.bytes > 1_500_000 && it.watch.open === 0);
      list.destroy();
      other.destroy();
    }
  }
});
