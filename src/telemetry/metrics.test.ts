import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ImportRun } from "../catalog/import-run.ts";
import { emptyCounts } from "../catalog/report.ts";
import { anyRun } from "../catalog/testing/import-runs.ts";
import { FEED_OUTCOMES, type RequestEvent, type ServiceEvent } from "./event.ts";
import { Metrics } from "./metrics.ts";
import {
  type KnownLoad,
  type MetricsSnapshot,
  mergeSnapshots,
  WorkerTotals,
  withoutGauges,
} from "./metrics-snapshot.ts";
import { renderMetrics } from "./prometheus-text.ts";
import { type MetricFamily, parseMetrics } from "./testing/prometheus-parser.ts";

const STARTED_AT_MS = Date.UTC(2026, 0, 1);
const STATS = {
  revision: "0123456789abcdef0123456789abcdef",
  records: 223,
  imprints: 18,
  imported: "2026-01-01T00:00:30.000Z",
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
  seconds: 0.0003,
  firstByteSeconds: 0.0002,
  caller: undefined,
  cacheHit: false,
  complete: true,
};

/** Returns the metrics of a process that observed the events, a minute after its start. */
function metricsOf(events: readonly ServiceEvent[]): Metrics {
  let now = STARTED_AT_MS;
  const metrics = new Metrics({
    version: "1.2.3",
    connections: () => 7,
    requestsInFlight: () => 2,
    storeLoad: () => ({ openLists: 3, oldestListMs: 1500, poolConnections: 4, fileBytes: 8192, logBytes: 0 }),
    droppedLogLines: () => 3,
    now: () => now,
  });
  for (const event of events) metrics.observe(event);
  now += 60_000;
  return metrics;
}

function scrape(snapshot: MetricsSnapshot): Map<string, MetricFamily> {
  return parseMetrics(renderMetrics(snapshot));
}

/** Returns the values of a metric by its labels, as in "route=getBook status=200". */
function values(families: Map<string, MetricFamily>, family: string, name = family): Record<string, number> {
  const samples = families.get(family)!.samples.filter((sample) => sample.name === name);
  return Object.fromEntries(
    samples.map(({ labels, value }) => [
      Object.entries(labels)
        .map((pair) => pair.join("="))
        .join(" "),
      value,
    ]),
  );
}

