import { Database } from "bun:sqlite";
import { describe, expect } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import type { Store } from "../../catalog/store.ts";
import { DamagedRecord, StoreError } from "../../catalog/store-errors.ts";
import { testsWith } from "../../lib/testing/tests-with.ts";
import type { Day } from "../../onix/date.ts";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import { CATALOG, INDEXES } from "./schema.ts";
import { openSqlite } from "./store.ts";
import { createSqlite, TempFolder } from "./testing/folder.ts";

const test = testsWith(() => new TempFolder());

const { pageSize } = CATALOG;

/** Creates a catalog of 3,000 records, opens it, and damages the file. */
async function openDamaged(folder: TempFolder, damage: (path: string) => void): Promise<Store> {
  await createSqlite(
    folder.catalog,
    books(1, 3000, { imprint: "A", published: "20240101", title: "x".repeat(500) }),
  );
  const opened = openSqlite(folder.catalog);
  damage(folder.catalog);
  return opened;
}

/** Overwrites all pages after a fraction of the file, except the root pages of tables and indexes. */
function overwritePages(path: string, fraction: number): void {
  const db = new Database(path, { readonly: true });
  const rows = db.prepare("SELECT rootpage, name FROM sqlite_schema").all() as {
    rootpage: number;
    name: string;
  }[];
  db.close();
  const roots = new Set([1, ...rows.map(({ rootpage }) => rootpage)]);
  const bytes = readFileSync(path);
  // An import into an empty catalog creates these indexes last, so the tables come before the first of them.
  const created: readonly string[] = INDEXES.names;
  const firstIndexPage = Math.min(
    ...rows.filter(({ name }) => created.includes(name)).map(({ rootpage }) => rootpage),
  );
  const first = Math.floor(firstIndexPage * fraction);
  const last = fraction > 0 ? firstIndexPage : bytes.length / pageSize;
  for (let page = first; page <= last; page++) {
    if (page > 0 && !roots.has(page)) bytes.fill(0xa5, (page - 1) * pageSize, page * pageSize);
  }
  writeFileSync(path, bytes);
}

function truncate(path: string): void {
  truncateSync(path, 20 * pageSize);
}

describe("a damaged catalog throws, and never looks like a missing book or an empty list:", () => {
  test("overwritten pages", async (folder) => {
    const store = await openDamaged(folder, (path) => overwritePages(path, 0));
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

  test("truncated while it is open", async (folder) => {
    const store = await openDamaged(folder, truncate);
    expect(() => store.revision()).toThrow("malformed");
    expect(() => store.record(isbn(1500))).toThrow("malformed");
    expect(() => store.snapshot()).toThrow("malformed");
    expect(() => store.stats()).toThrow("malformed");
    await expect(store.beginImport()).rejects.toThrow("malformed");
    await store.close();
  });

  test("truncated before it is opened", async (folder) => {
    await (await openDamaged(folder, truncate)).close();
    expect(() => openSqlite(folder.catalog)).toThrow(StoreError);
    expect(() => openSqlite(folder.catalog)).toThrow("is damaged; restore a backup");
  });

  test("a list throws in the middle, and does not end", async (folder) => {
    const store = await openDamaged(folder, (path) => overwritePages(path, 0.5));
    const snapshot = await store.snapshot();
    let count = 0;
    const read = async () => {
      for await (const batch of snapshot.entries()) count += batch.length;
    };
    await expect(read()).rejects.toThrow("malformed");
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(3000);
    snapshot.close();
    await store.close();
  });

  test("a lost body is a damaged record, and an import of the book repairs it", async (folder) => {
    const store = openSqlite(folder.catalog, { create: true });
    await importBooks(store, books(1, 3));
    runSql(folder.catalog, "DELETE FROM body WHERE id = 2");
    expect(() => store.record(isbn(2))).toThrow(DamagedRecord);
    const snapshot = await store.snapshot();
    await expect(collect(snapshot.entries())).rejects.toThrow(DamagedRecord);
    snapshot.close();
    await importBooks(store, [book(2, { title: "new" })]);
    expect((await store.record(isbn(2)))?.etag).toBe(book(2, { title: "new" }).etag);
    await store.close();
  });

  test("lists detect at their end that an index has lost entries", async (folder) => {
    await createSqlite(folder.catalog, books(1, 3, { imprint: "A", languages: ["spa"] }));
    const condition = ` AND isbn <> ${isbn(2)}`;
    runSql(
      folder.catalog,
      "DROP INDEX record_by_isbn",
      "DROP INDEX record_by_imprint",
      `CREATE INDEX record_by_isbn ON record (isbn) WHERE true${condition}`,
      `CREATE INDEX record_by_imprint ON record (imprint, isbn, languages) WHERE imprint IS NOT NULL${condition}`,
    );
    // Without the condition in its definition, the index claims to be complete.
    const bytes = readFileSync(folder.catalog, "latin1").replaceAll(condition, " ".repeat(condition.length));
    writeFileSync(folder.catalog, bytes.replaceAll("WHERE true", "          "), "latin1");
    const damaged = openSqlite(folder.catalog);
    const snapshot = await damaged.snapshot();
    const lists = [
      snapshot.isbns(),
      snapshot.entries(),
      snapshot.bodies({ kind: "imprint", slug: "a" }),
      snapshot.bodies({ kind: "imprint", slug: "a", language: "spa" }),
    ];
    for (const list of lists) {
      await expect(collect<unknown>(list)).rejects.toThrow("The index is damaged: it has 2 of 3 records");
    }
    snapshot.close();
    await damaged.close();
  });
});

function runSql(path: string, ...statements: string[]): void {
  const db = new Database(path);
  for (const sql of statements) db.run(sql);
  db.close(true);
}
