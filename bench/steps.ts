/** The steps of a run. Each starts its servers, measures them in alternation, and adds its rows. */
import { type ImportCost, readOnce, warmPageCache } from "./catalog.ts";
import type { BenchOptions } from "./measure.ts";
import type { MemoryLimit } from "./memory-limit.ts";
import { BOTH_CORES, SERVER_CORE } from "./processes.ts";
import type { Table } from "./results/results.ts";
import type { PromisedRow } from "./results/rows.ts";
import { besideListReaders, besideSlowClients, besideStartingLists, firstByte } from "./rows/latency.ts";
import { allIsbns, compressedImprint, largestImprint, uncachedImprint } from "./rows/lists.ts";
import {
  hotRecord,
  hotRecordRow,
  lookupsBySize,
  manyIsbns,
  newsBySize,
  notModified,
  randomRecords,
} from "./rows/lookups.ts";
import { importRow, inLimitedMemory, memory, peakMemory, startTime } from "./rows/process.ts";
import { colophon, nameOf } from "./servers/colophon.ts";
import { nginx, nginxNameOf } from "./servers/nginx.ts";
import type { CatalogFiles } from "./servers/server.ts";

/** More than the clients of any row open. */
const MAX_CONNECTIONS = 5000;

interface Catalogs {
  readonly tiny: CatalogFiles;
  readonly small: CatalogFiles;
  /** The same as `small` when the run has only one size. */
  readonly large: CatalogFiles;
}

export interface Run {
  readonly table: Table;
  readonly options: BenchOptions;
  /** For the rows that nothing was promised of. */
  readonly sideOptions: BenchOptions;
  readonly catalogs: Catalogs;
  /** What the imports of the catalogs took, but for the tiny one. */
  readonly importCosts: readonly ImportCost[];
}

export interface Step {
  /** The argument of `--only`. */
  readonly id: string;
  readonly subject: string;
  readonly promises: readonly PromisedRow[];
  readonly measure: (run: Run) => Promise<void>;
}

/** Each step that needs a warm page cache reads its catalogs first. The last measuring step drops it. */
export const STEPS: readonly Step[] = [
  step("hot", "one hot record with its log", ["hot, as it comes", "hot, file", "hot, pipe"], hotWithLog),
  step("hot-no-log", "one hot record without a log", ["hot, no log"], hotWithoutLog),
  step("two-workers", "two workers", ["two workers"], twoWorkers),
  step("random", "random lookups", ["random, as it comes", "random, no log"], randomLookups),
  step("size", "lookups by catalog size", ["random, by size"], bySize),
  step("isbns", "many ISBNs in a call", ["many ISBNs"], isbnsInACall),
  step("first-list", "uncached lists", ["first list", "first list, gzip", "first list, zstd"], firstLists),
  step("lists", "lists", [], lists),
  step("memory", "idle, and slow readers", [], memoryAlone),
  step("latency", "lookups beside other clients", [], latency),
  step("beginners", "500 readers begin a list", ["p99, lists begin"], listsBegin),
  step("start", "start", [], start),
  step("import", "imports", [], imports),
  step("cold", "random lookups in limited memory", ["random, limited memory"], limitedMemory),
  // Reads what all others have left behind.
  step("peak", "peak memory", ["peak memory"], async ({ table }) => table.keep("peak memory", peakMemory())),
];

function step(id: string, subject: string, promises: readonly PromisedRow[], measure: Step["measure"]): Step {
  return { id, subject, promises, measure };
}

async function hotWithLog({ table, options, catalogs: { small } }: Run): Promise<void> {
  const withPort = { hasAdminPort: true };
  const toPipe = { hasAdminPort: true, logTo: "pipe" } as const;
  const baseline = { hasFileCache: true, hasLog: true };
  const starts = [colophon(), colophon(withPort), colophon(toPipe), nginx(baseline)];
  await table.withServers(small, starts, SERVER_CORE, async (servers) => {
    const values = await hotRecord(servers, options, small);
    const row = (what: string, name: string) => hotRecordRow(what, values, [name, nginxNameOf(baseline)]);
    table.keep("hot, as it comes", row("log to a file", nameOf({})));
    table.keep("hot, file", row("log to a file, admin port", nameOf(withPort)));
    table.keep("hot, pipe", row("log to a pipe, admin port", nameOf(toPipe)));
  });
}

async function hotWithoutLog({ table, options, sideOptions, catalogs: { small } }: Run): Promise<void> {
  const silent = { log: "none" } as const;
  const cached = { hasFileCache: true };
  const starts = [colophon(silent), nginx(), nginx(cached)];
  await warmPageCache(small);
  await table.withServers(small, starts, SERVER_CORE, async (servers) => {
    const baseline = nginxNameOf(cached);
    const others = servers.map(({ name }) => name).filter((name) => name !== baseline);
    const values = await hotRecord(servers, options, small);
    table.keep("hot, no log", hotRecordRow("no log", values, [...others, baseline]));
    table.add(await notModified(servers, sideOptions, { records: small.records, baseline: "nginx" }));
    const random = { records: small.records, what: "no log", baseline: "nginx" };
    table.add(await randomRecords(servers, sideOptions, random));
  });
}

