import { expect, test } from "bun:test";
import type { Imprint, Store } from "../../catalog/store.ts";
import { book, books, collect, importBooks, isbn, selectIsbns } from "../testing/books.ts";
import type { Engine } from "../testing/engine.ts";

async function imprints(store: Store): Promise<Imprint[]> {
  const view = await store.snapshot();
  try {
    return await collect(view.imprints());
  } finally {
    view.close();
  }
}

export function imprintsContract(engine: Engine): void {
  test("records of an imprint come by ISBN, and no other's", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [
      book(5, { imprint: "Alfa" }),
      book(2, { imprint: "ALFA" }),
      book(3, { imprint: "Beta" }),
      book(4),
      book(1, { imprint: "Alfa" }),
      book(6, { imprint: "Alfa-Beta" }),
    ]);
    expect(await selectIsbns(shelf.store, { kind: "imprint", slug: "alfa" })).toEqual([1, 2, 5].map(isbn));
    expect(await selectIsbns(shelf.store, { kind: "imprint", slug: "Alfa" })).toEqual([]);
    expect(await selectIsbns(shelf.store, { kind: "imprint", slug: "al" })).toEqual([]);
  });

  test("by language: any of a record's languages, the whole code, nothing else", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [
      book(1, { imprint: "A", languages: ["spa"] }),
      book(2, { imprint: "A", languages: ["eng", "spa"] }),
      book(3, { imprint: "A", languages: ["cat", "spa", "eng"] }),
      book(4, { imprint: "A" }),
      book(5, { imprint: "A", languages: ["english"] }),
      book(6, { imprint: "B", languages: ["eng"] }),
    ]);
    const by = (language: string) => selectIsbns(shelf.store, { kind: "imprint", slug: "a", language });
    expect(await by("spa")).toEqual([1, 2, 3].map(isbn));
    expect(await by("eng")).toEqual([2, 3].map(isbn));
    expect(await by("cat")).toEqual([isbn(3)]);
    expect(await by("fre")).toEqual([]);
    expect(await by("%")).toEqual([]);
    expect(await by("___")).toEqual([]);
  });

  test("the list is ordered by slug, by code points", async () => {
    await using shelf = await engine.createStore();
    // U+FF21 sorts after U+1D400 by UTF-16 units, and before it by code points.
    const slugs = ["𝐀", "z", "Ａ", "10-18", "a", "a-b", "б"];
    await importBooks(
      shelf.store,
      slugs.map((slug, index) => book(index, { imprint: slug, slug })),
    );
    expect((await imprints(shelf.store)).map(({ slug }) => slug)).toEqual([
      "10-18",
      "a",
      "a-b",
      "z",
      "б",
      "Ａ",
      "𝐀",
    ]);
  });

  test("the name is the spelling most records use", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [
      ...books(1, 2, { imprint: "PENINSULA", slug: "peninsula" }),
      ...books(3, 5, { imprint: "Península", slug: "peninsula" }),
      book(6, { imprint: "Zeta" }),
    ]);
    expect(await imprints(shelf.store)).toEqual([
      { slug: "peninsula", name: "Península" },
      { slug: "zeta", name: "Zeta" },
    ]);
    await importBooks(shelf.store, books(7, 8, { imprint: "PENINSULA", slug: "peninsula" }));
    expect((await imprints(shelf.store))[0]?.name).toBe("PENINSULA");
    await importBooks(shelf.store, [], [1, 2].map(isbn));
    expect((await imprints(shelf.store))[0]?.name).toBe("Península");
  });

  test("on a tie it is the first in code-point order", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, [
      book(1, { imprint: "Ａ𝐀", slug: "x" }),
      book(2, { imprint: "𝐀Ａ", slug: "x" }),
      book(3, { imprint: "b", slug: "y" }),
      book(4, { imprint: "B", slug: "y" }),
      book(5, { imprint: "ab", slug: "y" }),
    ]);
    expect(await imprints(shelf.store)).toEqual([
      { slug: "x", name: "Ａ𝐀" },
      { slug: "y", name: "B" },
    ]);
  });

  test("an imprint without records is gone: its last one removed, moved, or left without an imprint", async () => {
    await using shelf = await engine.createStore();
    const { store } = shelf;
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
    const view = await store.snapshot();
    const there = await Promise.all(["a", "b", "c", "d"].map((slug) => view.hasImprint(slug)));
    view.close();
    expect(there).toEqual([false, false, false, true]);
    expect(await selectIsbns(store, { kind: "imprint", slug: "d" })).toEqual([2, 4].map(isbn));
  });

  test("a record put twice in one import counts once", async () => {
    await using shelf = await engine.createStore();
    const load = await shelf.store.beginImport();
    await load.put([book(1, { imprint: "A" }), book(2, { imprint: "Á", slug: "a" })], 1);
    await load.put([book(1, { imprint: "Á", slug: "a", title: "again" })], 1);
    await load.put([book(1, { imprint: "A", title: "and again" })], 2);
    await load.remove([isbn(2)], 2);
    await load.commit("1".repeat(32));
    expect(await imprints(shelf.store)).toEqual([{ slug: "a", name: "A" }]);
    expect(await shelf.store.stats()).toMatchObject({ records: 1, imprints: 1 });
    await importBooks(shelf.store, [], [isbn(1)]);
    expect(await imprints(shelf.store)).toEqual([]);
  });

  test("more imprints than anyone keeps in mind, each once, with the right name", async () => {
    await using shelf = await engine.createStore();
    const name = (index: number) => `Imprint ${String(index).padStart(5, "0")}`;
    const upper = Array.from({ length: 12_000 }, (_, index) =>
      book(index, { imprint: name(index).toUpperCase() }),
    );
    const load = await shelf.store.beginImport();
    await load.put(upper, 1);
    await load.put(
      upper.map((_, index) => book(index, { imprint: name(index), title: "again" })),
      1,
    );
    await load.commit("1".repeat(32));
    expect(await imprints(shelf.store)).toEqual(
      upper.map((entry, index) => ({ slug: entry.imprint!.slug, name: name(index) })),
    );
  });
}
