import { expect } from "bun:test";
import { summaryEtagOf, summaryOfEntry } from "../../catalog/entry.ts";
import type { Selection } from "../../catalog/selection.ts";
import type { Entry, Store } from "../../catalog/store.ts";
import { DamagedRecord } from "../../catalog/store-errors.ts";
import type { Day } from "../../onix/date.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { collect, importBooks, isbn, readSnapshot } from "../testing/books.ts";
import { type DatabaseEngine, faultsOf, storeTests } from "../testing/engines.ts";
import { searchBook } from "../testing/search-books.ts";

/** Returns the entry of a real record, so that its summary has a title. */
function titled(number: number, title: string, description?: string): Entry {
  const fields = { imprint: "Sello", languages: ["spa"], published: "20240115" };
  return searchBook(number, { ...fields, title, description });
}

async function titleOfSummary(store: Store, number: number): Promise<string | undefined> {
  const summary = await store.record(isbn(number), "summary");
  return summary && titleOf(summary.body);
}

function titleOf(body: Uint8Array): string {
  const summary = JSON.parse(new TextDecoder().decode(body));
  expect(Object.keys(summary).slice(0, 3)).toEqual(["isbn", "isbn10", "title"]);
  return summary.title;
}

const LISTS: readonly Selection[] = [
  { kind: "isbns", isbns: [2, 1, 2].map(isbn) },
  { kind: "imprint", slug: "sello" },
  { kind: "imprint", slug: "sello", language: "spa" },
  { kind: "date", from: "20240101" as Day },
];

