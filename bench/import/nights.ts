/** Measures searches before and after many nights of price and stock updates, each of 2 % of the books. */
import { join } from "node:path";
import { parseQuery } from "../../src/catalog/search/query-parser.ts";
import type { SearchFilters } from "../../src/catalog/search/search.ts";
import { withStore } from "../../src/cli/config/store-location.ts";
import { importFeed } from "../catalog.ts";
import { markdownTable } from "../command.ts";
import { writeFeed } from "../feed.ts";
import { formatPercentiles } from "../measure.ts";
import { searchQueries } from "../vocabulary.ts";
import type { MeasuredStore } from "./stores.ts";

const EVERY = 50;
const QUERIES = 500;
const SEARCHES: readonly (readonly [name: string, words: number, filters: SearchFilters])[] = [
  ["one word", 1, {}],
  ["two words", 2, {}],
  ["a word, in stock", 1, { availability: ["21"] }],
];

/** Returns the latencies and the seconds of the imports as a table. */
export async function measureNights(
  stores: readonly MeasuredStore[],
  { folder, products, nights }: { folder: string; products: number; nights: number },
): Promise<string> {
  const lines: string[][] = [];
  const feed = join(folder, "night.xml");
  for (const store of stores) {
    await using catalog = await store.create();
    await writeFeed(feed, { products });
    await importFeed(catalog.location, feed);
    const before = await searchTimes(catalog.location);
    const seconds: string[] = [];
    for (let revision = 1; revision <= nights; revision++) {
      await writeFeed(feed, { products, every: EVERY, first: revision % EVERY, kind: "supply", revision });
      seconds.push(`${(await importFeed(catalog.location, feed)).seconds.toFixed(2)} s`);
    }
    const after = await searchTimes(catalog.location);
    for (const [index, [name]] of SEARCHES.entries())
      lines.push([name, store.id, before[index]!, after[index]!]);
    lines.push(["import of the first and the last night", store.id, seconds[0]!, seconds.at(-1)!]);
  }
  return markdownTable([["search", "store", "before", `after ${nights} nights`], ...lines]);
}

function searchTimes(location: string): Promise<string[]> {
  return withStore(location, { create: false, readonly: true }, async (store) => {
    const results: string[] = [];
    for (const [, words, filters] of SEARCHES) {
      const timesMs: number[] = [];
      // The first half warms up.
      for (const text of searchQueries(2 * QUERIES, words, words)) {
        const startMs = performance.now();
        await store.search({ query: parseQuery(text), filters, sort: "relevance", limit: 20 });
        timesMs.push(performance.now() - startMs);
      }
      results.push(formatPercentiles(timesMs.slice(QUERIES)));
    }
    return results;
  });
}
