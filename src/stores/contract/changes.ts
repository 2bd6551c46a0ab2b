import { expect } from "bun:test";
import fc from "fast-check";
import type { BookChange, ChangePlace } from "../../catalog/changes/change-history.ts";
import type { KeptImport } from "../../catalog/history/import-history.ts";
import type { Entry, ImportSteps, Store } from "../../catalog/store.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, books, collect, importBooks, isbn, readSnapshot, revisionOf } from "../testing/books.ts";
import { type DatabaseEngine, type DatabaseTestStore, faultsOf, storeTests } from "../testing/engines.ts";

const BEGINNING: ChangePlace = { number: 0, isbn: undefined };

function readChanges(store: Store, after = BEGINNING, deletionsAfter = 0, limit = 1000) {
  return readSnapshot(store, async (snapshot) => [...(await snapshot.changes(after, deletionsAfter, limit))]);
}

function readHistory(store: Store, number = 0) {
  return readSnapshot(store, async (snapshot) => await snapshot.history(number));
}

/** Returns changes as "number isbn added", with a minus for a deletion. */
async function outline(
  store: Store,
  ...range: [after?: ChangePlace, deletionsAfter?: number, limit?: number]
) {
  return (await readChanges(store, ...range)).map(outlineOf);
}

const outlineOf = ({ number, isbn, added }: Pick<BookChange, "number" | "isbn" | "added">) =>
  `${number} ${Number(isbn.slice(3))} ${added ?? "-"}`;

/** Makes an import older than it is. */
async function age({ runSql }: DatabaseTestStore, number: number, days: number): Promise<void> {
  const at = new Date(Date.now() - days * 86_400_000).toISOString();
  await runSql(`UPDATE change_run SET at = '${at}' WHERE number = ${number}`);
}

async function faults(testStore: DatabaseTestStore): Promise<string[]> {
  // The bodies of test books are no records.
  return (await faultsOf(testStore)).map(({ text }) => text).filter((text) => /change|deletion/.test(text));
}

/** A step of an import, as feeds cause it. */
interface Step {
  readonly call: "put" | "remove" | "markSeen" | "unseen";
  readonly numbers: readonly number[];
  readonly title: string;
  readonly reference: string;
  /** An import reads the status before it changes a record; a store may use that. */
  readonly readsStatus: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  call: fc.constantFrom("put", "put", "remove", "markSeen", "unseen"),
  numbers: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 }),
  title: fc.constantFrom("x", "y"),
  reference: fc.constantFrom("r", "s"),
  readsStatus: fc.boolean(),
});
const sequences = fc.array(fc.array(step, { maxLength: 8 }), { minLength: 1, maxLength: 6 });

/** What the changes of a catalog should be. */
class ModelHistory {
  entries = new Map<Isbn13, Entry>();
  changes = new Map<Isbn13, { number: number; added: number | undefined }>();

  /** The last import that has changed records. */
  number: number;

  /** An import that changes nothing takes a number too. */
  constructor(private lastImport: number) {
    this.number = lastImport;
  }

  commit(after: Map<Isbn13, Entry>): void {
    const changed = [...new Set([...this.entries.keys(), ...after.keys()])].filter(
      (each) => this.entries.get(each)?.etag !== after.get(each)?.etag,
    );
    this.lastImport++;
    if (changed.length > 0) this.number = this.lastImport;
    for (const each of changed) {
      const added = this.entries.has(each) ? this.changes.get(each)!.added : this.number;
      this.changes.set(each, { number: this.number, added: after.has(each) ? added : undefined });
    }
    this.entries = after;
  }

  outline(): string[] {
    return [...this.changes]
      .map(([isbn, change]) => ({ isbn, ...change }))
      .sort((a, b) => a.number - b.number || (a.isbn < b.isbn ? -1 : 1))
      .map(outlineOf);
  }
}

