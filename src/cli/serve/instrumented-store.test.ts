/** Stands here and not in `catalog`, because it runs on every engine. */
import { describe, expect, test } from "bun:test";
import { BOOKS, entryOf } from "../../api/testing/books.ts";
import { instrumentStore } from "../../catalog/instrumented-store.ts";
import type { Store } from "../../catalog/store.ts";
import { DamagedRecord, StoreError } from "../../catalog/store-errors.ts";
import { wrapStore } from "../../catalog/wrap-store.ts";
import { collect, importBooks } from "../../stores/testing/books.ts";
import { ENGINES, SQLITE } from "../../stores/testing/engines.ts";

const { isbn } = entryOf(BOOKS[0]!);

for (const engine of ENGINES) {
  describe(`instrumentStore on ${engine.name}`, () => {
    test("returns what the store returns, and reports each lookup once", async () => {
      await using testStore = await engine.createStore();
      const { store } = testStore;
      await importBooks(store, BOOKS.map(entryOf));
      const durations: number[] = [];
      const timed = instrumentStore(store, (seconds) => durations.push(seconds));

      expect(timed.lookupTransaction?.begin()).toBe(store.lookupTransaction && (await store.revision()));
      expect(durations).toEqual([]);
      expect(await timed.record(isbn)).toEqual(await store.record(isbn));
      expect(durations).toHaveLength(1);
      timed.lookupTransaction?.end();
      const snapshot = await timed.snapshot();
      expect(durations).toHaveLength(2);
      try {
        expect(snapshot.revision).toBe(await store.revision());
        expect(await snapshot.hasImprint("zeta")).toBe(true);
        expect(await snapshot.missing([isbn])).toEqual([]);
        expect(durations).toHaveLength(4);
        expect(await collect(snapshot.isbns())).toHaveLength(BOOKS.length);
        expect(await collect(snapshot.bodies({ kind: "isbns", isbns: [isbn] }))).toHaveLength(1);
        expect(durations).toHaveLength(4);
      } finally {
        snapshot.close();
      }
      for (const seconds of durations) expect(seconds).toBeGreaterThanOrEqual(0);
    });

    test("reports a lookup that fails, and throws an error of the port", async () => {
      await using testStore = await engine.createStore();
      const durations: number[] = [];
      const timed = instrumentStore(testStore.store, (seconds) => durations.push(seconds));
      await testStore.store.close();
      await expect((async () => await timed.record(isbn))()).rejects.toThrow(StoreError);
      expect(durations).toHaveLength(1);
    });
  });
}

describe("a failure of the engine", () => {
  const failure = new Error("SQLITE_IOERR");
  /** Calls each member of a store whose engine throws the error, and those of its snapshot. */
  async function errorsOf(store: Store, error: Error): Promise<Map<string, unknown>> {
    const errors = new Map<string, unknown>();
    const names = new Set<string>();
    const failing = instrumentStore(
      wrapStore(store, (method, name) => {
        names.add(name);
        return /^(snapshot|close|snapshot\.close)$/.test(name)
          ? method
          : () => {
              throw error;
            };
      }),
    );
    const snapshot = await failing.snapshot();
    for (const name of names) {
      if (/^(snapshot|close|snapshot\.close)$/.test(name)) continue;
      const [part, member] = name.includes(".") ? name.split(".") : ["", name];
      // biome-ignore lint/suspicious/noExplicitAny: the members are called by their names.
      const owner: any = part === "" ? failing : part === "snapshot" ? snapshot : failing[part as "tokens"];
      try {
        const result = await owner[member!]("");
        if (typeof result === "object") await collect(result);
      } catch (thrown) {
        errors.set(name, thrown);
      }
    }
    snapshot.close();
    expect(names.size).toBe(errors.size + 3);
    return errors;
  }

  test("is the cause of a StoreError, whichever member is called", async () => {
    await using testStore = await SQLITE.createStore();
    for (const [name, error] of await errorsOf(testStore.store, failure)) {
      expect([name, error instanceof StoreError, (error as Error).cause]).toEqual([name, true, failure]);
    }
  });

  test("that is an error of the port is thrown as it is", async () => {
    await using testStore = await SQLITE.createStore();
    const damaged = new DamagedRecord(isbn);
    for (const [name, error] of await errorsOf(testStore.store, damaged))
      expect([name, error]).toEqual([name, damaged]);
  });

  test("within a list ends the list with a StoreError", async () => {
    await using testStore = await SQLITE.createStore();
    const failing = instrumentStore(
      wrapStore(testStore.store, (method, name) =>
        name === "snapshot.isbns"
          ? function* () {
              yield* method();
              throw failure;
            }
          : method,
      ),
    );
    const snapshot = await failing.snapshot();
    await expect(collect(snapshot.isbns())).rejects.toThrow(StoreError);
    snapshot.close();
  });
});
