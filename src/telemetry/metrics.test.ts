import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { emptyCounts } from "../catalog/report.ts";
import type { Stats } from "../catalog/store.ts";
import type { StoreLoad } from "../catalog/store-load.ts";
import { anyRun } from "../catalog/testing/import-runs.ts";
import type { RequestEvent, ServiceEvent } from "./event.ts";
import type { MetricsSnapshot } from "./metric.ts";
import { METRICS } from "./metric-table.ts";
import { Metrics, mergeSnapshots, renderMetrics, WorkerTotals } from "./metrics.ts";
import { parseMetrics } from "./testing/prometheus-parser.ts";

const STARTED_AT_MS = Date.UTC(2026, 0, 1);
const STATS = {
  revision: "0123456789abcdef0123456789abcdef",
  records: 223,
  imprints: 18,
  imported: "2026-01-01T00:00:30.000Z",
};
const LOAD: StoreLoad = {
  openLists: 3,
  oldestListMs: 1500,
  poolConnections: 4,
  fileBytes: 8192,
  logBytes: 0,
  freePageBytes: 1024,
  diskFreeBytes: 9000,
};

const BACKUP = {
  file: "catalog.db",
  ended: "2026-01-01T00:00:09.000Z",
  lastSuccess: "2026-01-01T00:00:08.000Z",
  failure: "The disk is full.",
  seconds: 1.5,
  bytes: 4096,
};

const request: RequestEvent = {
  kind: "request",
  id: "1-1",
  client: "192.0.2.7",
  method: "GET",
  path: "/api/isbn/1",
  route: "getBook",
  status: 200,
  bodyBytes: 100,
  // Sums of powers of 2 are exact in floating point.
  seconds: 0.25,
  firstByteSeconds: 0.125,
  caller: undefined,
  cacheHit: false,
  complete: true,
};

/** Every kind of event that is counted, and some that are not. */
const EVENTS: ServiceEvent[] = [
  { ...request, route: "unknown", status: 404, bodyBytes: 1 },
  request,
  { ...request, cacheHit: true },
  { ...request, status: 304, bodyBytes: 0, cacheHit: true },
  { ...request, status: 401, bodyBytes: 10, complete: false },
  { kind: "store", seconds: 0.5 },
  { kind: "refused", reason: "connections", client: "" },
  { kind: "refused", reason: "not-http", client: "" },
  { kind: "refused", reason: "not-http", client: "" },
  { kind: "failed", id: "1", client: "", method: "GET", path: "/", route: "getSkus", error: "x" },
  { kind: "fault", error: "x" },
  { kind: "keys", outcome: "unchanged", reason: "time" },
  { kind: "keys", outcome: "failed", reason: "time", error: "x" },
  { kind: "keys", outcome: "failed", reason: "demand", error: "x" },
  { kind: "keys", outcome: "expired", reason: "time", error: "x" },
  { kind: "worker", state: "died", pid: 1 },
  { kind: "worker", state: "replaced", pid: 2 },
  { kind: "feed", feed: "a.xml", outcome: "refused" },
  { kind: "watch", state: "watched", folder: "/feeds" },
  { kind: "backlog", feeds: 4, oldestSeconds: 9 },
  { kind: "started", url: "", version: "", workers: 1, books: 1 },
  { kind: "stopping", reason: "" },
];

/** Returns the metrics of a process that observed the events, a minute after its start. */
function snapshotOf(events: readonly ServiceEvent[], catalog?: Stats, load = LOAD): MetricsSnapshot {
  let now = STARTED_AT_MS;
  const metrics = new Metrics({
    version: "1.2.3",
    server: { connections: 7, requestsInFlight: 2 },
    lists: { usedBytes: 4096, waiting: 1 },
    store: { load: () => load },
    log: { droppedLines: 3 },
    // Only the process that reads the catalog reads these.
    ...(catalog && { backup: () => BACKUP }),
    now: () => now,
  });
  for (const event of events) metrics.observe(event);
  now += 60_000;
  return metrics.snapshot(catalog);
}

