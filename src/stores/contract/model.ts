import { expect } from "bun:test";
import fc from "fast-check";
import { summaryOfEntry } from "../../catalog/entry.ts";
import type { RecordChange } from "../../catalog/import-state.ts";
import type { Entry, ImportSteps } from "../../catalog/store.ts";
import { anyRun } from "../../catalog/testing/import-runs.ts";
import { byIsbn, MemoryCatalog, type MemoryImport } from "../../catalog/testing/memory-catalog.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, collect, EMPTY_REVISION, isbn, readSnapshot, revisionOf } from "../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../testing/engines.ts";

/** Few values, so that the steps of an import concern the same records. */
const NUMBERS = [1, 2, 3, 4, 5, 6];
const SENDERS = ["", "p", "q"];
const REFERENCES = ["", "r", "R"];
const IMPRINTS = ["A", "a", "B"];
const ORIGINS = ['{"a":1}', '{"a":2}'];

interface Step {
  readonly call:
    | "put"
    | "markSeen"
    | "remove"
    | "statusOf"
    | "entry"
    | "byReferences"
    | "unseen"
    | "setLastMessage"
    | "lastMessage";
  readonly numbers: readonly number[];
  /** Calls `statusOf` first, as an import does. A store may reuse the result. */
  readonly readsStatus: boolean;
  readonly title: string;
  readonly sender: string;
  readonly reference: string;
  readonly imprint: string;
  readonly origin: string;
}

interface ModelImport {
  readonly steps: readonly Step[];
  readonly isCommitted: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  call: fc.constantFrom(
    "put",
    "put",
    "markSeen",
    "remove",
    "statusOf",
    "entry",
    "byReferences",
    "byReferences",
    "unseen",
    "unseen",
    "setLastMessage",
    "lastMessage",
  ),
  numbers: fc.uniqueArray(fc.constantFrom(...NUMBERS), { minLength: 1, maxLength: 4 }),
  readsStatus: fc.boolean(),
  title: fc.constantFrom("x", "y"),
  sender: fc.constantFrom(...SENDERS),
  reference: fc.constantFrom(...REFERENCES),
  imprint: fc.constantFrom(...IMPRINTS),
  origin: fc.constantFrom(...ORIGINS),
});

