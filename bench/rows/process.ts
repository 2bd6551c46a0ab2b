/** Rows for memory and for the start of the program. */
import { join } from "node:path";
import type { BenchOptions } from "../alternate.ts";
import { isbnAt, LARGEST_IMPRINT } from "../catalog-feed.ts";
import { median } from "../median.ts";
import { colophonMemory } from "../memory/memory-watch.ts";
import { memoryOf, pinnedTo, waitUntilReady } from "../processes.ts";
import { compare, type ResultRow } from "../result-row.ts";
import type { CatalogFiles } from "../server-under-test.ts";
import { launchColophon } from "../servers/colophon.ts";

const SERVER_CORE = "0";
const CLIENT_CORE = "1";
const MAX_MEMORY_MB = 150;
const SLOW_READERS = 200;

/** Measures the memory of a new process, and its peak while slow clients read a list. */
export async function memory(
  catalog: CatalogFiles,
  { slowReadersSeconds }: BenchOptions,
): Promise<ResultRow[]> {
  const { url, headers, pid, stop } = await launchColophon(catalog, SERVER_CORE);
  await waitUntilReady(`${url}/api/isbn/${isbnAt(0)}`, headers);
  const idleMB = memoryOf(pid).currentMB;
  const client = join(import.meta.dir, "../clients/slow-readers.ts");
  const target = [url, `/api/imprint/${LARGEST_IMPRINT.slug}`, JSON.stringify(headers)];
  const count = [String(SLOW_READERS), String(slowReadersSeconds)];
  const readers = Bun.spawn(pinnedTo(CLIENT_CORE, [process.execPath, client, ...target, ...count]));
  await readers.exited;
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
    const seconds = await waitUntilReady(`${url}/api/isbn/${isbnAt(0)}`, headers);
    await stop();
    return seconds * 1000;
  };
  const largeMs: number[] = [];
  const smallMs: number[] = [];
  for (let round = 0; round < latencyRounds; round++) {
    largeMs.push(await measureMs(large));
    smallMs.push(await measureMs(small));
  }
  const values = [
    { label: `${large.records.toLocaleString("en")} records`, value: median(largeMs) },
    { label: `${small.records.toLocaleString("en")} records`, value: median(smallMs) },
  ];
  return compare("start to first response", "ms", values, values[1]!.label, { atMost: 2 });
}
