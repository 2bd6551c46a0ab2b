import { expect } from "bun:test";
import fc from "fast-check";
import { changedBlocks } from "../../catalog/history/changed-blocks.ts";
import { StartedImport } from "../../catalog/import-run.ts";
import type { MessageMark } from "../../catalog/import-state.ts";
import { emptyCounts } from "../../catalog/report.ts";
import type { Entry, ImportSteps, Store } from "../../catalog/store.ts";
import { ImportRefused } from "../../catalog/store-errors.ts";
import { MemoryCatalog } from "../../catalog/testing/memory-catalog.ts";
import { qualityModel } from "../../catalog/testing/quality-model.ts";
import { searchModel } from "../../catalog/testing/search-model.ts";
import { undoImport } from "../../catalog/undo/undo-import.ts";
import type { KeepUndo } from "../../catalog/undo/undo-step.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { collect, importBooks, isbn, readSnapshot, revisionOf } from "../testing/books.ts";
import { type DatabaseEngine, faultsOf, storeTests } from "../testing/engines.ts";
import { searchBook } from "../testing/search-books.ts";

const NUMBERS = [1, 2, 3, 4, 5, 6];
const SENDERS = ["", "p", "q"];
const REFERENCES = ["r", "s"];
const WORDS = ["sol", "mar"];

interface Step {
  readonly call: "put" | "update" | "remove" | "markSeen" | "message";
  readonly numbers: readonly number[];
  readonly readsStatus: boolean;
  readonly title: string;
  readonly price: string;
  readonly imprint: string | undefined;
  readonly sender: string;
  readonly reference: string;
}

const step: fc.Arbitrary<Step> = fc.record({
  call: fc.constantFrom("put", "put", "update", "update", "remove", "markSeen", "message"),
  numbers: fc.uniqueArray(fc.constantFrom(...NUMBERS), { minLength: 1, maxLength: 4 }),
  readsStatus: fc.boolean(),
  title: fc.constantFrom(...WORDS),
  price: fc.constantFrom("9.90", "19.90"),
  imprint: fc.constantFrom("Sol", "sol", undefined),
  sender: fc.constantFrom(...SENDERS),
  reference: fc.constantFrom(...REFERENCES),
});
/** An import, or the undo of one: the last one that is not undone, or another. */
const command = fc.oneof(
  { weight: 3, arbitrary: fc.array(step, { maxLength: 8 }) },
  { weight: 3, arbitrary: fc.nat({ max: 5 }) },
);

interface State {
  readonly entries: ReadonlyMap<Isbn13, Entry>;
  readonly messages: ReadonlyMap<string, MessageMark>;
}

/** The states of a catalog, by the import that has led to each. An undo leads back to one of them. */
class StateModel {
  readonly states = new Map<number, State>();
  /** For each import, the state before and after it. */
  readonly runs = new Map<number, { readonly before: number; readonly after: number }>();

  constructor(public current: number) {
    this.states.set(current, { entries: new Map(), messages: new Map() });
  }

  get state(): State {
    return this.states.get(this.current)!;
  }

  add(number: number, state: State): void {
    this.states.set(number, state);
    this.#run(number, number);
  }

  undo(number: number, undone: number): void {
    this.#run(number, this.runs.get(undone)!.before);
  }

  #run(number: number, after: number): void {
    this.runs.set(number, { before: this.current, after });
    this.current = after;
  }
}

