/** Rows that compare Colophon on a large and on a small catalog. The size should make no difference. */
import { alternate, type BenchOptions } from "../alternate.ts";
import { compare, type MeasuredValue, type ResultRow } from "../result-row.ts";
import type { ServerUnderTest } from "../server-under-test.ts";

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
  // Results are collected by name, and both servers are called "Colophon".
  const servers = [large, small].map(({ server, records }) => ({ ...server, name: sizeLabel(records) }));
  const results = await alternate(servers, options, ({ paths }) => ({ path: paths.news!, connections: 8 }));
  const values = servers.map(({ name }) => ({ label: name, value: results.get(name)!.cpuMicroseconds }));
  const name = "/api/news of 90 days, by catalog size";
  return compare(name, "µs of CPU", values, sizeLabel(small.records), { atMost: 1.2 });
}

export interface SizedRow {
  readonly row: ResultRow;
  readonly records: number;
}

/** Compares the rows of `randomRecords` on both catalogs. It measures nothing again. */
export function lookupsBySize(large: SizedRow, small: SizedRow): ResultRow {
  const values = [large, small].map(
    ({ row, records }): MeasuredValue => ({ label: sizeLabel(records), value: row.values[0]!.value }),
  );
  const name = "/api/isbn at random, by catalog size";
  return compare(name, "requests/s", values, sizeLabel(small.records), { atLeast: 0.9 });
}

function sizeLabel(records: number): string {
  return `${records.toLocaleString("en")} records`;
}
