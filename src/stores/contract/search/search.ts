import { describe, expect } from "bun:test";
import { searchDocumentOfEntry } from "../../../catalog/entry.ts";
import { parseQuery } from "../../../catalog/search/query-parser.ts";
import type { SearchFilters, SearchKey, SearchRequest, SearchSort } from "../../../catalog/search/search.ts";
import type { Entry, Store } from "../../../catalog/store.ts";
import { anyRun } from "../../../catalog/testing/import-runs.ts";
import type { Day } from "../../../onix/date.ts";
import { importBooks, isbn } from "../../testing/books.ts";
import { type DatabaseEngine, faultsOf, storeTests } from "../../testing/engines.ts";
import { searchBook } from "../../testing/search-books.ts";

function request(q: string, filters: SearchFilters = {}, sort: SearchSort = "relevance"): SearchRequest {
  return { query: q === "" ? undefined : parseQuery(q), filters, sort, limit: 100 };
}

/** Returns the numbers of the books that a search finds, in its order. */
async function find(
  store: Store,
  q: string,
  filters: SearchFilters = {},
  sort?: SearchSort,
): Promise<number[]> {
  const { keys, total } = await store.search(request(q, filters, sort));
  expect(total).toBe(keys.length);
  return keys.map((key) => Number(key.isbn.slice(3)));
}

/** Reads all pages of a search. `between` runs after each page. */
async function readPages(
  store: Store,
  all: SearchRequest,
  between: (page: number) => Promise<void>,
): Promise<SearchKey[]> {
  const keys: SearchKey[] = [];
  for (let page = 1; ; page++) {
    const result = await store.search({ ...all, limit: 2, after: keys.at(-1) });
    keys.push(...result.keys);
    if (result.keys.length < 2) return keys;
    await between(page);
  }
}

const BOOKS: readonly Entry[] = [
  searchBook(1, {
    title: "Cien años de soledad",
    contributors: ["Gabriel García Márquez"],
    imprint: "Alianza Editorial",
    languages: ["spa"],
    published: "19670530",
    subjects: [["93", "FBC"]],
    form: "BC",
    availability: "20",
    status: "04",
    description: "La historia de la familia Buendía en Macondo",
  }),
  searchBook(2, {
    title: "Soledad",
    contributors: ["Víctor Català"],
    imprint: "Club Editor",
    languages: ["cat"],
    published: "19050101",
    subjects: [
      ["93", "FB"],
      ["94", "1KBB-US-NAKCMG"],
    ],
    form: "BB",
    availability: "40",
    status: "07",
  }),
  searchBook(3, {
    title: "Soledad y compañía",
    contributors: ["Silvana Paternostro"],
    imprint: "Debate",
    languages: ["spa"],
    published: "20140101",
    subjects: [["93", "DNB"]],
    form: "BC",
    availability: "20",
    status: "04",
    description: "Retrato compartido de Gabriel García Márquez",
  }),
  searchBook(4, { title: "Poemas", contributors: ["Soledad Puértolas"], languages: ["spa", "cat"] }),
  searchBook(5, { title: "Otro libro", description: "Un libro sobre la soledad y el mar" }),
];

