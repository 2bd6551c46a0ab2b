import { expect } from "bun:test";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { book, books, collect, EMPTY_REVISION, importBooks, isbn } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

export function importsContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("a commit stores the revision, the number of records and the time durably", async (testStore) => {
    const start = new Date().toISOString();
    const revision = await importBooks(testStore.store, books(1, 5, { imprint: "A" }));
    const store = await testStore.reopen();
    const stats = await store.stats();
    expect(stats).toMatchObject({ revision, records: 5, imprints: 1 });
    expect(stats.imported! >= start).toBe(true);
    expect(stats.imported! <= new Date().toISOString()).toBe(true);
    expect(await store.revision()).toBe(revision);
  });

  test("an import without changes keeps the time of the last import", async ({ store }) => {
    const revision = await importBooks(store, books(1, 3));
    const { imported } = await store.stats();
    // The time has a resolution of one millisecond.
    await Bun.sleep(2);
    const transaction = await store.beginImport();
    expect(transaction.revision).toBe(revision);
    await transaction.markSeen([1, 2, 3].map(isbn), 1);
    await transaction.commit(revision, anyRun());
    expect((await store.stats()).imported).toBe(imported);
    await importBooks(store, [book(4)]);
    expect((await store.stats()).imported! > imported!).toBe(true);
  });

  test("the bytes of stored and of new records may change when put has returned", async ({ store }) => {
    await importBooks(store, [book(1, { title: "old" })]);
    const transaction = await store.beginImport();
    const stored = await transaction.entries([isbn(1)]);
    const put = [book(1, { title: "new" }), book(2)].map((entry) => ({
      ...entry,
      body: new Uint8Array(entry.body),
    }));
    await transaction.put(put, 1);
    for (const entry of [...stored, ...put]) entry!.body.fill(0);
    await transaction.commit("1".repeat(32), anyRun());
    expect((await store.record(isbn(1)))?.body).toEqual(book(1, { title: "new" }).body);
    expect((await store.record(isbn(2)))?.body).toEqual(book(2).body);
  });

  test("an ended import rejects further calls", async ({ store }) => {
    const transaction = await store.beginImport();
    await transaction.put([book(1)], 1);
    await transaction.commit("1".repeat(32), anyRun());
    await expect((async () => transaction.put([book(2)], 1))()).rejects.toThrow();
    await expect((async () => transaction.commit("2".repeat(32), anyRun()))()).rejects.toThrow();
    await transaction.abort();
    expect(await store.stats()).toMatchObject({ revision: "1".repeat(32), records: 1 });
  });

  test("a second import waits for the first, and starts from its result", async ({ store, reopen }) => {
    const other = await reopen();
    const first = await store.beginImport();
    let started = false;
    const second = other.beginImport().then((transaction) => {
      started = true;
      return transaction;
    });
    await first.put([book(1)], 1);
    // Time enough to start wrongly. A slow machine cannot make this test fail.
    await Bun.sleep(60);
    expect(started).toBe(false);
    await first.commit("1".repeat(32), anyRun());
    const transaction = await second;
    expect(transaction.revision).toBe("1".repeat(32));
    expect(await transaction.statusOf([isbn(1)])).toMatchObject([{ etag: book(1).etag, lastFeed: 0 }]);
    await transaction.abort();
  });

  test("lastMessage returns the mark of a sender, also in a later import without changes", async (testStore) => {
    const { store } = testStore;
    const revision = await importBooks(store, [book(1, { sender: "a" })]);
    const first = await store.beginImport();
    expect(await first.lastMessage("a")).toBeUndefined();
    expect(await first.lastMessage("b")).toBeUndefined();
    await first.setLastMessage("a", { sent: "20260101", messageNumber: "7" });
    await first.setLastMessage("b", { sent: undefined, messageNumber: "8" });
    await first.setLastMessage("", { sent: "20260102T1200Z", messageNumber: undefined });
    expect(await first.lastMessage("a")).toEqual({ sent: "20260101", messageNumber: "7" });
    await first.commit(revision, anyRun());
    const second = await store.beginImport();
    expect(await second.lastMessage("a")).toEqual({ sent: "20260101", messageNumber: "7" });
    expect(await second.lastMessage("b")).toEqual({ sent: undefined, messageNumber: "8" });
    expect(await second.lastMessage("")).toEqual({ sent: "20260102T1200Z", messageNumber: undefined });
    expect(await second.lastMessage("c")).toBeUndefined();
    await second.setLastMessage("a", { sent: "20260201", messageNumber: undefined });
    expect(await second.lastMessage("a")).toEqual({ sent: "20260201", messageNumber: undefined });
    await second.abort();
    const third = await store.beginImport();
    expect(await third.lastMessage("a")).toEqual({ sent: "20260101", messageNumber: "7" });
    await third.abort();
  });

  test("a changed reference, sender or origin is stored although the record is the same", async (testStore) => {
    const { store } = testStore;
    const revision = await importBooks(store, [book(1, { reference: "old" })]);
    const changed = book(1, { sender: "a", reference: "new", origin: '{"b":2}' });
    expect(await importBooks(store, [changed])).toBe(revision);
    const transaction = await store.beginImport();
    expect(await transaction.byReferences("a", ["new", "old"])).toEqual([[isbn(1)], []]);
    expect(await transaction.byReferences("", ["new", "old"])).toEqual([[], []]);
    expect(await transaction.statusOf([isbn(1)])).toMatchObject([
      { sender: "a", reference: "new", origin: '{"b":2}' },
    ]);
    await transaction.abort();
  });

  test("marks last until the end of the import", async ({ store }) => {
    await importBooks(store, books(1, 3));
    for (let round = 0; round < 2; round++) {
      const transaction = await store.beginImport();
      expect(await collect(transaction.unseen())).toHaveLength(3);
      await transaction.markSeen([1, 2, 3].map(isbn), 1);
      expect(await collect(transaction.unseen())).toEqual([]);
      await transaction.commit(transaction.revision, anyRun());
    }
  });

  test("removing an ISBN without a record has no effect", async ({ store }) => {
    await importBooks(store, [book(1)], [isbn(7)]);
    const transaction = await store.beginImport();
    await transaction.remove([7, 7, 1, 1].map(isbn), 1);
    await transaction.commit(EMPTY_REVISION, anyRun());
    expect(await store.stats()).toMatchObject({ records: 0, imprints: 0, revision: EMPTY_REVISION });
  });
}
