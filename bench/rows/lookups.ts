/** Rows for single records, and for several records in one call. */
import { alternate, type BenchOptions, valuesOf } from "../alternate.ts";
import { isbnAt } from "../catalog-feed.ts";
import { compare, type ResultRow } from "../result-row.ts";
import type { ServerUnderTest } from "../server-under-test.ts";
import { randomRecordsTarget, randomRecordTarget } from "../wrk.ts";

const BASELINE = "nginx";
const ISBNS_PER_CALL = 100;

type Servers = readonly ServerUnderTest[];

export async function hotRecord(
  servers: Servers,
  options: BenchOptions,
  records: number,
): Promise<ResultRow> {
  const isbn = isbnAt(Math.floor(records / 2));
  const results = await alternate(servers, options, ({ paths }) => ({ path: paths.isbn(isbn) }));
  const values = valuesOf(servers, results, ({ requestsPerSecond }) => requestsPerSecond);
  return compare("/api/isbn, one hot record", "requests/s", values, BASELINE, { atLeast: 1 });
}

export async function randomRecords(
  servers: Servers,
  options: BenchOptions,
  records: number,
): Promise<ResultRow> {
  const results = await alternate(servers, options, (server) => ({
    luaTarget: randomRecordTarget(server, records),
  }));
  const values = valuesOf(servers, results, ({ requestsPerSecond }) => requestsPerSecond);
  const name = `/api/isbn, random over ${records.toLocaleString("en")}`;
  return compare(name, "requests/s", values, BASELINE, { atLeast: 0.8 });
}

export async function notModified(
  servers: Servers,
  options: BenchOptions,
  records: number,
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
  const results = await alternate(servers, options, ({ name, paths }) => {
    const etag = etags.get(name);
    return etag === undefined ? undefined : { path: paths.isbn(isbn), headers: { "If-None-Match": etag } };
  });
  const values = valuesOf(servers, results, ({ requestsPerSecond }) => requestsPerSecond);
  return compare("304 on one record", "requests/s", values, BASELINE, { atLeast: 1 });
}

/** Compares calls for many ISBNs with as many calls for one ISBN each, on the same server. */
export async function manyIsbns(
  servers: Servers,
  options: BenchOptions,
  records: number,
): Promise<ResultRow> {
  const [colophon] = servers;
  const single = await alternate([colophon!], options, (server) => ({
    luaTarget: randomRecordTarget(server, records),
  }));
  const results = await alternate(servers, options, (server) =>
    server.paths.isbns
      ? { luaTarget: randomRecordsTarget(server, records, ISBNS_PER_CALL), connections: 8 }
      : undefined,
  );
  const values = valuesOf(servers, results, ({ requestsPerSecond }) => requestsPerSecond * ISBNS_PER_CALL);
  const oneByOne = { label: "one by one", value: single.get(colophon!.name)!.requestsPerSecond };
  const name = `/api/isbns, ${ISBNS_PER_CALL} random ISBNs`;
  return compare(name, "records/s", [...values, oneByOne], oneByOne.label, { atLeast: 5 });
}
