/** Measures how a catalog ages: size, unused space, searches and imports, before and after many nights of updates. */
import { join } from "node:path";
import { parseQuery } from "../../src/catalog/search/query-parser.ts";
import type { SearchFilters } from "../../src/catalog/search/search.ts";
import { withStore } from "../../src/cli/config/store-location.ts";
import { importFeed } from "../catalog.ts";
import { markdownTable } from "../command.ts";
import { writeFeed } from "../feed.ts";
import { percentile } from "../measure.ts";
import { searchQueries } from "../vocabulary.ts";
import type { MeasuredCatalog, MeasuredStore } from "./stores.ts";

/** What a night sends. Its products are other ones each night. */
const UPDATES = [
  { name: "price and stock of 2 %", kind: "supply", every: 50 },
  { name: "words, texts and prices of 14 %", kind: "rewrite", every: 7 },
] as const;
/** A catalog that grows by more between the middle and the end does not level off. */
const MAX_GROWTH = 1.1;
const QUERIES = 500;
const SEARCHES: readonly (readonly [name: string, words: number, filters: SearchFilters])[] = [
  ["one word", 1, {}],
  ["two words", 2, {}],
  ["a word, in stock", 1, { availability: ["21"] }],
];

/** Returns what was measured as a table, and whether each catalog keeps its size. */
export async function measureNights(
  stores: readonly MeasuredStore[],
  { folder, products, nights }: { folder: string; products: number; nights: number },
): Promise<{ table: string; isLevel: boolean }> {
  const lines: string[][] = [];
  let isLevel = true;
  const feed = join(folder, "night.xml");
  const moments = [0, 1, nights >> 1, nights];
  for (const store of stores) {
    for (const { name, kind, every } of UPDATES) {
      await using catalog = await store.create();
      const measured: Measurement[] = [];
      for (let revision = 0; revision <= nights; revision++) {
        const changes = { every, first: revision % every, kind, revision };
        await writeFeed(feed, { products, ...(revision > 0 && changes) });
        // What is kept to undo imports grows until its limit is reached.
        const { seconds } = await importFeed(catalog.location, feed, ["--keep-undo", "0"]);
        await catalog.cleanUp();
        if (moments.includes(revision)) measured.push(await measure(catalog, seconds));
      }
      const [middle, end] = measured.slice(-2).map(({ sizeBytes }) => sizeBytes);
      if (end! > MAX_GROWTH * middle!) isLevel = false;
      const row = (what: string, value: (each: Measurement) => string) =>
        lines.push([store.id, name, what, ...measured.map(value)]);
      row("size", ({ sizeBytes }) => `${(sizeBytes / 1e6).toFixed(1)} MB`);
      row("unused", ({ unusedShare }) => `${(100 * unusedShare).toFixed(1)} %`);
      for (const [index, [search]] of SEARCHES.entries())
        row(`${search}, p50 and p99`, ({ searches }) => searches[index]!);
      row("import", ({ seconds }) => `${seconds.toFixed(2)} s`);
      console.error(`${store.id}, ${name}: measured`);
    }
  }
  const head = [
    "store",
    "each night",
    "what",
    "before",
    ...moments.slice(1).map((night) => `after ${night}`),
  ];
  return { table: markdownTable([head, ...lines]), isLevel };
}

interface Measurement {
  readonly sizeBytes: number;
  readonly unusedShare: number;
  readonly searches: readonly string[];
  /** Of the last import. */
  readonly seconds: number;
}

async function measure(catalog: MeasuredCatalog, seconds: number): Promise<Measurement> {
  const [sizeBytes, unusedShare] = [await catalog.sizeBytes(), await catalog.unusedShare()];
  return { sizeBytes, unusedShare, searches: await searchTimes(catalog.location), seconds };
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
      const at = (share: number) => percentile(timesMs.slice(QUERIES), share).toFixed(1);
      results.push(`${at(0.5)}, ${at(0.99)} ms`);
    }
    return results;
  });
}
