/** Rows for memory and for the start of the program. */
import { join } from "node:path";
import { isbnAt } from "../catalog-feed.ts";
import { median } from "../median.ts";
import { memoryOf, pinnedTo, waitUntilReady } from "../processes.ts";
import { compare, type ResultRow } from "../result-row.ts";
import type { CatalogFiles, ServerUnderTest } from "../server-under-test.ts";
import { launchColophon } from "../servers/colophon.ts";

const SERVER_CORE = "0";
const CLIENT_CORE = "1";
const MAX_MEMORY_MB = 150;
const SLOW_READERS = 200;
const SLOW_READERS_SECONDS = 20;
const START_ROUNDS = 5;

/** Measures memory. `loaded` is a server that has run the other rows: its peak is the peak under full load. */
export async function memory(catalog: CatalogFiles, loaded: ServerUnderTest): Promise<ResultRow[]> {
  const { url, headers, child } = await launchColophon(catalog.databasePath, SERVER_CORE, 1);
  await waitUntilReady(`${url}/api/isbn/${isbnAt(0)}`, headers);
  const idleMB = memoryOf(child.pid).currentMB;
  const client = join(import.meta.dir, "../clients/slow-readers.ts");
  const target = [url, loaded.paths.imprint!, JSON.stringify(headers)];
  const count = [String(SLOW_READERS), String(SLOW_READERS_SECONDS)];
  const readers = Bun.spawn(pinnedTo(CLIENT_CORE, [process.execPath, client, ...target, ...count]));
  await readers.exited;
  const slowReadersMB = memoryOf(child.pid).peakMB;
  child.kill("SIGTERM");
  await child.exited;
  const fullLoadMB = Math.max(...loaded.pids.map((pid) => memoryOf(pid).peakMB));
  return [
    memoryRow("memory when idle", idleMB),
    memoryRow("peak memory under full load", fullLoadMB),
    memoryRow(`peak memory with ${SLOW_READERS} readers at 10 kB/s`, slowReadersMB),
  ];
}

function memoryRow(name: string, value: number): ResultRow {
  const goal = { label: "goal", value: MAX_MEMORY_MB };
  return compare(name, "MB", [{ label: "Colophon", value }, goal], goal.label, { atMost: 1 });
}

/** Compares the milliseconds from the command to the first response, with a large and with a small catalog. */
export async function startTime(large: CatalogFiles, small: CatalogFiles): Promise<ResultRow> {
  const measureMs = async ({ databasePath }: CatalogFiles) => {
    const { url, headers, child } = await launchColophon(databasePath, SERVER_CORE, 1);
    const seconds = await waitUntilReady(`${url}/api/isbn/${isbnAt(0)}`, headers);
    child.kill("SIGTERM");
    await child.exited;
    return seconds * 1000;
  };
  const largeMs: number[] = [];
  const smallMs: number[] = [];
  for (let round = 0; round < START_ROUNDS; round++) {
    largeMs.push(await measureMs(large));
    smallMs.push(await measureMs(small));
  }
  const values = [
    { label: `${large.records.toLocaleString("en")} records`, value: median(largeMs) },
    { label: `${small.records.toLocaleString("en")} records`, value: median(smallMs) },
  ];
  return compare("start to first response", "ms", values, values[1]!.label, { atMost: 2 });
}