describe("the metrics of a process", () => {
  test("count requests, bytes, cache hits and misses, and responses that were cut off, by route", () => {
    const families = scrape(
      metricsOf([
        request,
        { ...request, cacheHit: true },
        { ...request, status: 304, bodyBytes: 0, cacheHit: true },
        { ...request, status: 404, bodyBytes: 10 },
        { ...request, status: 401, bodyBytes: 10 },
        { ...request, route: "getSkus", bodyBytes: 5000, complete: false },
        { ...request, route: "unknown", status: 404, bodyBytes: 1 },
      ]).snapshot(),
    );
    expect(values(families, "colophon_requests_total")).toEqual({
      "route=getBook status=200": 2,
      "route=getBook status=304": 1,
      "route=getBook status=401": 1,
      "route=getBook status=404": 1,
      "route=getSkus status=200": 1,
      "route=unknown status=404": 1,
    });
    expect(values(families, "colophon_response_bytes_total")).toEqual({
      "route=getBook": 220,
      "route=getSkus": 5000,
      "route=unknown": 1,
    });
    expect(values(families, "colophon_cache_hits_total")["route=getBook"]).toBe(2);
    expect(values(families, "colophon_cache_misses_total")).toEqual({
      "route=getBook": 1,
      "route=getSkus": 1,
      "route=unknown": 0,
    });
    expect(values(families, "colophon_responses_broken_off_total")["route=getSkus"]).toBe(1);
  });

  test("count a duration that equals a bound in the bucket of that bound", () => {
    const times = [0, 0.0001, 0.00011, 0.001, 59, 60, 61];
    const families = scrape(metricsOf(times.map((seconds) => ({ ...request, seconds }))).snapshot());
    const name = "colophon_request_duration_seconds";
    expect(values(families, name, `${name}_bucket`)).toMatchObject({
      "route=getBook le=0.0001": 2,
      "route=getBook le=0.00025": 3,
      "route=getBook le=0.0005": 3,
      "route=getBook le=0.001": 4,
      "route=getBook le=30": 4,
      "route=getBook le=60": 6,
      "route=getBook le=+Inf": 7,
    });
    expect(values(families, name, `${name}_count`)).toEqual({ "route=getBook": 7 });
    expect(values(families, name, `${name}_sum`)["route=getBook"]).toBeCloseTo(180.00121, 8);
  });

  test("count the time to the first byte, unless the client left before it", () => {
    const events = [0.0002, 0.0003, undefined].map((firstByteSeconds) => ({ ...request, firstByteSeconds }));
    const families = scrape(metricsOf(events).snapshot());
    const name = "colophon_first_byte_seconds";
    expect(values(families, name, `${name}_count`)).toEqual({ "route=getBook": 2 });
    expect(values(families, name, `${name}_bucket`)).toMatchObject({
      "route=getBook le=0.0001": 0,
      "route=getBook le=0.00025": 1,
      "route=getBook le=0.0005": 2,
    });
  });

  test("have the last import and its outcome, and the last one that did not fail", () => {
    const run = (ended: string, fields: Partial<ImportRun> = {}): ImportRun => ({
      ...anyRun({ outcome: "unchanged" }),
      started: "2026-01-01T00:00:10.000Z",
      ended,
      ...fields,
    });
    const lastApplied = run("2026-01-01T00:00:12.500Z", { counts: { ...emptyCounts(), unchanged: 3 } });
    const lastImport = run("2026-01-01T00:00:20.000Z", { outcome: "failed", message: "x" });
    const families = scrape(metricsOf([]).snapshot({ ...STATS, lastImport, lastApplied }));
    const single = (name: string) => values(families, name)[""];
    expect(single("colophon_last_import_timestamp_seconds")).toBe(STARTED_AT_MS / 1000 + 20);
    expect(single("colophon_last_import_duration_seconds")).toBe(10);
    expect(values(families, "colophon_last_import_outcome")).toEqual({
      "outcome=changed": 0,
      "outcome=unchanged": 0,
      "outcome=failed": 1,
    });
    expect(single("colophon_last_successful_import_timestamp_seconds")).toBe(STARTED_AT_MS / 1000 + 12.5);
    expect(values(families, "colophon_last_successful_import_results")["result=unchanged"]).toBe(3);
    const never = scrape(metricsOf([]).snapshot({ ...STATS, lastImport }));
    expect(never.has("colophon_last_import_outcome")).toBe(true);
    expect(never.has("colophon_last_successful_import_timestamp_seconds")).toBe(false);
    expect(scrape(metricsOf([]).snapshot(STATS)).has("colophon_last_import_outcome")).toBe(false);
  });

  test("count all other events, and show the gauges", () => {
    const events: ServiceEvent[] = [
      { kind: "store", seconds: 0.002 },
      { kind: "store", seconds: 3 },
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
      { kind: "started", url: "", version: "", workers: 1, books: 1 },
      { kind: "stopping", reason: "" },
    ];
    const families = scrape(metricsOf(events).snapshot(STATS));
    const single = (name: string) => values(families, name)[""];
    const store = "colophon_store_duration_seconds";
    expect(values(families, store, `${store}_count`)).toEqual({ "": 2 });
    expect(values(families, store, `${store}_sum`)).toEqual({ "": 3.002 });
    expect(values(families, "colophon_refused_total")).toEqual({
      "reason=connections": 1,
      "reason=descriptors": 0,
      "reason=not-http": 2,
      "reason=too-large": 0,
      "reason=too-slow": 0,
    });
    expect(single("colophon_failures_total")).toBe(2);
    expect(values(families, "colophon_key_reads_total")).toEqual({ "result=read": 1, "result=failed": 2 });
    expect(single("colophon_workers_died_total")).toBe(1);
    expect(single("colophon_log_lines_dropped_total")).toBe(3);
    expect(single("colophon_connections")).toBe(7);
    expect(single("colophon_requests_in_flight")).toBe(2);
    expect(single("colophon_store_open_lists")).toBe(3);
    expect(single("colophon_store_oldest_list_seconds")).toBe(1.5);
    expect(single("colophon_store_connections")).toBe(4);
    expect(single("colophon_store_file_bytes")).toBe(8192);
    expect(single("colophon_store_log_bytes")).toBe(0);
    // Elsewhere the system does not tell the descriptors.
    if (process.platform === "linux") {
      expect(single("process_open_fds")).toBeGreaterThan(2);
      expect(single("process_max_fds")).toBeGreaterThanOrEqual(single("process_open_fds")!);
    }
    expect(single("colophon_processes")).toBe(1);
    expect(single("colophon_uptime_seconds")).toBe(60);
    expect(single("process_start_time_seconds")).toBe(STARTED_AT_MS / 1000);
    expect(single("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(single("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(values(families, "colophon_build_info")).toEqual({ [`version=1.2.3 bun=${Bun.version}`]: 1 });
    expect(values(families, "colophon_catalog_info")).toEqual({ [`revision=${STATS.revision}`]: 1 });
    expect(single("colophon_store_up")).toBe(1);
    expect(single("colophon_catalog_records")).toBe(223);
    expect(single("colophon_catalog_imprints")).toBe(18);
    expect(single("colophon_catalog_import_age_seconds")).toBe(30);
    expect(single("colophon_catalog_imported_timestamp_seconds")).toBe(STARTED_AT_MS / 1000 + 30);
  });

  test("omit the catalog when the store does not respond, and the import before there is one", () => {
    const down = scrape(metricsOf([]).snapshot());
    expect(values(down, "colophon_store_up")).toEqual({ "": 0 });
    expect([...down.keys()].filter((name) => name.startsWith("colophon_catalog"))).toEqual([]);
    const empty = scrape(metricsOf([]).snapshot({ ...STATS, records: 0, imported: undefined }));
    expect(empty.has("colophon_catalog_records")).toBe(true);
    expect(empty.has("colophon_catalog_import_age_seconds")).toBe(false);
  });

  test("escape any label value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (route) => {
        const families = scrape(metricsOf([{ ...request, route }]).snapshot());
        expect(families.get("colophon_response_bytes_total")!.samples[0]!.labels).toEqual({ route });
      }),
    );
  });
});

