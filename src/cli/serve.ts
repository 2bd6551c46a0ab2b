import packageJson from "../../package.json" with { type: "json" };
import { issueToken } from "../api/auth/issue-token.ts";
import type { Store } from "../catalog/store.ts";
import { utcDay } from "../onix/date.ts";
import { type RunningAdmin, startAdmin } from "../watch/admin-server.ts";
import { readiness, statsOf } from "../watch/store-probe.ts";
import type { MetricsSnapshot } from "../watch/metrics-snapshot.ts";
import { run } from "./import.ts";
import { keysFor, type Trust } from "./config/keys.ts";
import { listen, reloadOnSignal, taking } from "./serve/listen.ts";
import { count } from "./terminal/progress.ts";
import { sampleFeed } from "./serve/sample-feed.ts";
import { type HostAndPort, type ServeSettings, settingsOf } from "./serve/settings.ts";
import { EXIT } from "./terminal/usage.ts";
import { endLog, type Watching, watching } from "./serve/observability.ts";
import { openStore } from "./config/store-location.ts";
import { startWorkers } from "./serve/workers.ts";

/** How long the token of a sample start holds, in days. */
const SAMPLE_DAYS = 7;

/** `colophon serve`: the API, until it is told to stop. */
export async function serve(args: readonly string[]): Promise<number> {
  const settings = settingsOf(args);
  const end = told();
  const watch = watching(settings);
  const store = openStore(settings.where, { create: true });
  try {
    const trust = await keysFor(settings.where, watch.onStale);
    if (settings.sample) await fill(store);
    const serving = await (settings.workers === 1
      ? alone(store, trust, settings, watch)
      : together(settings, watch));
    try {
      await serveUntil(end, serving, store, trust, settings, watch);
    } catch (error) {
      // As long as anything listens, the process would not end.
      await serving.stop();
      throw error;
    }
    await endLog(watch.log);
    return EXIT.applied;
  } finally {
    await store.close();
  }
}

interface Running {
  readonly port: number;
  counted(own: MetricsSnapshot): Promise<MetricsSnapshot>;
  /** Gives the number of connections that were cut off. */
  stop(): Promise<number>;
}

async function alone(store: Store, trust: Trust, settings: ServeSettings, watch: Watching): Promise<Running> {
  const server = await listen(store, trust, { ...settings, shared: settings.sharePort }, settings, watch);
  reloadOnSignal(trust, watch);
  return { port: server.port, counted: async (own) => own, stop: () => server.stop() };
}

async function together(settings: ServeSettings, { observe }: Watching): Promise<Running> {
  const running = await startWorkers(settings.workers, settings, observe);
  process.on("SIGHUP", running.reload);
  return running;
}

/** From the moment that it listens to the end of the last answer. */
async function serveUntil(
  end: Promise<string>,
  serving: Running,
  store: Store,
  trust: Trust,
  { host, admin, sample, workers }: ServeSettings,
  watch: Watching,
): Promise<void> {
  const { observe } = watch;
  const url = addressOf(host, serving.port);
  let stopping = false;
  const operators = admin && adminAt(admin, store, () => stopping, serving, watch);
  try {
    observe({ kind: "started", url, version: packageJson.version, workers });
    await announce(url, operators?.url, store, sample ? trust : undefined);
    const why = await end;
    const began = performance.now();
    stopping = true;
    observe({ kind: "stopping", why });
    const cut = await serving.stop();
    observe({ kind: "stopped", seconds: (performance.now() - began) / 1000, cut });
  } finally {
    await operators?.stop();
  }
}

function adminAt(
  { host, port }: HostAndPort,
  store: Store,
  isStopping: () => boolean,
  { counted }: Running,
  watch: Watching,
): RunningAdmin {
  const ready = readiness(store, isStopping);
  const metrics = async () => counted(watch.metrics.snapshot(await statsOf(store)));
  return taking(
    { host, port },
    () => startAdmin({ host, port, ready, metrics, onError: watch.onError }),
    "--admin-",
  );
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Fills an empty catalog with the sample, never one that has records. */
async function fill(store: Store): Promise<void> {
  if ((await store.stats()).records > 0) return;
  await run(store, [sampleFeed(utcDay(new Date()))], { replace: false, write: true, report: undefined });
}

async function announce(
  url: string,
  admin: string | undefined,
  store: Store,
  sample: Trust | undefined,
): Promise<void> {
  const { records, imprints } = await store.stats();
  console.log(`Colophon serves ${some(records, "book")} of ${some(imprints, "imprint")}.\n`);
  console.log(`  API        ${url}/api`);
  if (admin !== undefined) console.log(`  Admin      ${admin}/metrics`);
  console.log(`  Test page  ${url}/openapi.html`);
  // A token in a log is a token lost: only where everything is for trying out.
  if (!sample?.keys.signingKey) return;
  const claims = { name: "colophon serve --sample", days: SAMPLE_DAYS };
  console.log(`\nA token to paste there, for ${SAMPLE_DAYS} days:\n`);
  console.log(await issueToken({ ...sample, tokens: store.tokens, ...claims }));
}

function some(number: number, what: string): string {
  return `${count(number)} ${what}${number === 1 ? "" : "s"}`;
}

/** Resolves when the process is asked to end, with the signal. */
function told(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(signal));
  });
}
