import packageJson from "../../package.json" with { type: "json" };
import { issueToken } from "../api/auth/issue-token.ts";
import type { Store } from "../catalog/store.ts";
import { requireFolder } from "../ingest/watch/folder/folder-problem.ts";
import { atMost } from "../lib/awaitable.ts";
import { httpUrl } from "../lib/text.ts";
import { utcDay } from "../onix/date.ts";
import { type AdminServer, startAdminServer } from "../telemetry/admin-server.ts";
import { readBackupStatus } from "../telemetry/backup-status.ts";
import type { Observer } from "../telemetry/event.ts";
import { createReadinessProbe, readStats } from "../telemetry/store-probe.ts";
import { commandOn, openStore, requireCatalog } from "./config/store-location.ts";
import { readTokenConfig, type TokenConfig } from "./config/token-config.ts";
import { refuseOwnFiles } from "./config/watch-settings.ts";
import { bind, listen } from "./serve/listen.ts";
import { closeLog, createObservability, type Observability } from "./serve/observability.ts";
import { completeSettings, type ServeSettings, serveOptions } from "./serve/settings.ts";
import { WatchProcess } from "./serve/watch-process.ts";
import { type Service, startWorkers } from "./serve/workers.ts";
import { CommandError, EXIT } from "./terminal/arguments.ts";
import { defineCommand } from "./terminal/command.ts";
import { formatCountOf } from "./terminal/format.ts";
import { receiveStopSignals, type StopSignals } from "./terminal/signals.ts";

const SAMPLE_TOKEN_DAYS = 7;

/** How long workers may not respond. Hung workers are replaced after 10 seconds: a restart is for when that fails. */
const MAX_NOT_SERVING_SECONDS = { ready: 1, live: 4 } as const;

export const command = defineCommand(
  [
    "colophon serve --sample",
    "colophon serve --host 0.0.0.0 --db /var/lib/colophon/catalog.db --workers 2 --admin-port 9090",
    "COLOPHON_DB=postgres://colophon@db/books COLOPHON_WORKERS=2 colophon serve",
  ],
  {
    options: serveOptions,
    about: "serves the API until SIGINT or SIGTERM",
    run: (settings) => serve(completeSettings(settings)),
  },
);

