/** The API on a port, as `serve` and each of its workers runs it. */
import packageJson from "../../../package.json" with { type: "json" };
import { createApp } from "../../api/app.ts";
import { createAuthenticator } from "../../api/auth/authenticator.ts";
import { Turns } from "../../api/freshness.ts";
import { RateLimit } from "../../api/rate-limit.ts";
import type { Store } from "../../catalog/store.ts";
import { translationTable } from "../../catalog/translations.ts";
import { codeListIssue } from "../../onix/code-lists.ts";
import { type RunningServer, startServer } from "../../server/server.ts";
import { timed } from "../../watch/timed-store.ts";
import { readPages } from "../../web/pages.ts";
import type { Trust } from "../config/keys.ts";
import type { HostAndPort, Settings } from "./settings.ts";
import { CommandError } from "../terminal/usage.ts";
import type { Watching } from "./observability.ts";

export interface Address extends HostAndPort {
  /** Other processes listen there too. */
  readonly shared: boolean;
}

export async function listen(
  store: Store,
  trust: Trust,
  address: Address,
  { cache, rate, cors, counts }: Settings,
  watch: Watching,
): Promise<RunningServer> {
  const { keys, issuer, audience } = trust;
  const { onSent, onRefused, onError, onFailed } = watch;
  const turns = new Turns();
  const app = createApp({
    store: counts ? timed(store, watch.observe) : store,
    rate: rate && new RateLimit(rate),
    gate: createAuthenticator({ keys, tokens: store.tokens, issuer, audience, turns }),
    turns,
    cache,
    cors,
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

/** An address that cannot be had is for a person to mend, by the options that begin so. */
export function taking<T>({ host, port }: HostAndPort, take: () => T, options = "--"): T {
  try {
    return take();
  } catch (error) {
    const { code, name, message } = error as Error & { code?: unknown };
    if (code === "EADDRINUSE")
      throw new CommandError(`port ${port} of ${host} is in use: choose another with ${options}port`);
    // The system's own errors have no name but this, and not all of them a code.
    if (name !== "Error") throw error;
    throw new CommandError(
      `port ${port} of ${host} cannot be had (${message}): name an address of this machine with ${options}host, and a port that this user may have with ${options}port`,
    );
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
