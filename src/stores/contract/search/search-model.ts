import { expect } from "bun:test";
import fc from "fast-check";
import { FILTERS } from "../../../catalog/search/properties.ts";
import type { SearchQuery, SearchTerm } from "../../../catalog/search/query.ts";
import type { NewestMatches, SearchFilters, SearchSort } from "../../../catalog/search/search.ts";
import type { Entry, Store } from "../../../catalog/store.ts";
import { qualityModel } from "../../../catalog/testing/quality-model.ts";
import { facetsModel, searchModel } from "../../../catalog/testing/search-model.ts";
import type { BookNeed } from "../../../onix/completeness/needs.ts";
import type { Day } from "../../../onix/date.ts";
import type { Isbn13 } from "../../../onix/isbn.ts";
import { importBooks, isbn } from "../../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../../testing/engines.ts";
import { type SearchBookFields, searchBook } from "../../testing/search-books.ts";

/** Few values, so that random searches find random books. */
const WORDS = ["sol", "sola", "Sólo", "luna", "mar", "l'ola", "日本", "Ñu", "1984", "soledad"];
const DAYS = ["20200101", "20200102", "20211231", "19991231"];
const NUMBERS = Array.from({ length: 12 }, (_, index) => index + 1);

const word = fc.constantFrom(...WORDS);
const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const text = (max: number) =>
  fc.array(word, { minLength: 1, maxLength: max }).map((words) => words.join(" "));

const fields: fc.Arbitrary<SearchBookFields> = fc.record({
  title: optional(text(3)),
  subtitle: optional(text(2)),
  contributors: fc.array(text(2), { maxLength: 2 }),
  imprint: optional(fc.constantFrom("Sol", "SOL", "Luna Mar", "Ñu-1984")),
  series: optional(fc.oneof(text(2), fc.constantFrom("Sol", "¡Sól!"))),
  audience: fc.subarray(["01", "02"]),
  languages: fc.subarray(["spa", "cat", "eng"]),
  published: optional(fc.constantFrom(...DAYS)),
  subjects: fc.array(
    fc.constantFrom(["93", "FBC"] as const, ["93", "FB"] as const, ["10", "FIC027010"] as const),
    { maxLength: 2 },
  ),
  form: optional(fc.constantFrom("BB", "BC")),
  availability: optional(fc.constantFrom("20", "40")),
  status: optional(fc.constantFrom("02", "04")),
  description: optional(text(6)),
  price: optional(fc.constantFrom("9.90", "12", "9,90")),
  markets: fc.array(
    fc.tuple(
      fc.constantFrom(
        null,
        "ES PT",
        "US",
        "WORLD",
        "WORLD -ES -US",
        "-ES",
        "ROW",
        "ECZ",
        "GB-ENG",
        "WORLD -ES-CN",
      ),
      fc.constantFrom("20", "40"),
    ),
    { maxLength: 2 },
  ),
});

