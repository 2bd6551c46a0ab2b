import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { book, books, collect, importBooks, isbn } from "../testing/books.ts";
import { DATABASE_ENGINES } from "../testing/engines.ts";

setDefaultTimeout(60_000);
for (const engine of DATABASE_ENGINES) {
  describe(engine.name, () => {
    test("an import begins and ends while a preview runs", async () => {
      await using testStore = await engine.createStore();
      await importBooks(testStore.store, books(1, 3));
      const preview = await testStore.store.beginPreview();
      await preview.put([book(1, { title: "preview" })], 1);
      const other = await testStore.reopen();
      await importBooks(other, [book(2, { title: "import" })]);
      await preview.put([book(2, { title: "preview" }), book(4)], 1);
      await preview.remove([isbn(3)], 1);
      expect(await collect(preview.changes())).toEqual([
        { isbn: isbn(1), kind: "changed" },
        { isbn: isbn(2), kind: "changed" },
        { isbn: isbn(3), kind: "deleted" },
        { isbn: isbn(4), kind: "added" },
      ]);
      await preview.abort();
    });
  });
}
