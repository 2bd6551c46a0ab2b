/** Rows for the throughput of lists, plain and compressed. */
import { alternate, type BenchOptions, valuesOf } from "../alternate.ts";
import { LARGEST_IMPRINT } from "../catalog-feed.ts";
import { compare, type MeasuredValue, type ResultRow } from "../result-row.ts";
import type { ServerUnderTest } from "../server-under-test.ts";
import type { WrkOptions } from "../wrk.ts";

const BASELINE = "nginx";
/** One connection shows the throughput that one client gets. */
const CONNECTIONS = 1;
const LIST_NAME = `/api/imprint, ${LARGEST_IMPRINT.records.toLocaleString("en")} records`;

type Servers = readonly ServerUnderTest[];

export async function largestImprint(servers: Servers, options: BenchOptions): Promise<ResultRow> {
  const results = await alternate(servers, withExtraSecond(options), ({ paths }) =>
    paths.imprint === undefined ? undefined : { path: paths.imprint, connections: CONNECTIONS },
  );
  const values = valuesOf(servers, results, ({ bytesPerSecond }) => bytesPerSecond / 1e6);
  return compare(LIST_NAME, "MB/s", values, BASELINE, { atLeast: 0.7 });
}

/** Counts lists per second, because the size of the list depends on the coding. */
export async function compressedImprint(
  servers: Servers,
  options: BenchOptions,
  coding: string,
): Promise<ResultRow> {
  return await listsPerSecond(servers, options, `${LIST_NAME}, in ${coding}`, coding, 1, (path) => ({
    path,
  }));
}

/** As if each list were the first: no two requests have the same query, which the response cache does not ignore. */
export async function uncachedImprint(
  servers: Servers,
  options: BenchOptions,
  coding: "identity" | "gzip" | "zstd",
): Promise<ResultRow> {
  const isPlain = coding === "identity";
  const name = `${LIST_NAME}, uncached${isPlain ? "" : `, in ${coding}`}`;
  return await listsPerSecond(servers, options, name, coding, isPlain ? 0.5 : 1, (path) => ({
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
  const values = servers.map(({ name }): MeasuredValue => {
    const result = results.get(name);
    if (!result) return { label: name, value: undefined, reason: "no compression" };
    const perSecond = result.bytesPerSecond / samples.get(name)!.bytes;
    return { label: name, value: perSecond, cpuMicroseconds: result.cpuMicroseconds };
  });
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

export async function allIsbns(servers: Servers, options: BenchOptions, records: number): Promise<ResultRow> {
  const results = await alternate(servers, withExtraSecond(options), ({ paths }) =>
    paths.skus === undefined ? undefined : { path: paths.skus, connections: CONNECTIONS },
  );
  const values = valuesOf(servers, results, ({ bytesPerSecond }) => bytesPerSecond / 1e6);
  const name = `/api/skus, ${records.toLocaleString("en")} ISBNs`;
  return compare(name, "MB/s", values, BASELINE, { atLeast: 0.8 });
}

/** Lists take long: the extra second lets the slowest server complete several of them. */
function withExtraSecond(options: BenchOptions): BenchOptions {
  return { ...options, seconds: options.seconds + 1 };
}
