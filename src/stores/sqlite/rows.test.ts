import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { DamagedRecord } from "../../catalog/store-errors.ts";
import { summaryOfBody } from "../../onix/summary/summary.ts";
import { book, collect, importBooks, isbn } from "../testing/books.ts";
import { faultsOf } from "../testing/engines.ts";
import { inspectSqlite } from "./inspection.ts";
import { checksumOf, isIntactRow, summaryPart } from "./rows.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

const body = new TextEncoder().encode('{"_id":"000000000009788400000004"}');
const etag = "0123456789abcdef0123456789abcdef";

test("returns the checksum that catalogs have stored, in every version", () => {
  // XXH3 of nothing, from its specification. A runtime with another algorithm would find all records damaged.
  expect(Bun.hash.xxHash3("")).toBe(0x2d06_8005_38d3_94c2n);
  expect(checksumOf({ body, etag })).toBe(89_275_722_567_660);
});

test("finds every changed byte of the body, and every changed digit of the etag", () => {
  const row = { body, etag, checksum: checksumOf({ body, etag }) };
  expect(isIntactRow(row)).toBe(true);
  for (let index = 0; index < body.length; index++) {
    const changed = new Uint8Array(body);
    changed[index]! ^= 1;
    expect(isIntactRow({ ...row, body: changed })).toBe(false);
  }
  for (let index = 0; index < etag.length; index++) {
    const changed = `${etag.slice(0, index)}x${etag.slice(index + 1)}`;
    expect(isIntactRow({ ...row, etag: changed })).toBe(false);
  }
});

test("finds values of another type", () => {
  const row = { body, etag, checksum: checksumOf({ body, etag }) };
  const changes: Record<string, unknown>[] = [{ body: null }, { body: "x" }, { etag: null }, { etag: 7 }];
  for (const change of [...changes, { checksum: "x" }, { checksum: row.checksum + 1 }])
    expect(isIntactRow({ ...row, ...change } as typeof row)).toBe(false);
});

test("a summary is stored without a description that its record has", () => {
  const [encoder, description] = [new TextEncoder(), "Größe. ".repeat(20)];
  const summary = encoder.encode(`{"isbn":"1","description":"${description}","cover":null}`);
  const record = encoder.encode(`{"Text":"${description}"}`);
  const [stored, at, from, bytes] = summaryPart(summary, record);
  expect(Buffer.from(stored).toString()).toBe('{"isbn":"1","description":,"cover":null}');
  expect(Buffer.from(stored).subarray(0, at).toString()).toBe('{"isbn":"1","description":');
  expect(record.subarray(from, from + bytes)).toEqual(encoder.encode(`"${description}"`));
  for (const other of ["{}", `{"Text":"${description.slice(0, 50)}"}`])
    expect(summaryPart(summary, encoder.encode(other))[3]).toBe(0);
});

test("the usual fields of a summary are abbreviated, as the view reads them", () => {
  const price = { PriceType: "02", PriceAmount: "1.00", CurrencyCode: "EUR" };
  const author = { ContributorRole: "A01", PersonName: "Ana" };
  const record = JSON.stringify({
    RecordReference: isbn(1),
    DescriptiveDetail: { Contributor: [author] },
    ProductSupply: [{ SupplyDetail: [{ Price: [price] }] }],
  });
  const bytes = new TextEncoder().encode(record);
  const [stored] = summaryPart(summaryOfBody(bytes), bytes);
  const text = Buffer.from(stored).toString();
  for (const usual of ["\u0001", "\u0002", "\u0003"]) expect(text.split(usual)).toHaveLength(3);
});

for (const [column, value] of [
  ["body", "CAST(substr(body, 1, length(body) - 1) || ' ' AS BLOB)"],
  ["etag", "replace(etag, substr(etag, 1, 1), 'x')"],
  ["checksum", "checksum + 1"],
]) {
  // The etag of a summary is its checksum.
  const views = column === "checksum" ? (["record"] as const) : (["record", "summary"] as const);
  for (const view of views) {
    test(`never returns a ${view} whose ${column} was changed on the disk`, async () => {
      using folder = new TempFolder();
      const store = openSqlite(folder.catalog, { create: true });
      const books = [1, 2].map((number) => book(number, { imprint: "A", published: "20240101" }));
      await importBooks(store, books);
      using db = new Database(folder.catalog);
      const table = view === "record" ? "body" : "summary";
      expect(db.run(`UPDATE ${table} SET ${column} = ${value} WHERE id = 1`).changes).toBe(1);
      expect(() => store.record(isbn(1), view)).toThrow(DamagedRecord);
      expect(store.record(isbn(2), view)).toBeDefined();
      const snapshot = await store.snapshot();
      const lists = [
        { kind: "isbns", isbns: [isbn(2), isbn(1)] },
        { kind: "imprint", slug: "a" },
        { kind: "date", from: "20240101" },
      ] as Parameters<typeof snapshot.bodies>[0][];
      for (const list of lists)
        await expect(collect(snapshot.bodies(list, view))).rejects.toThrow(DamagedRecord);
      snapshot.close();
      const faults = await faultsOf({ inspect: () => inspectSqlite(folder.catalog) });
      expect(faults.filter((fault) => fault.isbn === isbn(1))).not.toEqual([]);
      await store.close();
    });
  }
}
