/** Measures a running service: searches, and lookups beside searches. */
import { type SearchResult, startClient, startLoad } from "../clients.ts";
import { formatPercentiles, inTurns, median } from "../measure.ts";
import { isbnAt } from "../product-xml.ts";
import type { ServerUnderTest } from "../servers/server.ts";
import { wrk } from "../wrk.ts";

const ROUNDS = 3;
/** More than a measurement needs: the client is stopped at its end. */
const ENDLESS = 1_000_000;
const ALL_CORES = "";
const BESIDE_CLIENTS = 8;

export interface SearchLoad {
  readonly clients: number;
  readonly queries: number;
  /** Of the URL, such as `sort=newest&`. */
  readonly parameters: string;
  /** Default: `/api/search`. */
  readonly path?: string;
  /** The index of `CHANGES` in `clients.ts`. Default: 0, the whole query. */
  readonly change?: number;
}

let seed = 0;

/** Returns the arguments of a client. Each call has queries of its own. */
function clientOf(
  { url, headers }: ServerUnderTest,
  { clients, queries, parameters, path: endpoint = "/api/search", change = 0 }: SearchLoad,
): Parameters<typeof startClient> {
  const plain = { ...headers, "Accept-Encoding": "identity" };
  const path = `${endpoint}?${parameters}q=`;
  return ["searches", { url, headers: plain }, path, [clients, queries, ++seed, change], ALL_CORES];
}

/** Returns the latencies as text. The first queries, which warm up, are not counted. */
export async function measureSearches(server: ServerUnderTest, load: SearchLoad): Promise<string> {
  await runClient(server, { ...load, queries: Math.ceil(load.queries / 10) });
  const { latenciesMs, statuses, seconds, slowest } = await runClient(server, load);
  const slow = slowest.map(([ms, query]) => `${query} ${ms.toFixed(0)} ms`).join(", ");
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  const rate = (latenciesMs.length / seconds).toFixed(0);
  return `${formatPercentiles(latenciesMs)}, ${rate}/s; ${counts.join(", ")}; slowest: ${slow}`;
}

async function runClient(server: ServerUnderTest, load: SearchLoad): Promise<SearchResult> {
  const output = await new Response(startClient(...clientOf(server, load)).stdout).text();
  return JSON.parse(output.trim().split("\n").at(-1)!);
}

/** Returns the medians of the p99 of lookups, alone and while 8 clients search, measured in alternation. */
export async function measureLookupsBeside(server: ServerUnderTest, workFolder: string, seconds: number) {
  const lookups = { path: server.paths.isbn(isbnAt(1)), connections: 8, seconds };
  const measureP99 = async () => (await wrk(server, workFolder, lookups)).p99Ms;
  await measureP99();
  const [alone, beside] = await inTurns(ROUNDS, measureP99, async () => {
    const load = { clients: BESIDE_CLIENTS, queries: ENDLESS, parameters: "" };
    const client = await startLoad(...clientOf(server, load));
    await Bun.sleep(500);
    const p99Ms = await measureP99();
    client.kill();
    await client.exited;
    await Bun.sleep(500);
    return p99Ms;
  });
  return { aloneMs: median(alone!), besideMs: median(beside!) };
}
