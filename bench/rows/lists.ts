/** Rows for the throughput of lists, plain and compressed. */
import { formatCount } from "../command.ts";
import { alternate, type BenchOptions, valuesOf } from "../measure.ts";
import { LARGEST_IMPRINT } from "../product-xml.ts";
import { compare, type ResultRow } from "../results/rows.ts";
import type { ServerUnderTest } from "../servers/server.ts";
import type { WrkOptions, WrkResult } from "../wrk.ts";

const BASELINE = "nginx";
/** One connection shows the throughput that one client gets. */
const CONNECTIONS = 1;
const LIST_NAME = `/api/imprint, ${formatCount(LARGEST_IMPRINT.records)} records`;

type Servers = readonly ServerUnderTest[];

export function largestImprint(servers: Servers, options: BenchOptions): Promise<ResultRow> {
  return throughput(servers, options, LIST_NAME, "imprint", 0.7);
}

export function allIsbns(servers: Servers, options: BenchOptions, records: number): Promise<ResultRow> {
  return throughput(servers, options, `/api/skus, ${formatCount(records)} ISBNs`, "skus", 0.8);
}

async function throughput(
  servers: Servers,
  options: BenchOptions,
  name: string,
  list: "imprint" | "skus",
  atLeast: number,
): Promise<ResultRow> {
  const results = await alternate(servers, withExtraSecond(options), ({ paths }) => {
    const path = paths[list];
    return path === undefined ? undefined : { path, connections: CONNECTIONS };
  });
  const values = valuesOf(servers, results, ({ bytesPerSecond }) => bytesPerSecond / 1e6);
  return compare(name, "MB/s", values, BASELINE, { atLeast });
}

/** Counts lists per second, because the size of the list depends on the coding. */
export function compressedImprint(
  servers: Servers,
  options: BenchOptions,
  coding: string,
): Promise<ResultRow> {
  return listsPerSecond(servers, options, `${LIST_NAME}, in ${coding}`, coding, 1, (path) => ({ path }));
}

/** As if each list were the first: no two requests have the same query, which the response cache does not ignore. */
export function uncachedImprint(
  servers: Servers,
  options: BenchOptions,
  coding: "identity" | "gzip" | "zstd",
): Promise<ResultRow> {
  const isPlain = coding === "identity";
  const name = `${LIST_NAME}, uncached${isPlain ? "" : `, in ${coding}`}`;
  return listsPerSecond(servers, options, name, coding, isPlain ? 0.5 : 1, (path) => ({
    luaTarget: `local count = 0\nfunction target() count = count + 1; return '${path}?${Date.now()}-' .. count end`,
  }));
}

async function listsPerSecond(
  servers: Servers,
  options: BenchOptions,
  name: string,
  coding: string,
  atLeast: number,
  loadOf: (path: string) => Pick<WrkOptions, "path" | "luaTarget">,
): Promise<ResultRow> {
  const samples = new Map<string, EncodedList>();
  for (const server of servers) {
    const sample = (await fetchEncoded(server, coding)) ?? (await fetchEncoded(server, "gzip"));
    if (sample) samples.set(server.name, sample);
  }
  const results = await alternate(servers, withExtraSecond(options), ({ name, paths }) => {
    const sample = samples.get(name);
    if (!sample) return undefined;
    const headers = { "Accept-Encoding": sample.coding };
    return { ...loadOf(paths.imprint!), connections: CONNECTIONS, headers };
  });
  const perSecond = ({ bytesPerSecond }: WrkResult, server: string) =>
    bytesPerSecond / samples.get(server)!.bytes;
  const values = valuesOf(servers, results, perSecond, "no compression");
  const sizes = [...samples].map(([server, sample]) => `${server} ${sample.coding} ${megabytes(sample)} MB`);
  return compare(`${name} (${sizes.join(", ")})`, "lists/s", values, BASELINE, { atLeast });
}

interface EncodedList {
  readonly coding: string;
  readonly bytes: number;
}

/** Returns undefined when the server does not support the coding. */
async function fetchEncoded(
  { url, headers, paths }: ServerUnderTest,
  coding: string,
): Promise<EncodedList | undefined> {
  if (paths.imprint === undefined) return undefined;
  const response = await fetch(url + paths.imprint, {
    headers: { ...headers, "Accept-Encoding": coding },
    decompress: false,
  });
  const bytes = (await response.bytes()).length;
  return (response.headers.get("content-encoding") ?? "identity") === coding ? { coding, bytes } : undefined;
}

function megabytes({ bytes }: EncodedList): string {
  return (bytes / 1e6).toFixed(1);
}

/** Lists take long: the extra second lets the slowest server complete several of them. */
function withExtraSecond(options: BenchOptions): BenchOptions {
  return { ...options, seconds: options.seconds + 1 };
}