export function searchContract(engine: DatabaseEngine): void {
  const test = storeTests(engine);
  const testWithBooks = storeTests(engine, (store) => importBooks(store, BOOKS));

  test("a search of an empty catalog finds nothing", async ({ store }) => {
    const result = await store.search(request("soledad"));
    expect(result).toEqual({ revision: await store.revision(), keys: [], total: 0 });
    expect(await store.facets(request(""))).toMatchObject({ counted: 0, hasMore: false });
  });

  testWithBooks(
    "exact titles come first, then beginnings, titles, names, and the rest",
    async ({ store }) => {
      const { keys } = await store.search(request("soledad"));
      expect(keys.map(({ isbn, tier }) => [Number(isbn.slice(3)), tier])).toEqual([
        [2, 1],
        [3, 2],
        [1, 3],
        [4, 4],
        [5, 5],
      ]);
      // The words of the query are in the title and in the names.
      expect((await store.search(request("soledad garcia"))).keys.map(({ tier }) => tier)).toEqual([4, 5]);
    },
  );

  test("a title that begins with only the first words of a query is in a later tier", async ({ store }) => {
    const titles = ["uno dos cuatro tres", "uno dos tres cuatro", "uno dos tres", "tres: uno dos tres"];
    await importBooks(
      store,
      titles.map((title, index) => searchBook(index + 1, { title })),
    );
    const { keys } = await store.search(request("uno dos tres"));
    expect(keys.map(({ isbn, tier }) => [Number(isbn.slice(3)), tier])).toEqual([
      [3, 1],
      [2, 2],
      [1, 3],
      [4, 3],
    ]);
  });

  testWithBooks("case, accents and the order of words do not matter", async ({ store }) => {
    expect(await find(store, "GARCIA márquez")).toEqual([1, 3]);
    expect(await find(store, "soledad de ANOS cien")).toEqual([1]);
    expect(await find(store, "companía")).toEqual([3]);
  });

  testWithBooks("phrases, prefixes and exclusions", async ({ store }) => {
    expect(await find(store, '"años de soledad"')).toEqual([1]);
    expect(await find(store, '"soledad de años"')).toEqual([]);
    expect(await find(store, "soled* gabr*")).toEqual([1]);
    expect(await find(store, '"cien años" sol*')).toEqual([1]);
    // A prefix is not searched in descriptions.
    expect(await find(store, "buend*")).toEqual([]);
    expect(await find(store, "soledad -garcia -catala")).toEqual([4, 5]);
    expect(await find(store, 'soledad -"garcia marquez"')).toEqual([2, 4, 5]);
    expect(await find(store, "soledad -cie*")).toEqual([2, 3, 4, 5]);
    const unrelated = "-nada -nadie -nunca -ninguno";
    expect(await find(store, `soledad ${unrelated} -garcia -"victor catala"`)).toEqual([4, 5]);
    expect(await find(store, `soledad ${unrelated} -soledad`)).toEqual([]);
    // A phrase does not match across two texts.
    expect(await find(store, '"soledad gabriel"')).toEqual([]);
  });

  testWithBooks("an ISBN in any form finds its book, also beside words and excluded", async ({ store }) => {
    const number = isbn(4);
    expect(await find(store, number)).toEqual([4]);
    expect(await find(store, `poemas ${number}`)).toEqual([4]);
    expect(await find(store, `soledad ${number}`)).toEqual([4]);
    expect(await find(store, `otro ${number}`)).toEqual([]);
    expect(await find(store, `soledad -${number}`)).toEqual([2, 3, 1, 5]);
  });

  test("a word that is being typed is also a beginning, in titles, names, imprints, series and ISBNs", async ({
    store,
  }) => {
    const typed = async (q: string) => {
      const { keys } = await store.search({ ...request(""), query: parseQuery(q, true), sort: "relevance" });
      return keys.map((key) => Number(key.isbn.slice(3)));
    };
    await importBooks(store, [
      searchBook(1234567890, { title: "Sol", contributors: ["Fred Vargas"], imprint: "Anagrama" }),
      searchBook(1234567891, { title: "Soledad", series: "Panorama de narrativas" }),
      searchBook(1235000000, { title: "Otro", description: "solo anagramas" }),
    ]);
    expect(await typed("so")).toEqual([1234567890, 1234567891]);
    expect(await typed("solo")).toEqual([1235000000]);
    expect(await typed("sol")).toEqual([1234567890, 1234567891]);
    expect(await typed("sol va")).toEqual([1234567890]);
    expect(await typed("anagram")).toEqual([1234567890]);
    expect(await typed("narr")).toEqual([1234567891]);
    expect(await find(store, "pano* narr*")).toEqual([1234567891]);
    for (const [beginning, found] of [
      ["9781", [1234567890, 1234567891, 1235000000]],
      ["97812", [1234567890, 1234567891, 1235000000]],
      ["978123", [1234567890, 1234567891, 1235000000]],
      ["9781234", [1234567890, 1234567891]],
      ["97812350", [1235000000]],
      ["978123456", [1234567890, 1234567891]],
      ["978-123456789", [1234567890, 1234567891]],
      ["1235", [1235000000]],
      ["97813", []],
    ] as const)
      expect([beginning, await typed(beginning)]).toEqual([beginning, [...found]]);
  });

  test("an initial finds names that begin with it", async ({ store }) => {
    await importBooks(store, [
      searchBook(1, { title: "Uno", contributors: ["Fred Vargas"] }),
      searchBook(2, { title: "Dos", contributors: ["Mario Vargas Llosa"] }),
      searchBook(3, { title: "Tres", contributors: ["John Ronald Reuel Tolkien"] }),
      searchBook(4, { title: "Cuatro", contributors: ["JRR Tolkien"] }),
      searchBook(5, { title: "J. R. R. Tolkien, una biografía" }),
    ]);
    expect(await find(store, "F. Vargas")).toEqual([1]);
    expect(await find(store, "Vargas, M.")).toEqual([2]);
    expect(await find(store, "J.R.R. Tolkien")).toEqual([5, 3, 4]);
    expect(await find(store, "J. Tolkien")).toEqual([5, 3, 4]);
    expect(await find(store, "R. Vargas")).toEqual([]);
  });

  testWithBooks("each filter alone, and with a query", async ({ store }) => {
    expect(await find(store, "", { imprint: ["alianza-editorial"] })).toEqual([1]);
    expect(await find(store, "", { imprint: ["alianza"] })).toEqual([]);
    expect(await find(store, "", { language: ["cat"] })).toEqual([2, 4]);
    expect(await find(store, "", { form: ["BC"] })).toEqual([3, 1]);
    expect(await find(store, "", { availability: ["40"] })).toEqual([2]);
    expect(await find(store, "", { status: ["04"] })).toEqual([3, 1]);
    expect(await find(store, "", { contributor: ["gabriel garcia MARQUEZ."] })).toEqual([1]);
    expect(await find(store, "soledad", { form: ["BC"], language: ["spa"] })).toEqual([3, 1]);
    expect(await find(store, "mar", { form: ["BC"] })).toEqual([]);
  });

  testWithBooks("one of the values of a filter is enough, and all filters hold", async ({ store }) => {
    expect(await find(store, "", { language: ["cat", "spa"] })).toEqual([3, 1, 2, 4]);
    expect(await find(store, "", { language: ["cat", "eng"], form: ["BB", "BC"] })).toEqual([2]);
    expect(await find(store, "soledad", { availability: ["20", "40"], status: ["07", "04"] })).toEqual([
      2, 3, 1,
    ]);
    expect(await find(store, "", { subject: ["DN", "93:FBC"] })).toEqual([3, 1]);
    const names = ["Víctor Català", "gabriel garcia márquez", "Soledad"];
    expect(await find(store, "", { contributor: names })).toEqual([1, 2]);
    // A name has all its words, in their order.
    expect(await find(store, "", { contributor: ["García Márquez", "Gabriel Márquez García"] })).toEqual([]);
  });

  test("series, audience and price bands are filters, and the last two are facets", async ({ store }) => {
    const long = "a b ".repeat(80);
    await importBooks(store, [
      searchBook(1, { series: "El barco de vapor", audience: ["02"], price: "12", imprint: "Sol" }),
      searchBook(2, { series: "Barco", audience: ["01", "02"], price: "1.5", imprint: "SOL" }),
      searchBook(3, { series: `${long}c`, title: "Barco", price: "15", imprint: "SOL" }),
    ]);
    expect(await find(store, "", { series: ["el BARCO, de vapor!"] })).toEqual([1]);
    expect(await find(store, "", { series: ["barco"] })).toEqual([2]);
    expect(await find(store, "", { series: [`${long}d`] })).toEqual([]);
    expect(await find(store, "", { series: [`${long}c`, "Barco"] })).toEqual([2, 3]);
    expect(await find(store, "", { audience: ["01"] })).toEqual([2]);
    expect(await find(store, "", { price: ["EUR 10", "EUR 1.5"] })).toEqual([1, 2]);
    expect(await find(store, "barco", { price: ["EUR 15"] })).toEqual([3]);
    const { facets } = await store.facets({ filters: { audience: ["01"], price: ["EUR 15"] } });
    expect(facets.audience).toEqual({ counted: 1, hasMore: false, distinct: 0, values: [] });
    expect(facets.price.values).toEqual([{ value: "EUR 1.5", books: 1 }]);
    const all = (await store.facets({ filters: {} })).facets;
    expect(all.price.values.map(({ value }) => value)).toEqual(["EUR 1.5", "EUR 10", "EUR 15"]);
    expect(all.imprint.values).toEqual([{ value: "sol", books: 3, name: "SOL" }]);
  });

  test("a market finds what is sold there and, with an availability, what has it there", async ({
    store,
  }) => {
    const markets: readonly (readonly [string | null, string])[][] = [
      [
        ["US", "31"],
        ["ES", "20"],
      ],
      [["WORLD -ES", "20"]],
      [[null, "20"]],
      [
        ["US CA", "20"],
        ["ROW", "31"],
      ],
      [],
      [["GB-ENG FR", "21"]],
    ];
    await importBooks(
      store,
      markets.map((each, index) => searchBook(index + 1, { title: "Uno", markets: each })),
    );
    for (const query of ["", "uno"]) {
      expect(await find(store, query, { market: ["ES"] })).toEqual([1, 3, 4, 5]);
      expect(await find(store, query, { market: ["US"] })).toEqual([1, 2, 3, 4, 5]);
      expect(await find(store, query, { market: ["GB"] })).toEqual([2, 3, 4, 5, 6]);
      expect(await find(store, query, { market: ["ES"], availability: ["20"] })).toEqual([1, 3]);
      expect(await find(store, query, { market: ["US"], availability: ["20"] })).toEqual([2, 3, 4]);
      expect(await find(store, query, { market: ["ES"], availability: ["31"] })).toEqual([4]);
      expect(await find(store, query, { availability: ["31"] })).toEqual([]);
    }
  });

  test("imprints whose slugs fold to the same letters, or begin with the same 200, stay apart", async ({
    store,
  }) => {
    const long = "a".repeat(250);
    const names = ["Groß", "Gross", "Łódź", "Lodz", `${long}x`, `${long}y`];
    await importBooks(
      store,
      names.map((imprint, index) => searchBook(index + 1, { title: "Uno", imprint })),
    );
    const slugs = ["groß", "gross", "łodz", "lodz", `${long}x`, `${long}y`];
    for (const [index, imprint] of slugs.entries())
      expect(await find(store, "", { imprint: [imprint] })).toEqual([index + 1]);
  });

  testWithBooks("a subject finds its narrower codes, with and without its scheme", async ({ store }) => {
    expect(await find(store, "", { subject: ["FB"] })).toEqual([1, 2]);
    expect(await find(store, "", { subject: ["93:F"] })).toEqual([1, 2]);
    expect(await find(store, "", { subject: ["93:FBC"] })).toEqual([1]);
    expect(await find(store, "", { subject: ["12:FBC"] })).toEqual([]);
    expect(await find(store, "", { subject: ["BC"] })).toEqual([]);
    expect(await find(store, "", { subject: ["94:1KBB-US-NAKC"] })).toEqual([2]);
  });

  testWithBooks("a period includes both ends, and no books without a date", async ({ store }) => {
    const period = (from?: string, to?: string) => ({ from: from as Day, to: to as Day });
    expect(await find(store, "", period("19670530"))).toEqual([3, 1]);
    expect(await find(store, "", period("19670531"))).toEqual([3]);
    expect(await find(store, "", period(undefined, "19670530"))).toEqual([1, 2]);
    expect(await find(store, "soledad", period("19050101", "19670529"))).toEqual([2]);
    expect(await find(store, "", period("20140101", "19050101"))).toEqual([]);
  });

  testWithBooks("the orders: newest, oldest and title, with books without a date last", async ({ store }) => {
    expect(await find(store, "", {}, "newest")).toEqual([3, 1, 2, 4, 5]);
    expect(await find(store, "", {}, "relevance")).toEqual([3, 1, 2, 4, 5]);
    expect(await find(store, "", {}, "oldest")).toEqual([2, 1, 3, 5, 4]);
    expect(await find(store, "", {}, "title")).toEqual([1, 5, 4, 2, 3]);
    expect(await find(store, "soledad", {}, "newest")).toEqual([3, 1, 2, 4, 5]);
    expect(await find(store, "garcia", {}, "title")).toEqual([1, 3]);
  });

  describe.each(["relevance", "newest", "oldest", "title"] as const)("pages by %s", (sort) => {
    test("skip and repeat no book that stays while imports go on", async ({ store }) => {
      const staying = Array.from({ length: 12 }, (_, index) =>
        searchBook(100 + index * 2, { title: `sol ${index % 3}`, published: `20${10 + (index % 5)}0101` }),
      );
      await importBooks(store, staying);
      const keys = await readPages(store, request("sol", {}, sort), async (page) => {
        // One book comes, and the one before it goes.
        const coming = searchBook(101 + page * 2, {
          title: `sol ${page % 3}`,
          published: `20${10 + (page % 4)}0101`,
        });
        await importBooks(store, [coming], page > 1 ? [isbn(99 + page * 2)] : []);
      });
      const found = keys.map((key) => key.isbn);
      expect(new Set(found).size).toBe(found.length);
      expect(found.filter((each) => staying.some((entry) => entry.isbn === each)).toSorted()).toEqual(
        staying.map((entry) => entry.isbn),
      );
    });
  });

  test("updates, deletions and a replacement of the catalog change what is found", async ({ store }) => {
    await importBooks(store, BOOKS);
    await importBooks(store, [searchBook(1, { title: "Nuevo", published: "20200101" })], [isbn(2)]);
    expect(await find(store, "soledad")).toEqual([3, 4, 5]);
    expect(await find(store, "nuevo")).toEqual([1]);
    expect(await find(store, "", {}, "newest")).toEqual([1, 3, 4, 5]);
    await importBooks(store, [searchBook(2, { title: "Soledad otra vez" })]);
    expect(await find(store, "soledad vez")).toEqual([2]);
    await importBooks(store, [BOOKS[0]!], [2, 3, 4, 5].map(isbn));
    expect(await find(store, "")).toEqual([1]);
    expect(await find(store, "soledad")).toEqual([1]);
  });

  test("a book that one import puts, removes and puts again is found once, in its last state", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, [searchBook(1, { title: "zero", published: "20200101" })]);
    const transaction = await store.beginImport();
    const steps: readonly (Entry | undefined)[] = [
      searchBook(1, { title: "first", published: "20210101" }),
      undefined,
      searchBook(1, { title: "second", published: "20190101" }),
      searchBook(1, { title: "third", published: "20220101" }),
    ];
    for (const [index, entry] of steps.entries()) {
      await transaction.statusOf([isbn(1)]);
      if (entry) await transaction.put([entry], index + 1);
      else await transaction.remove([isbn(1)], index + 1);
    }
    await transaction.commit("1".repeat(32), anyRun());
    expect(await find(store, "")).toEqual([1]);
    expect(await find(store, "third")).toEqual([1]);
    for (const gone of ["zero", "first", "second"]) expect(await find(store, gone)).toEqual([]);
  });

  test("an import that is aborted changes nothing, and a search beside an import finds the old state", async (testStore) => {
    const { store } = testStore;
    await importBooks(store, BOOKS);
    const revision = await store.revision();
    const transaction = await store.beginImport();
    await transaction.put([searchBook(9, { title: "Soledad" })], 1);
    expect(await find(store, "soledad")).toEqual([2, 3, 1, 4, 5]);
    expect((await store.search(request("soledad"))).revision).toBe(revision);
    await transaction.abort();
    expect(await find(store, "soledad")).toEqual([2, 3, 1, 4, 5]);
  });

  test("a search returns the revision of the state that it has searched", async ({ store }) => {
    const first = await importBooks(store, [BOOKS[0]!]);
    expect(await store.search(request("soledad"))).toMatchObject({ total: 1, revision: first });
    const second = await importBooks(store, [BOOKS[1]!]);
    expect(await store.search(request("soledad"))).toMatchObject({ total: 2, revision: second });
    expect((await store.facets(request("soledad"))).revision).toBe(second);
  });

  test("verify finds a book whose entry in the search index is not that of the record", async (testStore) => {
    const { store, inspect } = testStore;
    const wrong: Entry = {
      ...searchBook(2, { title: "b" }),
      search: searchDocumentOfEntry(searchBook(2, { title: "c" })),
    };
    await importBooks(store, [searchBook(1, { title: "a" }), wrong, searchBook(3)]);
    const faults = (await faultsOf({ inspect })).map(({ isbn, text }) => `${isbn} ${text}`);
    expect(faults).toEqual([`${isbn(2)} its entry in the search index is not that of the record`]);
    // An update of the record puts it right.
    await importBooks(store, [searchBook(2, { title: "d" })]);
    expect(await find(store, "d")).toEqual([2]);
    expect(await find(store, "c")).toEqual([]);
  });

  test("verify compares each column beside the words with the record", async () => {
    const content = (store: Store) => importBooks(store, [BOOKS[0]!]);
    const isSqlite = engine.name.startsWith("sqlite");
    for (const column of [
      "imprint",
      "languages",
      "form",
      "availability",
      "audience",
      "title_key",
      "lacks",
      "prices",
    ]) {
      const table = isSqlite ? "book_search" : column === "title_key" ? "search" : "search_book";
      const isArray = !isSqlite && ["languages", "audience", "prices"].includes(column);
      const value = column === "lacks" ? "-1" : isArray ? "'{x}'" : "'x'";
      await using damaged = await engine.createStore(content);
      expect(await faultsOf(damaged)).toEqual([]);
      await damaged.runSql(`UPDATE ${table} SET ${column} = ${value}`);
      const faults = (await faultsOf(damaged)).map(({ text }) => text);
      expect([column, ...faults]).toEqual([
        column,
        "its entry in the search index is not that of the record",
      ]);
    }
  });

  test("values of facets with as many books are in the order of code points", async ({ store }) => {
    const imprints = ["\u{20BB7}野家", "\uFA11書店"];
    await importBooks(
      store,
      imprints.map((imprint, index) => searchBook(index, { imprint })),
    );
    const { facets } = await store.facets({ filters: {} });
    expect(facets.imprint.values.map(({ value }) => value)).toEqual(imprints.toReversed());
  });

  testWithBooks("facets count the books of a search by their properties", async ({ store }) => {
    const { counted, hasMore, facets } = await store.facets(request("soledad"));
    expect([counted, hasMore]).toEqual([5, false]);
    expect(facets.language).toEqual({
      counted: 5,
      hasMore: false,
      values: [
        { value: "spa", books: 3 },
        { value: "cat", books: 2 },
      ],
      distinct: 2,
    });
    expect(facets.imprint.values.map(({ value }) => value)).toEqual([
      "alianza-editorial",
      "club-editor",
      "debate",
    ]);
    expect(facets.form.values).toEqual([
      { value: "BC", books: 2 },
      { value: "BB", books: 1 },
    ]);
    expect(facets.availability.values).toEqual([
      { value: "20", books: 2 },
      { value: "40", books: 1 },
    ]);
    expect(facets.year.values.map(({ value }) => value)).toEqual(["1905", "1967", "2014"]);
    expect((await store.facets(request("", { language: ["cat"] }))).counted).toBe(2);
  });

  testWithBooks("a facet is counted without the filters that choose its values", async ({ store }) => {
    const chosen = await store.facets(request("", { language: ["cat"], form: ["BB"] }));
    expect(chosen.counted).toBe(1);
    expect(chosen.facets.language).toMatchObject({ counted: 1, values: [{ value: "cat", books: 1 }] });
    expect(chosen.facets.form).toMatchObject({ counted: 2, values: [{ value: "BB", books: 1 }] });
    expect(chosen.facets.year.values).toEqual([{ value: "1905", books: 1 }]);
    const spanish = (await store.facets(request("", { language: ["spa"] }))).facets;
    expect(spanish.language.values).toEqual([
      { value: "spa", books: 3 },
      { value: "cat", books: 2 },
    ]);
    expect(spanish.form.values).toEqual([{ value: "BC", books: 2 }]);
    const years = await store.facets(request("", { from: "19670101" as Day, to: "19671231" as Day }));
    expect([years.counted, years.facets.year.distinct]).toEqual([1, 3]);
    const limited = await store.facets({ ...request("", { form: ["BB"] }), maxBooks: 2 });
    expect([limited.counted, limited.hasMore]).toEqual([1, false]);
    expect(limited.facets.form).toMatchObject({ counted: 2, hasMore: true });
  });

  test("with a market, the availability is counted that books have there", async ({ store }) => {
    const markets: readonly (readonly [string | null, string])[][] = [
      [
        ["US", "31"],
        ["ES", "20"],
      ],
      [["WORLD -ES", "20"]],
      [[null, "21"]],
    ];
    await importBooks(
      store,
      markets.map((each, index) => searchBook(index + 1, { markets: each })),
    );
    const counts = async (filters: SearchFilters) => {
      const { facets } = await store.facets({ filters });
      return facets.availability.values.map(({ value, books }) => `${value}: ${books}`);
    };
    expect(await counts({ market: ["ES"] })).toEqual(["20: 1", "21: 1"]);
    expect(await counts({ market: ["US"], availability: ["20"] })).toEqual(["20: 1", "21: 1", "31: 1"]);
    expect(await counts({ market: ["ES", "US"] })).toEqual(["20: 2", "21: 1", "31: 1"]);
    expect(await counts({})).toEqual(["20: 2", "21: 1"]);
  });

  test("a facet lists the 1,000 values with the most books, and counts the others", async ({ store }) => {
    const codes = (from: number) => Array.from({ length: 400 }, (_, index) => String(from + index));
    await importBooks(
      store,
      [1000, 1400, 1800, 1800].map((from, index) => searchBook(index + 1, { audience: codes(from) })),
    );
    const { values, distinct } = (await store.facets({ filters: {} })).facets.audience;
    expect([values.length, distinct]).toEqual([1000, 1200]);
    expect(values.filter(({ books }) => books === 2).map(({ value }) => value)).toEqual(codes(1800));
    expect(values.at(-1)).toEqual({ value: "1599", books: 1 });
  });

  testWithBooks(
    "facets count the newest books up to their limit, and tell that there are more",
    async ({ store }) => {
      for (const [maxBooks, years, hasMore] of [
        [1, ["2014"], true],
        [2, ["1967", "2014"], true],
        [4, ["1905", "1967", "2014"], true],
        [5, ["1905", "1967", "2014"], false],
        [6, ["1905", "1967", "2014"], false],
      ] as const) {
        const found = await store.facets({ ...request("soledad"), maxBooks });
        expect([found.counted, found.hasMore]).toEqual([Math.min(maxBooks, 5), hasMore]);
        expect([maxBooks, found.facets.year.values.map(({ value }) => value)]).toEqual([
          maxBooks,
          [...years],
        ]);
      }
      const all = await store.facets(request(""));
      expect(all.hasMore).toBe(false);
      const newest = await store.facets({ ...request(""), maxBooks: 3 });
      expect([newest.counted, newest.hasMore]).toEqual([3, true]);
      expect(newest.facets.year.values.map(({ books }) => books).reduce((a, b) => a + b)).toBe(3);
    },
  );

  testWithBooks("searches at the same time each get their own result", async ({ store }) => {
    const queries = ["soledad", "garcia", "poemas", "libro", "macondo"];
    const expected = [5, 2, 1, 1, 1];
    const totals = await Promise.all(queries.map(async (q) => (await store.search(request(q))).total));
    expect(totals).toEqual(expected);
  });
}