describe("the metrics of several processes", () => {
  const event: fc.Arbitrary<ServiceEvent> = fc.oneof(
    fc
      .record({
        route: fc.constantFrom("getBook", "getSkus", "page", "unknown"),
        status: fc.constantFrom(200, 304, 404, 429, 503),
        bodyBytes: fc.nat(100_000),
        // Sums of quarters are exact in floating point.
        seconds: fc.nat(400).map((quarters) => quarters / 4),
        cacheHit: fc.boolean(),
        complete: fc.boolean(),
      })
      .map((parts) => ({ ...request, ...parts })),
    fc.nat(40).map((quarters) => ({ kind: "store" as const, seconds: quarters / 4 })),
    fc
      .constantFrom("connections" as const, "too-slow" as const)
      .map((reason) => ({ kind: "refused" as const, reason, client: "" })),
    fc
      .constantFrom(...FEED_OUTCOMES)
      .map((outcome) => ({ kind: "feed" as const, outcome, feed: "a.xml", products: 3, rejected: 2 })),
    fc.constantFrom<ServiceEvent>(
      { kind: "keys", outcome: "changed", reason: "demand" },
      { kind: "keys", outcome: "failed", reason: "time" },
      { kind: "fault", error: 1 },
      { kind: "worker", state: "died", pid: 1 },
    ),
  );

  test("are merged to what one process would have counted", () => {
    fc.assert(
      fc.property(fc.array(fc.array(event, { maxLength: 30 }), { minLength: 1, maxLength: 4 }), (shares) => {
        // Workers send snapshots as JSON.
        const sent = shares.map(
          (share) => JSON.parse(JSON.stringify(metricsOf(share).snapshot())) as MetricsSnapshot,
        );
        const { counters, gauges, ...times } = mergeSnapshots(sent);
        const alone = metricsOf(shares.flat()).snapshot();
        const { cpuSeconds, droppedLogLines, ...sums } = counters;
        const { cpuSeconds: _, droppedLogLines: __, ...expected } = alone.counters;
        expect(sums).toEqual(expected);
        expect(droppedLogLines).toBe(3 * shares.length);
        expect(cpuSeconds).toBeCloseTo(
          sent.reduce((sum, { counters }) => sum + counters.cpuSeconds, 0),
          6,
        );
        expect([gauges.processes, gauges.connections]).toEqual([shares.length, 7 * shares.length]);
        expect([times.takenAtMs, times.startedAtMs]).toEqual([alone.takenAtMs, alone.startedAtMs]);
        scrape(mergeSnapshots(sent));
      }),
    );
  });

  test("add the lists of all stores, and have the age of the oldest and the size of the largest file", () => {
    const withLoad = (storeLoad: KnownLoad, openDescriptors?: number) => {
      const snapshot = metricsOf([]).snapshot();
      return { ...snapshot, gauges: { ...snapshot.gauges, storeLoad, openDescriptors, maxDescriptors: 64 } };
    };
    const { gauges } = mergeSnapshots([
      withLoad({}),
      withLoad({ openLists: 2, oldestListMs: 10, fileBytes: 8192, logBytes: 5 }, 7),
      withLoad({ openLists: 3, oldestListMs: 900, poolConnections: 4, fileBytes: 4096 }, 5),
      withLoad({ openLists: 0, oldestListMs: 0, poolConnections: 1 }),
    ]);
    expect(gauges.storeLoad).toEqual({
      openLists: 5,
      oldestListMs: 900,
      poolConnections: 5,
      fileBytes: 8192,
      logBytes: 5,
    });
    expect([gauges.openDescriptors, gauges.maxDescriptors]).toEqual([7, 64]);
    expect(gauges.requestsInFlight).toBe(8);
  });

  test("add the feeds by outcome, and have the watched folder of the only process that watches one", () => {
    const feed = { kind: "feed", feed: "a.xml" } as const;
    const watching = metricsOf([
      { kind: "watch", state: "watched", folder: "/feeds" },
      { kind: "backlog", feeds: 4, oldestSeconds: 9 },
      { ...feed, outcome: "changed" },
      { ...feed, outcome: "refused" },
    ]).snapshot();
    const ended = metricsOf([
      { ...feed, outcome: "changed" },
      { ...feed, outcome: "postponed" },
    ]).snapshot();
    for (const all of [
      [watching, ended, metricsOf([]).snapshot()],
      [metricsOf([]).snapshot(), ended, watching],
    ]) {
      const families = scrape(mergeSnapshots(all));
      expect(values(families, "colophon_watch_feeds_total")).toEqual({
        "outcome=changed": 2,
        "outcome=unchanged": 0,
        "outcome=refused": 1,
        "outcome=postponed": 1,
      });
      expect(values(families, "colophon_watch_up")).toEqual({ "": 1 });
      expect(values(families, "colophon_watch_waiting_feeds")).toEqual({ "": 4 });
      expect(values(families, "colophon_watch_oldest_feed_seconds")).toEqual({ "": 9 });
    }
  });

  test("have the catalog of the latest import", () => {
    const before = metricsOf([]).snapshot(STATS);
    const after = metricsOf([]).snapshot({ ...STATS, records: 9, imported: "2026-01-01T00:00:40.000Z" });
    const never = metricsOf([]).snapshot({ ...STATS, records: 0, imported: undefined });
    for (const all of [
      [before, after, never],
      [never, after, before],
      [after, metricsOf([]).snapshot()],
    ])
      expect(mergeSnapshots(all).catalog?.records).toBe(9);
    expect(mergeSnapshots([metricsOf([]).snapshot()]).catalog).toBeUndefined();
  });

  test("keep the counters of a worker that has ended, and drop its gauges", () => {
    const totals = new WorkerTotals();
    const own = metricsOf([]).snapshot(STATS);
    const requests = () =>
      values(scrape(totals.sumWith(own)), "colophon_requests_total")["route=getBook status=200"];
    totals.update(1, metricsOf([request]).snapshot());
    totals.update(1, metricsOf([request, request]).snapshot());
    totals.update(2, metricsOf([request]).snapshot());
    expect(requests()).toBe(3);
    expect(totals.sumWith(own).gauges.processes).toBe(3);
    totals.retire(1);
    totals.retire(1);
    totals.retire(99);
    expect(requests()).toBe(3);
    expect(totals.sumWith(own).gauges).toMatchObject({ processes: 2, connections: 14 });
    totals.update(3, metricsOf([request]).snapshot());
    totals.retire(2);
    expect(requests()).toBe(4);
    expect(totals.sumWith(own).catalog).toEqual(STATS);
    expect(withoutGauges(own).catalog).toBeUndefined();
  });

  test("cannot be merged without a snapshot", () => {
    expect(() => mergeSnapshots([])).toThrow(RangeError);
  });
});
