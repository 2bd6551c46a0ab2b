/** Metrics as Prometheus reads them: its text format, version 0.0.4. */
import { BOUNDS, type HistogramCounts, type MetricsSnapshot, type RouteCounts } from "./metrics-snapshot.ts";

export const PROMETHEUS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

export function render(snapshot: MetricsSnapshot): string {
  const { at, started, version, counters, gauges } = snapshot;
  const routes = Object.entries(counters.routes).sort(([a], [b]) => (a < b ? -1 : 1));
  const byRoute = (value: (counts: RouteCounts) => number) =>
    routes.map(([route, counts]): Sample => [{ route }, value(counts)]);
  const requests = routes.flatMap(([route, counts]) =>
    Object.entries(counts.requests).map(([status, count]): Sample => [{ route, status }, count]),
  );
  return [
    counter("colophon_requests_total", "Requests that were answered.", requests),
    histogram(
      "colophon_request_duration_seconds",
      "Time from a request to the end of its answer.",
      routes.map(([route, { latency }]) => [{ route }, latency]),
    ),
    counter(
      "colophon_response_bytes_total",
      "Bytes of bodies that were sent.",
      byRoute(({ bytes }) => bytes),
    ),
    counter(
      "colophon_responses_broken_off_total",
      "Answers that ended before their end.",
      byRoute(({ broken }) => broken),
    ),
    counter(
      "colophon_cache_hits_total",
      "Answers that came from the cache.",
      byRoute(({ hits }) => hits),
    ),
    counter(
      "colophon_cache_misses_total",
      "Answers with status 200 or 304 that did not come from the cache.",
      byRoute(({ misses }) => misses),
    ),
    histogram("colophon_store_duration_seconds", "Time that the store took to answer.", [
      [{}, counters.store],
    ]),
    counter("colophon_failures_total", "Errors of the service or its store.", one(counters.failures)),
    counter(
      "colophon_refused_total",
      "Connections and requests that were turned away unread.",
      Object.entries(counters.refused).map(([reason, count]): Sample => [{ reason }, count]),
    ),
    counter("colophon_key_reads_total", "Times that keys were read again.", [
      [{ result: "read" }, counters.keysRead],
      [{ result: "failed" }, counters.keysFailed],
    ]),
    counter("colophon_workers_died_total", "Workers that ended unasked.", one(counters.workersDied)),
    counter(
      "colophon_log_lines_dropped_total",
      "Lines that standard error did not take in time.",
      one(counters.logDropped),
    ),
    gauge("colophon_connections", "Connections that are open.", one(gauges.connections)),
    gauge("colophon_processes", "Processes that these figures are the sum of.", one(gauges.processes)),
    gauge("colophon_uptime_seconds", "Time since the start.", one((at - started) / 1000)),
    gauge("colophon_build_info", "What runs here.", [[{ version, bun: Bun.version }, 1]]),
    ...catalog(snapshot),
    gauge("process_resident_memory_bytes", "Memory, of all processes.", one(gauges.memory)),
    counter("process_cpu_seconds_total", "CPU time, of all processes.", one(counters.cpu)),
    gauge("process_start_time_seconds", "When the first process started.", one(started / 1000)),
  ].join("");
}

function catalog({ at, catalog: stats }: MetricsSnapshot): readonly string[] {
  const up = gauge("colophon_store_up", "Whether the store has just answered.", one(stats ? 1 : 0));
  if (!stats) return [up];
  const sizes = [
    up,
    gauge("colophon_catalog_info", "The state of the catalog.", [[{ revision: stats.revision }, 1]]),
    gauge("colophon_catalog_records", "Books in the catalog.", one(stats.records)),
    gauge("colophon_catalog_imprints", "Imprints that have books.", one(stats.imprints)),
  ];
  if (stats.imported === undefined) return sizes;
  const imported = Date.parse(stats.imported);
  return [
    ...sizes,
    gauge(
      "colophon_catalog_import_age_seconds",
      "Time since the last import that changed something.",
      one(Math.max(0, at - imported) / 1000),
    ),
    gauge("colophon_catalog_imported_timestamp_seconds", "When that was.", one(imported / 1000)),
  ];
}

function one(value: number): readonly Sample[] {
  return [[{}, value]];
}

function counter(name: string, help: string, samples: readonly Sample[]): string {
  return head(name, help, "counter") + samples.map(([labels, value]) => line(name, labels, value)).join("");
}

function gauge(name: string, help: string, samples: readonly Sample[]): string {
  return head(name, help, "gauge") + samples.map(([labels, value]) => line(name, labels, value)).join("");
}

function histogram(name: string, help: string, all: readonly (readonly [Labels, HistogramCounts])[]): string {
  let text = head(name, help, "histogram");
  for (const [labels, { counts, sum }] of all) {
    let total = 0;
    counts.forEach((count, at) => {
      total += count;
      const le = at < BOUNDS.length ? String(BOUNDS[at]) : "+Inf";
      text += line(`${name}_bucket`, { ...labels, le }, total);
    });
    text += line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, total);
  }
  return text;
}

function head(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`;
}

function escaped(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
