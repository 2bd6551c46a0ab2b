/** Measures one size of the catalog: its import, its lookups and its memory. */
import { alternate, type BenchOptions } from "../alternate.ts";
import type { ImportCost } from "../catalog.ts";
import { isbnAt } from "../catalog-feed.ts";
import { memoryOf, waitUntilReady } from "../processes.ts";
import type { CatalogFiles, ServerUnderTest } from "../server-under-test.ts";
import { colophon, launchColophon } from "../servers/colophon.ts";
import { readOnce } from "../warm-page-cache.ts";
import { randomRecordTarget } from "../wrk.ts";
import type { GrowthPoint, Lookups } from "./growth-point.ts";

const SERVER_CORE = "0";

export async function measureSize(
  catalog: CatalogFiles,
  { seconds, cpuSeconds, peakMB, feedBytes, fileBytes }: ImportCost,
  options: BenchOptions,
): Promise<GrowthPoint> {
  await readOnce(catalog.databasePath);
  const idleMB = await measureIdle(catalog);
  const asItComes = await colophon()(catalog, SERVER_CORE);
  const uncached = await colophon({ cacheMB: 0 })(catalog, SERVER_CORE);
  try {
    const results = await alternate([asItComes, uncached], options, (server) => ({
      luaTarget: randomRecordTarget(server, catalog.records),
    }));
    const lookups = ({ name }: ServerUnderTest): Lookups => {
      const { requestsPerSecond, cpuMicroseconds } = results.get(name)!;
      return { requestsPerSecond, cpuMicroseconds };
    };
    return {
      records: catalog.records,
      date: new Date().toISOString().slice(0, 10),
      feedBytes,
      fileBytes,
      import: { seconds, cpuSeconds, peakMB },
      uncached: lookups(uncached),
      asItComes: lookups(asItComes),
      memory: { idleMB, loadMB: memoryOf(asItComes.pids[0]!).peakMB },
    };
  } finally {
    await Promise.all([asItComes.stop(), uncached.stop()]);
  }
}

async function measureIdle(catalog: CatalogFiles): Promise<number> {
  const { url, headers, pid, stop } = await launchColophon(catalog, SERVER_CORE);
  await waitUntilReady(`${url}/api/isbn/${isbnAt(0)}`, headers);
  const { currentMB } = memoryOf(pid);
  await stop();
  return currentMB;
}
