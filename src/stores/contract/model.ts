import { expect, test } from "bun:test";
import fc from "fast-check";
import { RevisionSum } from "../../catalog/revision.ts";
import type { Entry, ImportTransaction, RecordStatus } from "../../catalog/store.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { book, collect, EMPTY_REVISION, isbn } from "../testing/books.ts";
import type { Engine } from "../testing/engine.ts";

/** Few, so that steps meet. */
const NUMBERS = [1, 2, 3, 4, 5, 6];
const REFERENCES = ["", "r", "s"];
const IMPRINTS = ["A", "a", "B"];

interface Step {
  readonly does: "put" | "touch" | "remove" | "held" | "entry" | "byReference" | "untouched";
  readonly numbers: readonly number[];
  /** Asked before, as an import does; a store may make use of what it has answered. */
  readonly isAsked: boolean;
  readonly title: string;
  readonly reference: string;
  readonly imprint: string;
}

interface Import {
  readonly steps: readonly Step[];
  readonly isCommitted: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom("put", "put", "touch", "remove", "held", "entry", "byReference", "untouched"),
  numbers: fc.uniqueArray(fc.constantFrom(...NUMBERS), { minLength: 1, maxLength: 4 }),
  isAsked: fc.boolean(),
  title: fc.constantFrom("x", "y"),
  reference: fc.constantFrom(...REFERENCES),
  imprint: fc.constantFrom(...IMPRINTS),
});

const imports: fc.Arbitrary<Import[]> = fc.array(
  fc.record({ steps: fc.array(step, { maxLength: 12 }), isCommitted: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
);

/** An import as plainly as can be. */
class Model {
  readonly now: Map<Isbn13, Entry>;
  readonly #feeds = new Map<Isbn13, number>();

  constructor(readonly before: ReadonlyMap<Isbn13, Entry>) {
    this.now = new Map(before);
  }

  speakOf(isbns: readonly Isbn13[], feed: number): void {
    for (const each of isbns) this.#feeds.set(each, feed);
  }

  held(each: Isbn13): RecordStatus {
    const now = this.now.get(each);
    const before = this.before.get(each)?.etag;
    return {
      etag: now?.etag,
      etagBefore: before,
      lastFeed: this.#feeds.get(each) ?? 0,
      reference: now?.reference,
    };
  }

  untouched(): { isbn: Isbn13; etag: string }[] {
    return sorted(this.now)
      .filter((entry) => !this.#feeds.has(entry.isbn))
      .map(({ isbn, etag }) => ({ isbn, etag }));
  }
}

/** Engines keep in mind what they have not written yet, and do without questions where they can: none of it shows. */
export function modelContract(engine: Engine): void {
  test("whatever imports do, one after the other, a store is as plain maps would be", async () => {
    await using shelf = await engine.createStore();
    const run = async (imports: readonly Import[]) => {
      let state: ReadonlyMap<Isbn13, Entry> = new Map();
      await empty();
      for (const { steps, isCommitted } of imports) {
        const model = new Model(state);
        const load = await shelf.store.beginImport();
        try {
          let feed = 0;
          for (const each of steps) await take(load, model, each, ++feed);
          if (!isCommitted) continue;
          await load.commit(revisionOf(model.now));
          state = model.now;
        } finally {
          await load.abort();
        }
        await compare(state);
      }
    };

    async function empty(): Promise<void> {
      const load = await shelf.store.beginImport();
      await load.remove(NUMBERS.map(isbn), 1);
      await load.commit(EMPTY_REVISION);
    }

    async function compare(state: ReadonlyMap<Isbn13, Entry>): Promise<void> {
      const view = await shelf.store.snapshot();
      try {
        expect((await collect(view.entries())).map(plain)).toEqual(sorted(state).map(plain));
        expect((await collect(view.imprints())).map(({ slug }) => slug)).toEqual(
          [...new Set([...state.values()].map(({ imprint }) => imprint!.slug))].sort(),
        );
      } finally {
        view.close();
      }
      expect((await shelf.store.stats()).records).toBe(state.size);
    }

    await fc.assert(fc.asyncProperty(imports, run), { numRuns: 40 });
  });
}

async function take(load: ImportTransaction, model: Model, step: Step, feed: number): Promise<void> {
  const isbns = step.numbers.map(isbn);
  if (step.isAsked) expect(await load.statusOf(isbns)).toEqual(isbns.map((each) => model.held(each)));
  switch (step.does) {
    case "put": {
      const { title, reference, imprint } = step;
      const entries = step.numbers.map((number) => book(number, { title, reference, imprint }));
      await load.put(entries, feed);
      for (const entry of entries) model.now.set(entry.isbn, entry);
      model.speakOf(isbns, feed);
      return;
    }
    case "touch":
      await load.markSeen(isbns, feed);
      return model.speakOf(isbns, feed);
    case "remove":
      await load.remove(isbns, feed);
      for (const each of isbns) model.now.delete(each);
      return model.speakOf(isbns, feed);
    case "held":
      expect(await load.statusOf(isbns)).toEqual(isbns.map((each) => model.held(each)));
      return;
    case "entry":
      for (const each of isbns) {
        const [entry, expected] = [await load.entry(each), model.now.get(each)];
        expect(entry && plain(entry)).toEqual(expected && plain(expected));
      }
      return;
    case "byReference": {
      const named = sorted(model.now).filter(({ reference }) => reference === step.reference);
      const expected = step.reference === "" ? [] : named.map((entry) => entry.isbn);
      expect(await load.byReference(step.reference)).toEqual(expected);
      return;
    }
    case "untouched":
      expect(await collect(load.unseen())).toEqual(model.untouched());
  }
}

function revisionOf(entries: ReadonlyMap<Isbn13, Entry>): string {
  const sum = new RevisionSum(EMPTY_REVISION);
  for (const { etag } of entries.values()) sum.change(undefined, etag);
  return sum.toString();
}

function sorted(entries: ReadonlyMap<Isbn13, Entry>): Entry[] {
  return [...entries.values()].sort((a, b) => (a.isbn < b.isbn ? -1 : 1));
}

function plain(entry: Entry) {
  return { ...entry, body: Buffer.from(entry.body).toString() };
}
