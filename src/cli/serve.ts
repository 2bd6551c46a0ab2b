import packageJson from "../../package.json" with { type: "json" };
import type { Store } from "../catalog/port.ts";
import { CACHE_BYTES } from "../http/app.ts";
import { issueToken } from "../http/auth/issue.ts";
import { parseRate, type Rate } from "../http/rate.ts";
import { dayOf } from "../onix/day.ts";
import { type RunningAdmin, startAdmin } from "../watch/admin.ts";
import { readiness, statsOf } from "../watch/asking.ts";
import { LOG_LEVELS, type LogLevel } from "../watch/log.ts";
import type { Snapshot } from "../watch/snapshot.ts";
import { parse, wholeNumber } from "./arguments.ts";
import { run } from "./import.ts";
import { keysFor, type Trust } from "./keys.ts";
import { listen, reloadOnSignal, type Settings, taking } from "./listen.ts";
import { count } from "./progress.ts";
import { sampleFeed } from "./sample.ts";
import { EXIT, UsageError } from "./usage.ts";
import { endLog, type Watching, watching } from "./watching.ts";
import { openStore, whereOf } from "./where.ts";
import type { WorkerTask } from "./worker.ts";
import { startWorkers } from "./workers.ts";

const options = {
  "admin-host": { type: "string" },
  "admin-port": { type: "string" },
  cache: { type: "string" },
  db: { type: "string" },
  host: { type: "string" },
  log: { type: "string" },
  port: { type: "string" },
  rate: { type: "string" },
  sample: { type: "boolean" },
  "share-port": { type: "boolean" },
  workers: { type: "string" },
} as const;

const MEGABYTE = 1024 * 1024;

/** How long the token of a sample start holds, in days. */
const SAMPLE_DAYS = 7;

/** `colophon serve`: the API, until it is told to stop. */
export async function serve(args: readonly string[]): Promise<number> {
  const { options: given } = parse(args, options, { min: 0, max: 0 });
  const host = given.host ?? (process.env.HOST || "127.0.0.1");
  const port = wholeNumber(given.port ?? (process.env.PORT || "8080"), "--port", 0, 65_535);
  const workers = wholeNumber(given.workers ?? "1", "--workers", 1, 256);
  const cache = wholeNumber(given.cache ?? String(CACHE_BYTES / MEGABYTE), "--cache", 0, 65_536) * MEGABYTE;
  const adminPort = given["admin-port"];
  const admin =
    adminPort === undefined
      ? undefined
      : {
          host: given["admin-host"] ?? "127.0.0.1",
          port: wholeNumber(adminPort, "--admin-port", 0, 65_535),
        };
  const settings: Settings = {
    cache,
    log: levelOf(given.log),
    rate: rateOf(given.rate),
    counts: admin !== undefined,
    sharePort: given["share-port"] ?? false,
  };
  const where = whereOf(given.db);
  const end = told();
  const watch = watching(settings);
  const { observe, log } = watch;
  const store = openStore(where, { create: true });
  try {
    const trust = await keysFor(where, watch.onStale);
    if (given.sample) await fill(store);
    const serving =
      workers === 1
        ? await alone(store, trust, host, port, settings, watch)
        : await together(workers, { where, host, port, ...settings }, watch);
    const url = addressOf(host, serving.port);
    let stopping = false;
    const operators = admin && adminAt(admin, store, () => stopping, serving, watch);
    observe({ kind: "started", url, version: packageJson.version, workers });
    await announce(url, operators?.url, store, given.sample ? trust : undefined);
    const why = await end;
    const began = performance.now();
    stopping = true;
    observe({ kind: "stopping", why });
    const cut = await serving.stop();
    observe({ kind: "stopped", seconds: (performance.now() - began) / 1000, cut });
    await operators?.stop();
    await endLog(log);
    return EXIT.applied;
  } finally {
    await store.close();
  }
}

interface Running {
  readonly port: number;
  counted(own: Snapshot): Promise<Snapshot>;
  /** Gives the number of connections that were cut off. */
  stop(): Promise<number>;
}

async function alone(
  store: Store,
  trust: Trust,
  host: string,
  port: number,
  settings: Settings,
  watch: Watching,
): Promise<Running> {
  const server = await listen(store, trust, { host, port, shared: settings.sharePort }, settings, watch);
  reloadOnSignal(trust, watch);
  return { port: server.port, counted: async (own) => own, stop: () => server.stop() };
}

async function together(workers: number, task: WorkerTask, { observe }: Watching): Promise<Running> {
  const running = await startWorkers(workers, task, observe);
  process.on("SIGHUP", running.reload);
  return running;
}

function adminAt(
  { host, port }: { host: string; port: number },
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
    "--admin-port",
  );
}

function levelOf(text: string | undefined): LogLevel {
  const level = LOG_LEVELS.find((known) => known === (text ?? "requests"));
  if (level === undefined)
    throw new UsageError(`--log must be one of ${LOG_LEVELS.join(", ")}, not "${text}"`);
  return level;
}

function rateOf(text: string | undefined): Rate | undefined {
  if (text === undefined) return undefined;
  const rate = parseRate(text);
  if (!rate) throw new UsageError(`--rate must be requests/seconds, such as 600/60, not "${text}"`);
  return rate;
}

function addressOf(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** Fills an empty catalog with the sample, never one that has records. */
async function fill(store: Store): Promise<void> {
  if ((await store.stats()).records > 0) return;
  await run(store, [sampleFeed(dayOf(new Date()))], { replace: false, write: true, report: undefined });
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
  console.log(await issueToken({ ...sample, ledger: store.ledger, ...claims }));
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