/** Servers and clients share both cores. */
async function twoWorkers({ table, options, catalogs: { small } }: Run): Promise<void> {
  const workers = 2;
  const baseline = { hasFileCache: true, hasLog: true, workers };
  await table.withServers(small, [colophon({ workers }), nginx(baseline)], BOTH_CORES, async (servers) => {
    const values = await hotRecord(servers, options, { records: small.records, cores: BOTH_CORES });
    const names = [nameOf({ workers }), nginxNameOf(baseline)];
    table.keep("two workers", hotRecordRow("log to a file, servers and clients on two cores", values, names));
  });
}

async function randomLookups({ table, options, catalogs: { large } }: Run): Promise<void> {
  const { records } = large;
  const logging = { hasLog: true };
  await warmPageCache(large);
  await table.withServers(large, [colophon(), nginx(logging)], SERVER_CORE, async (servers) => {
    const row = { records, what: "log to a file", baseline: nginxNameOf(logging) };
    table.keep("random, as it comes", await randomRecords(servers, options, row));
  });
  const starts = [colophon({ log: "none" }), nginx()];
  await table.withServers(large, starts, SERVER_CORE, async (servers) => {
    const row = { records, what: "no log", baseline: nginxNameOf({}) };
    table.keep("random, no log", await randomRecords(servers, options, row));
  });
}

async function bySize({ table, options, sideOptions, catalogs: { large, small } }: Run): Promise<void> {
  if (large === small) throw new Error("the run has only one catalog");
  for (const { databasePath } of [large, small]) await readOnce(databasePath);
  const uncached = colophon({ cacheMB: 0, log: "none" });
  await table.withServers(large, [uncached], SERVER_CORE, ([largeServer]) =>
    table.withServers(small, [uncached], SERVER_CORE, async ([smallServer]) => {
      const sized = [
        { server: largeServer!, records: large.records },
        { server: smallServer!, records: small.records },
      ];
      table.keep("random, by size", await lookupsBySize(sized, options));
      table.add(await newsBySize(sized, sideOptions));
    }),
  );
}

async function isbnsInACall({ table, options, catalogs: { large } }: Run): Promise<void> {
  await readOnce(large.databasePath);
  for (const variant of [{}, { log: "none" }] as const) {
    await table.withServers(large, [colophon(variant)], SERVER_CORE, async ([server]) => {
      table.keep("many ISBNs", await manyIsbns(server!, options, large.records));
    });
  }
}

/** A list takes long: the rounds of a quick run are those of a side row. The first row warms up for all. */
async function firstLists({ table, options, sideOptions, catalogs: { large } }: Run): Promise<void> {
  await table.withServers(large, [colophon(), nginx()], SERVER_CORE, async (servers) => {
    const first = { ...sideOptions, warmUpSeconds: options.warmUpSeconds };
    table.keep("first list", await uncachedImprint(servers, first, "identity"));
    table.keep("first list, gzip", await uncachedImprint(servers, sideOptions, "gzip"));
    table.keep("first list, zstd", await uncachedImprint(servers, sideOptions, "zstd"));
  });
}

async function lists({ table, sideOptions, catalogs: { large } }: Run): Promise<void> {
  const starts = [colophon(), nginx()];
  await table.withServers(large, starts, SERVER_CORE, async (servers) => {
    table.add(await largestImprint(servers, sideOptions));
    for (const coding of ["gzip", "zstd"]) table.add(await compressedImprint(servers, sideOptions, coding));
    table.add(await allIsbns(servers, sideOptions, large.records));
  });
}

async function memoryAlone({ table, sideOptions, catalogs: { large } }: Run): Promise<void> {
  for (const row of await memory(large, sideOptions)) table.add(row);
}

/** Runs without other servers: they may still work on aborted lists, on the same core. */
async function latency({ table, sideOptions, catalogs: { large } }: Run): Promise<void> {
  await table.withServers(large, [colophon()], SERVER_CORE, async ([server]) => {
    table.add(await firstByte(server!));
    table.add(await besideListReaders(server!, sideOptions));
  });
  const crowded = colophon({ connectionsPerAddress: MAX_CONNECTIONS });
  await table.withServers(large, [crowded], SERVER_CORE, async ([server]) => {
    table.add(await besideSlowClients(server!, sideOptions));
  });
}

async function listsBegin({ table, options, catalogs: { large } }: Run): Promise<void> {
  await table.withServers(large, [colophon()], SERVER_CORE, async ([server]) => {
    table.keep("p99, lists begin", await besideStartingLists(server!, options));
  });
}

async function start({ table, sideOptions, catalogs: { large, tiny } }: Run): Promise<void> {
  table.add(await startTime(large, tiny, sideOptions));
}

/** Shows what creating the catalogs has cost. `npm run bench:import` compares imports. */
async function imports({ table, importCosts }: Run): Promise<void> {
  for (const cost of importCosts) table.add(importRow(cost));
}

async function limitedMemory({ table, options, catalogs: { large } }: Run): Promise<void> {
  const starts = [
    (limit: MemoryLimit) => colophon({ limit }),
    (limit: MemoryLimit) => nginx({ hasLog: true, limit }),
  ];
  table.keep("random, limited memory", await inLimitedMemory(large, starts, options));
}
