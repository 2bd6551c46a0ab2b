import { expect, test } from "bun:test";
import { DamagedRecord } from "../../catalog/damaged-record.ts";
import { createEntry } from "../../catalog/entry.ts";
import type { Inspection } from "../../catalog/inspection.ts";
import type { Batches, Entry } from "../../catalog/store.ts";
import { verify } from "../../catalog/verify.ts";
import type { Day } from "../../onix/date.ts";
import { type BookRecord, recordId } from "../../onix/record.ts";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import type { Engine } from "../testing/engine.ts";

export function damageContract(engine: Engine): void {
  const everyone = { imprint: "A", languages: ["spa"], published: "20240101", title: "x".repeat(300) };

  test("a damaged record is known by its checksum, by name, wherever it is read", async () => {
    await using shelf = await engine.createStore();
    const { store } = shelf;
    await importBooks(store, books(1, 20, everyone));
    const good = await store.record(isbn(7));
    await shelf.overwriteBody(isbn(7), Buffer.from(good!.body).fill("y", 50, 51));
    await expect((async () => store.record(isbn(7)))()).rejects.toBeInstanceOf(DamagedRecord);
    await expect((async () => store.record(isbn(7)))()).rejects.toThrow(isbn(7));
    const view = await store.snapshot();
    const lists: (() => Batches<unknown>)[] = [
      () => view.bodies({ kind: "imprint", slug: "a" }),
      () => view.bodies({ kind: "imprint", slug: "a", language: "spa" }),
      () => view.bodies({ kind: "date", from: "20240101" as Day }),
      () => view.bodies({ kind: "isbns", isbns: [isbn(6), isbn(7), isbn(8)] }),
      () => view.entries(),
    ];
    for (const list of lists) await expect(collect(list())).rejects.toBeInstanceOf(DamagedRecord);
    for (const list of lists) await expect(collect(list())).rejects.toThrow(isbn(7));
    view.close();
  });

  test("the others are as good as before, also those asked for at the same moment", async () => {
    await using shelf = await engine.createStore();
    const { store } = shelf;
    await importBooks(store, books(1, 20, everyone));
    await shelf.overwriteBody(isbn(7), Buffer.from("{}"));
    const asked = await Promise.allSettled([6, 7, 8].map(async (number) => store.record(isbn(number))));
    expect(asked.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const view = await store.snapshot();
    expect(await collect(view.bodies({ kind: "isbns", isbns: [isbn(6), isbn(8)] }))).toHaveLength(2);
    expect(await collect(view.isbns())).toHaveLength(20);
    view.close();
  });

  test("an import does not build on a damaged record, but may replace it", async () => {
    await using shelf = await engine.createStore();
    const { store } = shelf;
    await importBooks(store, books(1, 3, everyone));
    await shelf.overwriteBody(isbn(2), Buffer.from("{}"));
    const load = await store.beginImport();
    await expect((async () => load.entry(isbn(2)))()).rejects.toBeInstanceOf(DamagedRecord);
    expect(await load.entry(isbn(1))).toBeDefined();
    await load.abort();
    await importBooks(store, [book(2, { ...everyone, title: "new" })]);
    expect((await store.record(isbn(2)))?.etag).toBe(book(2, { ...everyone, title: "new" }).etag);
  });

  test("verify finds nothing wrong with a store that is good", async () => {
    await using shelf = await engine.createStore();
    expect(await found(shelf.inspect())).toEqual([]);
    await importBooks(shelf.store, real);
    expect(await found(shelf.inspect())).toEqual([]);
    await importBooks(shelf.store, [], [real[0]!.isbn]);
    expect(await found(shelf.inspect())).toEqual([]);
  });

  test("verify names every damaged record, and what does not agree with the others", async () => {
    await using shelf = await engine.createStore();
    await importBooks(shelf.store, real);
    await shelf.overwriteBody(isbn(7), Buffer.from("{}"));
    await shelf.overwriteBody(isbn(300), Buffer.from(""));
    const bytes = "its bytes are not those that were stored";
    expect(await found(shelf.inspect())).toEqual([`${isbn(7)}: ${bytes}`, `${isbn(300)}: ${bytes}`]);
  });

  const tampered: [sql: string, finding: string][] = [
    ["UPDATE catalog SET records = 601", "the catalog says that it has 601 records, and has 600"],
    [`UPDATE catalog SET revision = '${"1".repeat(32)}'`, `the catalog's revision is ${"1".repeat(32)}`],
    ["UPDATE imprint SET records = records + 1", "the table of imprints does not agree"],
    ["UPDATE imprint SET name = 'SELLO'", "the table of imprints does not agree"],
    [
      "UPDATE record SET imprint = 'b' WHERE isbn = 9780000000009",
      `${isbn(9)}: it is kept under the imprint ["b","Sello"], and has ["sello","Sello"]`,
    ],
    [
      "UPDATE record SET isbn = 9780000000700 WHERE isbn = 9780000000009",
      `${isbn(700)}: it is kept under the ISBN "${isbn(700)}", and has "${isbn(9)}"`,
    ],
    [
      "UPDATE record SET origin = '[' WHERE isbn = 9780000000009",
      `${isbn(9)}: what it was made from is no JSON object`,
    ],
  ];
  for (const [sql, finding] of tampered) {
    test(`verify finds ${sql}`, async () => {
      await using shelf = await engine.createStore();
      await importBooks(shelf.store, real);
      await shelf.runSql(sql);
      expect((await found(shelf.inspect())).join("\n")).toContain(finding);
    });
  }
}

/** Whole records, as their facts are held against their bodies. */
const real: readonly Entry[] = Array.from({ length: 600 }, (_, at) => {
  const id = isbn(at + 1);
  const publishing = {
    Imprint: [{ ImprintName: "Sello" }],
    PublishingDate: [{ PublishingDateRole: "01", Date: "20240115" }],
  };
  const record = {
    _id: recordId(id),
    RecordReference: id,
    PublishingDetail: publishing,
  } as unknown as BookRecord;
  return createEntry(record, `ref-${id}`, { release: "3.0" });
});

async function found(opening: Promise<Inspection>): Promise<string[]> {
  const inspection = await opening;
  try {
    const lines: string[] = [];
    for await (const { isbn: whose, text } of verify(inspection)) {
      lines.push(whose === undefined ? text : `${whose}: ${text}`);
    }
    // What the engine says of a size that has changed with the bytes is its own affair.
    return lines.filter((line) => !/of \d+ bytes it has/.test(line));
  } finally {
    await inspection.close();
  }
}
