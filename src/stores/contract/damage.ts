import { expect } from "bun:test";
import type { Batches, Entry } from "../../catalog/store.ts";
import { DamagedRecord } from "../../catalog/store-errors.ts";
import type { Day } from "../../onix/date.ts";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import { type DatabaseEngine, type DatabaseTestStore, faultsOf, storeTests } from "../testing/engines.ts";
import { searchBook } from "../testing/search-books.ts";

export function damageContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  const fields = { imprint: "A", languages: ["spa"], published: "20240101", title: "x".repeat(300) };

  test("reading a damaged record throws DamagedRecord with its ISBN, in lookups and lists", async (testStore) => {
    const { store, overwriteBody } = testStore;
    await importBooks(store, books(1, 20, fields));
    const good = await store.record(isbn(7));
    await overwriteBody(isbn(7), Buffer.from(good!.body).fill("y", 50, 51));
    await expect((async () => store.record(isbn(7)))()).rejects.toBeInstanceOf(DamagedRecord);
    await expect((async () => store.record(isbn(7)))()).rejects.toThrow(isbn(7));
    const snapshot = await store.snapshot();
    const lists: (() => Batches<unknown>)[] = [
      () => snapshot.bodies({ kind: "imprint", slug: "a" }),
      () => snapshot.bodies({ kind: "imprint", slug: "a", language: "spa" }),
      () => snapshot.bodies({ kind: "date", from: "20240101" as Day }),
      () => snapshot.bodies({ kind: "isbns", isbns: [isbn(6), isbn(7), isbn(8)] }),
      () => snapshot.entries(),
    ];
    for (const list of lists) await expect(collect(list())).rejects.toBeInstanceOf(DamagedRecord);
    for (const list of lists) await expect(collect(list())).rejects.toThrow(isbn(7));
    snapshot.close();
  });

  test("other records can be read, also in concurrent lookups", async ({ store, overwriteBody }) => {
    await importBooks(store, books(1, 20, fields));
    await overwriteBody(isbn(7), Buffer.from("{}"));
    const lookups = await Promise.allSettled([6, 7, 8].map(async (number) => store.record(isbn(number))));
    expect(lookups.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const snapshot = await store.snapshot();
    expect(await collect(snapshot.bodies({ kind: "isbns", isbns: [isbn(6), isbn(8)] }))).toHaveLength(2);
    expect(await collect(snapshot.isbns())).toHaveLength(20);
    snapshot.close();
  });

  test("an import cannot update a damaged record, but can replace it", async ({ store, overwriteBody }) => {
    await importBooks(store, books(1, 3, fields));
    await overwriteBody(isbn(2), Buffer.from("{}"));
    const transaction = await store.beginImport();
    await expect((async () => transaction.entries([isbn(2)]))()).rejects.toBeInstanceOf(DamagedRecord);
    expect(await transaction.entries([isbn(1)])).toMatchObject([{ isbn: isbn(1) }]);
    await transaction.abort();
    await importBooks(store, [book(2, { ...fields, title: "new" })]);
    expect((await store.record(isbn(2)))?.etag).toBe(book(2, { ...fields, title: "new" }).etag);
  });

  test("verify finds no defect in an undamaged store", async (testStore) => {
    const { store } = testStore;
    expect(await faults(testStore)).toEqual([]);
    await importBooks(store, realEntries);
    expect(await faults(testStore)).toEqual([]);
    await importBooks(store, [], [realEntries[0]!.isbn]);
    expect(await faults(testStore)).toEqual([]);
  });

  test("verify names every damaged record", async (testStore) => {
    const { store, overwriteBody } = testStore;
    await importBooks(store, realEntries);
    await overwriteBody(isbn(7), Buffer.from("{}"));
    await overwriteBody(isbn(300), Buffer.from(""));
    const fault = "its bytes do not match its checksum";
    expect(await faults(testStore)).toEqual([`${isbn(7)}: ${fault}`, `${isbn(300)}: ${fault}`]);
  });

  test("verify detects an origin that is not a JSON object", async (testStore) => {
    const { store, overwriteOrigin } = testStore;
    await importBooks(store, realEntries);
    await overwriteOrigin(isbn(9), "[");
    expect(await faults(testStore)).toEqual([`${isbn(9)}: its origin is not a JSON object`]);
  });

  const manipulations: [sql: string, fault: string][] = [
    ["UPDATE catalog SET records = 601", "the catalog states 601 records, but has 600"],
    [`UPDATE catalog SET revision = '${"1".repeat(32)}'`, `the catalog's revision is ${"1".repeat(32)}`],
    ["UPDATE imprint SET records = records + 1", "the imprint table does not match"],
    ["UPDATE imprint SET name = 'SELLO'", "the imprint table does not match"],
    [
      "UPDATE record SET imprint = 'b' WHERE isbn = 9780000000009",
      `${isbn(9)}: its imprint in the store is {"slug":"b","name":"Sello"}, but in the record {"slug":"sello","name":"Sello"}`,
    ],
    [
      "UPDATE record SET isbn = 9780000000700 WHERE isbn = 9780000000009",
      `${isbn(700)}: its ISBN in the store is "${isbn(700)}", but in the record "${isbn(9)}"`,
    ],
    [
      "UPDATE record SET sender = 99 WHERE isbn = 9780000000009",
      `${isbn(9)}: its sender is not in the store`,
    ],
  ];
  for (const [sql, fault] of manipulations) {
    test(`verify detects ${sql}`, async (testStore) => {
      const { store, runSql } = testStore;
      await importBooks(store, realEntries);
      await runSql(sql);
      expect((await faults(testStore)).join("\n")).toContain(fault);
    });
  }
}

/** Complete records, because verify compares the columns with the body. */
const realEntries: readonly Entry[] = Array.from({ length: 600 }, (_, index) =>
  searchBook(index + 1, { imprint: "Sello", published: "20240115" }),
);

async function faults(testStore: DatabaseTestStore): Promise<string[]> {
  const lines = (await faultsOf(testStore)).map(({ isbn, text }) => (isbn ? `${isbn}: ${text}` : text));
  // Only PostgreSQL stores the size of a body, so it alone also reports a size that has changed with the bytes.
  return lines.filter((line) => !/it has \d+ bytes instead of/.test(line));
}
