/** The steps of an import before its commit. A preview has the same. */

import { expect } from "bun:test";
import { summaryOfEntry } from "../../catalog/entry.ts";
import type { Entry, ImportSteps, Store } from "../../catalog/store.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { book, books, collect, EMPTY_REVISION, importBooks, isbn, selectIsbns } from "../testing/books.ts";
import { type DatabaseEngine, type StoreContent, storeTests } from "../testing/engines.ts";
import { searchBook } from "../testing/search-books.ts";

/** More than a batch of `unseen`. */
const manyBooks: StoreContent = (store) => importBooks(store, books(1, 6_000));

/** Returns the status of a record that the last feed has left as the entry, or without one. */
function statusOf(entry: Entry | undefined, lastFeed: number, etagBefore: string | undefined) {
  const { etag, sender, reference, origin } = entry ?? {};
  return { etag, etagBefore, lastFeed, sender, reference, origin };
}

export function importStepsContract(
  engine: DatabaseEngine,
  begin: (store: Store) => Promise<ImportSteps>,
): void {
  const test = storeTests(engine);
  test("statusOf returns the etag now and before, the last feed, sender, reference and origin", async (testStore) => {
    const { store } = testStore;
    const old = book(1, { title: "old", sender: "s-old", reference: "r-old", origin: '{"a":1}' });
    await importBooks(store, [old, book(2)]);
    const transaction = await begin(store);
    const status = async (number: number) => (await transaction.statusOf([isbn(number)]))[0];
    expect(await status(1)).toEqual(statusOf(old, 0, old.etag));
    expect(await status(9)).toEqual(statusOf(undefined, 0, undefined));

    const first = book(1, { title: "first", sender: "s-first", reference: "r-first" });
    await transaction.put([first], 1);
    expect(await status(1)).toEqual(statusOf(first, 1, old.etag));
    const second = book(1, { title: "second", reference: "r-second" });
    await transaction.put([second], 2);
    expect(await status(1)).toEqual(statusOf(second, 2, old.etag));
    await transaction.remove([isbn(1)], 3);
    expect(await status(1)).toEqual(statusOf(undefined, 3, old.etag));
    await transaction.put([first], 4);
    expect(await status(1)).toEqual(statusOf(first, 4, old.etag));

    await transaction.markSeen([isbn(2)], 1);
    expect(await status(2)).toMatchObject({ etag: book(2).etag, etagBefore: book(2).etag, lastFeed: 1 });
    await transaction.markSeen([isbn(2)], 5);
    expect(await status(2)).toMatchObject({ lastFeed: 5 });

    await transaction.put([book(9)], 1);
    expect(await status(9)).toMatchObject({ etag: book(9).etag, etagBefore: undefined, lastFeed: 1 });
    await transaction.put([book(9, { title: "again" })], 1);
    expect(await status(9)).toMatchObject({ etagBefore: undefined, lastFeed: 1 });
    await transaction.remove([isbn(9)], 2);
    expect(await status(9)).toMatchObject({ etag: undefined, etagBefore: undefined, lastFeed: 2 });
    await transaction.abort();
  });

  test("statusOf returns one status per ISBN, in the given order, repeated for a repeated ISBN", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, books(1, 3));
    const transaction = await begin(store);
    const numbers = [3, 9, 1, 3];
    const statuses = await transaction.statusOf(numbers.map(isbn));
    expect(statuses.map(({ etag }) => etag)).toEqual([book(3).etag, undefined, book(1).etag, book(3).etag]);
    expect(await transaction.statusOf([])).toEqual([]);
    await transaction.abort();
  });

  test("entries returns the records with the changes of this import, in the given order", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, [
      book(1, { imprint: "A", languages: ["spa"], published: "20240101", origin: '{"a":1}' }),
    ]);
    const transaction = await begin(store);
    const plain = (entry: Entry | undefined) =>
      entry && { ...entry, body: Buffer.from(entry.body), summary: undefined };
    const read = async (...numbers: number[]) =>
      (await transaction.entries(numbers.map(isbn))).map((entry) => plain(entry));
    const old = book(1, { imprint: "A", languages: ["spa"], published: "20240101", origin: '{"a":1}' });
    expect(await read(2, 1)).toEqual([undefined, plain(old)]);
    expect(await read()).toEqual([]);
    await transaction.put([book(1, { title: "new" })], 1);
    await transaction.put([book(3)], 1);
    expect(await read(1, 3)).toEqual([plain(book(1, { title: "new" })), plain(book(3))]);
    await transaction.remove([isbn(1)], 1);
    await transaction.statusOf([isbn(1), isbn(3)]);
    expect(await read(3, 1)).toEqual([plain(book(3)), undefined]);
    await transaction.abort();
  });

  test("byReferences follows changes and removals, and returns all matches", async ({ store }) => {
    await importBooks(store, [
      book(1, { reference: "one" }),
      book(2, { reference: "two" }),
      book(3, { reference: "" }),
      book(4, { reference: "many" }),
      book(5, { reference: "many" }),
    ]);
    const transaction = await begin(store);
    const byReference = async (reference: string) => (await transaction.byReferences("", [reference]))[0];
    expect(await transaction.byReferences("", [])).toEqual([]);
    const references = ["one", "ONE", "", "many", "one"];
    expect(await transaction.byReferences("", references)).toEqual([
      [isbn(1)],
      [],
      [],
      [4, 5].map(isbn),
      [isbn(1)],
    ]);
    await transaction.put([book(1, { reference: "uno" })], 1);
    expect(await byReference("one")).toEqual([]);
    expect(await byReference("uno")).toEqual([isbn(1)]);
    await transaction.put([book(9, { reference: "one" })], 1);
    expect(await byReference("one")).toEqual([isbn(9)]);
    await transaction.remove([2, 4].map(isbn), 1);
    expect(await byReference("two")).toEqual([]);
    expect(await byReference("many")).toEqual([isbn(5)]);
    await transaction.abort();
  });

  test("byReferences matches only records of the sender", async ({ store }) => {
    await importBooks(store, [
      book(1, { sender: "a", reference: "r" }),
      book(2, { sender: "b", reference: "r" }),
      book(3, { reference: "r" }),
    ]);
    const transaction = await begin(store);
    expect(await transaction.byReferences("a", ["r", "s"])).toEqual([[isbn(1)], []]);
    expect(await transaction.byReferences("b", ["r"])).toEqual([[isbn(2)]]);
    expect(await transaction.byReferences("", ["r"])).toEqual([[isbn(3)]]);
    expect(await transaction.byReferences("c", ["r"])).toEqual([[]]);
    await transaction.put([book(4, { sender: "c", reference: "r" })], 1);
    await transaction.put([book(1, { sender: "b", reference: "r" })], 1);
    expect(await transaction.byReferences("a", ["r"])).toEqual([[]]);
    expect(await transaction.byReferences("b", ["r"])).toEqual([[1, 2].map(isbn)]);
    expect(await transaction.byReferences("c", ["r"])).toEqual([[isbn(4)]]);
    await transaction.abort();
  });

  test("unseenCount returns the number of records that no feed contains", async ({ store }) => {
    const empty = await begin(store);
    expect(empty.records).toBe(0);
    await empty.put(books(1, 10), 1);
    await empty.remove([isbn(99)], 1);
    expect(await empty.unseenCount()).toBe(0);
    await empty.abort();
    await importBooks(store, books(1, 10));
    const transaction = await begin(store);
    expect(transaction.records).toBe(10);
    expect(await transaction.unseenCount()).toBe(10);
    await transaction.put([book(1, { title: "new" }), book(11)], 1);
    await transaction.put([book(1, { title: "newer" })], 2);
    await transaction.markSeen([1, 2, 98].map(isbn), 1);
    await transaction.remove([3, 99].map(isbn), 1);
    expect(await transaction.unseenCount()).toBe(7);
    expect(transaction.records).toBe(10);
    await transaction.abort();
  });

  test("a record that is marked as seen by no feed is not unseen, and has no last feed", async ({
    store,
  }) => {
    await importBooks(store, books(1, 3));
    const transaction = await begin(store);
    await transaction.markSeen([isbn(2)], 0);
    expect(await transaction.unseenCount()).toBe(2);
    expect((await Array.fromAsync(transaction.unseen())).flat().map((each) => each.isbn)).toEqual(
      [1, 3].map(isbn),
    );
    expect((await transaction.statusOf([isbn(2)]))[0]).toMatchObject({ lastFeed: 0, etag: book(2).etag });
    await transaction.put([book(2, { title: "new" })], 1);
    expect((await transaction.statusOf([isbn(2)]))[0]).toMatchObject({
      lastFeed: 1,
      etagBefore: book(2).etag,
    });
    await transaction.abort();
  });

  test("unseenCount of a sender counts its records that no feed contains", async ({ store }) => {
    const empty = await begin(store);
    await empty.put([book(1, { sender: "a" })], 1);
    expect(await empty.unseenCount("a")).toBe(0);
    await empty.abort();
    await importBooks(store, [...books(1, 10, { sender: "a" }), book(11, { sender: "b" }), book(12)]);
    const transaction = await begin(store);
    const counts = async () =>
      await Promise.all(["a", "b", "c"].map((sender) => transaction.unseenCount(sender)));
    expect(await counts()).toEqual([10, 1, 0]);
    await transaction.put([book(1, { sender: "b" })], 1);
    await transaction.markSeen([isbn(2)], 1);
    await transaction.remove([isbn(3), isbn(11)], 1);
    await transaction.put([book(13, { sender: "c" })], 1);
    expect(await counts()).toEqual([7, 0, 0]);
    await transaction.abort();
  });

  test("byReferences finds the records that were put into an empty catalog", async ({ store }) => {
    const transaction = await begin(store);
    expect(await transaction.byReferences("a", ["r", ""])).toEqual([[], []]);
    await transaction.put([book(1, { sender: "a", reference: "r" }), book(2, { sender: "a" })], 1);
    expect(await transaction.byReferences("a", ["s", "", "r"])).toEqual([[], [], [isbn(1)]]);
    expect(await transaction.byReferences("b", ["r"])).toEqual([[]]);
    await transaction.put([book(3, { sender: "a", reference: "r" })], 1);
    expect(await transaction.byReferences("a", ["r"])).toEqual([[1, 3].map(isbn)]);
    await transaction.remove([isbn(1)], 1);
    expect(await transaction.byReferences("a", ["r"])).toEqual([[isbn(3)]]);
    await transaction.abort();
  });

  test("byReferences returns the first 100 matches, also when the import changes some of them", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, books(1, 350, { reference: "r" }));
    const transaction = await begin(store);
    const matches = async () => (await transaction.byReferences("", ["r"]))[0];
    expect(await matches()).toEqual(books(1, 100).map((entry) => entry.isbn));
    await transaction.remove(
      books(1, 120).map((entry) => entry.isbn),
      1,
    );
    await transaction.put(books(121, 240, { reference: "other" }), 1);
    expect(await matches()).toEqual(books(241, 340).map((entry) => entry.isbn));
    await transaction.put([book(5, { reference: "r" })], 1);
    expect(await matches()).toEqual([5, ...range(241, 339)].map(isbn));
    await transaction.abort();
  });

  test("lastMessage returns the mark that the import has set or, without one, that of the catalog", async (testStore) => {
    const { store } = testStore;
    const first = await store.beginImport();
    await first.setLastMessage("a", { sent: "20260101", messageNumber: "7" });
    await first.commit(first.revision, anyRun());
    const transaction = await begin(store);
    expect(await transaction.lastMessage("a")).toEqual({ sent: "20260101", messageNumber: "7" });
    expect(await transaction.lastMessage("b")).toBeUndefined();
    await transaction.setLastMessage("a", { sent: undefined, messageNumber: "8" });
    await transaction.setLastMessage("b", { sent: "20260102", messageNumber: undefined });
    expect(await transaction.lastMessage("a")).toEqual({ sent: undefined, messageNumber: "8" });
    expect(await transaction.lastMessage("b")).toEqual({ sent: "20260102", messageNumber: undefined });
    await transaction.setLastMessage("a", { sent: undefined, messageNumber: undefined });
    expect(await transaction.lastMessage("a")).toBeUndefined();
    await transaction.abort();
  });

  storeTests(engine, manyBooks)(
    "unseen lists each batch once when the caller removes it",
    async ({ store }) => {
      const transaction = await begin(store);
      await transaction.put([book(13_000), book(1, { title: "new" })], 1);
      await transaction.markSeen([isbn(2)], 1);
      await transaction.remove([isbn(3)], 2);
      const listed: unknown[] = [];
      for await (const batch of transaction.unseen()) {
        listed.push(...batch);
        await transaction.remove(
          batch.map(({ isbn }) => isbn),
          0,
        );
      }
      expect(listed).toEqual(books(4, 6_000).map((entry) => ({ isbn: entry.isbn, etag: entry.etag })));
      expect(await collect(transaction.unseen())).toEqual([]);
      await transaction.abort();
    },
  );

  test("an aborted import has no effect, and rejects further calls", async ({ store }) => {
    const old = searchBook(1, { imprint: "A", title: "old" });
    await importBooks(store, [old, ...books(2, 3, { imprint: "A" })]);
    const before = await store.stats();
    const transaction = await begin(store);
    expect(transaction).toMatchObject({ revision: before.revision, records: 3 });
    await transaction.put([searchBook(1, { imprint: "B", title: "new" }), ...books(10, 300)], 1);
    await transaction.remove([isbn(2)], 1);
    await transaction.abort();
    await transaction.abort();
    await expect((async () => transaction.put([book(2)], 1))()).rejects.toThrow("has ended");
    await expect((async () => transaction.statusOf([isbn(2)]))()).rejects.toThrow("has ended");
    expect(await store.stats()).toEqual(before);
    expect((await store.record(isbn(1)))!.body).toEqual(old.body);
    expect(await store.record(isbn(1), "summary")).toEqual(summaryOfEntry(old));
    expect(await selectIsbns(store, { kind: "imprint", slug: "a" })).toHaveLength(3);
    expect(await selectIsbns(store, { kind: "imprint", slug: "b" })).toEqual([]);
    const next = await store.beginImport();
    expect(await next.statusOf([1, 10].map(isbn))).toMatchObject([
      { lastFeed: 0 },
      statusOf(undefined, 0, undefined),
    ]);
    await next.abort();
  });

  test("closing a store ends its import", async ({ store, reopen }) => {
    const other = await reopen();
    const transaction = await begin(other);
    await transaction.put([book(1)], 1);
    await other.close();
    await expect((async () => transaction.statusOf([isbn(1)]))()).rejects.toThrow("has ended");
    expect(await store.stats()).toMatchObject({ records: 0, revision: EMPTY_REVISION });
    await importBooks(store, [book(2)]);
    expect(await store.stats()).toMatchObject({ records: 1 });
  });
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
