import { expect, test } from "bun:test";
import {
  book,
  books,
  collect,
  EMPTY_REVISION,
  importBooks,
  isbn,
  selectIsbns,
  titleOfBody,
} from "../testing/books.ts";
import type { Engine } from "../testing/engine.ts";

const NONE = { etag: undefined, before: undefined, feed: 0, reference: undefined };

export function importsContract(engine: Engine): void {
  test("a commit stores the revision, the number of records and the time; a reopened store has them", async () => {
    await using shelf = await engine.createStore();
    const start = new Date().toISOString();
    const revision = await importBooks(shelf.store, books(1, 5, { imprint: "A" }));
    const store = await shelf.reopen();
    const stats = await store.stats();
    expect(stats).toMatchObject({ revision, records: 5, imprints: 1 });
    expect(stats.imported! >= start).toBe(true);
    expect(stats.imported! <= new Date().toISOString()).toBe(true);
    expect(await store.revision()).toBe(revision);
  });

  test("an import that changes nothing keeps the time of the last that did", async () => {
    await using shelf = await engine.createStore();
    const revision = await importBooks(shelf.store, books(1, 3));
    const { imported } = await shelf.store.stats();
    await Bun.sleep(2);
    const load = await shelf.store.beginImport();
    expect(load.revision).toBe(revision);
    await load.markSeen([1, 2, 3].map(isbn), 1);
    await load.commit(revision);
    expect((await shelf.store.stats()).imported).toBe(imported);
    await importBooks(shelf.store, [book(4)]);
    expect((await shelf.store.stats()).imported! > imported!).toBe(true);
  });

  test("an aborted import changes nothing", async () => {
    await using shelf = await engine.createStore();
    const { store } = shelf;
    await importBooks(store, books(1, 3, { imprint: "A", title: "old" }));
    const before = await store.stats();
    const load = await store.beginImport();
    await load.put([book(1, { imprint: "B", title: "new" }), ...books(10, 2000, { imprint: "B" })], 1);
    await load.remove([isbn(2)], 1);
    await load.abort();
    await load.abort();
    expect(await store.stats()).toEqual(before);
    expect(titleOfBody((await store.record(isbn(1)))!.body)).toBe("old");
    expect(await selectIsbns(store, { kind: "imprint", slug: "a" })).toEqual([1, 2, 3].map(isbn));
    expect(await selectIsbns(store, { kind: "imprint", slug: "b" })).toEqual([]);
    const next = await store.beginImport();
    expect(await next.statusOf([1, 10].map(isbn))).toMatchObject([{ feed: 0 }, NONE]);
    await next.abort();
  });

  test("an import that has ended takes nothing more", async () => {
    await using shelf = await engine.createStore();
    const load = await shelf.store.beginImport();
    await load.put([book(1)], 1);
    await load.commit("1".repeat(32));
    await expect((async () => load.put([book(2)], 1))()).rejects.toThrow();
    await expect((async () => load.commit("2".repeat(32)))()).rejects.toThrow();
    await load.abort();
    expect(await shelf.store.stats()).toMatchObject({ revision: "1".repeat(32), records: 1 });
  });

  test("a second import waits for the first, and starts from what it left", async () => {
    await using shelf = await engine.createStore();
    const other = await shelf.reopen();
    const first = await shelf.store.beginImport();
    let started = false;
    const second = other.beginImport().then((load) => {
      started = true;
      return load;
    });
    await first.put([book(1)], 1);
    await Bun.sleep(60);
    expect(started).toBe(false);
    await first.commit("1".repeat(32));
    const load = await second;
    expect(load.revision).toBe("1".repeat(32));
    expect(await load.statusOf([isbn(1)])).toMatchObject([{ etag: book(1).etag, feed: 0 }]);
    await load.abort();
  });

  test("held: the record now and before, who spoke of it last, and its reference", async () => {
    await using shelf = await engine.createStore();
    const old = book(1, { title: "old", reference: "r-old" });
    await importBooks(shelf.store, [old, book(2)]);
    const load = await shelf.store.beginImport();
    const held = async (number: number) => (await load.statusOf([isbn(number)]))[0];
    expect(await held(1)).toEqual({ etag: old.etag, etagBefore: old.etag, lastFeed: 0, reference: "r-old" });
    expect(await held(9)).toEqual(NONE);

    const first = book(1, { title: "first", reference: "r-first" });
    await load.put([first], 1);
    expect(await held(1)).toEqual({
      etag: first.etag,
      etagBefore: old.etag,
      lastFeed: 1,
      reference: "r-first",
    });
    const second = book(1, { title: "second", reference: "r-second" });
    await load.put([second], 2);
    expect(await held(1)).toEqual({
      etag: second.etag,
      etagBefore: old.etag,
      lastFeed: 2,
      reference: "r-second",
    });
    await load.remove([isbn(1)], 3);
    expect(await held(1)).toEqual({
      etag: undefined,
      etagBefore: old.etag,
      lastFeed: 3,
      reference: undefined,
    });
    await load.put([first], 4);
    expect(await held(1)).toEqual({
      etag: first.etag,
      etagBefore: old.etag,
      lastFeed: 4,
      reference: "r-first",
    });

    await load.markSeen([isbn(2)], 1);
    expect(await held(2)).toMatchObject({ etag: book(2).etag, before: book(2).etag, feed: 1 });
    await load.markSeen([isbn(2)], 5);
    expect(await held(2)).toMatchObject({ feed: 5 });

    await load.put([book(9)], 1);
    expect(await held(9)).toMatchObject({ etag: book(9).etag, before: undefined, feed: 1 });
    await load.put([book(9, { title: "again" })], 1);
    expect(await held(9)).toMatchObject({ before: undefined, feed: 1 });
    await load.remove([isbn(9)], 2);
    expect(await held(9)).toMatchObject({ etag: undefined, before: undefined, feed: 2 });
    await load.commit("1".repeat(32));
    expect(await shelf.store.stats()).toMatchObject({ records: 2 });
  });

  test("held answers one for one, in the order asked, a repeated ISBN repeated", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 3));
    const load = await shelf.store.beginImport();
    const asked = [3, 9, 1, 3];
    const held = await load.statusOf(asked.map(isbn));
    expect(held.map(({ etag }) => etag)).toEqual([book(3).etag, undefined, book(1).etag, book(3).etag]);
    expect(await load.statusOf([])).toEqual([]);
    await load.abort();
  });

  test("an entry is read with what this import has done to it", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [
      book(1, { imprint: "A", languages: ["spa"], published: "20240101", origin: '{"a":1}' }),
    ]);
    const load = await shelf.store.beginImport();
    const plain = (entry: Awaited<ReturnType<typeof load.entry>>) =>
      entry && { ...entry, body: Buffer.from(entry.body) };
    const old = book(1, { imprint: "A", languages: ["spa"], published: "20240101", origin: '{"a":1}' });
    expect(plain(await load.entry(isbn(1)))).toEqual(plain(old));
    expect(await load.entry(isbn(2))).toBeUndefined();
    await load.put([book(1, { title: "new" })], 1);
    expect(plain(await load.entry(isbn(1)))).toEqual(plain(book(1, { title: "new" })));
    await load.remove([isbn(1)], 1);
    expect(await load.entry(isbn(1))).toBeUndefined();
    await load.abort();
  });

  test("by reference: as it is now, changed or removed or used by several", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [
      book(1, { reference: "one" }),
      book(2, { reference: "two" }),
      book(3, { reference: "" }),
      book(4, { reference: "many" }),
      book(5, { reference: "many" }),
    ]);
    const load = await shelf.store.beginImport();
    expect(await load.byReference("one")).toEqual([isbn(1)]);
    expect(await load.byReference("ONE")).toEqual([]);
    expect(await load.byReference("")).toEqual([]);
    expect(await load.byReference("many")).toEqual([4, 5].map(isbn));
    await load.put([book(1, { reference: "uno" })], 1);
    expect(await load.byReference("one")).toEqual([]);
    expect(await load.byReference("uno")).toEqual([isbn(1)]);
    await load.put([book(9, { reference: "one" })], 1);
    expect(await load.byReference("one")).toEqual([isbn(9)]);
    await load.remove([2, 4].map(isbn), 1);
    expect(await load.byReference("two")).toEqual([]);
    expect(await load.byReference("many")).toEqual([isbn(5)]);
    await load.abort();
  });

  test("a reference that changes is stored, though the record is the same", async () => {
    await using shelf = await engine.createStore();
    const revision = await importBooks(shelf.store, [book(1, { reference: "old" })]);
    expect(await importBooks(shelf.store, [book(1, { reference: "new" })])).toBe(revision);
    const load = await shelf.store.beginImport();
    expect(await load.byReference("new")).toEqual([isbn(1)]);
    expect(await load.byReference("old")).toEqual([]);
    await load.abort();
  });

  test("untouched: what no feed has spoken of, and it can be removed batch by batch", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 5000, { imprint: "Old" }));
    const load = await shelf.store.beginImport();
    await load.put([...books(6001, 6010), book(1, { title: "new" })], 1);
    await load.markSeen([isbn(2)], 1);
    await load.remove([isbn(3)], 2);
    const seen: unknown[] = [];
    for await (const batch of load.unseen()) {
      seen.push(...batch);
      await load.remove(
        batch.map((one) => one.isbn),
        0,
      );
    }
    expect(seen).toEqual(books(4, 5000).map((entry) => ({ isbn: entry.isbn, etag: entry.etag })));
    expect(await collect(load.unseen())).toEqual([]);
    await load.commit("1".repeat(32));
    const view = await shelf.store.snapshot();
    expect(await collect(view.isbns())).toEqual(
      [1, 2].map(isbn).concat(books(6001, 6010).map((e) => e.isbn)),
    );
    view.close();
    expect(await shelf.store.stats()).toMatchObject({ records: 12, imprints: 1 });
  });

  test("what was touched is forgotten with the import", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 3));
    for (let round = 0; round < 2; round++) {
      const load = await shelf.store.beginImport();
      expect(await collect(load.unseen())).toHaveLength(3);
      await load.markSeen([1, 2, 3].map(isbn), 1);
      expect(await collect(load.unseen())).toEqual([]);
      await load.commit(load.revision);
    }
  });

  test("removing what is not there is no error, and counts nothing", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [book(1)], [isbn(7)]);
    const load = await shelf.store.beginImport();
    await load.remove([7, 7, 1, 1].map(isbn), 1);
    await load.commit(EMPTY_REVISION);
    expect(await shelf.store.stats()).toMatchObject({ records: 0, imprints: 0, revision: EMPTY_REVISION });
  });

  test("a store that is closed in the middle of an import keeps nothing of it", async () => {
    await using shelf = await engine.createStore();
    const other = await shelf.reopen();
    const load = await other.beginImport();
    await load.put([book(1)], 1);
    await other.close();
    await expect((async () => load.commit("1".repeat(32)))()).rejects.toThrow();
    expect(await shelf.store.stats()).toMatchObject({ records: 0, revision: EMPTY_REVISION });
    await importBooks(shelf.store, [book(2)]);
    expect(await shelf.store.stats()).toMatchObject({ records: 1 });
  });
}
