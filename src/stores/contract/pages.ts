import { expect } from "bun:test";
import fc from "fast-check";
import type { ListKey, PagedList } from "../../catalog/selection.ts";
import type { Entry, Snapshot, Store } from "../../catalog/store.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, books, collect, importBooks, isbn, isbnOfBody, readSnapshot } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

/** A busy machine takes longer to count than a request may wait. */
const PATIENT_MS = 600_000;
const ALL: PagedList = { kind: "all" };
const IMPRINT: PagedList = { kind: "imprint", slug: "a" };
const SPANISH = { kind: "imprint", slug: "a", language: "spa" } as const;
const PERIOD: PagedList = { kind: "date", from: "20240102" as Day, to: "20240104" as Day };
const FROM_DAY: PagedList = { kind: "date", from: "20240102" as Day };
const LISTS = [ALL, IMPRINT, SPANISH, PERIOD, FROM_DAY];

const DAYS = [undefined, "20240101", "20240102", "20240103", "20240104", "20240105"];
const LANGUAGES = [[], ["spa"], ["eng"], ["eng", "spa"], ["spaced"]];

/** Returns a book whose fields only depend on its number. */
function variedBook(number: number, title = ""): Entry {
  const published = DAYS[number % DAYS.length];
  return book(number, {
    title,
    imprint: number % 7 === 0 ? "B" : "A",
    languages: LANGUAGES[number % LANGUAGES.length]!,
    ...(published !== undefined && { published }),
  });
}

/** Returns the whole list, read without pages. */
async function wholeList(snapshot: Snapshot, list: PagedList): Promise<Isbn13[]> {
  if (list.kind === "all") return await collect(snapshot.isbns());
  return (await collect(snapshot.bodies(list))).map(isbnOfBody);
}

/** Reads a list page by page, each from a snapshot of its own. Calls back between two pages. */
async function readInPages(
  store: Store,
  list: PagedList,
  limit: number,
  between: (page: number) => Promise<unknown> = async () => {},
): Promise<Isbn13[]> {
  const isbns: Isbn13[] = [];
  let after: ListKey | undefined;
  for (let page = 0; ; page++) {
    if (page > 1000) throw new Error("The pages do not end");
    const keys = await readSnapshot(store, (snapshot) => snapshot.keys(list, after, limit));
    isbns.push(...keys.map((key) => key.isbn));
    if (keys.length < limit) return isbns;
    after = keys.at(-1);
    await between(page);
  }
}

