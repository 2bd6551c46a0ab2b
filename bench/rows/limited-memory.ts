/** The row for random lookups in a catalog that is larger than the memory. */
import { statSync } from "node:fs";
import type { BenchOptions } from "../alternate.ts";
import { median } from "../median.ts";
import { dropCaches, limitMemory, type MemoryLimit } from "../memory/memory-limit.ts";
import { compare, type MeasuredValue, type ResultRow } from "../result-row.ts";
import type { CatalogFiles, StartServer } from "../server-under-test.ts";
import { randomRecordTarget, type WrkResult, wrk } from "../wrk.ts";

const SERVER_CORE = "0";
const FULL_LIMIT_MB = 1000;
const FULL_RECORDS = 1_000_000;
/** Smaller groups have too little room for the program itself. */
const MIN_LIMIT_MB = 200;

/** Returns the memory of the group: 1 GB for a million records, and in proportion for smaller catalogs. */
export function limitFor(records: number): number {
  return Math.max(MIN_LIMIT_MB, Math.round((FULL_LIMIT_MB * records) / FULL_RECORDS));
}

/**
 * Measures each server alone in a group of its own, from cold caches on. Its page cache counts as memory of the group.
 * Throws with the reason when the system does not allow memory limits.
 */
export async function inLimitedMemory(
  catalog: CatalogFiles,
  starts: readonly ((limit: MemoryLimit) => StartServer)[],
  { workFolder, coldSeconds, coldRounds }: BenchOptions,
): Promise<ResultRow> {
  const limitMB = limitFor(catalog.records);
  const results = new Map<string, WrkResult[]>();
  for (let round = 0; round < coldRounds; round++) {
    for (const start of starts) {
      const limit = limitMemory(`colophon-bench-${process.pid}`, limitMB * 1e6);
      try {
        dropCaches();
        const server = await start(limit)(catalog, SERVER_CORE);
        try {
          const luaTarget = randomRecordTarget(server, catalog.records);
          const result = await wrk(server, workFolder, { luaTarget, seconds: coldSeconds });
          results.set(server.name, [...(results.get(server.name) ?? []), result]);
        } finally {
          await server.stop();
        }
      } finally {
        limit.remove();
      }
    }
  }
  const values = [...results].map(([label, runs]): MeasuredValue => {
    const of = (key: keyof WrkResult) => median(runs.map((run) => run[key]));
    return { label, value: of("requestsPerSecond"), cpuMicroseconds: of("cpuMicroseconds") };
  });
  const file = `${Math.round(statSync(catalog.databasePath).size / 1e6).toLocaleString("en")} MB`;
  const memory = `${limitMB.toLocaleString("en")} MB`;
  const name = `random over ${catalog.records.toLocaleString("en")} records, a file of ${file} in ${memory} of memory, from cold caches on`;
  return compare(name, "requests/s", values, values.at(-1)!.label);
}
