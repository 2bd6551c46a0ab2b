/** Rows that compare Colophon on a large and on a small catalog. The size should make no difference. */
import { alternate, type BenchOptions } from "../alternate.ts";
import { compare, type MeasuredValue, type ResultRow } from "../result-row.ts";
import type { ServerUnderTest } from "../server-under-test.ts";
import { randomRecordTarget } from "../wrk.ts";

export interface SizedServer {
  readonly server: ServerUnderTest;
  readonly records: number;
}

/** Compares CPU time per response of the same size. Wall time would include other load on the machine. */
export async function newsBySize(
  large: SizedServer,
  small: SizedServer,
  options: BenchOptions,
): Promise<ResultRow> {
  const servers = [large, small].map(named);
  const results = await alternate(servers, options, ({ paths }) => ({ path: paths.news!, connections: 8 }));
  const values = servers.map(({ name }) => ({ label: name, value: results.get(name)!.cpuMicroseconds }));
  const name = "/api/news of 90 days, by catalog size";
  return compare(name, "µs of CPU", values, servers[1]!.name, { atMost: 1.2 });
}

/** Compares random lookups. Both servers should have no response cache: in the small catalog it would hold all. */
export async function lookupsBySize(
  large: SizedServer,
  small: SizedServer,
  options: BenchOptions,
): Promise<ResultRow> {
  const servers = [large, small].map(named);
  const recordsOf = new Map([large, small].map((sized) => [named(sized).name, sized.records]));
  const results = await alternate(servers, options, (server) => ({
    luaTarget: randomRecordTarget(server, recordsOf.get(server.name)!),
  }));
  const values = servers.map(({ name }): MeasuredValue => {
    const { requestsPerSecond, cpuMicroseconds } = results.get(name)!;
    return { label: name, value: requestsPerSecond, cpuMicroseconds };
  });
  const name = `random records by catalog size, ${large.server.name}`;
  return compare(name, "requests/s", values, servers[1]!.name);
}

/** Results are collected by name, and both servers have the same one. */
function named({ server, records }: SizedServer): ServerUnderTest {
  return { ...server, name: `${records.toLocaleString("en")} records` };
}