export function pagesContract(engine: DatabaseEngine, numRuns: number): void {
  const test = storeTests(engine);
  test("the pages of a list are the list, and its total is its length", async ({ store }) => {
    const entries = Array.from({ length: 100 }, (_, index) => variedBook(index + 1));
    await importBooks(store, entries);
    for (const list of LISTS) {
      const whole = await readSnapshot(store, (snapshot) => wholeList(snapshot, list));
      expect(whole.length).toBeGreaterThan(10);
      for (const limit of [1, 7, whole.length, 1000])
        expect(await readInPages(store, list, limit)).toEqual(whole);
      expect(await readSnapshot(store, (snapshot) => snapshot.total(list, PATIENT_MS))).toBe(whole.length);
    }
  });

  test("lists without records have no keys, and the total 0", async ({ store }) => {
    for (const list of LISTS) {
      await readSnapshot(store, async (snapshot) => {
        expect(await snapshot.keys(list, undefined, 10)).toEqual([]);
        expect(await snapshot.total(list, PATIENT_MS)).toBe(0);
      });
    }
  });

  test("a page begins after a key whose record is gone, or never was", async ({ store }) => {
    await importBooks(
      store,
      [2, 4, 6].map((number) => book(number, { imprint: "A", published: "20240103" })),
    );
    const keysAfter = async (list: PagedList, after: ListKey) =>
      (await readSnapshot(store, (snapshot) => snapshot.keys(list, after, 10))).map((key) => key.isbn);
    await importBooks(store, [], [isbn(4)]);
    expect(await keysAfter(ALL, { isbn: isbn(4) })).toEqual([isbn(6)]);
    expect(await keysAfter(IMPRINT, { isbn: isbn(3) })).toEqual([isbn(6)]);
    expect(await keysAfter(PERIOD, { isbn: isbn(4), published: "20240103" as Day })).toEqual([isbn(6)]);
    // Another day of the list.
    expect(await keysAfter(PERIOD, { isbn: isbn(9), published: "20240104" as Day })).toEqual([
      isbn(2),
      isbn(6),
    ]);
    expect(await keysAfter(PERIOD, { isbn: isbn(1), published: "20240102" as Day })).toEqual([]);
    // A key that is not in the period.
    expect(await keysAfter(PERIOD, { isbn: isbn(1), published: "20231231" as Day })).toEqual([]);
  });

  test("the keys of a page select its bodies", async ({ store }) => {
    await importBooks(
      store,
      Array.from({ length: 30 }, (_, index) => variedBook(index + 1)),
    );
    await readSnapshot(store, async (snapshot) => {
      for (const list of LISTS) {
        const isbns = (await snapshot.keys(list, undefined, 5)).map((key) => key.isbn);
        const bodies = await collect(snapshot.bodies({ kind: "isbns", isbns }));
        expect(bodies.map(isbnOfBody)).toEqual(isbns);
      }
    });
  });

  test("a filter that matches few of many records finds them all, and counts them", async ({ store }) => {
    // More than a slice of either engine, and one that is not full.
    const many = books(1, 5500, { imprint: "A", published: "20240103" });
    const spanish = [1, 2, 4999, 5000, 5001, 5500];
    const marked = many.map((entry, index) =>
      spanish.includes(index + 1) ? { ...entry, languages: ["spa"] } : entry,
    );
    await importBooks(store, marked);
    const total = (list: PagedList) => readSnapshot(store, (snapshot) => snapshot.total(list, PATIENT_MS));
    for (const limit of [1, 2, 6, 7])
      expect(await readInPages(store, SPANISH, limit)).toEqual(spanish.map(isbn));
    expect(await total(SPANISH)).toBe(spanish.length);
    expect(await total({ ...SPANISH, language: "fre" })).toBe(0);
    expect(await readInPages(store, { ...SPANISH, language: "fre" }, 10)).toEqual([]);
    expect(await total(PERIOD)).toBe(5500);
    expect(await total(IMPRINT)).toBe(5500);
    const last = { isbn: isbn(5499), published: "20240103" as Day };
    expect(await readSnapshot(store, (snapshot) => snapshot.keys(PERIOD, last, 10))).toMatchObject([
      { isbn: isbn(5500) },
    ]);
  });

  test("reading keys of a closed snapshot throws", async ({ store }) => {
    const snapshot = await store.snapshot();
    snapshot.close();
    for (const read of [() => snapshot.keys(ALL, undefined, 1), () => snapshot.total(ALL)]) {
      await expect((async () => await read())()).rejects.toThrow("closed");
    }
  });

  test("no record that stays is skipped or repeated while imports go on between the pages", async (testStore) => {
    const { store } = testStore;
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const change = fc.record({
      put: fc.uniqueArray(fc.constantFrom(...numbers), { maxLength: 6 }),
      remove: fc.uniqueArray(fc.constantFrom(...numbers), { maxLength: 6 }),
    });
    const scenario = fc.record({
      list: fc.constantFrom(...LISTS),
      limit: fc.integer({ min: 1, max: 9 }),
      start: fc.uniqueArray(fc.constantFrom(...numbers), { minLength: 5 }),
      changes: fc.array(change, { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ list, limit, start, changes }) => {
        const before = await readSnapshot(store, (snapshot) => collect(snapshot.isbns()));
        await importBooks(
          store,
          start.map((number) => variedBook(number)),
          before.filter((id) => !start.map(isbn).includes(id)),
        );
        const first = await readSnapshot(store, (snapshot) => wholeList(snapshot, list));
        const removed = new Set<Isbn13>();
        const added = new Set<Isbn13>();
        const read = await readInPages(store, list, limit, async (page) => {
          const { put = [], remove = [] } = changes[page] ?? {};
          const kept = remove.filter((number) => !put.includes(number));
          for (const number of kept) removed.add(isbn(number));
          for (const number of put) added.add(isbn(number));
          await importBooks(
            store,
            put.map((number) => variedBook(number, `page ${page}`)),
            kept.map(isbn),
          );
        });
        expect(new Set(read).size).toBe(read.length);
        expect(first.filter((id) => !removed.has(id) && !read.includes(id))).toEqual([]);
        expect(read.filter((id) => !first.includes(id) && !added.has(id))).toEqual([]);
      }),
      { numRuns: Math.ceil(numRuns / 2) },
    );
  });
}