const foldedWord = fc.constantFrom(..."sol sola solo luna mar l ola 日 本 nu 1984 soledad".split(" "));
const term: fc.Arbitrary<SearchTerm> = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant("words" as const),
      words: fc.array(foldedWord, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("prefix" as const),
      prefix: fc.constantFrom("so", "sol", "sole", "lun", "mar", "1984", "xyz"),
      orWord: fc.constantFrom(undefined, true as const),
      orIsbn: fc.constantFrom(undefined, "9780", "97810", "978000000000", "97800000001"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("initials" as const),
      letters: fc.array(fc.constantFrom("s", "l", "m", "1"), { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("field" as const),
      field: fc.constantFrom("title" as const, "name" as const, "label" as const, "any" as const),
      word: foldedWord,
      isPrefix: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("isbn" as const), isbn: fc.constantFrom(...NUMBERS).map(isbn) }),
  },
);
const query: fc.Arbitrary<SearchQuery> = fc.record({
  terms: fc.array(term, { minLength: 1, maxLength: 3 }),
  excluded: fc.array(term, { maxLength: 1 }),
});
/** One or two values of a filter. */
const some = <T extends string>(...values: T[]) => fc.subarray(values, { minLength: 1, maxLength: 2 });
const filters: fc.Arbitrary<SearchFilters> = fc.record(
  {
    imprint: some("sol", "luna-mar", "nu-1984", "mar"),
    language: some("spa", "cat"),
    form: some("BB", "bc"),
    subject: some("F", "93:FB", "FBC", "FIC", "10:FIC027"),
    contributor: fc.array(text(2), { minLength: 1, maxLength: 2 }),
    series: some("SOL", "Luna, Mar", "mar"),
    audience: some("01", "02"),
    availability: some("20", "40"),
    market: some("ES", "US", "GB", "FR"),
    status: some("02", "04"),
    price: some("EUR 7", "EUR 10", "EUR 5"),
    lacks: fc.subarray<BookNeed>(["title", "contributor", "form", "price", "availability", "date", "cover"], {
      minLength: 1,
      maxLength: 2,
    }),
    from: fc.constantFrom(...DAYS) as fc.Arbitrary<Day>,
    to: fc.constantFrom(...DAYS) as fc.Arbitrary<Day>,
  },
  { requiredKeys: [] },
);
/** Most searches have no or one filter: more of them find nothing. */
const fewFilters = fc
  .tuple(filters, fc.subarray([...FILTERS], { maxLength: 2 }))
  .map(([all, keys]): SearchFilters => Object.fromEntries(keys.map((key) => [key, all[key]])));
/** What a caller knows of the newest books, or believes. */
const newestMatches: fc.Arbitrary<NewestMatches> = fc.record({
  books: fc.integer({ min: 1, max: 20 }),
  matching: fc.nat(20),
  beginnings: fc.nat(20),
  others: fc.nat(20),
});

const search = fc.record({
  query: optional(query),
  filters: fc.oneof({ weight: 4, arbitrary: fewFilters }, { weight: 1, arbitrary: filters }),
  sort: fc.constantFrom<SearchSort>("relevance", "newest", "oldest", "title"),
  limit: fc.integer({ min: 1, max: 5 }),
  newestMatches,
});

const feed = fc.record({
  put: fc.uniqueArray(fc.tuple(fc.constantFrom(...NUMBERS), fields), {
    selector: ([number]) => number,
    maxLength: 10,
  }),
  remove: fc.subarray(NUMBERS, { maxLength: 3 }),
});

async function importFeed(
  store: Store,
  catalog: Map<Isbn13, Entry>,
  { put, remove }: { put: [number, SearchBookFields][]; remove: number[] },
): Promise<void> {
  const entries = put.map(([number, each]) => searchBook(number, each));
  const gone = remove.map(isbn).filter((each) => !entries.some((entry) => entry.isbn === each));
  await importBooks(store, entries, gone);
  for (const entry of entries) catalog.set(entry.isbn, entry);
  for (const each of gone) catalog.delete(each);
}

export function searchModelContract(engine: DatabaseEngine, numRuns: number): void {
  const test = storeTests(engine);
  test("every search finds what the model finds, in its order and in pages, after every import", async (testStore) => {
    const { store } = testStore;
    const catalog = new Map<Isbn13, Entry>();
    await fc.assert(
      fc.asyncProperty(feed, fc.array(search, { minLength: 6, maxLength: 6 }), async (imported, searches) => {
        await importFeed(store, catalog, imported);
        const revision = await store.revision();
        for (const { newestMatches, ...each } of searches) {
          const expected = searchModel(catalog.values(), { ...each, limit: 100 });
          const found = await store.search({ ...each, limit: 100 });
          expect(found).toEqual({ ...expected, revision });
          // One page, from any place on.
          const after = expected.keys[each.limit - 1];
          const page = await store.search({ ...each, after });
          expect(page).toEqual({ ...searchModel(catalog.values(), { ...each, after }), revision });
          const first = { query: each.query, filters: {}, sort: "newest", limit: each.limit } as const;
          const { keys } = await store.search({ ...first, isUncounted: true, newestMatches });
          expect(keys).toEqual([...searchModel(catalog.values(), first).keys]);
          expect(await store.facets(each)).toEqual({ ...facetsModel(catalog.values(), each), revision });
        }
        expect(await store.quality()).toEqual({ ...qualityModel(catalog.values()), revision });
      }),
      { numRuns },
    );
  });
}