async function runStep(steps: ImportSteps, each: Step, feed: number): Promise<void> {
  const { call, numbers, readsStatus, title, price, imprint, sender, reference } = each;
  const isbns = numbers.map(isbn);
  const made = (number: number) => ({
    ...searchBook(number, { title, price, imprint, description: "x".repeat(700) }),
    sender,
    reference,
  });
  if (readsStatus) await steps.statusOf(isbns);
  if (call === "message") await steps.setLastMessage(sender, { sent: title, messageNumber: price });
  else if (call === "remove") await steps.remove(isbns, feed);
  else if (call === "markSeen") await steps.markSeen(isbns, feed);
  else if (call === "put") await steps.put(numbers.map(made), feed);
  else {
    const stored = await steps.entries(isbns);
    const updated = numbers.flatMap((number, index) => {
      const old = stored[index];
      if (old === undefined) return [];
      const { body, etag } = made(number);
      const { isbn: id, sender: owner, reference: own } = old;
      const blocks = changedBlocks(old.body, body) ?? undefined;
      return [
        { ...made(number), isbn: id, sender: owner, reference: own, body, etag, changedBlocks: blocks },
      ];
    });
    await steps.put(updated, feed);
  }
}

/** With `isAborted`, the process ends before its commit. */
async function undo(store: Store, number: number, isAborted = false): Promise<void> {
  const transaction = await store.beginImport();
  try {
    const { revision, changed, counts, updates } = await undoImport(transaction, store.importHistory, number);
    if (isAborted) return;
    await transaction.commit(revision, new StartedImport().applied(changed, counts, updates), {
      undoes: number,
    });
  } finally {
    await transaction.abort();
  }
}

const newestNumber = async (store: Store) => (await store.importHistory.list(undefined, 1))[0]!.number;

