import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { TempFolder } from "../sqlite/testing/folder.ts";
import { book, books, collect, importBooks, isbn, titleOfBody } from "../testing/books.ts";
import { DATABASE_ENGINES } from "../testing/engines.ts";

for (const engine of DATABASE_ENGINES) {
  describe(engine.name, () => {
    test("an import begins and ends while a preview runs, which does not see it", async () => {
      await using testStore = await engine.createStore();
      await importBooks(testStore.store, books(1, 3, { title: "old" }));
      const preview = await testStore.store.beginPreview();
      await preview.put([book(1, { title: "preview" })], 1);
      const other = await testStore.reopen();
      await importBooks(other, [book(2, { title: "import" }), book(4, { title: "import" })]);
      expect(await preview.statusOf([2, 4].map(isbn))).toMatchObject([
        { etag: book(2, { title: "old" }).etag },
        { etag: undefined },
      ]);
      await preview.abort();
      expect(titleOfBody((await testStore.store.record(isbn(2)))!.body)).toBe("import");
    });

    test("a preview begins and ends while an import runs, which it does not see", async () => {
      await using testStore = await engine.createStore();
      await importBooks(testStore.store, books(1, 3));
      const transaction = await testStore.store.beginImport();
      await transaction.put([book(1, { title: "import" })], 1);
      const other = await testStore.reopen();
      const preview = await other.beginPreview();
      await preview.put([book(1), book(2, { title: "preview" })], 1);
      expect(await collect(preview.changes())).toEqual([{ isbn: isbn(2), kind: "changed" }]);
      await preview.abort();
      await transaction.commit("1".repeat(32), anyRun());
      expect(await testStore.store.revision()).toBe("1".repeat(32));
    });

    test("changes lists what is different at the end, with the bodies before and after", async () => {
      await using testStore = await engine.createStore();
      await importBooks(testStore.store, books(1, 1200, { title: "old" }));
      const preview = await testStore.store.beginPreview();
      // Number 1: changed twice. 2: changed and restored. 3: deleted and added again. 4: deleted. 5: unchanged.
      await preview.put(
        [1, 2, 3].map((number) => book(number, { title: "between" })),
        1,
      );
      await preview.remove([3, 4].map(isbn), 1);
      await preview.put([book(1, { title: "new" }), book(2, { title: "old" }), book(3, { title: "new" })], 2);
      await preview.markSeen([isbn(5)], 2);
      // Another reference is no change of the record. Number 2000 is added and deleted, 2001 is added.
      await preview.put([book(6, { title: "old", reference: "other" }), book(2000), book(2001)], 2);
      await preview.remove([isbn(2000)], 2);
      await preview.put(books(101, 1200, { title: "new" }), 2);
      const changes = await collect(preview.changes());
      expect(changes.slice(0, 4)).toEqual([
        { isbn: isbn(1), kind: "changed" },
        { isbn: isbn(3), kind: "changed" },
        { isbn: isbn(4), kind: "deleted" },
        { isbn: isbn(101), kind: "changed" },
      ]);
      expect(changes.at(-1)).toEqual({ isbn: isbn(2001), kind: "added" });
      expect(changes).toHaveLength(4 + 1099 + 1);
      const changed = changes.filter(({ kind }) => kind === "changed").map((change) => change.isbn);
      expect((await collect(preview.bodiesBefore(changed))).map((body) => titleOfBody(body!))).toEqual(
        changed.map(() => "old"),
      );
      for (const each of changed.slice(0, 5)) expect(titleOfBody(await preview.bodyAfter(each))).toBe("new");
      expect(await collect(preview.bodiesBefore([]))).toEqual([]);
      await preview.abort();
    });

    test("a damaged record is changed by a preview, and has no body before", async () => {
      await using testStore = await engine.createStore();
      await importBooks(testStore.store, books(1, 3, { title: "old" }));
      await testStore.overwriteBody(isbn(2), new TextEncoder().encode("{}"));
      const preview = await testStore.store.beginPreview();
      await preview.put(books(1, 3, { title: "new" }), 1);
      const changed = (await collect(preview.changes())).map((change) => change.isbn);
      const before = await collect(preview.bodiesBefore(changed));
      expect(before.map((body) => body && titleOfBody(body))).toEqual(["old", undefined, "old"]);
      await preview.abort();
    });
  });
}

const PROGRAM = join(import.meta.dir, "testing/large-preview.program.ts");

test.skipIf(process.platform !== "linux")(
  "a killed preview leaves no file in the temporary folder (skipped on systems other than Linux)",
  async () => {
    using folder = new TempFolder();
    const temporary = join(folder.path, "tmp");
    mkdirSync(temporary);
    const child = Bun.spawn([process.execPath, PROGRAM, folder.catalog], {
      env: { ...process.env, TMPDIR: temporary },
      stdout: "pipe",
      stderr: "inherit",
    });
    try {
      const { value } = await child.stdout.getReader().read();
      expect(new TextDecoder().decode(value)).toBe("in the middle\n");
      // The changes are in a file of that folder, which has no name any more.
      const files = readdirSync(`/proc/${child.pid}/fd`).map((fd) => linkOf(`/proc/${child.pid}/fd/${fd}`));
      expect(files.filter((file) => file.startsWith(temporary))).toEqual([
        expect.stringContaining("(deleted)"),
      ]);
    } finally {
      child.kill("SIGKILL");
      await child.exited;
    }
    expect(readdirSync(temporary)).toEqual([]);
  },
);

/** Returns an empty string for a descriptor that is closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