const imports: fc.Arbitrary<ModelImport[]> = fc.array(
  fc.record({ steps: fc.array(step, { maxLength: 12 }), isCommitted: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
);

/** Engines delay writes and skip queries. A comparison with a catalog in memory shows that this has no effect. */
export function modelContract(engine: DatabaseEngine, numRuns: number): void {
  const test = storeTests(engine);
  test("a store equals a catalog in memory after any sequence of imports", async ({ store }) => {
    async function run(sequence: readonly ModelImport[]): Promise<void> {
      const model = new MemoryCatalog();
      await removeAll();
      for (const { steps, isCommitted } of sequence) {
        await comparePreview(model, steps);
        const expected = model.beginImport();
        const actual = await store.beginImport();
        expect(actual.records).toBe(expected.records);
        try {
          let feed = 0;
          for (const each of steps) await compareStep(actual, expected, each, ++feed);
          expect({ ...(await actual.updateCounts()) }).toEqual(expected.updateCounts());
          if (!isCommitted) continue;
          const revision = revisionOf(expected.entriesNow.values());
          await actual.commit(revision, anyRun());
          await expected.commit(revision, anyRun());
        } finally {
          await actual.abort();
        }
        await compareRecords(model.entries);
      }
    }

    async function comparePreview(model: MemoryCatalog, steps: readonly Step[]): Promise<void> {
      const expected = model.beginImport();
      const preview = await store.beginPreview();
      expect(preview.records).toBe(expected.records);
      try {
        for (const [index, each] of steps.entries()) await compareStep(preview, expected, each, index + 1);
        expect(await preview.updateCounts()).toEqual(expected.updateCounts());
        expect(await collect(preview.changes())).toEqual(changesBetween(model.entries, expected.entriesNow));
      } finally {
        await preview.abort();
      }
    }

    async function removeAll(): Promise<void> {
      const transaction = await store.beginImport();
      await transaction.remove(NUMBERS.map(isbn), 1);
      for (const sender of SENDERS) {
        await transaction.setLastMessage(sender, { sent: undefined, messageNumber: undefined });
      }
      await transaction.commit(EMPTY_REVISION, anyRun());
    }

    async function compareRecords(expected: ReadonlyMap<Isbn13, Entry>): Promise<void> {
      const slugs = new Set([...expected.values()].map(({ imprint }) => imprint!.slug));
      await readSnapshot(store, async (snapshot) => {
        expect((await collect(snapshot.entries())).map(comparable)).toEqual(byIsbn(expected).map(comparable));
        expect((await collect(snapshot.imprints())).map(({ slug }) => slug)).toEqual([...slugs].sort());
      });
      expect((await store.stats()).records).toBe(expected.size);
    }

    await fc.assert(fc.asyncProperty(imports, run), { numRuns });
  });
}

async function compareStep(
  actual: ImportSteps,
  expected: MemoryImport,
  { call, numbers, readsStatus, title, sender, reference, imprint, origin }: Step,
  feed: number,
): Promise<void> {
  const isbns = numbers.map(isbn);
  if (readsStatus) expect(await actual.statusOf(isbns)).toEqual(expected.statusOf(isbns));
  switch (call) {
    case "put": {
      const entries = numbers.map((number) => book(number, { title, sender, reference, imprint, origin }));
      await actual.put(entries, feed);
      expected.put(entries, feed);
      return;
    }
    case "markSeen":
      await actual.markSeen(isbns, feed);
      expected.markSeen(isbns, feed);
      return;
    case "remove":
      await actual.remove(isbns, feed);
      expected.remove(isbns, feed);
      return;
    case "statusOf":
      expect(await actual.statusOf(isbns)).toEqual(expected.statusOf(isbns));
      return;
    case "entry":
      for (const each of isbns) {
        const [found, wanted] = [(await actual.entries([each]))[0], expected.entries([each])[0]];
        expect(found && comparable(found)).toEqual(wanted && comparable(wanted));
      }
      return;
    case "byReferences": {
      const references = [reference, ...REFERENCES];
      const found = await actual.byReferences(sender, references);
      expect(found).toEqual(expected.byReferences(sender, references));
      return;
    }
    case "unseen":
      expect(await collect(actual.unseen())).toEqual(await collect(expected.unseen()));
      for (const each of [undefined, ...SENDERS])
        expect(await actual.unseenCount(each)).toBe(expected.unseenCount(each));
      return;
    case "setLastMessage": {
      const mark = { sent: title, messageNumber: imprint === "A" ? undefined : imprint };
      await actual.setLastMessage(sender, mark);
      expected.setLastMessage(sender, mark);
      return;
    }
    case "lastMessage":
      expect(await actual.lastMessage(sender)).toEqual(expected.lastMessage(sender));
  }
}

function changesBetween(
  before: ReadonlyMap<Isbn13, Entry>,
  after: ReadonlyMap<Isbn13, Entry>,
): RecordChange[] {
  const isbns = [...new Set([...before.keys(), ...after.keys()])].sort();
  return isbns.flatMap((isbn): RecordChange[] => {
    const [old, now] = [before.get(isbn)?.etag, after.get(isbn)?.etag];
    if (old === now) return [];
    return [{ isbn, kind: old === undefined ? "added" : now === undefined ? "deleted" : "changed" }];
  });
}

/** An import may read the summary of an entry, too. */
function comparable({ summary, ...entry }: Entry) {
  if (summary !== undefined) expect(summary.etag).toBe(summaryOfEntry({ body: entry.body }).etag);
  return { ...entry, body: Buffer.from(entry.body).toString() };
}
