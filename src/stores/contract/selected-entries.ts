import { expect } from "bun:test";
import type { Selection } from "../../catalog/selection.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import type { Day } from "../../onix/date.ts";
import { book, books, collect, importBooks, isbn, readSnapshot } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

/** Entries of a selection, as messages of ONIX are made from them. */
export function selectedEntriesContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  const SELECTIONS: readonly Selection[] = [
    { kind: "isbns", isbns: [isbn(5), isbn(2), isbn(999_999), isbn(5)] },
    { kind: "isbns", isbns: [] },
    { kind: "isbns", isbns: [isbn(999_999)] },
    { kind: "imprint", slug: "a" },
    { kind: "imprint", slug: "a", language: "eng" },
    { kind: "imprint", slug: "a", language: "jpn" },
    { kind: "imprint", slug: "unknown" },
    { kind: "date", from: "20200101" as Day },
    { kind: "date", from: "20200101" as Day, to: "20200102" as Day },
  ];

  test("entries of a selection are the records of its bodies, in their order, with all fields", async (testStore) => {
    const { store } = testStore;
    const put = books(1, 9).map((_, index) =>
      book(index + 1, {
        title: "x".repeat(30 * index),
        imprint: index % 3 === 2 ? "B" : "A",
        languages: index % 2 === 0 ? ["spa", "eng"] : ["spa"],
        ...(index < 7 && { published: `2020010${(index % 4) + 1}` }),
        reference: `ref ${index}`,
        origin: `{"release":"3.1","n":${index}}`,
      }),
    );
    await importBooks(store, put);
    const snapshot = await store.snapshot();
    for (const selection of SELECTIONS) {
      const bodies = await collect(snapshot.bodies(selection));
      const entries = await collect(snapshot.entries(selection));
      expect(entries.map(({ body }) => Buffer.from(body))).toEqual(bodies.map((body) => Buffer.from(body)));
      for (const entry of entries) {
        const { summary: _, ...fields } = put.find((each) => each.isbn === entry.isbn)!;
        expect({ ...entry, body: Buffer.from(entry.body) }).toEqual({
          ...fields,
          body: Buffer.from(fields.body),
        });
      }
    }
    expect(await collect(snapshot.entries())).toHaveLength(9);
    snapshot.close();
  });

  test("entries of a selection that exceeds a batch are complete and in order", async ({ store }) => {
    await importBooks(store, books(1, 300, { imprint: "A", published: "20200101", title: "x".repeat(3000) }));
    const snapshot = await store.snapshot();
    const isbns = Array.from({ length: 300 }, (_, index) => isbn(300 - index));
    const read = async (selection: Selection) =>
      (await collect(snapshot.entries(selection))).map((entry) => entry.isbn);
    expect(await read({ kind: "isbns", isbns })).toEqual(isbns);
    expect(await read({ kind: "imprint", slug: "a" })).toEqual(isbns.toReversed());
    expect(await read({ kind: "date", from: "20200101" as Day })).toEqual(isbns.toReversed());
    snapshot.close();
  });

  test("the id of the last import changes with every import that is applied, and with no other", async (testStore) => {
    const { store } = testStore;
    const read = () => readSnapshot(store, (snapshot) => snapshot.lastImportId());
    expect(await read()).toBe("");
    await importBooks(store, [book(1)]);
    const first = await read();
    expect(first).not.toBe("");
    await importBooks(store, [book(1, { reference: "other" })]);
    const second = await read();
    expect(second).not.toBe(first);
    await store.recordFailedImport(anyRun({ outcome: "failed" }));
    expect(await read()).toBe(second);
    expect(store.lookupTransaction?.lastImportId() ?? second).toBe(second);
  });
}
