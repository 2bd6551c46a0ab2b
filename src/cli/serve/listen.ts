/** Puts the API together and serves it on a port. `serve` and each worker process run this. */
import packageJson from "../../../package.json" with { type: "json" };
import { createApp } from "../../api/app.ts";
import { createAuthenticator } from "../../api/auth/authenticator.ts";
import { TickClock } from "../../api/freshness.ts";
import type { RateBuckets } from "../../api/rate/rate-buckets.ts";
import { RateLimit } from "../../api/rate/rate-limit.ts";
import { StreamBudget } from "../../api/stream-budget.ts";
import { instrumentStore } from "../../catalog/instrumented-store.ts";
import type { Store } from "../../catalog/store.ts";
import { translationTable } from "../../catalog/translations.ts";
import { codeListIssue } from "../../onix/code-lists.ts";
import { MAX_CONNECTIONS } from "../../server/limits.ts";
import { type RunningServer, startServer } from "../../server/server.ts";
import { maxDescriptors } from "../../telemetry/descriptors.ts";
import { loadAssets } from "../../web/assets.ts";
import { notFoundPage, SHELL_PATHS } from "../../web/html-pages.ts";
import { readPages } from "../../web/pages.ts";
import type { TokenConfig } from "../config/token-config.ts";
import { CommandError, typedOption } from "../terminal/arguments.ts";
import type { Observability } from "./observability.ts";
import type { Address, ServeSettings } from "./settings.ts";

interface ListenOptions {
  readonly store: Store;
  readonly tokenConfig: TokenConfig;
  readonly settings: ServeSettings;
  /** Lets several processes listen on the port. */
  readonly reusePort: boolean;
  readonly observability: Observability;
  /** When omitted, `--rate` counts the requests of this process. */
  readonly rateBuckets?: RateBuckets | undefined;
}

export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { tokenConfig, settings, reusePort, observability } = options;
  const { host, port, cacheBytes, streamBytes, rate, cors, adminPort } = settings;
  const { observe, onError, onRefused, onRequestFailed, onSent } = observability;
  const onLookup =
    adminPort === undefined ? undefined : (seconds: number) => observe({ kind: "store", seconds });
  const store = instrumentStore(options.store, onLookup);
  const ticks = new TickClock();
  const streamBudget = new StreamBudget({ maxBytes: streamBytes });
  const app = createApp({
    store,
    authenticator: createAuthenticator({ ...tokenConfig, tokens: store.tokens, ticks }),
    rateLimit: rate && new RateLimit(rate, options.rateBuckets),
    ticks,
    cacheBytes,
    streamBudget,
    cors,
    translations: translationTable(),
    pages: await readPages(),
    appPaths: SHELL_PATHS,
    loadAssets,
    notFoundPage,
    version: packageJson.version,
    codeListIssue,
    onError: onRequestFailed,
  });
  const server = bind(settings, () =>
    startServer({
      app,
      host,
      port,
      fd: settings.inheritedFd,
      reusePort,
      hasSuccessor: settings.sharePort,
      ...socketLimits(),
      maxPerAddress: settings.maxPerAddress,
      trustedProxies: settings.trustedProxies,
      onError,
      onSent,
      onRefused,
    }),
  );
  observability.sources.server = server;
  observability.sources.lists = streamBudget;
  return server;
}

/**
 * Calls `listen`, and turns the system's errors into a CommandError that names the options to change.
 * `optionPrefix` is "--" for the API and "--admin-" for the admin port.
 */
export function bind<T>({ host, port }: Address, listen: () => T, optionPrefix = "--"): T {
  try {
    return listen();
  } catch (error) {
    const { code, name, message } = error as Error & { code?: unknown };
    if (code === "EADDRINUSE") {
      const option = typedOption(`${optionPrefix}port`);
      throw new CommandError(`port ${port} of ${host} is in use: choose another with ${option}`);
    }
    // System errors have the name "Error"; some of them have no code. TypeErrors and the like are defects.
    if (name !== "Error") throw error;
    throw new CommandError(
      `port ${port} of ${host} is not available (${message}): name an address of this machine with ${optionPrefix}host, and a port that this user may use with ${optionPrefix}port`,
    );
  }
}

/** For the store, the log, the listeners and the runtime. */
const RESERVED_DESCRIPTORS = 100;

interface SocketLimits {
  /** Connections beyond this number get a response that refuses them. */
  readonly maxConnections: number;
  /** Connections beyond this number are cut at once. */
  readonly maxSockets: number;
}

/**
 * Returns how many connections the limit of open files (RLIMIT_NOFILE) leaves room for. At that limit the system accepts
 * nothing, and the event loop would try again without a pause.
 */
export function socketLimits(descriptorLimit = maxDescriptors() ?? Number.POSITIVE_INFINITY): SocketLimits {
  const reserved = Math.min(RESERVED_DESCRIPTORS, Math.floor(descriptorLimit / 2));
  const maxSockets = descriptorLimit - reserved;
  return { maxConnections: Math.min(MAX_CONNECTIONS, Math.floor(0.9 * maxSockets)), maxSockets };
}
