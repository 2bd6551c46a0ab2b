import packageJson from "../../package.json" with { type: "json" };
import { issueToken } from "../api/auth/issue-token.ts";
import type { Store } from "../catalog/store.ts";
import { httpUrl } from "../lib/http-url.ts";
import { utcDay } from "../onix/date.ts";
import { type AdminServer, startAdminServer } from "../watch/admin-server.ts";
import type { MetricsSnapshot } from "../watch/metrics-snapshot.ts";
import { createReadinessProbe, readStats } from "../watch/store-probe.ts";
import { openStore, requireCatalog } from "./config/store-location.ts";
import { readTokenConfig, type TokenConfig } from "./config/token-config.ts";
import { EXIT } from "./exit.ts";
import { bind } from "./serve/bind.ts";
import { listen } from "./serve/listen.ts";
import { closeLog, createObservability, type Observability } from "./serve/observability.ts";
import { sampleFeed } from "./serve/sample-feed.ts";
import { type Address, parseServeSettings, type ServeSettings } from "./serve/settings.ts";
import { startWorkers } from "./serve/workers.ts";
import { formatCountOf } from "./terminal/format.ts";
import { runImportWithDisplay } from "./terminal/import-display.ts";

const SAMPLE_TOKEN_DAYS = 7;

/** `colophon serve`: serves the API until SIGINT or SIGTERM. */
export async function serveCommand(args: readonly string[]): Promise<number> {
  const settings = parseServeSettings(args);
  const stopSignal = receiveStopSignal();
  const observability = createObservability(settings);
  const create = settings.create || settings.sample;
  if (settings.create || !settings.sample) {
    await requireCatalog(settings.storeLocation, settings.create, "--create");
  }
  const store = openStore(settings.storeLocation, {
    create,
    registry: settings.newRegistry ? "new" : "required",
    truncatesLog: true,
    onCatalogChange: (change) => observability.observe({ kind: "catalog", ...change }),
  });
  observability.watchStore(store);
  try {
    const tokenConfig = await readTokenConfig(settings.storeLocation, observability.onKeyRefreshError);
    if (settings.sample) await fillWithSample(store);
    const service =
      settings.workers === 1
        ? await startAlone(store, tokenConfig, settings, observability)
        : await startWithWorkers(settings, observability);
    try {
      await runUntil(stopSignal, service, store, tokenConfig, settings, observability);
    } catch (error) {
      // An open listener would keep the process running.
      await service.stop();
      throw error;
    }
    await closeLog(observability.log);
    return EXIT.ok;
  } finally {
    await store.close();
  }
}

/** The API, in this process or in workers. */
interface Service {
  readonly port: number;
  /** Returns the metrics of all processes; `own` are those of this one. */
  sumMetrics(own: MetricsSnapshot): Promise<MetricsSnapshot>;
  /** Returns the number of connections that were cut. */
  stop(): Promise<number>;
}

async function startAlone(
  store: Store,
  tokenConfig: TokenConfig,
  settings: ServeSettings,
  observability: Observability,
): Promise<Service> {
  const reusePort = settings.sharePort;
  const server = await listen({ store, tokenConfig, settings, reusePort, observability });
  return { port: server.port, sumMetrics: async (own) => own, stop: () => server.stop() };
}

async function startWithWorkers(settings: ServeSettings, { observe }: Observability): Promise<Service> {
  const workers = await startWorkers(settings.workers, settings, observe);
  process.on("SIGHUP", () => workers.reloadKeys());
  return workers;
}

/** Runs from the moment that the API listens to the end of the last response. */
async function runUntil(
  stopSignal: Promise<string>,
  service: Service,
  store: Store,
  tokenConfig: TokenConfig,
  settings: ServeSettings,
  observability: Observability,
): Promise<void> {
  const { observe } = observability;
  const { workers, sample } = settings;
  const url = httpUrl(settings.host, service.port);
  let isStopping = false;
  const admin = settings.admin && startAdmin(settings.admin, store, () => isStopping, service, observability);
  try {
    observe({ kind: "started", url, version: packageJson.version, workers });
    await printWelcome(url, admin?.url, store);
    if (sample) await printSampleToken(store, tokenConfig);
    const reason = await stopSignal;
    const stoppingAtMs = performance.now();
    isStopping = true;
    observe({ kind: "stopping", reason });
    const cutConnections = await service.stop();
    observe({ kind: "stopped", seconds: (performance.now() - stoppingAtMs) / 1000, cutConnections });
  } finally {
    await admin?.stop();
  }
}

function startAdmin(
  { host, port }: Address,
  store: Store,
  isStopping: () => boolean,
  service: Service,
  { metrics, onError }: Observability,
): AdminServer {
  const options = {
    host,
    port,
    notReadyReason: createReadinessProbe(store, isStopping),
    metrics: async () => service.sumMetrics(metrics.snapshot(await readStats(store))),
    onError,
  };
  return bind({ host, port }, () => startAdminServer(options), "--admin-");
}

/** Leaves a catalog with records as it is. */
async function fillWithSample(store: Store): Promise<void> {
  if ((await store.stats()).records > 0) return;
  const options = { replace: false, allowRemovals: false, inOrder: false };
  await runImportWithDisplay(store, [sampleFeed(utcDay(new Date()))], options);
}

async function printWelcome(url: string, adminUrl: string | undefined, store: Store): Promise<void> {
  const { records, imprints } = await store.stats();
  console.log(
    `Colophon serves ${formatCountOf(records, "book")} of ${formatCountOf(imprints, "imprint")}.\n`,
  );
  console.log(`  API        ${url}/api`);
  if (adminUrl !== undefined) console.log(`  Admin      ${adminUrl}/metrics`);
  console.log(`  Test page  ${url}/openapi.html`);
}

/** Standard output may be a log, where a token must not be. `--sample` is for trying out only. */
async function printSampleToken(store: Store, tokenConfig: TokenConfig): Promise<void> {
  if (!tokenConfig.keys.signingKey) return;
  const claims = { name: "colophon serve --sample", days: SAMPLE_TOKEN_DAYS };
  console.log(`\nA token for the test page, valid for ${SAMPLE_TOKEN_DAYS} days:\n`);
  console.log(await issueToken({ ...tokenConfig, tokens: store.tokens, ...claims }));
}

/** Resolves with the name of the signal. */
function receiveStopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(signal));
  });
}
