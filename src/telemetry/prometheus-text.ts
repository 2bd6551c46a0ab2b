/** Renders metrics in the Prometheus text format, version 0.0.4. */
import { IMPORT_OUTCOMES, type ImportRun } from "../catalog/import-run.ts";
import {
  BUCKET_BOUNDS_SECONDS,
  type HistogramCounts,
  type KnownLoad,
  type MetricsSnapshot,
  type RouteCounts,
} from "./metrics-snapshot.ts";

export const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

export function renderMetrics(snapshot: MetricsSnapshot): string {
  const { takenAtMs, startedAtMs, version, counters, gauges } = snapshot;
  const routes = Object.entries(counters.routes).sort(([a], [b]) => (a < b ? -1 : 1));
  const byRoute = (value: (counts: RouteCounts) => number) =>
    routes.map(([route, counts]): Sample => [{ route }, value(counts)]);
  const requests = routes.flatMap(([route, { requestsByStatus }]) =>
    Object.entries(requestsByStatus).map(([status, count]): Sample => [{ route, status }, count]),
  );
  return [
    counter("colophon_requests_total", "Requests that were responded to.", requests),
    histogram(
      "colophon_request_duration_seconds",
      "Time from a request to the end of its response.",
      routes.map(([route, { durationSeconds }]) => [{ route }, durationSeconds]),
    ),
    histogram(
      "colophon_first_byte_seconds",
      "Time from a request to the first byte of its response.",
      routes.map(([route, { firstByteSeconds }]) => [{ route }, firstByteSeconds]),
    ),
    counter(
      "colophon_response_bytes_total",
      "Bytes of response bodies that were sent.",
      byRoute(({ bodyBytes }) => bodyBytes),
    ),
    counter(
      "colophon_responses_broken_off_total",
      "Responses that were cut off before their end.",
      byRoute(({ incomplete }) => incomplete),
    ),
    counter(
      "colophon_cache_hits_total",
      "Responses that came from the cache.",
      byRoute(({ cacheHits }) => cacheHits),
    ),
    counter(
      "colophon_cache_misses_total",
      "Responses with status 200 or 304 that did not come from the cache.",
      byRoute(({ cacheMisses }) => cacheMisses),
    ),
    histogram("colophon_store_duration_seconds", "Duration of lookups in the store.", [
      [{}, counters.storeSeconds],
    ]),
    counter(
      "colophon_failures_total",
      "Errors of the service or its store.",
      withoutLabels(counters.failures),
    ),
    counter(
      "colophon_refused_total",
      "Connections and requests that were refused unread.",
      Object.entries(counters.refused).map(([reason, count]): Sample => [{ reason }, count]),
    ),
    counter("colophon_key_reads_total", "Reloads of the keys.", [
      [{ result: "read" }, counters.keyReloads],
      [{ result: "failed" }, counters.failedKeyReloads],
    ]),
    counter(
      "colophon_workers_died_total",
      "Worker processes that ended unexpectedly.",
      withoutLabels(counters.workersDied),
    ),
    counter(
      "colophon_log_lines_dropped_total",
      "Log lines that were dropped: the log was read too slowly, or its file could not be written.",
      withoutLabels(counters.droppedLogLines),
    ),
    gauge("colophon_connections", "Open connections.", withoutLabels(gauges.connections)),
    gauge(
      "colophon_requests_in_flight",
      "Requests whose response is not sent completely.",
      withoutLabels(gauges.requestsInFlight),
    ),
    gauge(
      "colophon_list_memory_bytes",
      "Estimated memory of the lists in flight.",
      withoutLabels(gauges.listBytes),
    ),
    gauge("colophon_lists_waiting", "Lists that wait for memory.", withoutLabels(gauges.waitingLists)),
    gauge(
      "colophon_processes",
      "Processes that these metrics are the sum of.",
      withoutLabels(gauges.processes),
    ),
    gauge(
      "colophon_uptime_seconds",
      "Time since the start.",
      withoutLabels((takenAtMs - startedAtMs) / 1000),
    ),
    gauge("colophon_build_info", "Versions of Colophon and Bun.", [[{ version, bun: Bun.version }, 1]]),
    ...catalogMetrics(snapshot),
    ...importMetrics(snapshot),
    ...watchMetrics(snapshot),
    ...loadMetrics(gauges.storeLoad),
    gauge(
      "process_resident_memory_bytes",
      "Resident memory of all processes.",
      withoutLabels(gauges.residentBytes),
    ),
    counter("process_cpu_seconds_total", "CPU time of all processes.", withoutLabels(counters.cpuSeconds)),
    gauge("process_start_time_seconds", "Start of the first process.", withoutLabels(startedAtMs / 1000)),
    ...knownGauge(
      "process_open_fds",
      "Open file descriptors of the process that has the most.",
      gauges.openDescriptors,
    ),
    ...knownGauge("process_max_fds", "Limit of the file descriptors of a process.", gauges.maxDescriptors),
  ].join("");
}

