/** The API on a port, as `serve` and each of its workers runs it. */
import packageJson from "../../package.json" with { type: "json" };
import type { Store } from "../catalog/port.ts";
import { StoreRefused } from "../catalog/store-refused.ts";
import { translationTable } from "../catalog/translations.ts";
import { createApp } from "../http/app.ts";
import { createGate } from "../http/auth/gate.ts";
import { readPages } from "../http/page/pages.ts";
import { type Rate, RateLimit } from "../http/rate.ts";
import { type RunningServer, startServer } from "../http/server.ts";
import { Turns } from "../http/turn.ts";
import { codeListIssue } from "../onix/codes.ts";
import type { LogLevel } from "../watch/log.ts";
import { timed } from "../watch/timed.ts";
import type { Trust } from "./keys.ts";
import type { Watching } from "./watching.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
  /** Other processes listen there too. */
  readonly shared: boolean;
}

export interface Settings {
  /** In bytes. */
  readonly cache: number;
  readonly log: LogLevel;
  /** For each token. */
  readonly rate: Rate | undefined;
  /** Whether anybody asks for metrics. */
  readonly counts: boolean;
  /** Another Colophon may have the port, too: so that one takes over from the other without a gap. */
  readonly sharePort: boolean;
}

export async function listen(
  store: Store,
  trust: Trust,
  address: Address,
  { cache, rate, counts }: Settings,
  watch: Watching,
): Promise<RunningServer> {
  const { keys, issuer, audience } = trust;
  const { onSent, onRefused, onError, onFailed } = watch;
  const turns = new Turns();
  const app = createApp({
    store: counts ? timed(store, watch.observe) : store,
    rate: rate && new RateLimit(rate),
    gate: createGate({ keys, ledger: store.ledger, issuer, audience, turns }),
    turns,
    cache,
    cors: process.env.COLOPHON_CORS_ORIGIN || undefined,
    translations: translationTable(),
    pages: await readPages(),
    version: packageJson.version,
    codeListIssue,
    onError: onFailed,
  });
  const { host, port, shared } = address;
  const server = taking(address, () =>
    startServer({ app, host, port, reusePort: shared, onError, onSent, onRefused }),
  );
  watch.connections = () => server.connections;
  return server;
}

/** A port that is taken is for a person to mend. */
export function taking<T>(
  { host, port }: Pick<Address, "host" | "port">,
  take: () => T,
  option = "--port",
): T {
  try {
    return take();
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EADDRINUSE") throw error;
    throw new StoreRefused(`port ${port} of ${host} is in use: choose another with ${option}`);
  }
}

/** SIGHUP: the keys are read again. Those in use stay when they cannot be. */
export function reloadOnSignal({ keys }: Trust, { observe }: Watching): void {
  process.on("SIGHUP", () => {
    keys.reload().then(
      () => observe({ kind: "keys" }),
      (error) => observe({ kind: "keys", error }),
    );
  });
}
