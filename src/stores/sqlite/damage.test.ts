import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { DamagedRecord } from "../../catalog/damaged-record.ts";
import type { Store } from "../../catalog/store.ts";
import { StoreError } from "../../catalog/store-error.ts";
import type { Day } from "../../onix/date.ts";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import { CATALOG } from "./schema.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

// A disk or a machine that is slow is no failure.
setDefaultTimeout(60_000);

const { pageSize } = CATALOG;

/** Opens a catalog of 3,000 records, which is spoilt then. */
async function damaged(folder: TempFolder, spoil: (path: string) => void): Promise<Store> {
  const store = openSqlite(folder.catalog, { create: true });
  await importBooks(store, books(1, 3000, { imprint: "A", published: "20240101", title: "x".repeat(500) }));
  await store.close();
  const opened = openSqlite(folder.catalog);
  spoil(folder.catalog);
  return opened;
}

/** Noise on all pages but the roots of tables and indexes, so that each begins well; of bodies, from `from` on. */
function noise(path: string, from: number): void {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare("SELECT rootpage, type FROM sqlite_schema").all() as {
    rootpage: number;
    type: string;
  }[];
  db.close();
  const roots = new Set([1, ...rows.map(({ rootpage }) => rootpage)]);
  const bytes = readFileSync(path);
  // An import into an empty catalog makes the indexes last: what stands before the first of them are the tables.
  const tables = Math.min(
    ...rows.filter(({ type, rootpage }) => type === "index" && rootpage > 20).map((row) => row.rootpage),
  );
  const first = Math.floor(tables * from);
  const last = from > 0 ? tables : bytes.length / pageSize;
  for (let page = first; page <= last; page++) {
    if (page > 0 && !roots.has(page)) bytes.fill(0xa5, (page - 1) * pageSize, page * pageSize);
  }
  writeFileSync(path, bytes);
}

function cutOff(path: string): void {
  truncateSync(path, 20 * pageSize);
}

describe("a damaged catalog is an error, never a book not found or an empty list", () => {
  test("overwritten with noise", async () => {
    using folder = new TempFolder();
    const store = await damaged(folder, (path) => noise(path, 0));
    expect(() => store.record(isbn(1500))).toThrow("malformed");
    const snapshot = await store.snapshot();
    expect(() => snapshot.missing([isbn(1500)])).toThrow("malformed");
    const lists = [
      snapshot.isbns(),
      snapshot.entries(),
      snapshot.bodies({ kind: "imprint", slug: "a" }),
      snapshot.bodies({ kind: "imprint", slug: "a", language: "eng" }),
      snapshot.bodies({ kind: "date", from: "20240101" as Day }),
      snapshot.bodies({ kind: "isbns", isbns: [isbn(1500)] }),
    ];
    for (const list of lists) await expect(collect<unknown>(list)).rejects.toThrow("malformed");
    snapshot.close();
    await expect(store.beginImport()).rejects.toThrow("malformed");
    await store.close();
  });

  test("cut off while it is open", async () => {
    using folder = new TempFolder();
    const store = await damaged(folder, cutOff);
    expect(() => store.revision()).toThrow("malformed");
    expect(() => store.record(isbn(1500))).toThrow("malformed");
    expect(() => store.snapshot()).toThrow("malformed");
    expect(() => store.stats()).toThrow("malformed");
    await expect(store.beginImport()).rejects.toThrow("malformed");
    await store.close();
  });

  test("one that is cut off is refused by the next who opens it", async () => {
    using folder = new TempFolder();
    await (await damaged(folder, cutOff)).close();
    expect(() => openSqlite(folder.catalog)).toThrow(StoreError);
    expect(() => openSqlite(folder.catalog)).toThrow("is damaged; put a copy in its place");
  });

  test("a list that breaks off in the middle throws, and does not end", async () => {
    using folder = new TempFolder();
    const store = await damaged(folder, (path) => noise(path, 0.5));
    const snapshot = await store.snapshot();
    let seen = 0;
    const read = async () => {
      for await (const batch of snapshot.entries()) seen += batch.length;
    };
    await expect(read()).rejects.toThrow("malformed");
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(3000);
    snapshot.close();
    await store.close();
  });

  test("a body that is gone is a damaged record, and an import that brings the book mends it", async () => {
    using folder = new TempFolder();
    const store = openSqlite(folder.catalog, { create: true });
    await importBooks(store, books(1, 3));
    tamper(folder.catalog, "DELETE FROM body WHERE id = 2");
    expect(() => store.record(isbn(2))).toThrow(DamagedRecord);
    const snapshot = await store.snapshot();
    await expect(collect(snapshot.entries())).rejects.toThrow(DamagedRecord);
    snapshot.close();
    await importBooks(store, [book(2, { title: "new" })]);
    expect((await store.record(isbn(2)))?.etag).toBe(book(2, { title: "new" }).etag);
    await store.close();
  });

  test("what an index has lost is missed at the end of every list that it is read for", async () => {
    using folder = new TempFolder();
    const store = openSqlite(folder.catalog, { create: true });
    await importBooks(store, books(1, 3, { imprint: "A", languages: ["spa"] }));
    await store.close();
    const lost = ` AND isbn <> ${isbn(2)}`;
    tamper(
      folder.catalog,
      "DROP INDEX record_outline",
      "DROP INDEX record_by_imprint",
      `CREATE INDEX record_outline ON record (isbn, etag, reference) WHERE true${lost}`,
      `CREATE INDEX record_by_imprint ON record (imprint, isbn, languages, etag) WHERE imprint IS NOT NULL${lost}`,
    );
    // The index says that it has them all.
    const bytes = readFileSync(folder.catalog, "latin1").replaceAll(lost, " ".repeat(lost.length));
    writeFileSync(folder.catalog, bytes.replace("WHERE true", "          "), "latin1");
    const spoilt = openSqlite(folder.catalog);
    const snapshot = await spoilt.snapshot();
    const lists = [
      snapshot.isbns(),
      snapshot.entries(),
      snapshot.bodies({ kind: "imprint", slug: "a" }),
      snapshot.bodies({ kind: "imprint", slug: "a", language: "spa" }),
    ];
    for (const list of lists) {
      await expect(collect<unknown>(list)).rejects.toThrow("Of 3 records the index has 2: it is damaged");
    }
    snapshot.close();
    await spoilt.close();
  });
});

function tamper(path: string, ...statements: string[]): void {
  const db = new Database(path);
  for (const sql of statements) db.run(sql);
  db.close(true);
}
