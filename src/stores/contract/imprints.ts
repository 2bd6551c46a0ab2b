import { expect } from "bun:test";
import type { Imprint, Store } from "../../catalog/store.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { book, books, collect, importBooks, isbn, readSnapshot, selectIsbns } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

function imprints(store: Store): Promise<Imprint[]> {
  return readSnapshot(store, (snapshot) => collect(snapshot.imprints()));
}

export function imprintsContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("an imprint selects its records, in ascending order of ISBN", async ({ store }) => {
    await importBooks(store, [
      book(5, { imprint: "Alfa" }),
      book(2, { imprint: "ALFA" }),
      book(3, { imprint: "Beta" }),
      book(4),
      book(1, { imprint: "Alfa" }),
      book(6, { imprint: "Alfa-Beta" }),
    ]);
    expect(await selectIsbns(store, { kind: "imprint", slug: "alfa" })).toEqual([1, 2, 5].map(isbn));
    expect(await selectIsbns(store, { kind: "imprint", slug: "Alfa" })).toEqual([]);
    expect(await selectIsbns(store, { kind: "imprint", slug: "al" })).toEqual([]);
  });

  test("a language selects records with that exact code among their languages", async ({ store }) => {
    await importBooks(store, [
      book(1, { imprint: "A", languages: ["spa"] }),
      book(2, { imprint: "A", languages: ["eng", "spa"] }),
      book(3, { imprint: "A", languages: ["cat", "spa", "eng"] }),
      book(4, { imprint: "A" }),
      book(5, { imprint: "A", languages: ["english"] }),
      book(6, { imprint: "B", languages: ["eng"] }),
    ]);
    const by = (language: string) => selectIsbns(store, { kind: "imprint", slug: "a", language });
    expect(await by("spa")).toEqual([1, 2, 3].map(isbn));
    expect(await by("eng")).toEqual([2, 3].map(isbn));
    expect(await by("cat")).toEqual([isbn(3)]);
    expect(await by("fre")).toEqual([]);
    expect(await by("%")).toEqual([]);
    expect(await by("___")).toEqual([]);
  });

  test("imprints are listed by slug, in code point order", async ({ store }) => {
    // U+FF21 follows U+1D400 in order of UTF-16 code units, and precedes it in order of code points.
    const slugs = ["𝐀", "z", "Ａ", "10-18", "a", "a-b", "б"];
    await importBooks(
      store,
      slugs.map((slug, index) => book(index, { imprint: slug, slug })),
    );
    expect((await imprints(store)).map(({ slug }) => slug)).toEqual("10-18 a a-b z б Ａ 𝐀".split(" "));
  });

  test("an imprint's name is the spelling that most records use", async ({ store }) => {
    await importBooks(store, [
      ...books(1, 2, { imprint: "PENINSULA", slug: "peninsula" }),
      ...books(3, 5, { imprint: "Península", slug: "peninsula" }),
      book(6, { imprint: "Zeta" }),
    ]);
    expect(await imprints(store)).toEqual([
      { slug: "peninsula", name: "Península" },
      { slug: "zeta", name: "Zeta" },
    ]);
    await importBooks(store, books(7, 8, { imprint: "PENINSULA", slug: "peninsula" }));
    expect((await imprints(store))[0]?.name).toBe("PENINSULA");
    await importBooks(store, [], [1, 2].map(isbn));
    expect((await imprints(store))[0]?.name).toBe("Península");
  });

  test("of equally frequent spellings, the first in code point order is the name", async ({ store }) => {
    await importBooks(store, [
      book(1, { imprint: "Ａ𝐀", slug: "x" }),
      book(2, { imprint: "𝐀Ａ", slug: "x" }),
      book(3, { imprint: "b", slug: "y" }),
      book(4, { imprint: "B", slug: "y" }),
      book(5, { imprint: "ab", slug: "y" }),
    ]);
    expect(await imprints(store)).toEqual([
      { slug: "x", name: "Ａ𝐀" },
      { slug: "y", name: "B" },
    ]);
  });

  test("an imprint without records is not listed: they were removed, moved, or lost their imprint", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, [
      book(1, { imprint: "A" }),
      book(2, { imprint: "B" }),
      book(3, { imprint: "C" }),
      book(4, { imprint: "D" }),
    ]);
    expect((await store.stats()).imprints).toBe(4);
    await importBooks(store, [book(2, { imprint: "D" }), book(3)], [isbn(1)]);
    expect(await imprints(store)).toEqual([{ slug: "d", name: "D" }]);
    expect((await store.stats()).imprints).toBe(1);
    const snapshot = await store.snapshot();
    const results = await Promise.all(["a", "b", "c", "d"].map((slug) => snapshot.hasImprint(slug)));
    snapshot.close();
    expect(results).toEqual([false, false, false, true]);
    expect(await selectIsbns(store, { kind: "imprint", slug: "d" })).toEqual([2, 4].map(isbn));
  });

  test("a record that is put twice in one import counts once", async ({ store }) => {
    const transaction = await store.beginImport();
    await transaction.put([book(1, { imprint: "A" }), book(2, { imprint: "Á", slug: "a" })], 1);
    await transaction.put([book(1, { imprint: "Á", slug: "a", title: "again" })], 1);
    await transaction.put([book(1, { imprint: "A", title: "and again" })], 2);
    await transaction.remove([isbn(2)], 2);
    await transaction.commit("1".repeat(32), anyRun());
    expect(await imprints(store)).toEqual([{ slug: "a", name: "A" }]);
    expect(await store.stats()).toMatchObject({ records: 1, imprints: 1 });
    await importBooks(store, [], [isbn(1)]);
    expect(await imprints(store)).toEqual([]);
  });

  test("more imprints than an import caches are each listed once, with the right name", async ({ store }) => {
    // Together they are longer than what an import keeps in memory (count-changes.ts).
    const name = (index: number) => `Imprint ${String(index).padStart(5, "0")}${" and more".repeat(200)}`;
    const upper = Array.from({ length: 1_200 }, (_, index) =>
      book(index, { imprint: name(index).toUpperCase() }),
    );
    const transaction = await store.beginImport();
    await transaction.put(upper, 1);
    await transaction.put(
      upper.map((_, index) => book(index, { imprint: name(index), title: "again" })),
      1,
    );
    await transaction.commit("1".repeat(32), anyRun());
    expect(await imprints(store)).toEqual(
      upper.map((entry, index) => ({ slug: entry.imprint!.slug, name: name(index) })),
    );
  });
}
