/** Disk errors, after which SQLite ends the read transaction by itself. */
import { expect, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import type { Store } from "../../catalog/store.ts";
import { books, collect, EMPTY_REVISION, importBooks, isbn } from "../testing/books.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

/** A catalog of 3,000 records in the write-ahead log: a reader of the previous state prevents a checkpoint. */
class CatalogInLog implements AsyncDisposable {
  readonly #folder = new TempFolder();
  readonly #log = `${this.#folder.catalog}-wal`;
  readonly #writer = openSqlite(this.#folder.catalog, { create: true });
  readonly store: Store = openSqlite(this.#folder.catalog);

  static async create(): Promise<CatalogInLog> {
    const catalog = new CatalogInLog();
    expect((await catalog.#writer.snapshot()).revision).toBe(EMPTY_REVISION);
    await importBooks(catalog.#writer, books(1, 3000, { imprint: "A", title: "x".repeat(500) }));
    return catalog;
  }

  /** Empties the log during the call, which must throw a disk error. */
  withoutLog(act: () => unknown): void {
    const bytes = readFileSync(this.#log);
    truncateSync(this.#log);
    expect(act).toThrow("disk I/O error");
    writeFileSync(this.#log, bytes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    await this.#writer.close();
    this.#folder[Symbol.dispose]();
  }
}

test("a lookup transaction works again after a lookup in the one before has failed", async () => {
  await using catalog = await CatalogInLog.create();
  const { store } = catalog;
  const lookups = store.lookupTransaction!;
  lookups.begin();
  catalog.withoutLog(() => store.record(isbn(1500)));
  lookups.end();
  lookups.begin();
  expect(store.record(isbn(1500))).toBeDefined();
  catalog.withoutLog(() => store.record(isbn(20)));
  // A snapshot ends the lookup transaction and begins a read transaction of its own.
  (await store.snapshot()).close();
});

test("a disk error ends all snapshots of the transaction, and none that is opened later", async () => {
  await using catalog = await CatalogInLog.create();
  const { store } = catalog;
  const [failing, other] = [await store.snapshot(), await store.snapshot()];
  catalog.withoutLog(() => failing.missing([isbn(1500)]));
  expect(() => other.missing([isbn(1500)])).toThrow("another reader of its transaction met a disk error");
  const later = await store.snapshot();
  expect(await collect(later.isbns())).toHaveLength(3000);
  for (const snapshot of [failing, other, later]) snapshot.close();
});
