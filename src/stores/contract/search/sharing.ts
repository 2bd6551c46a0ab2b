/** Searches of several clients: one that has many waiting costs the others nothing. */
import { expect } from "bun:test";
import { parseQuery } from "../../../catalog/search/query-parser.ts";
import type { SearchRequest } from "../../../catalog/search/search.ts";
import type { SearchUnavailable } from "../../../catalog/store-errors.ts";
import { importBooks } from "../../testing/books.ts";
import { type DatabaseEngine, storeTests } from "../../testing/engines.ts";
import { searchBook } from "../../testing/search-books.ts";

const REQUEST: SearchRequest = { query: parseQuery("sol"), filters: {}, sort: "relevance", limit: 10 };
/** More than one client may have waiting. */
const MANY = 300;

export function searchSharingContract(engine: DatabaseEngine): void {
  const test = storeTests(engine, (store) => importBooks(store, [searchBook(1, { title: "Sol" })]));

  test("a client with more searches than can wait is refused some, and others are served before it", async ({
    store,
  }) => {
    const ended: string[] = [];
    const search = async (key: string) => {
      const outcome = await store.search(REQUEST, { key }).then(
        ({ total }) => total,
        ({ reason }: SearchUnavailable) => reason,
      );
      if (outcome !== "busy") ended.push(key);
      return outcome;
    };
    await search("busy");
    const busy = Array.from({ length: MANY }, () => search("busy"));
    expect(await Promise.all([search("first"), search("second")])).toEqual([1, 1]);
    // Those that were running, and what replaced them before the messages of the others were read.
    expect(ended.filter((key) => key === "busy").length).toBeLessThan(20);
    const outcomes = await Promise.all(busy);
    expect(new Set(outcomes)).toEqual(new Set([1, "busy"]));
    expect(outcomes.filter((outcome) => outcome === 1).length).toBeGreaterThan(200);
  });

  test("a search whose client has left fails, and the others go on", async ({ store }) => {
    const leaving = new AbortController();
    const searches = Array.from({ length: 20 }, () =>
      store.search(REQUEST, { key: "a", signal: leaving.signal }),
    );
    const other = store.search(REQUEST, { key: "b" });
    leaving.abort();
    for (const outcome of await Promise.allSettled([
      ...searches,
      store.facets(REQUEST, { signal: leaving.signal }),
    ]))
      expect(outcome.status).toBe("rejected");
    expect((await other).total).toBe(1);
    expect((await store.search(REQUEST, { key: "a" })).total).toBe(1);
  });
}
