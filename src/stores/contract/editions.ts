import { expect } from "bun:test";
import fc from "fast-check";
import { editionsOf, groupByWork, MAX_EDITIONS } from "../../catalog/editions/editions.ts";
import type { Entry, Store } from "../../catalog/store.ts";
import { createEntry } from "../../catalog/testing/entries.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import { type BookRecord, recordId } from "../../onix/record/record-fields.ts";
import { importBooks, isbn, readSnapshot } from "../testing/books.ts";
import { type DatabaseEngine, faultsOf, storeTests } from "../testing/engines.ts";

/** The links of a book to its other editions, from its record. */
interface Relations {
  /** The numbers of the books that it names. */
  readonly names?: readonly number[];
  /** The value of an identifier of its work. */
  readonly work?: string | undefined;
  readonly title?: string;
}

function edition(number: number, { names = [], work, title = "" }: Relations): Entry {
  const id = isbn(number);
  const related = {
    ...(work !== undefined && {
      RelatedWork: [
        { WorkRelationCode: "01", WorkIdentifier: [{ WorkIDType: "01", IDTypeName: "W", IDValue: work }] },
      ],
    }),
    ...(names.length > 0 && {
      RelatedProduct: names.map((name) => ({
        ProductRelationCode: ["27"],
        ProductIdentifier: [{ ProductIDType: "15", IDValue: isbn(name) }],
      })),
    }),
  };
  const record: BookRecord = {
    _id: recordId(id),
    RecordReference: id,
    DescriptiveDetail: { TitleDetail: { TitleType: "01", TitleElement: { TitleText: title } } },
    ...(Object.keys(related).length > 0 && { RelatedMaterial: related }),
  };
  return createEntry(record, `ref-${id}`, { release: "3.0" });
}

function editions(store: Store, number: number) {
  return readSnapshot(store, (snapshot) => editionsOf(snapshot, isbn(number)));
}

/** Returns all editions of a book by trying every pair of books, until nothing is added. */
function modelEditions(books: ReadonlyMap<number, Relations>, start: number): readonly Isbn13[] {
  const nodes = new Set<string>([isbn(start)]);
  for (let before = 0; before !== nodes.size; ) {
    before = nodes.size;
    for (const [number, relations] of books) {
      const linked = linkedWith(number, relations);
      if (linked.some((node) => nodes.has(node))) for (const node of linked) nodes.add(node);
    }
  }
  return [...books.keys()].map(isbn).filter((each) => nodes.has(each));
}

function linkedWith(number: number, { names = [], work }: Relations): readonly string[] {
  return [isbn(number), ...names.map(isbn), ...(work === undefined ? [] : [`work ${work}`])];
}

/** Every book of the model names itself, those that it names and its work. Two share one of these, or do not. */
function modelGroups(books: ReadonlyMap<number, Relations>, page: readonly number[]): Isbn13[][] {
  const nodesOf = (number: number) => {
    const named = linkedWith(number, books.get(number)!);
    const naming = [...books]
      .filter(([, { names = [] }]) => names.includes(number))
      .map(([each]) => isbn(each));
    return new Set<string>([...named, ...naming]);
  };
  const groups: { readonly isbns: Isbn13[]; readonly nodes: Set<string> }[] = [];
  for (const number of page) {
    const nodes = nodesOf(number);
    const joined = groups.filter((group) => !group.nodes.isDisjointFrom(nodes));
    const [first, ...others] = joined;
    if (first === undefined) groups.push({ isbns: [isbn(number)], nodes });
    else {
      for (const other of [...others, { isbns: [isbn(number)], nodes }]) {
        first.isbns.push(...other.isbns);
        for (const node of other.nodes) first.nodes.add(node);
        if (groups.includes(other)) groups.splice(groups.indexOf(other), 1);
      }
    }
  }
  const place = (each: Isbn13) => page.map(isbn).indexOf(each);
  return groups.map(({ isbns }) => isbns.toSorted((a, b) => place(a) - place(b)));
}

const NUMBERS = Array.from({ length: 10 }, (_, index) => index + 1);
const number = fc.constantFrom(...NUMBERS);
const relations: fc.Arbitrary<Relations> = fc.record({
  names: fc.uniqueArray(number, { maxLength: 2 }),
  work: fc.option(fc.constantFrom("a", "b"), { nil: undefined, freq: 1 }),
  title: fc.constantFrom("", "x"),
});
/** Undefined removes the book. */
const importedBooks = fc.dictionary(number.map(String), fc.option(relations, { nil: undefined, freq: 3 }), {
  maxKeys: 6,
});