/** Returns the value of each sample by its text, as in `colophon_refused_total{reason="not-http"}`. */
function scrape(snapshot: MetricsSnapshot): Record<string, number> {
  const text = renderMetrics(snapshot);
  parseMetrics(text);
  const lines = text.split("\n").filter((line) => /^[^#]/.test(line));
  return Object.fromEntries(lines.map((line) => [line.replace(/ \S+$/, ""), Number(/\S+$/.exec(line)![0])]));
}

describe("the metrics of a process", () => {
  test("are all in the text, and each has counted its events or shows its source", () => {
    const started = "2026-01-01T00:00:10.000Z";
    const lastImport = { ...anyRun({ outcome: "failed" }), started, ended: "2026-01-01T00:00:20.000Z" };
    const lastApplied = {
      ...anyRun({ outcome: "unchanged" }),
      ended: "2026-01-01T00:00:12.500Z",
      counts: { ...emptyCounts(), unchanged: 3 },
    };
    const snapshot = snapshotOf(EVENTS, { ...STATS, lastImport, lastApplied });
    // Elsewhere the system does not tell the descriptors.
    if (process.platform === "linux")
      expect(new Set(Object.keys(snapshot))).toEqual(new Set(Object.keys(METRICS)));
    const {
      process_open_fds: openDescriptors = 3,
      process_max_fds: maxDescriptors = 3,
      process_resident_memory_bytes: residentBytes,
      process_cpu_seconds_total: cpuSeconds,
      ...others
    } = scrape(snapshot);
    // The next test is about histograms.
    const shown = Object.entries(others).filter(([name]) => !/_(bucket|sum|count)\b|results\{/.test(name));
    expect(shown.map(([name, value]) => `${name.replace("colophon_", "")} ${value}`)).toEqual([
      'requests_total{route="getBook",status="200"} 2',
      'requests_total{route="getBook",status="304"} 1',
      'requests_total{route="getBook",status="401"} 1',
      'requests_total{route="unknown",status="404"} 1',
      'response_bytes_total{route="getBook"} 210',
      'response_bytes_total{route="unknown"} 1',
      'responses_broken_off_total{route="getBook"} 1',
      'responses_broken_off_total{route="unknown"} 0',
      'cache_hits_total{route="getBook"} 2',
      'cache_hits_total{route="unknown"} 0',
      'cache_misses_total{route="getBook"} 1',
      'cache_misses_total{route="unknown"} 0',
      "failures_total 2",
      'refused_total{reason="connections"} 1',
      'refused_total{reason="descriptors"} 0',
      'refused_total{reason="not-http"} 2',
      'refused_total{reason="too-large"} 0',
      'refused_total{reason="too-slow"} 0',
      'key_reads_total{outcome="read"} 1',
      'key_reads_total{outcome="failed"} 2',
      "workers_died_total 1",
      "log_lines_dropped_total 3",
      "connections 7",
      "requests_in_flight 2",
      "list_memory_bytes 4096",
      "lists_waiting 1",
      "processes 1",
      "uptime_seconds 60",
      `build_info{version="1.2.3",bun="${Bun.version}"} 1`,
      "store_up 1",
      `catalog_info{revision="${STATS.revision}"} 1`,
      "catalog_records 223",
      "catalog_imprints 18",
      "catalog_import_age_seconds 30",
      `catalog_imported_timestamp_seconds ${STARTED_AT_MS / 1000 + 30}`,
      `last_import_timestamp_seconds ${STARTED_AT_MS / 1000 + 20}`,
      "last_import_duration_seconds 10",
      'last_import_outcome{outcome="changed"} 0',
      'last_import_outcome{outcome="unchanged"} 0',
      'last_import_outcome{outcome="failed"} 1',
      `last_successful_import_timestamp_seconds ${STARTED_AT_MS / 1000 + 12.5}`,
      `last_backup_timestamp_seconds ${STARTED_AT_MS / 1000 + 8}`,
      "last_backup_failed 1",
      "last_backup_duration_seconds 1.5",
      "last_backup_bytes 4096",
      "watch_up 1",
      'watch_feeds_total{outcome="changed"} 0',
      'watch_feeds_total{outcome="unchanged"} 0',
      'watch_feeds_total{outcome="refused"} 1',
      'watch_feeds_total{outcome="postponed"} 0',
      "watch_waiting_feeds 4",
      "watch_oldest_feed_seconds 9",
      "store_lists_open 3",
      "store_oldest_list_seconds 1.5",
      "store_connections 4",
      "store_file_bytes 8192",
      "store_log_bytes 0",
      "store_free_page_bytes 1024",
      "store_disk_free_bytes 9000",
      `process_start_time_seconds ${STARTED_AT_MS / 1000}`,
    ]);
    expect(others['colophon_last_successful_import_results{result="unchanged"}']).toBe(3);
    expect(residentBytes).toBeGreaterThan(10_000_000);
    expect(cpuSeconds).toBeGreaterThan(0);
    expect(openDescriptors).toBeGreaterThan(2);
    expect(maxDescriptors).toBeGreaterThanOrEqual(openDescriptors);
  });

  test.each<[string, (seconds: number) => ServiceEvent]>([
    ["colophon_request_duration_seconds", (seconds) => ({ ...request, seconds })],
    ["colophon_first_byte_seconds", (seconds) => ({ ...request, firstByteSeconds: seconds })],
    ["colophon_store_duration_seconds", (seconds) => ({ kind: "store", seconds })],
  ])("have in %s a time that equals a bound in the bucket of that bound", (name, event) => {
    const left = { ...request, firstByteSeconds: undefined, route: "left" };
    const samples = scrape(snapshotOf([left, ...[0, 0.0001, 0.00011, 0.001, 59, 60, 61].map(event)]));
    const route = name.includes("store") ? "" : 'route="getBook"';
    const bounds = ["0.0001", "0.00025", "0.0005", "0.001", "30", "60", "+Inf"];
    const buckets = bounds.map((le) => samples[`${name}_bucket{${route && `${route},`}le="${le}"}`]);
    expect(buckets).toEqual([2, 3, 3, 4, 4, 6, 7]);
    expect(samples[`${name}_sum${route && `{${route}}`}`]).toBeCloseTo(180.00121, 8);
    // A client that left before the first byte has no time to it.
    expect(samples['colophon_first_byte_seconds_count{route="left"}']).toBe(0);
  });

  const lastImport = anyRun({ outcome: "failed" });
  test.each<[string, Stats | undefined, omitted: RegExp, shown: string[]]>([
    ["the store does not respond", undefined, /catalog|import/, ["colophon_store_up"]],
    ["there was no import", { ...STATS, imported: undefined }, /_import/, ["colophon_catalog_records"]],
    [
      "no import succeeded",
      { ...STATS, imported: undefined, lastImport },
      /_successful/,
      ["colophon_last_import_outcome"],
    ],
  ])("omit what is not known when %s", (_, catalog, omitted, shown) => {
    const snapshot = snapshotOf([], catalog);
    expect(Object.keys(snapshot).filter((name) => omitted.test(name) && !name.includes("imprints"))).toEqual(
      [],
    );
    expect(Object.keys(snapshot)).toEqual(expect.arrayContaining(shown));
    expect(scrape(snapshot).colophon_store_up).toBe(catalog ? 1 : 0);
  });

  test("have the time of an import from before the history as that of the last successful one", () => {
    expect(scrape(snapshotOf([], STATS))).toMatchObject({
      colophon_last_successful_import_timestamp_seconds: STARTED_AT_MS / 1000 + 30,
    });
  });

  const watch = { kind: "watch", folder: "/feeds" } as const;
  const watched = { ...watch, state: "watched" } as const;
  const backlog = { kind: "backlog", feeds: 4, oldestSeconds: 9 } as const;
  test.each<[string, ServiceEvent[], number[]]>([
    ["a feed, but no folder", [], []],
    ["a folder is watched", [watched], [1, 0, 0]],
    ["something was skipped", [{ ...watch, state: "skipped" }], []],
    ["the watcher starts", [backlog], [0, 4, 9]],
    ["the watcher waits", [backlog, watched, { ...watch, state: "waiting" }], [1, 4, 9]],
    ["the watcher does not respond", [watched, backlog, { ...watch, state: "silent" }], [0, 4, 9]],
    ["the folder is blocked", [backlog, { ...watch, state: "blocked" }], [0, 4, 9]],
    ["the watcher died, and there is a backlog", [{ ...watch, state: "died" }, backlog], [0, 4, 9]],
  ])("of the watched folder are right when %s", (_, events, [up, feeds, oldestSeconds]) => {
    const samples = scrape(snapshotOf([...events, { kind: "feed", feed: "a.xml", outcome: "changed" }]));
    expect(samples.colophon_watch_up).toBe(up!);
    expect(samples.colophon_watch_waiting_feeds).toBe(feeds!);
    expect(samples.colophon_watch_oldest_feed_seconds).toBe(oldestSeconds!);
    expect('colophon_watch_feeds_total{outcome="changed"}' in samples).toBe(
      events.length > 0 && up !== undefined,
    );
  });

  test("escape any label value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (route) => {
        const families = parseMetrics(renderMetrics(snapshotOf([{ ...request, route }])));
        expect(families.get("colophon_response_bytes_total")!.samples[0]!.labels).toEqual({ route });
      }),
    );
  });
});

