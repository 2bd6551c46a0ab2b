/**
 * Searches as several readers do, each one query after the other, and prints the latencies as JSON.
 *
 *   bun search-client.ts URL TOKEN CLIENTS QUERIES SEED [PARAMETERS]
 */
import { searchQueries } from "./feed.ts";

export interface ClientResult {
  /** Ascending. */
  readonly latenciesMs: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** The slowest queries. */
  readonly slowest: readonly (readonly [ms: number, query: string])[];
}

if (import.meta.main) {
  const [url = "", token = "", clients = "1", count = "100", seed = "1", parameters = ""] =
    process.argv.slice(2);
  const headers = { Authorization: `Bearer ${token}`, "Accept-Encoding": "identity" };
  const queries = searchQueries(Number(count), Number(seed));
  const measured: [number, string][] = [];
  const statuses: Record<string, number> = {};
  const start = performance.now();
  let next = 0;
  const read = async () => {
    while (next < queries.length) {
      const query = queries[next++]!;
      const startedMs = performance.now();
      const response = await fetch(`${url}/api/search?q=${encodeURIComponent(query)}${parameters}`, {
        headers,
      });
      await response.bytes();
      measured.push([performance.now() - startedMs, query]);
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    }
  };
  // A load that runs until it is killed tells when it has begun.
  console.error("started");
  await Promise.all(Array.from({ length: Number(clients) }, read));
  measured.sort(([a], [b]) => a - b);
  const result: ClientResult = {
    latenciesMs: measured.map(([ms]) => ms),
    statuses,
    seconds: (performance.now() - start) / 1000,
    slowest: measured.slice(-5),
  };
  console.log(JSON.stringify(result));
}
