/** Stands here and not in `watch`, because it runs on every engine. */
import { describe, expect, test } from "bun:test";
import { BOOKS, entryOf } from "../../api/testing/books.ts";
import { importBooks } from "../../stores/testing/books.ts";
import { ENGINES } from "../../stores/testing/engines.ts";
import type { ServiceEvent } from "../../telemetry/event.ts";
import { timedStore } from "../../telemetry/timed-store.ts";

for (const engine of ENGINES) {
  describe(`timedStore on ${engine.name}`, () => {
    test("returns what the store returns, and reports each lookup once", async () => {
      await using testStore = await engine.createStore();
      const { store } = testStore;
      await importBooks(store, BOOKS.map(entryOf));
      const events: ServiceEvent[] = [];
      const timed = timedStore(store, (event) => events.push(event));
      const { isbn } = entryOf(BOOKS[0]!);

      expect(timed.lookupTransaction?.begin()).toBe(store.lookupTransaction && (await store.revision()));
      expect(events).toEqual([]);
      expect(await timed.record(isbn)).toEqual(await store.record(isbn));
      expect(events).toHaveLength(1);
      timed.lookupTransaction?.end();
      const snapshot = await timed.snapshot();
      expect(events).toHaveLength(2);
      try {
        expect(snapshot.revision).toBe(await store.revision());
        expect(await snapshot.hasImprint("zeta")).toBe(true);
        expect(await snapshot.missing([isbn])).toEqual([]);
        expect(events).toHaveLength(4);
        let count = 0;
        for await (const batch of snapshot.isbns()) count += batch.length;
        for await (const batch of snapshot.bodies({ kind: "isbns", isbns: [isbn] })) count += batch.length;
        expect(count).toBe(BOOKS.length + 1);
        expect(events).toHaveLength(4);
      } finally {
        snapshot.close();
      }
      for (const event of events) {
        if (event.kind !== "store") throw new Error(`unexpected event ${event.kind}`);
        expect(event.seconds).toBeGreaterThanOrEqual(0);
      }
    });

    test("reports a lookup that fails, and passes its error on", async () => {
      await using testStore = await engine.createStore();
      const events: ServiceEvent[] = [];
      const timed = timedStore(testStore.store, (event) => events.push(event));
      await testStore.store.close();
      await expect((async () => await timed.record(entryOf(BOOKS[0]!).isbn))()).rejects.toThrow();
      expect(events.map(({ kind }) => kind)).toEqual(["store"]);
    });
  });
}
