import { expect, test } from "bun:test";
import { translationTable } from "../catalog/translations.ts";
import { createApp } from "./app.ts";
import { BOOKS, entry, fill, shelf as longShelf } from "./testing/books.ts";
import { ENGINES, SQLITE } from "./testing/engines.ts";

const gate = { admit: () => ({ ok: true, caller: { id: undefined, name: undefined } }) as const };
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
      expect(app(new Request(`http://x${path}`, { headers }))).toBeInstanceOf(Response);
    }
  }
});

test("answers that are made at the same time keep their own tags", async () => {
  for (const engine of ENGINES) {
    await using shelf = await engine.fresh();
    await fill(shelf.store, BOOKS.map(entry));
    const app = createApp({ ...rest, store: shelf.store });
    const responses = await Promise.all(
      BOOKS.map(({ isbn }) => app(new Request(`http://x/api/isbn/${isbn}`))),
    );
    expect(responses.map(({ headers }) => headers.get("etag"))).toEqual(
      BOOKS.map((book) => `"${entry(book).etag}"`),
    );
  }
});

test("between the blocks of a list others get their turn, however fast its reader is", async () => {
  for (const engine of ENGINES) {
    await using shelf = await engine.fresh();
    await fill(shelf.store, [...longShelf(4_000_000)]);
    const app = createApp({ ...rest, store: shelf.store });
    for (const coding of ["identity", "zstd"]) {
      const headers = { "Accept-Encoding": coding };
      const response = await app(new Request("http://x/api/imprint/long-shelf", { headers }));
      let turns = 0;
      let over = false;
      const turn = () => {
        turns++;
        if (!over) setImmediate(turn);
      };
      setImmediate(turn);
      await response.bytes();
      over = true;
      // 64 kB a block, and the first two were read at once.
      expect(turns).toBeGreaterThan(30);
    }
  }
});
