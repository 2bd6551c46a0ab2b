import { expect, test } from "bun:test";
import type { Selection } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, books, collect, EMPTY_REVISION, importBooks, isbn, selectIsbns } from "../testing/books.ts";
import type { Engine } from "../testing/engine.ts";

export function listsContract(engine: Engine): void {
  test("an empty catalog has nothing, and says so everywhere", async () => {
    await using shelf = await engine.createStore();
    const { store } = shelf;
    expect(await store.revision()).toBe(EMPTY_REVISION);
    expect(await store.record(isbn(1))).toBeUndefined();
    expect(await store.stats()).toEqual({
      revision: EMPTY_REVISION,
      records: 0,
      imprints: 0,
      imported: undefined,
    });
    const view = await store.snapshot();
    expect(view.revision).toBe(EMPTY_REVISION);
    expect(await view.hasImprint("")).toBe(false);
    expect(await view.missing([isbn(1)])).toEqual([isbn(1)]);
    expect(await collect(view.isbns())).toEqual([]);
    expect(await collect(view.imprints())).toEqual([]);
    expect(await collect(view.entries())).toEqual([]);
    expect(await collect(view.bodies({ kind: "imprint", slug: "a" }))).toEqual([]);
    expect(await collect(view.bodies({ kind: "date", from: "20200101" as Day }))).toEqual([]);
    expect(await collect(view.bodies({ kind: "isbns", isbns: [isbn(1)] }))).toEqual([]);
    view.close();
  });

  test("a record comes back byte for byte, with its etag", async () => {
    await using shelf = await engine.createStore();
    const entry = book(7, { title: "¿Qué? — 本 📚 \u0000 \u2028" });
    await importBooks(shelf.store, [entry, book(8)]);
    const record = await shelf.store.record(entry.isbn);
    expect(record?.etag).toBe(entry.etag);
    expect(record?.body).toBeInstanceOf(Uint8Array);
    expect(Buffer.compare(record!.body, entry.body)).toBe(0);
  });

  test("an entry comes back whole, with every field that may be absent, absent or there", async () => {
    await using shelf = await engine.createStore();
    const full = book(2, {
      title: "Ñandú 📚",
      imprint: "Ediciones Ñ 📚",
      slug: "ediciones-n",
      languages: ["spa", "cat", "eng"],
      published: "20240229",
      reference: "com.example/ñ 1",
      origin: '{"release":"3.1","name":"Ñ"}',
    });
    const bare = book("0000000000017" as Isbn13, { reference: "" });
    const old = book(9, { published: "00010101", languages: ["x", "eng "] });
    await importBooks(shelf.store, [old, full, bare]);
    const view = await shelf.store.snapshot();
    const entries = (await collect(view.entries())).map((entry) => ({
      ...entry,
      body: Buffer.from(entry.body),
    }));
    view.close();
    expect(entries).toEqual([bare, full, old].map((entry) => ({ ...entry, body: Buffer.from(entry.body) })));
  });

  test("ISBNs stand in ascending order, as thirteen digits", async () => {
    await using shelf = await engine.createStore();
    const shuffled = ["9791234567896", "0000000000000", "9780000000002", "0000000000123"] as Isbn13[];
    await importBooks(
      shelf.store,
      shuffled.map((id) => book(id)),
    );
    const view = await shelf.store.snapshot();
    expect(await collect(view.isbns())).toEqual([...shuffled].sort());
    view.close();
    expect(await shelf.store.record("0000000000123" as Isbn13)).toBeDefined();
    expect(await shelf.store.record("0000000000124" as Isbn13)).toBeUndefined();
  });

  test("several ISBNs come in the order asked, a repeated one repeated", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 5));
    const asked = [4, 1, 4, 5, 1].map(isbn);
    expect(await selectIsbns(shelf.store, { kind: "isbns", isbns: asked })).toEqual(asked);
  });

  test("a thousand ISBNs come in the order asked", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 1000));
    const asked = Array.from({ length: 1000 }, (_, index) => isbn(((index * 7919) % 1000) + 1));
    expect(await selectIsbns(shelf.store, { kind: "isbns", isbns: asked })).toEqual(asked);
  });

  test("missing ISBNs are named in the order given, each once", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 3));
    const view = await shelf.store.snapshot();
    expect(await view.missing([9, 1, 8, 9, 3, 8, 2].map(isbn))).toEqual([9, 8].map(isbn));
    expect(await view.missing([1, 2, 3].map(isbn))).toEqual([]);
    expect(await view.missing([])).toEqual([]);
    view.close();
  });

  test("news: newest first, then by ISBN; both ends included; without a date in none", async () => {
    await using shelf = await engine.createStore();
    const dated = {
      6: "20240101",
      2: "20240103",
      5: "20240102",
      3: "20240102",
      4: "20231231",
      7: "99991231",
    };
    const entries = Object.entries(dated).map(([number, published]) => book(Number(number), { published }));
    await importBooks(shelf.store, [...entries, book(1), book(8, { published: "00010101" })]);
    const news = (from: string, to?: string) =>
      selectIsbns(shelf.store, {
        kind: "date",
        from: from as Day,
        to: to as Day | undefined,
      } satisfies Selection);
    expect(await news("20240101")).toEqual([7, 2, 3, 5, 6].map(isbn));
    expect(await news("20240101", "20240102")).toEqual([3, 5, 6].map(isbn));
    expect(await news("20240102", "20240102")).toEqual([3, 5].map(isbn));
    expect(await news("20240104", "20250101")).toEqual([]);
    expect(await news("20240103", "20240101")).toEqual([]);
    expect(await news("00010101")).toEqual([7, 2, 3, 5, 6, 4, 8].map(isbn));
  });

  test("news follow a date that changes, comes and goes", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [
      book(1, { published: "20240101" }),
      book(2, { published: "20240102" }),
      book(3),
    ]);
    await importBooks(shelf.store, [
      book(1, { published: "20240105" }),
      book(2),
      book(3, { published: "20240101" }),
    ]);
    expect(await selectIsbns(shelf.store, { kind: "date", from: "20240101" as Day })).toEqual(
      [1, 3].map(isbn),
    );
  });

  test("bodies of half a megabyte come whole, and not many at once", async () => {
    await using shelf = await engine.createStore();
    const large = Array.from({ length: 20 }, (_, index) =>
      book(index, { imprint: "Large", title: String.fromCharCode(65 + index).repeat(500_000) }),
    );
    await importBooks(shelf.store, large);
    const view = await shelf.store.snapshot();
    let seen = 0;
    for await (const batch of view.bodies({ kind: "imprint", slug: "large" })) {
      expect(batch.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(1_100_000);
      for (const body of batch) expect(Buffer.compare(body, large[seen++]!.body)).toBe(0);
    }
    view.close();
    expect(seen).toBe(20);
  });
}
