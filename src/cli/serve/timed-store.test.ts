import { describe, expect, test } from "bun:test";
import { BOOKS, entry, fill } from "../../api/testing/books.ts";
import { ENGINES } from "../../api/testing/engines.ts";
import type { Event } from "../../watch/event.ts";
import { timed } from "../../watch/timed-store.ts";

for (const engine of ENGINES) {
  describe(`a timed store: ${engine.name}`, () => {
    test("answers as the store does, and each lookup is told once", async () => {
      await using shelf = await engine.fresh();
      const { store } = shelf;
      await fill(store, BOOKS.map(entry));
      const events: Event[] = [];
      const watched = timed(store, (event) => events.push(event));
      const { isbn } = entry(BOOKS[0]!);

      expect(await watched.revision()).toBe(await store.revision());
      expect(events).toEqual([]);
      expect(await watched.record(isbn)).toEqual(await store.record(isbn));
      expect(events).toHaveLength(1);
      const view = await watched.snapshot();
      expect(events).toHaveLength(2);
      try {
        expect(await view.hasImprint("zeta")).toBe(true);
        expect(await view.missing([isbn])).toEqual([]);
        expect(events).toHaveLength(4);
        let count = 0;
        for await (const batch of view.isbns()) count += batch.length;
        for await (const batch of view.bodies({ kind: "isbns", isbns: [isbn] })) count += batch.length;
        expect(count).toBe(BOOKS.length + 1);
      } finally {
        view.close();
      }
      for (const event of events) {
        if (event.kind !== "store") throw new Error(`What is ${event.kind}?`);
        expect(event.seconds).toBeGreaterThanOrEqual(0);
      }
    });

    test("a failure takes time as well, and stays what it is", async () => {
      await using shelf = await engine.fresh();
      const events: Event[] = [];
      const watched = timed(shelf.store, (event) => events.push(event));
      await shelf.store.close();
      await expect((async () => await watched.record(entry(BOOKS[0]!).isbn))()).rejects.toThrow();
      expect(events.map(({ kind }) => kind)).toEqual(["store"]);
    });
  });
}