export function summariesContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  test("a lookup returns the summary of a record with an etag of its own", async ({ store }) => {
    const entry = titled(1, "Uno");
    await importBooks(store, [entry]);
    const summary = await store.record(isbn(1), "summary");
    expect(summary).toEqual(summaryOfEntry(entry));
    expect(summary!.etag).toBe(summaryEtagOf(summary!.body));
    expect((await store.record(isbn(1), "record"))!.etag).toBe(entry.etag);
    expect(await store.record(isbn(2), "summary")).toBeUndefined();
  });

  test("the start of a summary is that of the whole, and is read without the record", async (testStore) => {
    const { store, overwriteBody, runSql } = testStore;
    const title = 'Größe "7",';
    const entry = searchBook(1, {
      title,
      contributors: ["Ana", "Eva"],
      imprint: "A",
      description: "x".repeat(99),
    });
    await importBooks(store, [entry, searchBook(2)]);
    await overwriteBody(isbn(1), Buffer.from("{}"));
    const snapshot = await store.snapshot();
    const read = async (isbns: readonly Isbn13[]) =>
      (await collect(snapshot.summaryStarts(isbns))).map((bytes) =>
        JSON.parse(Buffer.from(bytes).toString()),
      );
    const whole = JSON.parse(Buffer.from(summaryOfEntry(entry).body).toString());
    const members = ["isbn", "isbn10", "title", "subtitle", "collection", "contributors", "imprint"];
    const start = Object.fromEntries(members.map((name) => [name, whole[name]]));
    expect(await read([isbn(3), isbn(1), isbn(2)])).toEqual([
      start,
      expect.objectContaining({ isbn: isbn(2) }),
    ]);
    snapshot.close();
    await runSql("DELETE FROM summary");
    const lost = await store.snapshot();
    await expect(collect(lost.summaryStarts([isbn(1)]))).rejects.toThrow(new DamagedRecord(isbn(1)));
    lost.close();
  });

  test("a summary is whole, whether or not its record has the bytes of the description", async (testStore) => {
    const { store, inspect } = testStore;
    const texts = ["Long plain text. ", "<p>Marked up text.</p>", 'Größe "7"\n\\ ', "😀 \u0001"];
    const entries = (title: string) => texts.map((text, index) => titled(index, title, text.repeat(20)));
    for (const title of ["Uno", "A title that moves the description", ""]) {
      await importBooks(store, entries(title));
      for (const entry of entries(title)) {
        const summary = await store.record(entry.isbn, "summary");
        expect(summary).toEqual(summaryOfEntry(entry));
        expect(Buffer.from(summary!.body).toString()).toContain(title);
      }
      expect(await faultsOf({ inspect })).toEqual([]);
    }
  });

  test("simultaneous lookups of both views return what each asks for", async ({ store }) => {
    const entry = titled(1, "Uno");
    await importBooks(store, [entry, titled(2, "Dos")]);
    const [record, summary, other] = await Promise.all([
      store.record(isbn(1)),
      store.record(isbn(1), "summary"),
      store.record(isbn(2), "summary"),
    ]);
    expect(record!.etag).toBe(entry.etag);
    expect([summary, other].map((each) => titleOf(each!.body))).toEqual(["Uno", "Dos"]);
  });

  test("every list returns summaries in its order", async ({ store }) => {
    const many = Array.from({ length: 300 }, (_, index) => titled(index + 1, `${index + 1}`));
    await importBooks(store, many);
    await readSnapshot(store, async (snapshot) => {
      for (const selection of LISTS) {
        const titles = (await collect(snapshot.bodies(selection, "summary"))).map(titleOf);
        expect(titles).toEqual(selection.kind === "isbns" ? ["2", "1", "2"] : many.map((_, i) => `${i + 1}`));
      }
    });
  });

  test("an import adds, changes and removes summaries with their records", async ({ store, queryValue }) => {
    await importBooks(store, [titled(1, "old"), titled(2, "old")]);
    // The summary of this entry is given, as an import gives it.
    const changed = titled(1, "new");
    await importBooks(store, [{ ...changed, summary: summaryOfEntry(changed) }, titled(3, "new")], [isbn(2)]);
    expect(await Promise.all([1, 2, 3].map((number) => titleOfSummary(store, number)))).toEqual([
      "new",
      undefined,
      "new",
    ]);
    expect(String(await queryValue("SELECT count(*) AS value FROM summary"))).toBe("2");
  });

  test("a snapshot returns the summaries of its state", async ({ store }) => {
    await importBooks(store, [titled(1, "old")]);
    await readSnapshot(store, async (snapshot) => {
      const read = async () =>
        (await collect(snapshot.bodies({ kind: "isbns", isbns: [isbn(1)] }, "summary"))).map(titleOf);
      expect(await read()).toEqual(["old"]);
      await importBooks(store, [titled(1, "new")]);
      expect(await read()).toEqual(["old"]);
    });
    expect(await titleOfSummary(store, 1)).toBe("new");
  });

  test("reading a damaged or lost summary throws DamagedRecord, and the record can be read", async (testStore) => {
    const { store, overwriteSummary, runSql } = testStore;
    await importBooks(store, [titled(1, "a"), titled(2, "b")]);
    const damages = [() => overwriteSummary(isbn(2), Buffer.from("{}")), () => runSql("DELETE FROM summary")];
    for (const damage of damages) {
      await damage();
      await expect((async () => store.record(isbn(2), "summary"))()).rejects.toBeInstanceOf(DamagedRecord);
      await readSnapshot(store, async (snapshot) => {
        for (const selection of LISTS) {
          await expect(collect(snapshot.bodies(selection, "summary"))).rejects.toBeInstanceOf(DamagedRecord);
          expect((await collect(snapshot.bodies(selection))).length).toBeGreaterThan(1);
        }
      });
      expect(await store.record(isbn(2))).toBeDefined();
    }
  });

  test("a damaged record has an undamaged summary", async ({ store, overwriteBody }) => {
    await importBooks(store, [titled(1, "a")]);
    await overwriteBody(isbn(1), Buffer.from("{}"));
    expect(await titleOfSummary(store, 1)).toBe("a");
  });

  test("verify finds a damaged, a lost and a wrong summary", async (testStore) => {
    const { store, overwriteSummary, runSql, inspect } = testStore;
    const wrong: Entry = { ...titled(3, "c"), summary: summaryOfEntry(titled(3, "other")) };
    await importBooks(store, [titled(1, "a"), titled(2, "b"), wrong, titled(4, "d")]);
    await overwriteSummary(isbn(2), Buffer.from(summaryOfEntry(titled(2, "c")).body));
    await runSql(`DELETE FROM summary WHERE etag = '${summaryOfEntry(titled(1, "a")).etag}'`);
    const faults = (await faultsOf({ inspect })).map(({ isbn, text }) => `${isbn} ${text}`);
    expect(faults.sort()).toEqual([
      `${isbn(1)} its summary is missing`,
      `${isbn(2)} the bytes of its summary do not match their checksum`,
      `${isbn(3)} its summary is not that of the record`,
    ]);
  });

  test("an import writes the lost summary of a record again when it changes the record", async (testStore) => {
    const { store, runSql } = testStore;
    await importBooks(store, [titled(1, "a")]);
    await runSql("DELETE FROM summary");
    await importBooks(store, [titled(1, "b")]);
    expect(await titleOfSummary(store, 1)).toBe("b");
  });
}
