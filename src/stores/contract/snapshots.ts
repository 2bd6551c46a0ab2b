import { expect, test } from "bun:test";
import type { Snapshot } from "../../catalog/store.ts";
import { book, books, collect, importBooks, isbn, isbnOfBody, titleOfBody } from "../testing/books.ts";
import type { Engine } from "../testing/engine.ts";

/** Everything that a view can say. */
async function state(view: Snapshot) {
  return {
    revision: view.revision,
    isbns: await collect(view.isbns()),
    titles: (await collect(view.bodies({ by: "imprint", slug: "a" }))).map(titleOfBody),
    imprints: await collect(view.imprints()),
    hasNew: await view.hasImprint("new"),
    missing: await view.missing([1, 2, 99].map(isbn)),
    entries: (await collect(view.entries())).map(({ etag }) => etag),
  };
}

export function viewsContract(engine: Engine): void {
  test("nothing of an import is seen before its commit, all of it after, by every opener", async () => {
    await using shelf = await engine.createStore();
    const other = await shelf.reopen();
    await importBooks(shelf.store, [book(1, { title: "old" })]);
    const before = await shelf.store.revision();
    const load = await shelf.store.beginImport();
    await load.put([book(1, { title: "new" }), book(2, { imprint: "A" })], 1);
    for (const store of [shelf.store, other]) {
      expect(await store.revision()).toBe(before);
      expect(titleOfBody((await store.record(isbn(1)))!.body)).toBe("old");
      expect(await store.record(isbn(2))).toBeUndefined();
      expect(await store.stats()).toMatchObject({ records: 1, imprints: 0 });
    }
    await load.commit("2".repeat(32));
    for (const store of [shelf.store, other]) {
      expect(await store.revision()).toBe("2".repeat(32));
      expect(titleOfBody((await store.record(isbn(1)))!.body)).toBe("new");
      expect(await store.record(isbn(2))).toBeDefined();
      expect(await store.stats()).toMatchObject({ revision: "2".repeat(32), records: 2, imprints: 1 });
    }
  });

  test("a view stays with its state, during an import and after it", async () => {
    await using shelf = await engine.createStore();
    const { store } = shelf;
    await importBooks(store, books(1, 10, { imprint: "A", title: "old" }));
    const view = await store.snapshot();
    const old = await state(view);
    expect(old.titles).toEqual(Array(10).fill("old"));
    const load = await store.beginImport();
    await load.put(books(2, 20, { imprint: "A", title: "new" }), 1);
    await load.put([book(99, { imprint: "New" })], 1);
    await load.remove([isbn(1)], 1);
    expect(await state(view)).toEqual(old);
    await load.commit("3".repeat(32));
    expect(await state(view)).toEqual(old);
    const later = await store.snapshot();
    expect(await state(later)).toMatchObject({
      revision: "3".repeat(32),
      titles: Array(19).fill("new"),
      hasNew: true,
      missing: [isbn(1)],
    });
    expect(await state(view)).toEqual(old);
    view.close();
    later.close();
  });

  test("a view's state is that of its opening, not of its first list", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [book(1)]);
    const view = await shelf.store.snapshot();
    await importBooks(shelf.store, [book(2)]);
    expect(await collect(view.isbns())).toEqual([isbn(1)]);
    view.close();
  });

  test("a list that is being read goes on in its state while an import replaces everything", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 3000, { imprint: "A", title: "old".repeat(100) }));
    const view = await shelf.store.snapshot();
    const seen: string[] = [];
    let imported = false;
    for await (const batch of view.bodies({ by: "imprint", slug: "a" })) {
      seen.push(...batch.map(titleOfBody));
      if (!imported) await importBooks(shelf.store, books(1, 3000, { imprint: "B", title: "new" }));
      imported = true;
    }
    view.close();
    expect(seen).toEqual(Array(3000).fill("old".repeat(100)));
  });

  test("several lists of one view, and several views, are read in turn", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 1000, { imprint: "A", title: "x".repeat(500) }));
    const views = [await shelf.store.snapshot(), await shelf.store.snapshot()];
    const lists = views.flatMap((view) => [0, 1].map(() => steps(view.bodies({ by: "imprint", slug: "a" }))));
    const seen = lists.map((): string[] => []);
    for (let going = true; going; ) {
      going = false;
      for (const [index, list] of lists.entries()) {
        const { done, value } = await list.next();
        if (done) continue;
        going = true;
        seen[index]!.push(...value.map(isbnOfBody));
      }
    }
    const expected = books(1, 1000).map((entry) => entry.isbn as string);
    expect(seen).toEqual([expected, expected, expected, expected]);
    for (const view of views) view.close();
  });

  test("5,000 records, left early, closed; then a further import, and all of it is read", async () => {
    await using shelf = await engine.createStore();
    const { store } = shelf;
    await importBooks(store, books(1, 5000, { imprint: "A", title: "y".repeat(1000) }));
    for (let round = 0; round < 30; round++) {
      const view = await store.snapshot();
      const left = steps(view.bodies({ by: "imprint", slug: "a" }));
      expect((await left.next()).done).toBe(false);
      if (round % 2 === 0) await left.return?.();
      const ended = steps(view.isbns());
      await ended.next();
      view.close();
      view.close();
      await left.return?.();
    }
    await importBooks(store, books(5001, 5010, { imprint: "A" }));
    const view = await store.snapshot();
    expect(await collect(view.isbns())).toEqual(books(1, 5010).map((entry) => entry.isbn));
    expect(await collect(view.bodies({ by: "imprint", slug: "a" }))).toHaveLength(5010);
    view.close();
  });

  test("what is read from a closed view fails; it never looks like the end of a list", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 3000, { imprint: "A", title: "z".repeat(200) }));
    const view = await shelf.store.snapshot();
    const lists = [
      steps(view.bodies({ by: "imprint", slug: "a" })),
      steps(view.bodies({ by: "isbns", isbns: books(1, 3000).map((entry) => entry.isbn) })),
      steps(view.entries()),
    ];
    for (const list of lists) expect((await list.next()).done).toBe(false);
    const unread = steps(view.isbns());
    view.close();
    // Another view may have taken the connection over by now.
    const other = await shelf.store.snapshot();
    for (const list of [...lists, unread]) expect(await failure(() => list.next())).toBeInstanceOf(Error);
    expect(await failure(() => view.hasImprint("a"))).toBeInstanceOf(Error);
    expect(await failure(() => view.missing([isbn(1)]))).toBeInstanceOf(Error);
    expect(await collect(other.isbns())).toHaveLength(3000);
    other.close();
  });

  test("a hundred views at once", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, books(1, 600, { title: "w".repeat(200) }));
    const views = await Promise.all(Array.from({ length: 100 }, () => shelf.store.snapshot()));
    await importBooks(
      shelf.store,
      [],
      books(2, 600).map((entry) => entry.isbn),
    );
    const counts = await Promise.all(views.map(async (view) => (await collect(view.entries())).length));
    expect(counts).toEqual(Array(100).fill(600));
    for (const view of views) view.close();
    const last = await shelf.store.snapshot();
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
