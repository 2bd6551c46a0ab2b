/** Rows for single records, and for several records in one call. */
import { alternate, type BenchOptions, type LoadFor, valuesOf } from "../alternate.ts";
import { isbnAt } from "../catalog-feed.ts";
import { compare, type MeasuredValue, type ResultRow } from "../result-row.ts";
import type { ServerUnderTest } from "../server-under-test.ts";
import { randomRecordsTarget, randomRecordTarget } from "../wrk.ts";

const UNIT = "requests/s";
const ISBNS_PER_CALL = 100;
const MANY_ISBNS_CONNECTIONS = 8;

type Servers = readonly ServerUnderTest[];

/** Measures all servers with the same load and returns their rates, in their order. */
async function rates(servers: Servers, options: BenchOptions, loadFor: LoadFor): Promise<MeasuredValue[]> {
  const results = await alternate(servers, options, loadFor);
  return valuesOf(servers, results, ({ requestsPerSecond }) => requestsPerSecond);
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
  const shown = labels.map((label) => labelled(values, label));
  return compare(`one hot record, ${what}`, UNIT, shown, labels.at(-1)!);
}

/** Returns a value that says so when the server could not be measured. */
function labelled(values: readonly MeasuredValue[], label: string): MeasuredValue {
  const found = values.find((value) => value.label === label);
  return found ?? { label, value: undefined, reason: "not measured" };
}

export async function randomRecords(
  servers: Servers,
  options: BenchOptions,
  { records, what, baseline }: { records: number; what: string; baseline: string },
): Promise<ResultRow> {
  const values = await rates(servers, options, (server) => ({
    luaTarget: randomRecordTarget(server, records),
  }));
  const name = `random over ${records.toLocaleString("en")} records, ${what}`;
  return compare(name, UNIT, values, baseline);
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
  const [many, one] = ["100 in a call", "one by one"].map((name) => ({ ...server, name }));
  const results = await alternate([many!, one!], options, ({ name }) =>
    name === many!.name
      ? {
          luaTarget: randomRecordsTarget(server, records, ISBNS_PER_CALL),
          connections: MANY_ISBNS_CONNECTIONS,
        }
      : { luaTarget: randomRecordTarget(server, records) },
  );
  const value = ({ name }: ServerUnderTest, perCall: number): MeasuredValue => {
    const { requestsPerSecond, cpuMicroseconds } = results.get(name)!;
    return {
      label: name,
      value: requestsPerSecond * perCall,
      cpuMicroseconds: cpuMicroseconds / perCall,
    };
  };
  const values = [value(many!, ISBNS_PER_CALL), value(one!, 1)];
  const name = `/api/isbns, 100 random ISBNs in a call, ${server.name}`;
  return compare(name, "records/s", values, one!.name);
}