function catalogMetrics({ takenAtMs, catalog }: MetricsSnapshot): readonly string[] {
  const up = gauge(
    "colophon_store_up",
    "1 if the store responds, 0 if it does not.",
    withoutLabels(catalog ? 1 : 0),
  );
  if (!catalog) return [up];
  const { revision, records, imprints, imported } = catalog;
  const sizes = [
    up,
    gauge("colophon_catalog_info", "Revision of the catalog.", [[{ revision }, 1]]),
    gauge("colophon_catalog_records", "Books in the catalog.", withoutLabels(records)),
    gauge("colophon_catalog_imprints", "Imprints that have books.", withoutLabels(imprints)),
  ];
  if (imported === undefined) return sizes;
  const importedAtMs = Date.parse(imported);
  return [
    ...sizes,
    gauge(
      "colophon_catalog_import_age_seconds",
      "Time since the last import that changed a record.",
      withoutLabels(Math.max(0, takenAtMs - importedAtMs) / 1000),
    ),
    gauge(
      "colophon_catalog_imported_timestamp_seconds",
      "Time of the last import that changed a record.",
      withoutLabels(importedAtMs / 1000),
    ),
  ];
}

/** The last import that this version has run, or the last ones if that failed. */
function importMetrics({ catalog }: MetricsSnapshot): readonly string[] {
  const { lastImport, lastApplied } = catalog ?? {};
  if (!lastImport) return [];
  const secondsOf = (time: string) => Date.parse(time) / 1000;
  return [
    gauge(
      "colophon_last_import_timestamp_seconds",
      "End of the last import, also of one that failed or changed nothing.",
      withoutLabels(secondsOf(lastImport.ended)),
    ),
    gauge(
      "colophon_last_import_duration_seconds",
      "Duration of the last import.",
      withoutLabels(Math.max(0, Date.parse(lastImport.ended) - Date.parse(lastImport.started)) / 1000),
    ),
    gauge(
      "colophon_last_import_outcome",
      "1 for the outcome of the last import, 0 for the others.",
      IMPORT_OUTCOMES.map((outcome): Sample => [{ outcome }, lastImport.outcome === outcome ? 1 : 0]),
    ),
    ...(lastApplied ? appliedMetrics(lastApplied, secondsOf(lastApplied.ended)) : []),
  ];
}

function appliedMetrics({ counts }: ImportRun, endedSeconds: number): readonly string[] {
  return [
    gauge(
      "colophon_last_successful_import_timestamp_seconds",
      "End of the last import that did not fail.",
      withoutLabels(endedSeconds),
    ),
    gauge(
      "colophon_last_successful_import_results",
      "Products, removals and warnings of the last import that did not fail, by result.",
      Object.entries(counts).map(([result, count]): Sample => [{ result }, count]),
    ),
  ];
}

/** Without a watched folder there are none. */
function watchMetrics({ counters, gauges: { watch } }: MetricsSnapshot): readonly string[] {
  if (!watch) return [];
  return [
    gauge(
      "colophon_watch_up",
      "1 if feeds of the watched folder can be taken, 0 if they cannot.",
      withoutLabels(watch.isUp ? 1 : 0),
    ),
    counter(
      "colophon_watch_feeds_total",
      "Feeds of the watched folder, and attempts that were postponed.",
      Object.entries(counters.feeds).map(([outcome, count]): Sample => [{ outcome }, count]),
    ),
    gauge(
      "colophon_watch_waiting_feeds",
      "Feeds in the watched folder that are not taken yet.",
      withoutLabels(watch.feeds),
    ),
    gauge(
      "colophon_watch_oldest_feed_seconds",
      "Time for which the oldest of them has been there.",
      withoutLabels(watch.oldestSeconds),
    ),
  ];
}

function loadMetrics(load: KnownLoad): readonly string[] {
  const oldestSeconds = load.oldestListMs === undefined ? undefined : load.oldestListMs / 1000;
  return [
    ...knownGauge("colophon_store_open_lists", "Lists that read from the store.", load.openLists),
    ...knownGauge("colophon_store_oldest_list_seconds", "Age of the oldest open list.", oldestSeconds),
    ...knownGauge(
      "colophon_store_connections",
      "Open connections to the PostgreSQL server.",
      load.poolConnections,
    ),
    ...knownGauge("colophon_store_file_bytes", "Size of the catalog file.", load.fileBytes),
    ...knownGauge("colophon_store_log_bytes", "Size of the write-ahead log.", load.logBytes),
  ];
}

/** Returns nothing for a value that is not known. */
function knownGauge(name: string, help: string, value: number | undefined): readonly string[] {
  return value === undefined ? [] : [gauge(name, help, withoutLabels(value))];
}

function withoutLabels(value: number): readonly Sample[] {
  return [[{}, value]];
}

function counter(name: string, help: string, samples: readonly Sample[]): string {
  return family(name, help, "counter", samples);
}

function gauge(name: string, help: string, samples: readonly Sample[]): string {
  return family(name, help, "gauge", samples);
}

function family(name: string, help: string, type: string, samples: readonly Sample[]): string {
  return header(name, help, type) + samples.map(([labels, value]) => line(name, labels, value)).join("");
}

/** Prometheus expects cumulative buckets. */
function histogram(
  name: string,
  help: string,
  series: readonly (readonly [Labels, HistogramCounts])[],
): string {
  let text = header(name, help, "histogram");
  for (const [labels, { counts, sum }] of series) {
    let total = 0;
    counts.forEach((count, bucket) => {
      total += count;
      const le = bucket < BUCKET_BOUNDS_SECONDS.length ? String(BUCKET_BOUNDS_SECONDS[bucket]) : "+Inf";
      text += line(`${name}_bucket`, { ...labels, le }, total);
    });
    text += line(`${name}_sum`, labels, sum) + line(`${name}_count`, labels, total);
  }
  return text;
}

function header(name: string, help: string, type: string): string {
  return `# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}\n# TYPE ${name} ${type}\n`;
}

function line(name: string, labels: Labels, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}
