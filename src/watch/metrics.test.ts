import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Answered, Event } from "./event.ts";
import { Metrics } from "./metrics.ts";
import { type Family, parse } from "./testing/prometheus-parser.ts";
import { render } from "./prometheus-text.ts";
import { type MetricsSnapshot, merge, past } from "./metrics-snapshot.ts";
import { Totals } from "./worker-totals.ts";

const STARTED = Date.UTC(2026, 0, 1);
const STATS = {
  revision: "0123456789abcdef0123456789abcdef",
  records: 223,
  imprints: 18,
  imported: "2026-01-01T00:00:30.000Z",
};

const answered: Answered = {
  kind: "answered",
  id: "1-1",
  method: "GET",
  path: "/api/isbn/1",
  route: "getBook",
  status: 200,
  bytes: 100,
  seconds: 0.0003,
  caller: undefined,
  kept: false,
  whole: true,
};

/** Counted by a process that started then and is asked a minute later. */
function counted(events: readonly Event[]): Metrics {
  let now = STARTED;
  const metrics = new Metrics({
    version: "1.2.3",
    connections: () => 7,
    logDropped: () => 3,
    now: () => now,
  });
  for (const event of events) metrics.observe(event);
  now += 60_000;
  return metrics;
}

function read(snapshot: MetricsSnapshot): Map<string, Family> {
  return parse(render(snapshot));
}

