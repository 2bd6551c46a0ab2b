import { expect } from "bun:test";
import type { Snapshot } from "../../catalog/store.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { book, books, collect, importBooks, isbn, isbnOfBody, titleOfBody } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

/** Reads everything that a snapshot has. */
async function state(snapshot: Snapshot) {
  return {
    revision: snapshot.revision,
    isbns: await collect(snapshot.isbns()),
    titles: (await collect(snapshot.bodies({ kind: "imprint", slug: "a" }))).map(titleOfBody),
    imprints: await collect(snapshot.imprints()),
    hasNew: await snapshot.hasImprint("new"),
    missing: await snapshot.missing([1, 2, 99].map(isbn)),
    entries: (await collect(snapshot.entries())).map(({ etag }) => etag),
  };
}

export function snapshotsContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("an import is invisible before its commit and visible after it, in every open store", async (testStore) => {
    const other = await testStore.reopen();
    await importBooks(testStore.store, [book(1, { title: "old" })]);
    const before = await testStore.store.revision();
    const transaction = await testStore.store.beginImport();
    await transaction.put([book(1, { title: "new" }), book(2, { imprint: "A" })], 1);
    for (const store of [testStore.store, other]) {
      expect(await store.revision()).toBe(before);
      expect(titleOfBody((await store.record(isbn(1)))!.body)).toBe("old");
      expect(await store.record(isbn(2))).toBeUndefined();
      expect(await store.stats()).toMatchObject({ records: 1, imprints: 0 });
    }
    await transaction.commit("2".repeat(32), anyRun());
    for (const store of [testStore.store, other]) {
      expect(await store.revision()).toBe("2".repeat(32));
      expect(titleOfBody((await store.record(isbn(1)))!.body)).toBe("new");
      expect(await store.record(isbn(2))).toBeDefined();
      expect(await store.stats()).toMatchObject({ revision: "2".repeat(32), records: 2, imprints: 1 });
    }
  });

  test("a snapshot keeps its state during an import and after it", async ({ store }) => {
    await importBooks(store, books(1, 10, { imprint: "A", title: "old" }));
    const snapshot = await store.snapshot();
    const old = await state(snapshot);
    expect(old.titles).toEqual(Array(10).fill("old"));
    const transaction = await store.beginImport();
    await transaction.put(books(2, 20, { imprint: "A", title: "new" }), 1);
    await transaction.put([book(99, { imprint: "New" })], 1);
    await transaction.remove([isbn(1)], 1);
    expect(await state(snapshot)).toEqual(old);
    await transaction.commit("3".repeat(32), anyRun());
    expect(await state(snapshot)).toEqual(old);
    const later = await store.snapshot();
    expect(await state(later)).toMatchObject({
      revision: "3".repeat(32),
      titles: Array(19).fill("new"),
      hasNew: true,
      missing: [isbn(1)],
    });
    expect(await state(snapshot)).toEqual(old);
    snapshot.close();
    later.close();
  });

  test("a snapshot has the state of its opening, not of its first read", async ({ store }) => {
    await importBooks(store, [book(1)]);
    const snapshot = await store.snapshot();
    await importBooks(store, [book(2)]);
    expect(await collect(snapshot.isbns())).toEqual([isbn(1)]);
    snapshot.close();
  });

  test("a list continues in its state while an import replaces every record", async ({ store }) => {
    await importBooks(store, books(1, 300, { imprint: "A", title: "old".repeat(700) }));
    const snapshot = await store.snapshot();
    const seen: string[] = [];
    let imported = false;
    for await (const batch of snapshot.bodies({ kind: "imprint", slug: "a" })) {
      seen.push(...batch.map(titleOfBody));
      if (!imported) await importBooks(store, books(1, 300, { imprint: "B", title: "new" }));
      imported = true;
    }
    snapshot.close();
    expect(seen).toEqual(Array(300).fill("old".repeat(700)));
  });

  test("several lists of one snapshot, and several snapshots, can be read alternately", async ({ store }) => {
    await importBooks(store, books(1, 300, { imprint: "A", title: "x".repeat(1500) }));
    const snapshots = [await store.snapshot(), await store.snapshot()];
    const lists = snapshots.flatMap((snapshot) =>
      [0, 1].map(() => steps(snapshot.bodies({ kind: "imprint", slug: "a" }))),
    );
    const seen = lists.map((): string[] => []);
    for (let hasMore = true; hasMore; ) {
      hasMore = false;
      for (const [index, list] of lists.entries()) {
        const { done, value } = await list.next();
        if (done) continue;
        hasMore = true;
        seen[index]!.push(...value.map(isbnOfBody));
      }
    }
    const expected = books(1, 300).map((entry) => entry.isbn as string);
    expect(seen).toEqual([expected, expected, expected, expected]);
    for (const snapshot of snapshots) snapshot.close();
  });

  test("lists that are left early do not disturb a later import or snapshot", async ({ store }) => {
    await importBooks(store, books(1, 300, { imprint: "A", title: "y".repeat(2000) }));
    for (let round = 0; round < 30; round++) {
      const snapshot = await store.snapshot();
      const left = steps(snapshot.bodies({ kind: "imprint", slug: "a" }));
      expect((await left.next()).done).toBe(false);
      if (round % 2 === 0) await left.return?.();
      const ended = steps(snapshot.isbns());
      await ended.next();
      snapshot.close();
      snapshot.close();
      await left.return?.();
    }
    await importBooks(store, books(301, 310, { imprint: "A" }));
    const snapshot = await store.snapshot();
    expect(await collect(snapshot.isbns())).toEqual(books(1, 310).map((entry) => entry.isbn));
    expect(await collect(snapshot.bodies({ kind: "imprint", slug: "a" }))).toHaveLength(310);
    snapshot.close();
  });

  test("reading a closed snapshot throws, and never looks like the end of a list", async ({ store }) => {
    await importBooks(store, books(1, 300, { imprint: "A", title: "z".repeat(2000) }));
    const snapshot = await store.snapshot();
    const lists = [
      steps(snapshot.bodies({ kind: "imprint", slug: "a" })),
      steps(snapshot.bodies({ kind: "isbns", isbns: books(1, 300).map((entry) => entry.isbn) })),
      steps(snapshot.entries()),
    ];
    for (const list of lists) expect((await list.next()).done).toBe(false);
    const unread = steps(snapshot.isbns());
    snapshot.close();
    // Another snapshot may use the connection by now.
    const other = await store.snapshot();
    for (const list of [...lists, unread]) expect(await failure(() => list.next())).toBeInstanceOf(Error);
    expect(await failure(() => snapshot.hasImprint("a"))).toBeInstanceOf(Error);
    expect(await failure(() => snapshot.missing([isbn(1)]))).toBeInstanceOf(Error);
    expect(await collect(other.isbns())).toHaveLength(300);
    other.close();
  });

  test("a hundred snapshots are open at once", async ({ store }) => {
    await importBooks(store, books(1, 100, { title: "w".repeat(1000) }));
    const snapshots: Snapshot[] = [];
    for (let count = 0; count < 100; count++) snapshots.push(await store.snapshot());
    await importBooks(
      store,
      [],
      books(2, 100).map((entry) => entry.isbn),
    );
    // Ten at a time: with a hundred on a busy machine, a query waits for the others until its timeout of 1.5 s.
    for (let start = 0; start < 100; start += 10) {
      const group = snapshots.slice(start, start + 10);
      const counts = await Promise.all(
        group.map(async (snapshot) => (await collect(snapshot.entries())).length),
      );
      expect(counts).toEqual(Array(10).fill(100));
    }
    for (const snapshot of snapshots) snapshot.close();
    const last = await store.snapshot();
    expect(await collect(last.isbns())).toEqual([isbn(1)]);
    last.close();
  });
}

type Steps<T> = AsyncIterator<readonly T[]> | Iterator<readonly T[]>;

function steps<T>(batches: Iterable<readonly T[]> | AsyncIterable<readonly T[]>): Steps<T> {
  return Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]();
}

async function failure(act: () => unknown): Promise<unknown> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return error;
  }
}
