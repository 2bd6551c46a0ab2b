/** Rows for memory, for the start of the program, and for imports. */
import { statSync } from "node:fs";
import type { ImportCost } from "../catalog.ts";
import { startClient } from "../clients.ts";
import { formatCount } from "../command.ts";
import { type BenchOptions, inTurns, median, medians } from "../measure.ts";
import { dropCaches, limitMemory, type MemoryLimit } from "../memory-limit.ts";
import { colophonMemory, memoryOf, SERVER_CORE, waitUntilReady } from "../processes.ts";
import { isbnAt } from "../product-xml.ts";
import { compare, type MeasuredValue, type ResultRow } from "../results/rows.ts";
import { launchColophon } from "../servers/colophon.ts";
import { API_PATHS, type CatalogFiles, type StartServer } from "../servers/server.ts";
import { randomRecordTarget, type WrkResult, wrk } from "../wrk.ts";

const FULL_LIMIT_MB = 1000;
const FULL_RECORDS = 1_000_000;
/** Smaller groups have too little room for the program itself. */
const MIN_LIMIT_MB = 200;
const MAX_MEMORY_MB = 150;
const SLOW_READERS = 200;

/** Measures the memory of a new process, and its peak while slow clients read a list. */
export async function memory(
  catalog: CatalogFiles,
  { slowReadersSeconds }: BenchOptions,
): Promise<ResultRow[]> {
  const server = await launchColophon(catalog, SERVER_CORE);
  const { url, headers, pid, stop } = server;
  await waitUntilReady(url + API_PATHS.isbn(isbnAt(0)), headers);
  const idleMB = memoryOf(pid).currentMB;
  const numbers = [SLOW_READERS, slowReadersSeconds];
  await startClient("slow-readers", server, API_PATHS.imprint, numbers).exited;
  const slowReadersMB = memoryOf(pid).peakMB;
  await stop();
  return [
    memoryRow("memory when idle", idleMB),
    memoryRow(`peak memory with ${SLOW_READERS} readers at 10 kB/s`, slowReadersMB),
  ];
}

/** Returns the peak of the largest process that the run has started. Comes after all other rows. */
export function peakMemory(): ResultRow {
  colophonMemory.sample();
  const { megabytes, where } = colophonMemory.max;
  return memoryRow(`the most memory under any row (${where})`, megabytes);
}

function memoryRow(name: string, value: number): ResultRow {
  const goal = { label: "goal", value: MAX_MEMORY_MB };
  return compare(name, "MB", [{ label: "Colophon", value }, goal], goal.label, { atMost: 1 });
}

/** Compares the milliseconds from the command to the first response, with a large and with a small catalog. */
export async function startTime(
  large: CatalogFiles,
  small: CatalogFiles,
  { latencyRounds }: BenchOptions,
): Promise<ResultRow> {
  const measureMs = async (catalog: CatalogFiles) => {
    const { url, headers, stop } = await launchColophon(catalog, SERVER_CORE);
    const seconds = await waitUntilReady(url + API_PATHS.isbn(isbnAt(0)), headers);
    await stop();
    return seconds * 1000;
  };
  const times = await inTurns(
    latencyRounds,
    () => measureMs(large),
    () => measureMs(small),
  );
  const values = [large, small].map(({ records }, index) => ({
    label: `${formatCount(records)} records`,
    value: median(times[index]!),
  }));
  return compare("start to first response", "ms", values, values[1]!.label, { atMost: 2 });
}

/** Returns the memory of the group: 1 GB for a million records, and in proportion for smaller catalogs. */
function limitFor(records: number): number {
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
    const { requestsPerSecond, cpuMicroseconds } = medians(runs);
    return { label, value: requestsPerSecond, cpuMicroseconds };
  });
  const file = `${formatCount(statSync(catalog.databasePath).size / 1e6)} MB`;
  const memory = `${formatCount(limitMB)} MB`;
  const name = `random over ${formatCount(catalog.records)} records, a file of ${file} in ${memory} of memory, from cold caches on`;
  return compare(name, "requests/s", values, values.at(-1)!.label);
}

/** Shows what the import that has created a catalog took. `npm run bench:import` measures feeds of many forms. */
export function importRow({ records, seconds, cpuSeconds, peakMB, fileBytes }: ImportCost): ResultRow {
  const details = [
    `${seconds.toFixed(1)} s`,
    `${cpuSeconds.toFixed(1)} s of CPU time`,
    `peak ${formatCount(peakMB)} MB`,
    `a file of ${formatCount(fileBytes / 1e6)} MB`,
  ];
  const name = `import of ${formatCount(records)} records into a new catalog (${details.join(", ")})`;
  return { name, unit: "records/s", values: [{ label: "Colophon", value: records / seconds }] };
}
