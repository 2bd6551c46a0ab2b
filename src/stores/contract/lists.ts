import { expect } from "bun:test";
import type { Selection } from "../../catalog/selection.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, books, collect, EMPTY_REVISION, importBooks, isbn, selectIsbns } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

export function listsContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("an empty catalog returns empty results everywhere", async ({ store }) => {
    expect(await store.revision()).toBe(EMPTY_REVISION);
    expect(await store.record(isbn(1))).toBeUndefined();
    expect(await store.stats()).toEqual({
      revision: EMPTY_REVISION,
      records: 0,
      imprints: 0,
      imported: undefined,
    });
    const snapshot = await store.snapshot();
    expect(snapshot.revision).toBe(EMPTY_REVISION);
    expect(await snapshot.hasImprint("")).toBe(false);
    expect(await snapshot.missing([isbn(1)])).toEqual([isbn(1)]);
    expect(await collect(snapshot.isbns())).toEqual([]);
    expect(await collect(snapshot.imprints())).toEqual([]);
    expect(await collect(snapshot.entries())).toEqual([]);
    expect(await collect(snapshot.bodies({ kind: "imprint", slug: "a" }))).toEqual([]);
    expect(await collect(snapshot.bodies({ kind: "date", from: "20200101" as Day }))).toEqual([]);
    expect(await collect(snapshot.bodies({ kind: "isbns", isbns: [isbn(1)] }))).toEqual([]);
    snapshot.close();
  });

  test("a record is returned byte for byte, with its etag", async ({ store }) => {
    const entry = book(7, { title: "¿Qué? — 本 📚 \u0000 \u2028" });
    await importBooks(store, [entry, book(8)]);
    const record = await store.record(entry.isbn);
    expect(record?.etag).toBe(entry.etag);
    expect(record?.body).toBeInstanceOf(Uint8Array);
    expect(Buffer.compare(record!.body, entry.body)).toBe(0);
  });

  test("an entry is returned with all fields, optional ones present or absent", async ({ store }) => {
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
    await importBooks(store, [old, full, bare]);
    const snapshot = await store.snapshot();
    const entries = (await collect(snapshot.entries())).map((entry) => ({
      ...entry,
      body: Buffer.from(entry.body),
    }));
    snapshot.close();
    expect(entries).toEqual([bare, full, old].map((entry) => ({ ...entry, body: Buffer.from(entry.body) })));
  });

  test("ISBNs are listed in ascending order, as thirteen digits", async ({ store }) => {
    const shuffled = ["9791234567896", "0000000000000", "9780000000002", "0000000000123"] as Isbn13[];
    await importBooks(
      store,
      shuffled.map((id) => book(id)),
    );
    const snapshot = await store.snapshot();
    expect(await collect(snapshot.isbns())).toEqual([...shuffled].sort());
    snapshot.close();
    expect(await store.record("0000000000123" as Isbn13)).toBeDefined();
    expect(await store.record("0000000000124" as Isbn13)).toBeUndefined();
  });

  test("several ISBNs select records in the given order, a repeated one again", async ({ store }) => {
    await importBooks(store, books(1, 5));
    const isbns = [4, 1, 4, 5, 1].map(isbn);
    expect(await selectIsbns(store, { kind: "isbns", isbns })).toEqual(isbns);
  });

  test("a thousand ISBNs select records in the given order", async ({ store }) => {
    await importBooks(store, books(1, 1000));
    const isbns = Array.from({ length: 1000 }, (_, index) => isbn(((index * 7919) % 1000) + 1));
    expect(await selectIsbns(store, { kind: "isbns", isbns })).toEqual(isbns);
  });

  test("missing ISBNs are returned in the given order, each once", async ({ store }) => {
    await importBooks(store, books(1, 3));
    const snapshot = await store.snapshot();
    expect(await snapshot.missing([9, 1, 8, 9, 3, 8, 2].map(isbn))).toEqual([9, 8].map(isbn));
    expect(await snapshot.missing([1, 2, 3].map(isbn))).toEqual([]);
    expect(await snapshot.missing([])).toEqual([]);
    snapshot.close();
  });

  test("a date range selects records newest first, then by ISBN, with both ends inclusive", async (testStore) => {
    const { store } = testStore;
    const dated = {
      6: "20240101",
      2: "20240103",
      5: "20240102",
      3: "20240102",
      4: "20231231",
      7: "99991231",
    };
    const entries = Object.entries(dated).map(([number, published]) => book(Number(number), { published }));
    await importBooks(store, [...entries, book(1), book(8, { published: "00010101" })]);
    const news = (from: string, to?: string) =>
      selectIsbns(store, { kind: "date", from: from as Day, to: to as Day | undefined } satisfies Selection);
    expect(await news("20240101")).toEqual([7, 2, 3, 5, 6].map(isbn));
    expect(await news("20240101", "20240102")).toEqual([3, 5, 6].map(isbn));
    expect(await news("20240102", "20240102")).toEqual([3, 5].map(isbn));
    expect(await news("20240104", "20250101")).toEqual([]);
    expect(await news("20240103", "20240101")).toEqual([]);
    expect(await news("00010101")).toEqual([7, 2, 3, 5, 6, 4, 8].map(isbn));
  });

  test("a date range follows a publication date that is changed, added or removed", async ({ store }) => {
    await importBooks(store, [
      book(1, { published: "20240101" }),
      book(2, { published: "20240102" }),
      book(3),
    ]);
    await importBooks(store, [
      book(1, { published: "20240105" }),
      book(2),
      book(3, { published: "20240101" }),
    ]);
    expect(await selectIsbns(store, { kind: "date", from: "20240101" as Day })).toEqual([1, 3].map(isbn));
  });

  test("bodies of half a megabyte are complete, and batches of them are bounded", async ({ store }) => {
    const large = Array.from({ length: 20 }, (_, index) =>
      book(index, { imprint: "Large", title: String.fromCharCode(65 + index).repeat(500_000) }),
    );
    await importBooks(store, large);
    const snapshot = await store.snapshot();
    let index = 0;
    for await (const batch of snapshot.bodies({ kind: "imprint", slug: "large" })) {
      expect(batch.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(1_100_000);
      for (const body of batch) expect(Buffer.compare(body, large[index++]!.body)).toBe(0);
    }
    snapshot.close();
    expect(index).toBe(20);
  });
}
