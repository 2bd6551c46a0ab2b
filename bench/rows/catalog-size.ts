/** Rows that compare Colophon on a large and on a small catalog. The size must make no difference. */
import { alternate, type BenchOptions, type LoadFor } from "../alternate.ts";
import { compare, type MeasuredValue, type ResultRow } from "../result-row.ts";
import type { ServerUnderTest } from "../server-under-test.ts";
import { randomRecordTarget, type WrkResult } from "../wrk.ts";

/** Two Colophon servers with distinct names, and the number of their records. */
export interface ServersBySize {
  readonly large: { readonly server: ServerUnderTest; readonly records: number };
  readonly small: { readonly server: ServerUnderTest; readonly records: number };
}

/** Compares CPU time per response of the same size. Wall time would include other load on the machine. */
export async function newsBySize(servers: ServersBySize, options: BenchOptions): Promise<ResultRow> {
  const values = await measure(
    servers,
    options,
    ({ paths }) => ({ path: paths.news!, connections: 8 }),
    ({ cpuMicroseconds }) => cpuMicroseconds,
  );
  const name = "/api/news of 90 days, by catalog size";
  return compare(name, "µs of CPU", values, values[1]!.label, { atMost: 1.2 });
}

export async function lookupsBySize(servers: ServersBySize, options: BenchOptions): Promise<ResultRow> {
  const values = await measure(
    servers,
    options,
    (server) => {
      const { records } = server === servers.large.server ? servers.large : servers.small;
      return { luaTarget: randomRecordTarget(server, records) };
    },
    ({ requestsPerSecond }) => requestsPerSecond,
  );
  const name = "/api/isbn at random, by catalog size";
  return compare(name, "requests/s", values, values[1]!.label, { atLeast: 0.9 });
}

/** Returns the value of the large catalog, then the value of the small one. */
async function measure(
  { large, small }: ServersBySize,
  options: BenchOptions,
  loadFor: LoadFor,
  pick: (result: WrkResult) => number,
): Promise<MeasuredValue[]> {
  const results = await alternate([large.server, small.server], options, loadFor);
  return [large, small].map(({ server, records }) => ({
    label: `${records.toLocaleString("en")} records`,
    value: pick(results.get(server.name)!),
  }));
}
