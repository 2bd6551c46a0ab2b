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
import { type RunningServer, startServer } from "../../server/server.ts";
import { loadAssets } from "../../web/assets.ts";
import { notFoundPage } from "../../web/not-found-page.ts";
import { readPages } from "../../web/pages.ts";
import type { TokenConfig } from "../config/token-config.ts";
import { bind } from "./bind.ts";
import { socketLimits } from "./descriptor-limit.ts";
import type { Observability } from "./observability.ts";
import type { ProcessSettings } from "./settings.ts";

export interface ListenOptions {
  readonly store: Store;
  readonly tokenConfig: TokenConfig;
  readonly settings: ProcessSettings;
  /** Lets several processes listen on the port. */
  readonly reusePort: boolean;
  readonly observability: Observability;
  /** When omitted, `--rate` counts the requests of this process. */
  readonly rateBuckets?: RateBuckets | undefined;
}

export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { tokenConfig, settings, reusePort, observability } = options;
  const { host, port, cacheBytes, streamBytes, rate, cors, collectMetrics } = settings;
  const { observe, onError, onRefused, onRequestFailed, onSent } = observability;
  const onLookup = collectMetrics ? (seconds: number) => observe({ kind: "store", seconds }) : undefined;
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
  observability.watchServer(server);
  observability.watchLists(streamBudget);
  return server;
}
