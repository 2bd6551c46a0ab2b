import { expect } from "bun:test";
import { StartedImport } from "../../../catalog/import-run.ts";
import { MAX_QUALITY_IMPRINTS, MAX_QUALITY_MONTHS } from "../../../catalog/quality/catalog-quality.ts";
import type { SearchFilters } from "../../../catalog/search/search.ts";
import type { Entry, Store } from "../../../catalog/store.ts";
import { qualityModel } from "../../../catalog/testing/quality-model.ts";
import type { Day } from "../../../onix/date.ts";
import { importBooks, isbn } from "../../testing/books.ts";
import { type DatabaseEngine, faultsOf, storeTests } from "../../testing/engines.ts";
import { searchBook } from "../../testing/search-books.ts";

const BOOKS = [
  searchBook(1, { title: "Uno", imprint: "Sol", published: "20240115", price: "9.90", availability: "20" }),
  searchBook(2, {
    title: "Dos",
    imprint: "SOL",
    published: "20240120",
    price: "12",
    languages: ["spa", "cat"],
  }),
  searchBook(3, { imprint: "Luna", form: "BC", languages: ["spa"] }),
  searchBook(4, { title: "Cuatro", contributors: ["Ana"] }),
];

/** Returns the totals that the history has of the last import. */
async function lastTotals(store: Store) {
  return (await store.importHistory.list(undefined, 1))[0]?.quality;
}

function totalsOf(entries: readonly Entry[]) {
  const { books, lacks } = qualityModel(entries).all;
  return { books, ...Object.fromEntries(Object.entries(lacks).filter(([, count]) => count > 0)) };
}

async function found(store: Store, filters: SearchFilters): Promise<readonly string[]> {
  const { keys, total } = await store.search({ filters, sort: "oldest", limit: 100 });
  expect(total).toBe(keys.length);
  return keys.map((key) => key.isbn).sort();
}

export function qualityContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("finds the books that lack all of what is asked for, with other filters", async ({ store }) => {
    await importBooks(store, BOOKS);
    expect(await found(store, { lacks: ["title"] })).toEqual([isbn(3)]);
    expect(await found(store, { lacks: ["price"] })).toEqual([isbn(3), isbn(4)]);
    expect(await found(store, { lacks: ["price", "title"] })).toEqual([isbn(3)]);
    expect(await found(store, { lacks: ["cover"], imprint: ["sol"] })).toEqual([isbn(1), isbn(2)]);
    expect(await found(store, { lacks: ["availability"], imprint: ["sol"] })).toEqual([isbn(2)]);
    const { facets } = await store.facets({ filters: { imprint: ["sol"] } });
    expect(facets.lacks.values).toContainEqual({ value: "cover", books: 2 });
    expect(facets.lacks.values).toContainEqual({ value: "availability", books: 1 });
    expect(facets.lacks.values).not.toContainEqual(expect.objectContaining({ value: "title" }));
  });

  test("counts the whole catalog, also after updates and removals", async (testStore) => {
    const { store } = testStore;
    expect((await store.quality()).all.books).toBe(0);
    await importBooks(store, BOOKS);
    const revision = await store.revision();
    expect(await store.quality()).toEqual({ ...qualityModel(BOOKS), revision });
    expect(await lastTotals(store)).toEqual(totalsOf(BOOKS));
    const changed = [
      searchBook(1, { title: "Uno", imprint: "Luna", published: "20250101", price: "30" }),
      searchBook(5, { imprint: "Luna" }),
    ];
    await importBooks(store, changed, [isbn(2), isbn(4)]);
    const expected = qualityModel([...changed, BOOKS[2]!]);
    expect(await store.quality()).toEqual({ ...expected, revision: await store.revision() });
    expect(expected.imprints).toMatchObject([{ slug: "luna", name: "Luna", books: 3 }]);
    expect(await lastTotals(store)).toEqual(totalsOf([...changed, BOOKS[2]!]));
    // Nothing is left of values that no book has.
    await importBooks(store, [], [isbn(1), isbn(3), isbn(5)]);
    const empty = await store.quality();
    expect(empty).toEqual({ ...qualityModel([]), revision: await store.revision() });
    expect(await lastTotals(store)).toEqual({});
    await store.recordFailedImport(new StartedImport().failed("refused"));
    expect(await lastTotals(store)).toBeUndefined();
    expect(await faultsOf(testStore)).toEqual([]);
  });

  test("counts the books from a day on as it counts all", async ({ store }) => {
    const books = [...BOOKS, searchBook(5, { imprint: 'A "b"', published: "20240120", languages: ['"'] })];
    await importBooks(store, books);
    const revision = await store.revision();
    for (const day of ["20240116", "20240120", "20240121", "00010101"] as Day[]) {
      const later = books.filter(({ published }) => published !== undefined && published >= day);
      const { imprints, ...model } = qualityModel(later);
      // An imprint has the name that most of its books have, whatever their days.
      const named = imprints.map((imprint) => ({
        ...imprint,
        name: imprint.slug === "sol" ? "SOL" : imprint.name,
      }));
      expect(await store.quality(day)).toEqual({ ...model, imprints: named, revision });
    }
  });

  test("lists the largest imprints and the latest months, and counts the others", async ({ store }) => {
    const imprints = MAX_QUALITY_IMPRINTS + 20;
    const months = MAX_QUALITY_MONTHS + 5;
    const books = Array.from({ length: months }, (_, index) =>
      searchBook(index + 1, {
        title: "T",
        imprint: `Sello ${String(index % imprints).padStart(3, "0")}`,
        published: `${1950 + Math.floor(index / 12)}${String((index % 12) + 1).padStart(2, "0")}01`,
      }),
    );
    await importBooks(store, books);
    const quality = await store.quality();
    const model = qualityModel(books);
    expect(quality.imprints).toEqual(model.imprints.slice(0, MAX_QUALITY_IMPRINTS));
    const others = model.imprints.slice(MAX_QUALITY_IMPRINTS);
    const sum = others.reduce((total, { books }) => total + books, 0);
    expect(quality.otherImprints).toMatchObject({
      imprints: 20,
      books: sum,
      lacks: { cover: sum, title: 0 },
    });
    expect(quality.months).toEqual({
      values: model.months.values.slice(0, MAX_QUALITY_MONTHS),
      distinct: months,
      others: 5,
    });
  });

  test("keeps values that are longer than the key of an index can be", async ({ store }) => {
    const books = [searchBook(1, { imprint: "ñandú ".repeat(3000), languages: ["x".repeat(9000)] })];
    await importBooks(store, books);
    const revision = await store.revision();
    expect(await store.quality()).toEqual({ ...qualityModel(books), revision });
  });

  test("an import that fails leaves the counts as they were", async ({ store }) => {
    await importBooks(store, BOOKS);
    const before = await store.quality();
    const transaction = await store.beginImport();
    await transaction.put([searchBook(9, { title: "Nueve" })], 1);
    await transaction.abort();
    expect(await store.quality()).toEqual(before);
  });

  for (const [defect, sql] of [
    ["a wrong count", "UPDATE book_count SET books = books + 1 WHERE kind = 'month'"],
    ["a lost count", "DELETE FROM book_count WHERE kind = 'lacks cover'"],
  ] as const) {
    test(`verify finds ${defect}`, async (testStore) => {
      await importBooks(testStore.store, BOOKS);
      expect(await faultsOf(testStore)).toEqual([]);
      await testStore.runSql(sql);
      expect(await faultsOf(testStore)).toEqual([
        { isbn: undefined, text: "the counts of books do not match the records" },
      ]);
    });
  }
}
