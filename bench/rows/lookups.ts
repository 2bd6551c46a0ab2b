/** Rows for single records, for several records in one call, and for catalogs of different sizes. */
import { formatCount } from "../command.ts";
import { alternate, type BenchOptions, type LoadFor, valuesOf } from "../measure.ts";
import { isbnAt } from "../product-xml.ts";
import { compare, type MeasuredValue, type ResultRow } from "../results/rows.ts";
import type { ServerUnderTest } from "../servers/server.ts";
import { randomRecordsTarget, randomRecordTarget } from "../wrk.ts";

const UNIT = "requests/s";
const ISBNS_PER_CALL = 100;
const FEW_CONNECTIONS = 8;

type Servers = readonly ServerUnderTest[];

/** Measures all servers with the same load and returns their rates, in their order. */
async function rates(servers: Servers, options: BenchOptions, loadFor: LoadFor): Promise<MeasuredValue[]> {
  return valuesOf(servers, await alternate(servers, options, loadFor));
}

export function hotRecord(
  servers: Servers,
  options: BenchOptions,
  { records, cores }: { records: number; cores?: string },
): Promise<MeasuredValue[]> {
  const isbn = isbnAt(Math.floor(records / 2));
  return rates(servers, options, ({ paths }) => ({ path: paths.isbn(isbn), ...(cores && { cores }) }));
}

/** Returns a row with the values of `labels`. The first one is compared with the last one. */
export function hotRecordRow(
  what: string,
  values: readonly MeasuredValue[],
  labels: readonly string[],
): ResultRow {
  const shown = labels.map(
    (label): MeasuredValue =>
      values.find((value) => value.label === label) ?? { label, value: undefined, reason: "not measured" },
  );
  return compare(`one hot record, ${what}`, UNIT, shown, labels.at(-1)!);
}

export async function randomRecords(
  servers: Servers,
  options: BenchOptions,
  { records, what, baseline }: { records: number; what: string; baseline: string },
): Promise<ResultRow> {
  const values = await rates(servers, options, (server) => ({
    luaTarget: randomRecordTarget(server, records),
  }));
  return compare(`random over ${formatCount(records)} records, ${what}`, UNIT, values, baseline);
}

export async function notModified(
  servers: Servers,
  options: BenchOptions,
  { records, baseline }: { records: number; baseline: string },
): Promise<ResultRow> {
  const isbn = isbnAt(Math.floor(records / 3));
  const etags = new Map<string, string>();
  for (const { name, url, headers, paths } of servers) {
    const response = await fetch(url + paths.isbn(isbn), {
      headers: { ...headers, "Accept-Encoding": "identity" },
    });
    const etag = response.headers.get("etag");
    if (etag !== null) etags.set(name, etag);
  }
  const values = await rates(servers, options, ({ name, paths }) => {
    const etag = etags.get(name);
    return etag === undefined ? undefined : { path: paths.isbn(isbn), headers: { "If-None-Match": etag } };
  });
  return compare("304 on one record, no log", UNIT, values, baseline, { atLeast: 1 });
}

/** Compares calls for many ISBNs with as many calls for one ISBN each, on the same server. */
export async function manyIsbns(
  server: ServerUnderTest,
  options: BenchOptions,
  records: number,
): Promise<ResultRow> {
  const [many, one] = ["100 in a call", "one by one"] as const;
  const servers = [many, one].map((name) => ({ ...server, name }));
  const values = await rates(servers, options, ({ name }) =>
    name === many
      ? { luaTarget: randomRecordsTarget(server, records, ISBNS_PER_CALL), connections: FEW_CONNECTIONS }
      : { luaTarget: randomRecordTarget(server, records) },
  );
  const perRecord = values.map((each) => {
    const perCall = each.label === many ? ISBNS_PER_CALL : 1;
    const { value, cpuMicroseconds } = each;
    return { ...each, value: value! * perCall, cpuMicroseconds: cpuMicroseconds! / perCall };
  });
  return compare(`/api/isbns, 100 random ISBNs in a call, ${server.name}`, "records/s", perRecord, one);
}

/** Colophon on a catalog of some size. The size should make no difference. */
interface SizedServer {
  readonly server: ServerUnderTest;
  readonly records: number;
}

/** Compares CPU time per response of the same size. Wall time would include other load on the machine. */
export async function newsBySize(sized: readonly SizedServer[], options: BenchOptions): Promise<ResultRow> {
  const servers = sized.map(nameBySize);
  const load = { path: servers[0]!.paths.news!, connections: FEW_CONNECTIONS };
  const results = await alternate(servers, options, () => load);
  const values = servers.map(({ name }) => ({ label: name, value: results.get(name)!.cpuMicroseconds }));
  const row = "/api/news of 90 days, by catalog size";
  return compare(row, "µs of CPU", values, servers[1]!.name, { atMost: 1.2 });
}

/** Compares random lookups. Both servers should have no response cache: in the small catalog it would hold all. */
export async function lookupsBySize(
  sized: readonly SizedServer[],
  options: BenchOptions,
): Promise<ResultRow> {
  const servers = sized.map(nameBySize);
  const recordsOf = new Map(sized.map((each) => [nameBySize(each).name, each.records]));
  const values = await rates(servers, options, (server) => ({
    luaTarget: randomRecordTarget(server, recordsOf.get(server.name)!),
  }));
  return compare(`random records by catalog size, ${sized[0]!.server.name}`, UNIT, values, servers[1]!.name);
}

/** Results are collected by name, and both servers have the same one. */
function nameBySize({ server, records }: SizedServer): ServerUnderTest {
  return { ...server, name: `${formatCount(records)} records` };
}