describe("the metrics of several processes", () => {
  /** Returns what the processes have counted, without their CPU time and the lines that each log has dropped. */
  const counters = ({
    process_cpu_seconds_total,
    colophon_log_lines_dropped_total,
    ...others
  }: MetricsSnapshot) =>
    Object.fromEntries(Object.entries(others).filter(([name]) => METRICS[name]!.type !== "gauge"));

  test("are merged to what one process would have counted", () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom(...EVENTS), { maxLength: 30 }), { minLength: 1, maxLength: 4 }),
        (shares) => {
          // Workers send snapshots as data.
          const sent = shares.map((share) => JSON.parse(JSON.stringify(snapshotOf(share))));
          const merged = mergeSnapshots(sent);
          expect(counters(merged)).toEqual(counters(snapshotOf(shares.flat())));
          const cpuSeconds = sent.reduce((sum, each) => sum + each.process_cpu_seconds_total[""], 0);
          const samples = scrape(merged);
          expect(samples.process_cpu_seconds_total).toBeCloseTo(cpuSeconds, 6);
          expect(samples.colophon_log_lines_dropped_total).toBe(3 * shares.length);
        },
      ),
    );
  });

  test("add the gauges, or have the largest or the smallest, and the catalog of the process that read it", () => {
    const load = { openLists: 2, oldestListMs: 900, fileBytes: 4096, logBytes: 5 };
    const watched: ServiceEvent[] = [
      { kind: "watch", state: "watched", folder: "/feeds" },
      { kind: "backlog", feeds: 4, oldestSeconds: 9 },
      { kind: "feed", feed: "a.xml", outcome: "refused" },
    ];
    const all = [
      snapshotOf(watched, STATS),
      snapshotOf([{ kind: "feed", feed: "b.xml", outcome: "changed" }], undefined, load),
      {
        ...snapshotOf([], undefined, { openLists: 0 }),
        process_open_fds: { "": 1e6 },
        process_max_fds: { "": 2 },
      },
    ];
    for (const snapshots of [all, all.toReversed()]) {
      expect(scrape(mergeSnapshots(snapshots))).toMatchObject({
        colophon_processes: 3,
        colophon_connections: 21,
        colophon_requests_in_flight: 6,
        colophon_uptime_seconds: 60,
        [`colophon_build_info{version="1.2.3",bun="${Bun.version}"}`]: 1,
        colophon_store_up: 1,
        colophon_catalog_records: 223,
        colophon_watch_up: 1,
        colophon_watch_waiting_feeds: 4,
        'colophon_watch_feeds_total{outcome="changed"}': 1,
        'colophon_watch_feeds_total{outcome="refused"}': 1,
        colophon_store_lists_open: 5,
        colophon_store_oldest_list_seconds: 1.5,
        colophon_store_connections: 4,
        colophon_store_file_bytes: 8192,
        colophon_store_log_bytes: 5,
        process_start_time_seconds: STARTED_AT_MS / 1000,
        process_open_fds: 1e6,
        process_max_fds: 2,
      });
    }
  });

  test("keep the counters of a worker that has ended, and drop its gauges", () => {
    const totals = new WorkerTotals();
    const own = snapshotOf([], STATS);
    const sums = () => {
      const samples = scrape(totals.sumWith(own));
      return [samples['colophon_requests_total{route="getBook",status="200"}'], samples.colophon_processes];
    };
    totals.update(1, snapshotOf([request]));
    totals.update(1, snapshotOf([request, request]));
    totals.update(2, snapshotOf([request]));
    expect(sums()).toEqual([3, 3]);
    for (const pid of [1, 1, 99]) totals.retire(pid);
    expect(sums()).toEqual([3, 2]);
    totals.update(3, snapshotOf([request]));
    totals.retire(2);
    expect(sums()).toEqual([4, 2]);
    expect(scrape(totals.sumWith(own))).toMatchObject({
      colophon_connections: 14,
      colophon_catalog_records: 223,
    });
  });
});

describe("parseMetrics throws on", () => {
  test.each([
    ["a missing line feed at the end", "# HELP a b\n# TYPE a gauge\na 1"],
    ["a missing TYPE", "# HELP a b\na 1\n"],
    ["a metric that is defined twice", "# HELP a b\n# TYPE a gauge\na 1\n".repeat(2)],
    ["a missing HELP", "# TYPE a gauge\na 1\n"],
    ["a sample of another metric", "# HELP a b\n# TYPE a gauge\nb 1\n"],
    ["a repeated sample", '# HELP a b\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ["a malformed label", '# HELP a b\n# TYPE a gauge\na{x="a"b"} 1\n'],
    ["a malformed value", "# HELP a b\n# TYPE a gauge\na Infinity\n"],
    ["a counter without _total", "# HELP a b\n# TYPE a counter\na 1\n"],
    [
      "a histogram whose buckets decrease",
      '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    ],
  ])("%s", (_, text) => {
    expect(() => parseMetrics(text)).toThrow();
  });
});