export function editionsContract(engine: DatabaseEngine, numRuns: number): void {
  const test = storeTests(engine);

  test("finds the editions of a work after any imports, as a model does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(importedBooks, { minLength: 1, maxLength: 4 }), async (imports) => {
        await using testStore = await engine.createStore();
        const { store } = testStore;
        const books = new Map<number, Relations>();
        for (const changes of imports) {
          const changed = Object.entries(changes).map(([key, value]) => [Number(key), value] as const);
          const puts = changed.flatMap(([key, value]) => (value ? [edition(key, value)] : []));
          await importBooks(
            store,
            puts,
            changed.flatMap(([key, value]) => (value ? [] : isbn(key))),
          );
          for (const [key, value] of changed) value ? books.set(key, value) : books.delete(key);
        }
        await readSnapshot(store, async (snapshot) => {
          for (const key of books.keys()) {
            const isbns = modelEditions(books, key).toSorted();
            expect(await editionsOf(snapshot, isbn(key))).toEqual({ isbns, isComplete: true });
          }
          const page = [...books.keys()];
          const groups = [...(await groupByWork(snapshot, page.map(isbn)))].map((each) => each.flat());
          expect(groups).toEqual(modelGroups(books, page));
        });
        expect(await faultsOf(testStore)).toEqual([]);
      }),
      { numRuns: Math.ceil(numRuns / 3) },
    );
  });

  test("an import writes links only where they change", async ({ store, queryValue, runSql }) => {
    const count = async () => Number(await queryValue("SELECT count(*) AS value FROM edition_link"));
    await importBooks(store, [edition(1, { names: [2, 3], work: "a" }), edition(2, {}), edition(3, {})]);
    expect(await count()).toBe(3);
    // A link that only the database knows stays when the record's own links do.
    const fake = `INSERT INTO edition_link VALUES (${isbn(2)}, 'fake')`;
    await runSql(fake);
    await importBooks(store, [edition(1, { names: [2, 3], work: "a", title: "x" })]);
    expect(await count()).toBe(4);
    await importBooks(store, [edition(2, { title: "x" })]);
    expect(await count()).toBe(3);
    await importBooks(store, [edition(1, { names: [3] })], [isbn(3)]);
    expect(await count()).toBe(1);
    expect((await editions(store, 1)).isbns).toEqual([isbn(1)]);
  });

  test("an aborted import changes no links", async ({ store }) => {
    await importBooks(store, [edition(1, { names: [2] }), edition(2, {})]);
    const transaction = await store.beginImport();
    await transaction.put([edition(1, {})], 1);
    await transaction.abort();
    expect((await editions(store, 2)).isbns).toEqual([isbn(1), isbn(2)]);
  });

  test("stops at 200 books, the nearest ones, and says so", async ({ store }) => {
    const chain = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) =>
        edition(from + index, from + index === to ? {} : { names: [from + index + 1] }),
      );
    const star = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => edition(from + index, { work: `${from}` }));
    await importBooks(store, [...chain(1000, 1199), ...chain(2000, 2250), ...star(3000, 3250)]);
    expect(await editions(store, 1199)).toEqual({
      isbns: Array.from({ length: MAX_EDITIONS }, (_, index) => isbn(1000 + index)),
      isComplete: true,
    });
    const cut = await editions(store, 2000);
    expect(cut).toEqual({
      isbns: Array.from({ length: MAX_EDITIONS }, (_, index) => isbn(2000 + index)),
      isComplete: false,
    });
    const ofStar = await editions(store, 3250);
    expect([ofStar.isbns.length, ofStar.isbns.includes(isbn(3250)), ofStar.isComplete]).toEqual([
      MAX_EDITIONS,
      true,
      false,
    ]);
  });

  test("a book that names thousands of unknown ISBNs has an incomplete work", async ({ store }) => {
    const unknown = Array.from({ length: 3000 }, (_, index) => 5000 + index);
    await importBooks(store, [edition(1, { names: [2, ...unknown] }), edition(2, {})]);
    expect(await editions(store, 2)).toEqual({ isbns: [isbn(1), isbn(2)], isComplete: false });
  });

  test("verify finds lost, added and stray links", async (testStore) => {
    const { store, runSql } = testStore;
    await importBooks(store, [edition(1, { names: [2] }), edition(2, {}), edition(3, { work: "a" })]);
    await runSql(`DELETE FROM edition_link WHERE isbn = ${isbn(1)}`);
    await runSql(`INSERT INTO edition_link VALUES (${isbn(2)}, 'x'), (${isbn(9)}, 'x')`);
    expect((await faultsOf(testStore)).map(({ isbn: book, text }) => `${book ?? ""} ${text}`)).toEqual([
      " the links of editions have 1 books that the catalog does not have",
      `${isbn(1)} its links of editions in the store is [], but in the record ["${isbn(2)}"]`,
      `${isbn(2)} its links of editions in the store is ["x"], but in the record []`,
    ]);
  });
}
