/** Tests of searches that concern PostgreSQL alone. The contract suite has the rest. */
import { describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { queryText } from "../../../catalog/search/query.ts";
import { parseQuery } from "../../../catalog/search/query-parser.ts";
import type { SearchRequest } from "../../../catalog/search/search.ts";
import { importFeeds } from "../../../catalog/testing/import-feeds.ts";
import { waitFor } from "../../../lib/testing/wait-for.ts";
import { message } from "../../../onix/testing/message.ts";
import { searchModelContract } from "../../contract/search/search-model.ts";
import { importBooks, isbn } from "../../testing/books.ts";
import { faultsOf, POSTGRES } from "../../testing/engines.ts";
import { searchBook } from "../../testing/search-books.ts";
import { inspectPostgres } from "../inspection.ts";
import { migratePostgres, openPostgres } from "../store.ts";
import { databaseUrl, queryValue, runStatements } from "../testing/sql.ts";
import { errorOf, openTestStore } from "../testing/test-store.ts";

function request(q: string, sort: SearchRequest["sort"] = "relevance"): SearchRequest {
  return { query: parseQuery(q), filters: {}, sort, limit: 10 };
}

const INDEXES = "SELECT count(*)::integer FROM pg_indexes WHERE tablename LIKE 'search%'";

describe("with the plans of a large catalog", () => {
  const largeCatalog = {
    ...POSTGRES,
    async createStore() {
      const created = await openTestStore({ searchLimits: { minSampledBooks: 1, maxWhole: 0 } });
      return { ...created, store: created.store } as unknown as Awaited<
        ReturnType<typeof POSTGRES.createStore>
      >;
    },
  };
  searchModelContract(largeCatalog, 10);
});

test("the newest books are found in the newest months and elsewhere, whatever the caller believes", async () => {
  await using testStore = await openTestStore();
  const { store } = testStore;
  const numbers = Array.from({ length: 600 }, (_, index) => index + 1);
  // A month has ten books. Each twentieth book has one word, and each seventh has the other.
  const published = (number: number) =>
    String(19_900_101 + Math.floor(number / 120) * 10_000 + (Math.floor(number / 10) % 12) * 100);
  const title = (number: number) => `sol${number % 20}a luna${number % 7}`;
  await importBooks(
    store,
    numbers.map((number) => searchBook(number, { title: title(number), published: published(number) })),
  );
  const inOrder = numbers.toSorted((a, b) => Number(published(b)) - Number(published(a)) || a - b);
  const field = (word: string, isPrefix = false) =>
    ({ kind: "field", field: "title", word, isPrefix }) as const;
  const queries = [
    { terms: [field("sol3a")], matches: (number: number) => number % 20 === 3 },
    { terms: [field("sol3a"), field("lu", true)], matches: (number: number) => number % 20 === 3 },
    {
      terms: [field("luna2"), field("sol1", true)],
      matches: (number: number) => number % 7 === 2 && /sol1/.test(title(number)),
    },
  ];
  const known = [
    { books: 20, matching: 1, beginnings: 20, others: 1 },
    { books: 100, matching: 5, beginnings: 5, others: 100 },
    { books: 10, matching: 10 },
    { books: 100, matching: 0 },
  ];
  for (const { terms, matches } of queries) {
    for (const newest of known) {
      for (const limit of [1, 3, 50]) {
        const query = { terms, excluded: [] };
        const request = { query, filters: {}, sort: "newest", limit, isUncounted: true, newest } as const;
        const { keys } = await store.search(request);
        expect(keys.map((key) => key.isbn)).toEqual(inOrder.filter(matches).slice(0, limit).map(isbn));
      }
    }
  }
});

test("a correction has the most books, also when a sample tells it of a common word", async () => {
  await using testStore = await openTestStore();
  const { store } = testStore;
  // The words of a title are in 1,500, 300 and 150 books.
  const title = (number: number) => [
    "soledad",
    number % 5 === 0 && "comarca",
    number % 10 === 1 && "comarba",
  ];
  const books = Array.from({ length: 1500 }, (_, index) =>
    searchBook(index + 1, { title: title(index).filter(Boolean).join(" ") }),
  );
  await importBooks(store, [...books, searchBook(1501, { title: "soledat" })]);
  const corrected = async (q: string) => {
    const { query } = await store.correct(parseQuery(q));
    return query && queryText(query);
  };
  expect(await corrected("soledax")).toBe("soledad");
  expect(await corrected("comarxa")).toBe("comarca");
});

test("a search that waits for a locked table is refused after its time, and lookups go on", async () => {
  await using testStore = await openTestStore({ searchLimits: { timeoutMs: 200 } });
  const { store, database } = testStore;
  await importBooks(store, [searchBook(1, { title: "Sol" })]);
  const sql = new SQL(database.url, { max: 1 });
  const locking = await sql.reserve();
  await locking.unsafe("BEGIN; LOCK TABLE colophon.search");
  expect(await errorOf(() => store.search(request("sol")))).toMatch(
    /^SearchUnavailable: The search took too long/,
  );
  expect(await errorOf(() => store.facets(request("sol")))).toMatch(/^SearchUnavailable/);
  expect(await store.record(isbn(1))).toBeDefined();
  await locking.unsafe("ROLLBACK");
  locking.release();
  await sql.close({ timeout: 0 });
  const patient = testStore.reopen({ searchLimits: { timeoutMs: 60_000 } });
  expect((await patient.search(request("sol"))).total).toBe(1);
});

test("searches beyond the queue are refused at once, and the others are done", async () => {
  await using testStore = await openTestStore({ searchLimits: { maxWaiting: 2, timeoutMs: 60_000 } });
  const { store } = testStore;
  await importBooks(store, [searchBook(1, { title: "Sol" })]);
  await store.search(request("sol"));
  const outcomes = await Promise.all(
    Array.from({ length: 12 }, () => errorOf(() => store.search(request("sol")))),
  );
  expect(outcomes.filter((outcome) => outcome === "no error")).toHaveLength(4);
  expect(outcomes.filter((outcome) => /^SearchUnavailable: Too many/.test(outcome))).toHaveLength(8);
});

test("a statement that runs is cancelled for another client, and when its own client has left", async () => {
  await using testStore = await openTestStore({ searchLimits: { timeoutMs: 60_000 } });
  const { store, database } = testStore;
  await importBooks(store, [searchBook(1, { title: "Sol" })]);
  const sql = new SQL(database.url, { max: 1 });
  const locking = await sql.reserve();
  await locking.unsafe("BEGIN; LOCK TABLE colophon.search");
  const leaving = new AbortController();
  const busy = Array.from({ length: 8 }, () =>
    errorOf(() => store.search(request("sol"), { key: "busy", signal: leaving.signal })),
  );
  const waiting = "SELECT count(*)::integer FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
  await waitFor("all connections wait", async () => (await queryValue(database.url, waiting)) === 2);
  // The quality is counted in other tables.
  expect((await store.quality(undefined, { key: "other" })).all.books).toBe(1);
  await waitFor("all connections wait again", async () => (await queryValue(database.url, waiting)) === 2);
  leaving.abort();
  for (const outcome of await Promise.all(busy)) expect(outcome).toMatch(/^SearchUnavailable/);
  await waitFor("no statement waits", async () => (await queryValue(database.url, waiting)) === 0);
  await locking.unsafe("ROLLBACK");
  locking.release();
  await sql.close({ timeout: 0 });
  expect((await store.search(request("sol"))).total).toBe(1);
});

test("a phrase in the description is none in the title, also when its words are there", async () => {
  await using testStore = await openTestStore();
  const { store } = testStore;
  await importBooks(store, [
    searchBook(1, { title: "Sol mar luna", description: "sol luna", contributors: ["Luna Sol"] }),
    searchBook(2, { title: "Mar sol luna" }),
    searchBook(3, { title: "Mar", contributors: ["Ana Sol Luna"] }),
  ]);
  const { keys } = await store.search(request('"sol luna"'));
  expect(keys.map((key) => [key.isbn, key.tier])).toEqual([
    [isbn(2), 3],
    [isbn(3), 4],
    [isbn(1), 5],
  ]);
});

test("an update of prices and stock writes no words, and one that changes nothing of a search writes no row", async () => {
  await using testStore = await openTestStore();
  const { store, database } = testStore;
  const versions = async () =>
    String(
      await queryValue(
        database.url,
        `SELECT search.xmin || ' ' || book.xmin FROM colophon.search JOIN colophon.search_book AS book USING (id)`,
      ),
    );
  const found = async (availability: string) =>
    (await store.search({ ...request("sol"), filters: { availability: [availability] } })).total;
  const supply = (availability: string, price: string) =>
    `<ProductSupply><SupplyDetail><ProductAvailability>${availability}</ProductAvailability><Price><PriceAmount>${price}</PriceAmount><CurrencyCode>EUR</CurrencyCode></Price></SupplyDetail></ProductSupply>`;
  const product = (type: string, content: string) =>
    message(
      `<Product><RecordReference>r</RecordReference><NotificationType>${type}</NotificationType><ProductIdentifier><ProductIDType>15</ProductIDType><IDValue>${isbn(1)}</IDValue></ProductIdentifier>${content}</Product>`,
    );
  const title =
    "<DescriptiveDetail><TitleDetail><TitleType>01</TitleType><TitleElement><TitleText>Sol</TitleText></TitleElement></TitleDetail></DescriptiveDetail>";
  await importFeeds(store, product("03", title + supply("20", "9.99")));
  const [words, book] = (await versions()).split(" ");
  expect(await found("20")).toBe(1);
  await importFeeds(store, product("04", supply("20", "9.98")));
  expect(await versions()).toBe(`${words} ${book}`);
  await importFeeds(store, product("04", supply("40", "19.99")));
  expect([await found("20"), await found("40")]).toEqual([0, 1]);
  const changed = (await versions()).split(" ");
  expect(changed[0]).toBe(words);
  expect(changed[1]).not.toBe(book);
  expect(await findingsOf(database.url)).toEqual([]);
});

/** About 20 MB of words: more than the import writes at once. */
function largeFeed() {
  const description = Array.from({ length: 1900 }, (_, word) => `palabra${word}`.padEnd(64, "a")).join(" ");
  return Array.from({ length: 60 }, (_, index) =>
    searchBook(index + 1, { title: `libro${index}`, description }),
  );
}

test("a large import into an empty catalog makes the indexes at its end", async () => {
  await using testStore = await openTestStore();
  const { store, database } = testStore;
  expect(await queryValue(database.url, INDEXES)).toBe(6);
  const transaction = await store.beginImport();
  for (const entry of largeFeed()) await transaction.put([entry], 1);
  await waitFor("the indexes are gone", async () => (await queryValue(database.url, INDEXES)) === 2);
  await transaction.abort();
  await migratePostgres(database.url);
  expect(await queryValue(database.url, INDEXES)).toBe(6);
  await runStatements(database.url, "DROP INDEX colophon.search_by_words");
  // The next import makes them too, whatever its size.
  await importBooks(store, [searchBook(1, { title: "Sol" })]);
  expect(await queryValue(database.url, INDEXES)).toBe(6);
});

test("a role that does not own the tables imports and searches", async () => {
  await using testStore = await openTestStore();
  const { database } = testStore;
  const role = `${database.name}_import`;
  await runStatements(
    database.url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'x'`,
    `GRANT USAGE ON SCHEMA colophon TO ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA colophon TO ${role}`,
  );
  const store = openPostgres(databaseUrl(database.url, database.name, { name: role, password: "x" }));
  await importBooks(store, largeFeed());
  expect((await store.search(request("libro7"))).keys.map((key) => key.isbn)).toEqual([isbn(8)]);
  expect(await queryValue(database.url, INDEXES)).toBe(6);
  await store.close();
  await runStatements(database.url, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
});

test("verify finds a book whose words in the search index are others", async () => {
  await using testStore = await openTestStore();
  const { store, database } = testStore;
  await importBooks(store, [searchBook(1, { title: "Sol", description: "Ñandú 日本" }), searchBook(2, {})]);
  expect(await findingsOf(database.url)).toEqual([]);
  await runStatements(database.url, "UPDATE colophon.search SET words = words || 'luna'::tsvector");
  expect(await findingsOf(database.url)).toEqual([`${isbn(1)} it is missing in the search index`]);
});

async function findingsOf(url: string): Promise<string[]> {
  const faults = await faultsOf({ inspect: () => inspectPostgres(url) });
  return faults.map(({ isbn: damaged, text }) => `${damaged ?? ""} ${text}`);
}

test("verify counts the books that the search index has and the catalog does not", async () => {
  await using testStore = await openTestStore();
  const { store, database } = testStore;
  await importBooks(
    store,
    [1, 2, 3].map((number) => searchBook(number, { published: "20200101" })),
  );
  await runStatements(
    database.url,
    `DELETE FROM colophon.record WHERE isbn = ${isbn(1)}`,
    `UPDATE colophon.record SET recency = -20200102 WHERE isbn = ${isbn(2)}`,
  );
  const inspection = await inspectPostgres(database.url);
  const faults = await Array.fromAsync(inspection.faults());
  await inspection.close();
  expect(faults.flat()).toEqual(["the search index has 2 books that the catalog does not have"]);
});