export function undoContract(engine: DatabaseEngine, numRuns: number): void {
  const test = storeTests(engine);

  test("after any imports and undos, the catalog is in the state of a model, and a mirror follows", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, []);
    const model = new StateModel(await newestNumber(store));
    const mirror = new Map<Isbn13, string>();

    async function runImport(steps: readonly Step[]): Promise<void> {
      const catalog = new MemoryCatalog();
      catalog.entries = model.state.entries;
      catalog.lastMessages = model.state.messages;
      const [expected, actual] = [catalog.beginImport(), await store.beginImport()];
      for (const [index, each] of steps.entries()) {
        await runStep(expected, each, index + 1);
        await runStep(actual, each, index + 1);
      }
      const revision = revisionOf(expected.entriesNow.values());
      const run = new StartedImport().applied(revision !== actual.revision, emptyCounts());
      await actual.commit(revision, run);
      await expected.commit(revision, run);
      model.add(await newestNumber(store), { entries: catalog.entries, messages: catalog.lastMessages });
    }

    async function runUndo(back: number): Promise<void> {
      const numbers = [...model.runs.keys()];
      const number = numbers.at(-1 - back);
      if (number === undefined) return;
      if (model.runs.get(number)!.after !== model.current) {
        await expect(undo(store, number)).rejects.toThrow(
          `The one that can be undone is import ${model.current}.`,
        );
        return;
      }
      await undo(store, number, true);
      await undo(store, number);
      model.undo(await newestNumber(store), number);
    }

    async function followChanges(after: number): Promise<void> {
      await readSnapshot(store, async (snapshot) => {
        for (const { isbn: each, added } of await snapshot.changes(
          { number: after, isbn: undefined },
          0,
          1000,
        )) {
          if (added === undefined) mirror.delete(each);
          else mirror.set(each, (await store.record(each))!.etag);
        }
      });
    }

    async function compare(): Promise<void> {
      const { entries, messages } = model.state;
      const sorted = [...entries.values()].sort((a, b) => (a.isbn < b.isbn ? -1 : 1));
      await readSnapshot(store, async (snapshot) => {
        expect((await collect(snapshot.entries())).map(comparable)).toEqual(sorted.map(comparable));
      });
      expect(Object.fromEntries(mirror)).toEqual(
        Object.fromEntries(sorted.map((each) => [each.isbn, each.etag])),
      );
      const revision = revisionOf(entries.values());
      expect(await store.revision()).toBe(revision);
      expect(await store.quality()).toEqual({ ...qualityModel(sorted), revision });
      for (const word of WORDS) {
        const query = { terms: [{ kind: "words" as const, words: [word] }], excluded: [] };
        const request = { query, filters: {}, sort: "title" as const, limit: 10 };
        expect(await store.search(request)).toEqual({ ...searchModel(sorted, request), revision });
      }
      const preview = await store.beginPreview();
      for (const sender of SENDERS) {
        expect(await preview.lastMessage(sender)).toEqual(messages.get(sender));
        const found = await preview.byReferences(sender, REFERENCES);
        const isMatch = (reference: string) => (each: Entry) =>
          each.sender === sender && each.reference === reference;
        expect(found).toEqual(
          REFERENCES.map((each) => sorted.filter(isMatch(each)).map((entry) => entry.isbn)),
        );
      }
      await preview.abort();
    }

    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 5 }), async (commands) => {
        for (const each of commands) {
          const before = await newestNumber(store);
          if (typeof each === "number") await runUndo(each);
          else await runImport(each);
          await followChanges(before);
          await compare();
        }
      }),
      { numRuns },
    );
    expect(await faultsOf(testStore)).toEqual([]);
  });

  test("an undo can be undone, and the history says what has undone what", async ({ store }) => {
    await importBooks(store, [searchBook(1)]);
    const undone = async (number: number) => {
      const run = await store.importHistory.get(number);
      return [run?.undoes, run?.undoneBy, await store.importHistory.latest()];
    };
    await undo(store, 1);
    expect(await undone(1)).toEqual([undefined, 2, 0]);
    await undo(store, 2);
    expect([await undone(1), await undone(2)]).toEqual([
      [undefined, undefined, 1],
      [1, 3, 1],
    ]);
    await undo(store, 1);
    expect([await undone(1), await undone(3)]).toEqual([
      [undefined, 4, 0],
      [2, undefined, 0],
    ]);
    await store.recordFailedImport(new StartedImport().failed("x"));
    await expect(undo(store, 5)).rejects.toThrow("Import 5 has failed");
    await expect(undo(store, 9)).rejects.toThrow(ImportRefused);
  });

  test("damage of what is kept refuses the undo, and changes nothing", async ({ store, runSql }) => {
    await importBooks(store, [searchBook(1)]);
    const revision = await importBooks(store, [searchBook(1, { title: "sol" })]);
    await runSql("UPDATE undo SET chunk = substr(chunk, 1, 9)");
    await expect(undo(store, 2)).rejects.toThrow("What was kept to undo the import is damaged");
    expect(await store.revision()).toBe(revision);
  });

  test("what exceeds the limits is not kept, and neither is what comes before it", async ({
    store,
    queryValue,
  }) => {
    const kept = async () =>
      (await store.importHistory.list(undefined, 10)).map(({ isUndoKept }) => isUndoKept);
    const importTitle = async (title: string, keepUndo?: KeepUndo) => {
      const transaction = await store.beginImport(keepUndo);
      const entries = NUMBERS.map((number) => searchBook(number, { title }));
      await transaction.put(entries, 1);
      const revision = revisionOf(entries);
      await transaction.commit(revision, new StartedImport().applied(true, emptyCounts()));
    };
    await importTitle("a");
    await importTitle("b");
    expect(await kept()).toEqual([true, true]);
    await importTitle("c", { bytes: 10, days: 30 });
    expect(await kept()).toEqual([false, false, false]);
    await expect(undo(store, 3)).rejects.toThrow("not kept");
    await importTitle("d");
    const bytes = Number(await queryValue("SELECT max(undo_bytes) AS value FROM import_run"));
    for (const title of ["e", "f"]) await importTitle(title, { bytes: 2.5 * bytes, days: 30 });
    expect(await kept()).toEqual([true, true, false, false, false, false]);
    await importTitle("g", { bytes: 0, days: 30 });
    expect((await kept()).includes(true)).toBe(false);
  });
}

const COMPARED = [
  "isbn",
  "etag",
  "sender",
  "reference",
  "origin",
  "imprint",
  "languages",
  "published",
] as const;

function comparable(entry: Entry) {
  return [Buffer.from(entry.body).toString(), ...COMPARED.map((name) => entry[name])];
}