/** The values of a metric, by its labels. */
function values(families: Map<string, Family>, family: string, name = family): Record<string, number> {
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

describe("what is counted", () => {
  test("requests by route and status, bytes, hits and misses of the cache, what broke off", () => {
    const families = read(
      counted([
        answered,
        { ...answered, kept: true },
        { ...answered, status: 304, bytes: 0, kept: true },
        { ...answered, status: 404, bytes: 10 },
        { ...answered, status: 401, bytes: 10 },
        { ...answered, route: "getSkus", bytes: 5000, whole: false },
        { ...answered, route: "unknown", status: 404, bytes: 1 },
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

  test("latencies: a bound belongs to its bucket", () => {
    const times = [0, 0.0001, 0.00011, 0.001, 59, 60, 61];
    const families = read(counted(times.map((seconds) => ({ ...answered, seconds }))).snapshot());
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

  test("all the rest", () => {
    const events: Event[] = [
      { kind: "store", seconds: 0.002 },
      { kind: "store", seconds: 3 },
      { kind: "refused", why: "connections" },
      { kind: "refused", why: "not-http" },
      { kind: "refused", why: "not-http" },
      { kind: "failed", id: "1", method: "GET", path: "/", error: "x" },
      { kind: "fault", error: "x" },
      { kind: "keys" },
      { kind: "keys", error: "x" },
      { kind: "keys", error: "x" },
      { kind: "worker", state: "died", pid: 1 },
      { kind: "worker", state: "replaced", pid: 2 },
      { kind: "started", url: "", version: "", workers: 1 },
      { kind: "stopping", why: "" },
    ];
    const families = read(counted(events).snapshot(STATS));
    const only = (name: string) => values(families, name)[""];
    const store = "colophon_store_duration_seconds";
    expect(values(families, store, `${store}_count`)).toEqual({ "": 2 });
    expect(values(families, store, `${store}_sum`)).toEqual({ "": 3.002 });
    expect(values(families, "colophon_refused_total")).toEqual({
      "reason=connections": 1,
      "reason=not-http": 2,
      "reason=too-large": 0,
      "reason=too-slow": 0,
    });
    expect(only("colophon_failures_total")).toBe(2);
    expect(values(families, "colophon_key_reads_total")).toEqual({ "result=read": 1, "result=failed": 2 });
    expect(only("colophon_workers_died_total")).toBe(1);
    expect(only("colophon_log_lines_dropped_total")).toBe(3);
    expect(only("colophon_connections")).toBe(7);
    expect(only("colophon_processes")).toBe(1);
    expect(only("colophon_uptime_seconds")).toBe(60);
    expect(only("process_start_time_seconds")).toBe(STARTED / 1000);
    expect(only("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
    expect(only("process_cpu_seconds_total")).toBeGreaterThan(0);
    expect(values(families, "colophon_build_info")).toEqual({ [`version=1.2.3 bun=${Bun.version}`]: 1 });
    expect(values(families, "colophon_catalog_info")).toEqual({ [`revision=${STATS.revision}`]: 1 });
    expect(only("colophon_store_up")).toBe(1);
    expect(only("colophon_catalog_records")).toBe(223);
    expect(only("colophon_catalog_imprints")).toBe(18);
    expect(only("colophon_catalog_import_age_seconds")).toBe(30);
    expect(only("colophon_catalog_imported_timestamp_seconds")).toBe(STARTED / 1000 + 30);
  });

  test("a store that does not answer, and a catalog that nothing was imported into", () => {
    const down = read(counted([]).snapshot());
    expect(values(down, "colophon_store_up")).toEqual({ "": 0 });
    expect([...down.keys()].filter((name) => name.startsWith("colophon_catalog"))).toEqual([]);
    const empty = read(counted([]).snapshot({ ...STATS, records: 0, imported: undefined }));
    expect(empty.has("colophon_catalog_records")).toBe(true);
    expect(empty.has("colophon_catalog_import_age_seconds")).toBe(false);
  });

  test("any label is escaped so that it is read as it was", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (route) => {
        const families = read(counted([{ ...answered, route }]).snapshot());
        expect(families.get("colophon_response_bytes_total")!.samples[0]!.labels).toEqual({ route });
      }),
    );
  });
});

describe("several processes", () => {
  const event: fc.Arbitrary<Event> = fc.oneof(
    fc
      .record({
        route: fc.constantFrom("getBook", "getSkus", "page", "unknown"),
        status: fc.constantFrom(200, 304, 404, 429, 503),
        bytes: fc.nat(100_000),
        // Sums of these are exact.
        seconds: fc.nat(400).map((quarters) => quarters / 4),
        kept: fc.boolean(),
        whole: fc.boolean(),
      })
      .map((parts) => ({ ...answered, ...parts })),
    fc.nat(40).map((quarters) => ({ kind: "store" as const, seconds: quarters / 4 })),
    fc
      .constantFrom("connections" as const, "too-slow" as const)
      .map((why) => ({ kind: "refused" as const, why })),
    fc.constantFrom<Event>(
      { kind: "keys" },
      { kind: "fault", error: 1 },
      { kind: "worker", state: "died", pid: 1 },
    ),
  );

  test("merged, they have counted what one would have", () => {
    fc.assert(
      fc.property(fc.array(fc.array(event, { maxLength: 30 }), { minLength: 1, maxLength: 4 }), (shares) => {
        // As it comes from a worker: plain data.
        const sent = shares.map(
          (share) => JSON.parse(JSON.stringify(counted(share).snapshot())) as MetricsSnapshot,
        );
        const { counters, gauges, ...times } = merge(sent);
        const alone = counted(shares.flat()).snapshot();
        const { cpu, logDropped, ...sums } = counters;
        const { cpu: _, logDropped: __, ...expected } = alone.counters;
        expect(sums).toEqual(expected);
        expect(logDropped).toBe(3 * shares.length);
        expect(cpu).toBeCloseTo(
          sent.reduce((sum, { counters }) => sum + counters.cpu, 0),
          6,
        );
        expect([gauges.processes, gauges.connections]).toEqual([shares.length, 7 * shares.length]);
        expect([times.at, times.started]).toEqual([alone.at, alone.started]);
        read(merge(sent));
      }),
    );
  });

  test("of a catalog, the latest import counts", () => {
    const before = counted([]).snapshot(STATS);
    const after = counted([]).snapshot({ ...STATS, records: 9, imported: "2026-01-01T00:00:40.000Z" });
    const never = counted([]).snapshot({ ...STATS, records: 0, imported: undefined });
    for (const all of [
      [before, after, never],
      [never, after, before],
      [after, counted([]).snapshot()],
    ])
      expect(merge(all).catalog?.records).toBe(9);
    expect(merge([counted([]).snapshot()]).catalog).toBeUndefined();
  });

  test("a worker that ends leaves its counts, and takes its memory and connections along", () => {
    const totals = new Totals();
    const own = counted([]).snapshot(STATS);
    const requests = () =>
      values(read(totals.with(own)), "colophon_requests_total")["route=getBook status=200"];
    totals.update(1, counted([answered]).snapshot());
    totals.update(1, counted([answered, answered]).snapshot());
    totals.update(2, counted([answered]).snapshot());
    expect(requests()).toBe(3);
    expect(totals.with(own).gauges.processes).toBe(3);
    totals.ended(1);
    totals.ended(1);
    totals.ended(99);
    expect(requests()).toBe(3);
    expect(totals.with(own).gauges).toMatchObject({ processes: 2, connections: 14 });
    totals.update(3, counted([answered]).snapshot());
    totals.ended(2);
    expect(requests()).toBe(4);
    expect(totals.with(own).catalog).toEqual(STATS);
    expect(past(own).catalog).toBeUndefined();
  });

  test("nothing to merge is a mistake", () => {
    expect(() => merge([])).toThrow(RangeError);
  });
});

describe("the reader of the format is strict", () => {
  test.each([
    ["no end", "# HELP a b\n# TYPE a gauge\na 1"],
    ["no type", "# HELP a b\na 1\n"],
    ["no help", "# TYPE a gauge\na 1\n"],
    ["another name", "# HELP a b\n# TYPE a gauge\nb 1\n"],
    ["twice", '# HELP a b\n# TYPE a gauge\na{x="1"} 1\na{x="1"} 2\n'],
    ["a bad label", '# HELP a b\n# TYPE a gauge\na{x="a"b"} 1\n'],
    ["a bad value", "# HELP a b\n# TYPE a gauge\na Infinity\n"],
    ["a counter's name", "# HELP a b\n# TYPE a counter\na 1\n"],
    [
      "a histogram that shrinks",
      '# HELP a b\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n',
    ],
  ])("%s", (_, text) => {
    expect(() => parse(text)).toThrow();
  });
});
