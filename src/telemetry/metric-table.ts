/** All metrics, each declared once. Counting, the sums of worker processes and the exposed text follow from the table. */
import { IMPORT_OUTCOMES, type ImportRun } from "../catalog/import-run.ts";
import type { StoreLoad } from "../catalog/store-load.ts";
import type { BackupStatus } from "./backup-status.ts";
import { maxDescriptors, openDescriptors } from "./descriptors.ts";
import { FEED_OUTCOMES, REFUSAL_REASONS, type ServiceEvent } from "./event.ts";
import type { Metric, RareEvent, Sample } from "./metric.ts";
import type { RequestCounts } from "./request-counts.ts";

export const METRICS: Readonly<Record<string, Metric>> = {
  colophon_requests_total: {
    ...counter("Requests that were responded to.", ({ routes }) =>
      [...routes].flatMap(([route, counts]) =>
        counts.statuses().map(([status, count]): Sample => [{ route, status }, count]),
      ),
    ),
    isSorted: true,
  },
  colophon_request_duration_seconds: byRoute(
    "Time from a request to the end of its response.",
    "durationSeconds",
    "histogram",
  ),
  colophon_first_byte_seconds: byRoute(
    "Time from a request to the first byte of its response.",
    "firstByteSeconds",
    "histogram",
  ),
  colophon_response_bytes_total: byRoute("Bytes of response bodies that were sent.", "bodyBytes"),
  colophon_responses_broken_off_total: byRoute("Responses that were cut off before their end.", "incomplete"),
  colophon_cache_hits_total: byRoute("Responses that came from the cache.", "cacheHits"),
  colophon_cache_misses_total: byRoute(
    "Responses with status 200 or 304 that did not come from the cache.",
    "cacheMisses",
  ),
  colophon_store_duration_seconds: {
    type: "histogram",
    help: "Duration of lookups in the store.",
    read: ({ storeSeconds }) => [[{}, storeSeconds.values()]],
  },
  colophon_failures_total: counted(
    "Errors of the service or its store.",
    ({ kind }) => kind === "failed" || kind === "fault",
  ),
  colophon_refused_total: counted(
    "Connections and requests that were refused unread.",
    (event) => event.kind === "refused" && event.reason,
    ["reason", REFUSAL_REASONS],
  ),
  colophon_key_reads_total: counted(
    "Reloads of the keys.",
    // That the keys have expired is the consequence of reads that were counted before.
    (event) =>
      event.kind === "keys" &&
      event.outcome !== "expired" &&
      (event.outcome === "failed" ? "failed" : "read"),
    ["outcome", ["read", "failed"]],
  ),
  colophon_workers_died_total: counted(
    "Worker processes that ended unexpectedly.",
    (event) => event.kind === "worker" && event.state === "died",
  ),
  colophon_log_lines_dropped_total: counter(
    "Log lines that were dropped: the log was read too slowly, or its file could not be written.",
    ({ log }) => log?.droppedLines ?? 0,
  ),
  colophon_connections: gauge("Open connections.", ({ server }) => server?.connections ?? 0),
  colophon_requests_in_flight: gauge(
    "Requests whose response is not sent completely.",
    ({ server }) => server?.requestsInFlight ?? 0,
  ),
  colophon_list_memory_bytes: gauge(
    "Estimated memory of the lists in flight.",
    ({ lists }) => lists?.usedBytes ?? 0,
  ),
  colophon_lists_waiting: gauge("Lists that wait for memory.", ({ lists }) => lists?.waiting ?? 0),
  colophon_processes: gauge("Processes that these metrics are the sum of.", () => 1),
  colophon_uptime_seconds: gauge(
    "Time since the start.",
    ({ nowMs, startedAtMs }) => (nowMs - startedAtMs) / 1000,
    Math.max,
  ),
  colophon_build_info: gauge(
    "Versions of Colophon and Bun.",
    ({ version }) => [[{ version, bun: Bun.version }, 1]],
    Math.max,
  ),
  // Only the process with the admin port queries the catalog.
  colophon_store_up: gauge(
    "1 if the store responds, 0 if it does not.",
    ({ catalog }) => (catalog ? 1 : 0),
    Math.max,
  ),
  colophon_catalog_info: gauge(
    "Revision of the catalog.",
    ({ catalog }) => catalog && [[{ revision: catalog.revision }, 1]],
  ),
  colophon_catalog_records: gauge("Books in the catalog.", ({ catalog }) => catalog?.records),
  colophon_catalog_imprints: gauge("Imprints that have books.", ({ catalog }) => catalog?.imprints),
  colophon_catalog_import_age_seconds: gauge(
    "Time since the last import that changed a record.",
    ({ nowMs, catalog }) =>
      ifKnown(catalog?.imported, (time) => Math.max(0, nowMs - Date.parse(time)) / 1000),
  ),
  colophon_catalog_imported_timestamp_seconds: gauge(
    "Time of the last import that changed a record.",
    ({ catalog }) => ifKnown(catalog?.imported, secondsOf),
  ),
  colophon_last_import_timestamp_seconds: ofRun(
    "lastImport",
    "End of the last import, also of one that failed or changed nothing.",
    ({ ended }) => secondsOf(ended),
  ),
  colophon_last_import_duration_seconds: ofRun(
    "lastImport",
    "Duration of the last import.",
    (run) => Math.max(0, Date.parse(run.ended) - Date.parse(run.started)) / 1000,
  ),
  colophon_last_import_outcome: ofRun(
    "lastImport",
    "1 for the outcome of the last import, 0 for the others.",
    (run) => IMPORT_OUTCOMES.map((outcome) => [{ outcome }, run.outcome === outcome ? 1 : 0]),
  ),
  colophon_last_successful_import_timestamp_seconds: gauge(
    "End of the last import that did not fail.",
    // An upgraded or restored catalog may have records of imports that its history does not have.
    ({ catalog }) => ifKnown(catalog?.lastApplied?.ended ?? catalog?.imported, secondsOf),
  ),
  colophon_last_successful_import_results: ofRun(
    "lastApplied",
    "Products, removals and warnings of the last import that did not fail, by result.",
    ({ counts }) => Object.entries(counts).map(([result, count]) => [{ result }, count]),
  ),
  // Without --backups, these are omitted.
  colophon_last_backup_timestamp_seconds: ofBackup("End of the last backup that succeeded.", (backup) =>
    backup === "none" || backup.lastSuccess === undefined ? 0 : secondsOf(backup.lastSuccess),
  ),
  colophon_last_backup_failed: ofBackup("1 if the last backup failed, 0 if it did not.", (backup) =>
    backup === "none" ? undefined : Number(backup.failure !== undefined),
  ),
  colophon_last_backup_duration_seconds: ofBackup("Duration of the last backup.", (backup) =>
    backup === "none" ? undefined : backup.seconds,
  ),
  colophon_last_backup_bytes: ofBackup("Size of the last backup.", (backup) =>
    backup === "none" ? undefined : backup.bytes,
  ),
  // Without a watched folder, these are omitted. At most one process reports one.
  colophon_watch_up: ofWatch(
    "1 if feeds of the watched folder can be taken, 0 if they cannot.",
    (_, before) => before ?? 0,
    ({ state }) => Number(state === "watched"),
  ),
  colophon_watch_feeds_total: {
    ...counted(
      "Feeds of the watched folder, and attempts that were postponed.",
      (event) => event.kind === "feed" && event.outcome,
      ["outcome", FEED_OUTCOMES],
    ),
    onlyWith: "colophon_watch_up",
  },
  colophon_watch_waiting_feeds: ofWatch(
    "Feeds in the watched folder that are not taken yet.",
    ({ feeds }) => feeds,
  ),
  colophon_watch_oldest_feed_seconds: ofWatch(
    "Time for which the oldest of them has been there.",
    ({ oldestSeconds }) => oldestSeconds,
  ),
  // Lists and connections belong to a process. The file and its log are the same for all.
  colophon_store_lists_open: ofStore("Lists that read from the store.", "openLists"),
  colophon_store_oldest_list_seconds: gauge(
    "Age of the oldest open list.",
    ({ storeLoad }) => ifKnown(storeLoad?.oldestListMs, (ms) => ms / 1000),
    Math.max,
  ),
  colophon_store_connections: ofStore("Open connections to the PostgreSQL server.", "poolConnections"),
  colophon_store_file_bytes: ofStore("Size of the catalog file.", "fileBytes", Math.max),
  colophon_store_log_bytes: ofStore("Size of the write-ahead log.", "logBytes", Math.max),
  colophon_store_free_page_bytes: ofStore(
    "Part of the catalog file that has no content.",
    "freePageBytes",
    Math.max,
  ),
  colophon_store_disk_free_bytes: ofStore(
    "Free space of the disk that the catalog file is on.",
    "diskFreeBytes",
    Math.min,
  ),
  process_resident_memory_bytes: gauge("Resident memory of all processes.", () => process.memoryUsage.rss()),
  process_cpu_seconds_total: counter("CPU time of all processes.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }),
  process_start_time_seconds: gauge(
    "Start of the first process.",
    ({ startedAtMs }) => startedAtMs / 1000,
    Math.min,
  ),
  process_open_fds: gauge(
    "Open file descriptors of the process that has the most.",
    openDescriptors,
    Math.max,
  ),
  process_max_fds: gauge("Limit of the file descriptors of a process.", maxDescriptors, Math.min),
};

type Read = NonNullable<Metric["read"]>;
type EventOf<Kind> = Extract<ServiceEvent, { kind: Kind }>;

function counter(help: string, read: Read): Metric {
  return { type: "counter", help, read };
}

function gauge(help: string, read: Read, merge?: Metric["merge"]): Metric {
  return { type: "gauge", help, read, merge };
}

function byRoute(
  help: string,
  field: keyof ReturnType<RequestCounts["values"]>,
  type: Metric["type"] = "counter",
): Metric {
  const read: Read = ({ routes }) =>
    [...routes].map(([route, counts]) => [{ route }, counts.values()[field]]);
  return { type, help, read, isSorted: true };
}

/** The type checker refuses a value that the label does not list. */
function counted<Value extends string = never>(
  help: string,
  count: (event: RareEvent) => boolean | NoInfer<Value>,
  label?: readonly [name: string, values: readonly Value[]],
): Metric {
  return { type: "counter", help, count, label };
}

function ofRun(
  run: "lastImport" | "lastApplied",
  help: string,
  read: (run: ImportRun) => ReturnType<Read>,
): Metric {
  return gauge(help, ({ catalog }) => ifKnown(catalog?.[run], read));
}

function ofBackup(help: string, read: (backup: BackupStatus | "none") => number | undefined): Metric {
  return gauge(help, ({ backup }) => ifKnown(backup, read));
}

function ofStore(help: string, field: keyof StoreLoad, merge?: Metric["merge"]): Metric {
  return gauge(help, ({ storeLoad }) => storeLoad?.[field], merge);
}

/** While it waits for another import, and after it has skipped something, the watcher does its work. */
function ofWatch(
  help: string,
  atBacklog: (event: EventOf<"backlog">, before: number | undefined) => number,
  atState = (_: EventOf<"watch">, before = 0) => before,
): Metric {
  return {
    type: "gauge",
    help,
    set(event, before) {
      if (event.kind === "backlog") return atBacklog(event, before);
      const isChange = event.kind === "watch" && event.state !== "waiting" && event.state !== "skipped";
      return isChange ? atState(event, before) : undefined;
    },
  };
}

function ifKnown<T, Result>(value: T | undefined, convert: (value: T) => Result): Result | undefined {
  return value === undefined ? undefined : convert(value);
}

function secondsOf(time: string): number {
  return Date.parse(time) / 1000;
}