async function runStep(transaction: ImportSteps, entries: Map<Isbn13, Entry>, each: Step, feed: number) {
  const { call, numbers, title, reference, readsStatus } = each;
  if (readsStatus) await transaction.statusOf(numbers.map(isbn));
  if (call === "unseen") await collect(transaction.unseen());
  else if (call === "markSeen") await transaction.markSeen(numbers.map(isbn), feed);
  else if (call === "remove") {
    await transaction.remove(numbers.map(isbn), feed);
    for (const number of numbers) entries.delete(isbn(number));
  } else {
    const put = numbers.map((number) => book(number, { title, reference }));
    await transaction.put(put, feed);
    for (const entry of put) entries.set(entry.isbn, entry);
  }
}

export function changesContract(engine: DatabaseEngine, numRuns: number): void {
  const test = storeTests(engine);
  test("each book has one change, its last, in the order of imports and ISBNs", async (testStore) => {
    const { store } = testStore;
    expect(await readHistory(store)).toMatchObject({ newest: { number: 0, id: "" }, forgotten: 0 });
    await importBooks(store, books(1, 4));
    await importBooks(store, [book(2, { title: "x" }), book(7)], [isbn(3)]);
    await importBooks(store, [book(9), book(1, { title: "x" })], [isbn(7)]);
    expect(await outline(store)).toEqual(["1 4 1", "2 2 1", "2 3 -", "3 1 1", "3 7 -", "3 9 3"]);
    const [first, , , last] = await readChanges(store);
    expect(first!.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(last!.at >= first!.at).toBe(true);
    expect(await faults(testStore)).toEqual([]);
  });

  test("a page follows any place, and leaves out deletions that the client needs not", async ({ store }) => {
    await importBooks(store, books(1, 4));
    await importBooks(store, [book(2, { title: "x" })], [isbn(3)]);
    await importBooks(store, [], [isbn(1)]);
    const all = ["1 4 1", "2 2 1", "2 3 -", "3 1 -"];
    for (let from = 0; from < all.length; from++) {
      const [number, digits] = from === 0 ? [0, 0] : all[from - 1]!.split(" ").map(Number);
      const after = { number: number!, isbn: isbn(digits!) };
      for (const limit of [1, 2, 10])
        expect(await outline(store, after, 0, limit)).toEqual(all.slice(from, from + limit));
    }
    expect(await outline(store, { number: 2, isbn: undefined })).toEqual(["3 1 -"]);
    expect(await outline(store, BEGINNING, 2)).toEqual(["1 4 1", "2 2 1", "3 1 -"]);
    expect(await outline(store, BEGINNING, 3)).toEqual(["1 4 1", "2 2 1"]);
    expect(await outline(store, { number: 3, isbn: undefined })).toEqual([]);
  });

  test("an import that changes no bytes has no number", async ({ store }) => {
    await importBooks(store, books(1, 3));
    const { newest } = await readHistory(store);
    await importBooks(store, [book(1, { reference: "other" })]);
    await importBooks(store, [], [isbn(9)]);
    const transaction = await store.beginImport();
    await transaction.put([book(2, { title: "x" }), book(5)], 1);
    await transaction.remove([isbn(3), isbn(5)], 1);
    await collect(transaction.unseen());
    await transaction.put([book(2), book(3)], 2);
    await transaction.commit(transaction.revision, anyRun());
    expect((await readHistory(store)).newest).toEqual(newest);
    expect(await outline(store)).toEqual(["1 1 1", "1 2 1", "1 3 1"]);
  });

  test("each import that changes records has an id of its own, by which it is known", async ({ store }) => {
    const ids = new Set<string>();
    for (const title of ["a", "b", "a"]) {
      await importBooks(store, [book(1, { title })]);
      const { newest } = await readHistory(store);
      ids.add(newest.id);
      expect((await readHistory(store, newest.number)).knownId).toBe(newest.id);
      expect((await readHistory(store, newest.number + 1)).knownId).toBeUndefined();
    }
    expect([...ids].filter((id) => /^[0-9a-f]{16}$/.test(id))).toHaveLength(3);
    expect(await outline(store)).toEqual(["3 1 1"]);
  });

  test("changes equal those of a model after any sequence of imports", async (testStore) => {
    const { store } = testStore;
    await fc.assert(
      fc.asyncProperty(sequences, fc.boolean(), async (sequence, startsEmpty) => {
        // The history goes on from one run to the next; each looks at its own part.
        await importBooks(store, [], [1, 2, 3, 4].map(isbn));
        const [{ number }] = (await store.importHistory.list(undefined, 1)) as [KeptImport];
        const model = new ModelHistory(number);
        const all = startsEmpty ? sequence : [[FIRST], ...sequence];
        for (const steps of all) {
          const transaction = await store.beginImport();
          const entries = new Map(model.entries);
          for (const [index, each] of steps.entries()) await runStep(transaction, entries, each, index + 1);
          await transaction.commit(revisionOf(entries.values()), anyRun());
          model.commit(entries);
          expect(await outline(store, { number, isbn: undefined })).toEqual(model.outline());
          const changed = (await readHistory(store)).newest.number;
          expect(changed > number ? changed : number).toBe(model.number);
        }
        expect(await faults(testStore)).toEqual([]);
      }),
      { numRuns },
    );
  });

  test("deletions are forgotten after their time, and the history tells so", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, books(1, 9));
    await importBooks(store, [], [isbn(1)]);
    await importBooks(store, [], [isbn(2)]);
    for (const [number, days] of [
      [1, 400],
      [2, 91],
      [3, 89],
    ] as const)
      await age(testStore, number, days);
    await importBooks(store, [book(3, { title: "x" })]);
    expect((await outline(store)).filter((each) => each.endsWith("-"))).toEqual(["3 2 -"]);
    expect((await readHistory(store)).forgotten).toBe(2);
    // Also an import that changes nothing forgets, and its option decides.
    const transaction = await store.beginImport();
    await transaction.commit(transaction.revision, anyRun(), { keepDeletionsDays: 88 });
    expect(await readHistory(store)).toMatchObject({ newest: { number: 4 }, forgotten: 3 });
    expect((await outline(store)).filter((each) => each.endsWith("-"))).toEqual([]);
  });

  test("an old import without deletions forgets nothing", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, books(1, 3));
    await importBooks(store, [book(1, { title: "x" })]);
    for (const number of [1, 2]) await age(testStore, number, 400);
    await importBooks(store, [], [isbn(2)]);
    expect((await readHistory(store)).forgotten).toBe(0);
    expect(await outline(store)).toEqual(["1 3 1", "2 1 1", "3 2 -"]);
  });

  test("a snapshot has the changes of its state while imports go on", async ({ store, reopen }) => {
    await importBooks(store, books(1, 3));
    const snapshot = await store.snapshot();
    await importBooks(await reopen(), [book(1, { title: "x" })], [isbn(2)]);
    const { newest } = await snapshot.history(0);
    expect(newest.number).toBe(1);
    expect((await snapshot.changes(BEGINNING, 0, 10)).map(outlineOf)).toEqual(["1 1 1", "1 2 1", "1 3 1"]);
    snapshot.close();
    expect(await outline(store)).toEqual(["1 3 1", "2 1 1", "2 2 -"]);
  });

  test("verify finds numbers that do not match the history", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, books(1, 3));
    await importBooks(store, [], [isbn(3)]);
    expect(await faults(testStore)).toEqual([]);
    await testStore.runSql("INSERT INTO deletion VALUES (9780000000001, 2)");
    expect(await faults(testStore)).toEqual(["1 deletion is of a book that the catalog has"]);
    await testStore.runSql("DELETE FROM deletion WHERE isbn = 9780000000001");
    await testStore.runSql("DELETE FROM change_run WHERE number = 1");
    expect(await faults(testStore)).toEqual([
      "the changes of 2 records are of imports that it does not have",
    ]);
  });
}

const FIRST: Step = { call: "put", numbers: [1, 2, 3], title: "x", reference: "r", readsStatus: true };
