/** A disk that cannot be read for a moment: SQLite gives up the state that is being read. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import type { Store } from "../../catalog/store.ts";
import { books, collect, EMPTY_REVISION, importBooks, isbn } from "../testing/books.ts";
import { openSqlite } from "./store.ts";
import { TempFolder } from "./testing/folder.ts";

// A disk or a machine that is slow is no failure.
setDefaultTimeout(60_000);

/** A catalog of 3,000 records, all of them in the log, as a reader of the state before keeps them there. */
class Logged implements AsyncDisposable {
  readonly #folder = new TempFolder();
  readonly #log = `${this.#folder.catalog}-wal`;
  readonly #writer = openSqlite(this.#folder.catalog, { create: true });
  readonly store: Store = openSqlite(this.#folder.catalog);

  static async make(): Promise<Logged> {
    const logged = new Logged();
    expect((await logged.#writer.snapshot()).revision).toBe(EMPTY_REVISION);
    await importBooks(logged.#writer, books(1, 3000, { imprint: "A", title: "x".repeat(500) }));
    return logged;
  }

  /** Meanwhile the log is not there; what needs it is an error of the disk. */
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
  await using logged = await Logged.make();
  const { store } = logged;
  const lookups = store.lookupTransaction!;
  lookups.begin();
  logged.withoutLog(() => store.record(isbn(1500)));
  lookups.end();
  lookups.begin();
  expect(store.record(isbn(1500))).toBeDefined();
  logged.withoutLog(() => store.record(isbn(20)));
  // A snapshot ends the lookup transaction and begins a read transaction of its own.
  (await store.snapshot()).close();
});

test("a snapshot that has failed takes others of its state with it, and none that is opened later", async () => {
  await using logged = await Logged.make();
  const { store } = logged;
  const [failing, beside] = [await store.snapshot(), await store.snapshot()];
  logged.withoutLog(() => failing.missing([isbn(1500)]));
  expect(() => beside.missing([isbn(1500)])).toThrow("The snapshot was lost by an error of another one");
  const later = await store.snapshot();
  expect(await collect(later.isbns())).toHaveLength(3000);
  for (const snapshot of [failing, beside, later]) snapshot.close();
});
