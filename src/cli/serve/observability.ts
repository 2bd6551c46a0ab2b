/** What the operator sees of this process: its log, and what it counts where there is an admin port. */
import packageJson from "../../../package.json" with { type: "json" };
import type { FailedRequest } from "../../api/app.ts";
import type { ApiError } from "../../api/errors.ts";
import { requestIds } from "../../api/request-id.ts";
import { targetOf } from "../../api/router.ts";
import type { Sent } from "../../server/connection.ts";
import type { WireRequest } from "../../server/request-parser.ts";
import { type Observe, observers, type Refusal } from "../../watch/event.ts";
import { createLog, type Log, type LogLevel } from "../../watch/log.ts";
import { Metrics } from "../../watch/metrics.ts";
import { standardError } from "../../watch/log-writer.ts";

export interface WatchingOptions {
  readonly log: LogLevel;
  /** Whether anybody asks for metrics. */
  readonly counts: boolean;
}

export interface Watching {
  /** How many are open: to be set when there is a server. */
  connections: () => number;
  readonly observe: Observe;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Undefined: nobody wants to know of single requests, and they cost nothing. */
  readonly onSent: ((request: WireRequest, sent: Sent) => void) | undefined;
  readonly onRefused: (error: ApiError) => void;
  readonly onFailed: (error: unknown, request: FailedRequest) => void;
  readonly onError: (error: unknown) => void;
  /** The keys could not be read again, and those in use stay. */
  readonly onStale: (error: unknown) => void;
}

export function watching({ log: level, counts }: WatchingOptions): Watching {
  const form = process.stderr.isTTY ? "short" : "json";
  const log = createLog({ level, form, sink: standardError() });
  const metrics = new Metrics({
    version: packageJson.version,
    connections: () => watch.connections(),
    logDropped: () => log.dropped,
  });
  const observe = counts ? observers(metrics.observe, log.observe) : log.observe;
  const ids = requestIds();

  function onSent(request: WireRequest, { status, bytes, seconds, whole }: Sent): void {
    observe({
      kind: "answered",
      id: request.id ?? ids(),
      method: request.method,
      path: targetOf(request.target).path,
      route: request.route ?? "unknown",
      status,
      bytes,
      seconds,
      caller: request.caller,
      kept: request.kept,
      whole,
    });
  }

  const watch: Watching = {
    connections: () => 0,
    observe,
    log,
    metrics,
    onSent: counts || level === "requests" ? onSent : undefined,
    onRefused: ({ status }) => observe({ kind: "refused", why: REFUSED[status] ?? "not-http" }),
    onFailed: (error, request) => observe({ kind: "failed", ...request, error }),
    onError: (error) => observe({ kind: "fault", error }),
    onStale: (error) => observe({ kind: "keys", error }),
  };
  return watch;
}

/** The last words of a process. A pipe that nobody reads would keep it for ever: it ends all the same. */
export async function endLog(log: Log): Promise<void> {
  await log.close();
  setTimeout(() => process.exit(), LAST_WORDS_MS).unref();
}

const LAST_WORDS_MS = 500;

const REFUSED: Readonly<Record<number, Refusal>> = {
  408: "too-slow",
  414: "too-large",
  431: "too-large",
  503: "connections",
};