async function serve(settings: ServeSettings): Promise<number> {
  // A folder that is missing at the start is a mistake. One that goes missing later is waited for.
  const { watch, storeLocation, logFile, backups } = settings;
  // A line at its end damages a catalog.
  if (["", ".secret", ".tokens"].some((suffix) => logFile === storeLocation + suffix)) {
    throw new CommandError(`--log-file ${logFile} is a file of the catalog; name another file`);
  }
  if (watch) {
    requireFolder(watch.folder);
    refuseOwnFiles(watch.folder, [storeLocation, logFile, backups && `${backups}/catalog.db`]);
  }
  const stopSignals = receiveStopSignals();
  const observability = createObservability(settings);
  let service: Service | undefined;
  let isReopenDue = false;
  // From here on: the end of a terminal, or the rotation of a log, must not end a service that is starting.
  process.on("SIGHUP", () => {
    if (!observability.reopenLog()) return;
    if (service) service.reopenLog();
    else isReopenDue = true;
  });
  const create = settings.create || settings.sample;
  if (settings.create || !settings.sample) {
    await requireCatalog(settings.storeLocation, settings.create);
  }
  const store = await openStore(settings.storeLocation, {
    create,
    isService: true,
    registry: settings.newRegistry ? "new" : "required",
    truncatesLog: true,
    onCatalogChange: (change) => observability.observe({ kind: "catalog", ...change }),
    onReadonly: (reason) => observability.observe({ kind: "catalog", state: "read-only", reason }),
  });
  observability.sources.store = store;
  if (backups !== undefined) observability.sources.backup = () => readBackupStatus(backups) ?? "none";
  try {
    const tokenConfig = await readTokenConfig(settings.storeLocation, {
      onKeysRead: observability.onKeysRead,
      tokens: store.tokens,
    });
    process.on("SIGHUP", () => {
      void tokenConfig.keys.reload();
      service?.reloadSecret();
    });
    if (settings.sample) await fillWithSample(store, settings, observability.observe);
    const { workers } = settings;
    const { publishedKeys } = tokenConfig;
    service =
      workers === 1
        ? await startAlone(store, tokenConfig, settings, observability)
        : await startWorkers(workers, settings, observability.observe, publishedKeys, stopSignals.first);
    if (isReopenDue) service?.reopenLog();
    try {
      if (service) await runUntil(stopSignals, service, store, tokenConfig, settings, observability);
    } catch (error) {
      // An open listener would keep the process running.
      await service?.stop();
      throw error;
    }
    await closeLog(observability.log);
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

async function startAlone(
  store: Store,
  tokenConfig: TokenConfig,
  settings: ServeSettings,
  observability: Observability,
): Promise<Service> {
  const reusePort = settings.sharePort;
  const server = await listen({ store, tokenConfig, settings, reusePort, observability });
  if (settings.sharePort) server.takeOver(1);
  return {
    port: server.port,
    sumMetrics: async (own) => own,
    notServingSeconds: 0,
    reopenLog() {},
    reloadSecret() {},
    stop: () => server.stop(),
  };
}

/** Runs from the moment that the API listens to the end of the last response. */
async function runUntil(
  stopSignals: StopSignals,
  service: Service,
  store: Store,
  tokenConfig: TokenConfig,
  settings: ServeSettings,
  observability: Observability,
): Promise<void> {
  const { observe } = observability;
  const { workers, sample, drainMs } = settings;
  const url = httpUrl(settings.host, service.port);
  let isStopping = false;
  const admin =
    settings.adminPort === undefined
      ? undefined
      : startAdmin(
          settings,
          settings.adminPort,
          store,
          tokenConfig,
          () => isStopping,
          service,
          observability,
        );
  const { watch, storeLocation } = settings;
  const watchProcess = watch && new WatchProcess({ storeLocation, watch }, observe);
  try {
    const { records, imprints } = await store.stats();
    printWelcome(
      storeLocation,
      url,
      admin?.url,
      isLogElsewhere(settings) ? undefined : { records, imprints },
    );
    if (sample) await printSampleToken(store, tokenConfig);
    observe({ kind: "started", url, version: packageJson.version, workers, books: records });
    const signal = await stopSignals.first;
    const stoppingAtMs = performance.now();
    isStopping = true;
    const note = drainMs === 0 ? "" : `; connections are accepted for ${drainMs / 1000} s`;
    observe({ kind: "stopping", reason: signal + note });
    const watchStopped = watchProcess?.stop();
    // Connections are still accepted. A second signal ends the wait.
    await atMost(drainMs, stopSignals.second);
    const cutConnections = await service.stop();
    await watchStopped;
    observe({ kind: "stopped", seconds: (performance.now() - stoppingAtMs) / 1000, cutConnections });
  } finally {
    await watchProcess?.stop();
    await admin?.stop();
  }
}

function startAdmin(
  { adminHost: host, adminNames: names }: ServeSettings,
  port: number,
  store: Store,
  { keys }: TokenConfig,
  isStopping: () => boolean,
  service: Service,
  { metrics, onError }: Observability,
): AdminServer {
  const storeProbe = createReadinessProbe(store, isStopping);
  const workersReason = (maxSeconds: number) =>
    service.notServingSeconds > maxSeconds ? "no worker process responds" : undefined;
  const keysReason = () =>
    keys.current() ? undefined : "COLOPHON_JWT_KEYS could not be read for an hour: no token can be verified";
  const options = {
    host,
    port,
    names,
    notLiveReason: () => workersReason(MAX_NOT_SERVING_SECONDS.live),
    notReadyReason: async () =>
      workersReason(MAX_NOT_SERVING_SECONDS.ready) ?? keysReason() ?? (await storeProbe()),
    metrics: async () => service.sumMetrics(metrics.snapshot(await readStats(store))),
    onError,
  };
  return bind({ host, port }, () => startAdminServer(options), "--admin-");
}

/** With a log that is not on standard error, `serve` prints nothing but its addresses and a token. */
function isLogElsewhere({ logLevel, logFile }: ServeSettings): boolean {
  return logLevel === "none" || logFile !== undefined;
}

/**
 * Leaves a catalog with records as it is. Shows its progress only on a terminal, because standard error is a log
 * elsewhere. Imports are loaded here: they take memory that a service does not need.
 */
async function fillWithSample(store: Store, settings: ServeSettings, observe: Observer): Promise<void> {
  if ((await store.stats()).records > 0) return;
  const { sampleFeed } = await import("./serve/sample-feed.ts");
  const source = sampleFeed(utcDay(new Date()));
  const rules = { replace: false, allowRemovals: false, inOrder: false };
  if (process.stderr.isTTY && !isLogElsewhere(settings)) {
    const { runImportWithDisplay } = await import("./terminal/import-display.ts");
    await runImportWithDisplay(store, [source], rules);
    return;
  }
  const { runImport } = await import("../ingest/import-run.ts");
  await runImport(store, [source], rules, {
    waiting() {
      const reason = "another import may be in progress";
      observe({ kind: "feed", outcome: "postponed", feed: source.name, reason });
    },
    complaint() {},
    removed() {},
    progress() {},
    async feedsRead() {},
  });
}

/** Prints all at once: a program that reads the addresses has the rest, too. Without `counts`, these are all. */
function printWelcome(
  location: string,
  url: string,
  adminUrl: string | undefined,
  counts: { readonly records: number; readonly imprints: number } | undefined,
): void {
  const lines = counts
    ? [
        `Colophon serves ${formatCountOf(counts.records, "book")} of ${formatCountOf(counts.imprints, "imprint")}.`,
        "",
      ]
    : [];
  lines.push(`  Page       ${url}/`, `  API        ${url}/api`);
  if (adminUrl !== undefined) lines.push(`  Admin      ${adminUrl}/metrics`);
  lines.push(`  Test page  ${url}/openapi.html`);
  if (counts?.records === 0) {
    lines.push("", "The catalog is empty. Import a feed, and issue a token:");
    lines.push(`  ${commandOn(location, "import")} FEED`, `  ${commandOn(location, "token")} --name NAME`);
  }
  console.log(lines.join("\n"));
}

/** Standard output may be a log, where a token must not be. `--sample` is for trying out only. */
async function printSampleToken(store: Store, tokenConfig: TokenConfig): Promise<void> {
  if (!tokenConfig.keys.signingKey) return;
  const claims = { name: "colophon serve --sample", days: SAMPLE_TOKEN_DAYS };
  console.log(`\nA token for the pages and the API, valid for ${SAMPLE_TOKEN_DAYS} days:\n`);
  console.log(await issueToken({ ...tokenConfig, tokens: store.tokens, ...claims }));
}
