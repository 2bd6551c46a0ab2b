/** Connects the server and the API to the log and the metrics of this process. */
import packageJson from "../../../package.json" with { type: "json" };
import type { KeyRead } from "../../api/auth/keys/public-key-source.ts";
import { randomRequestId } from "../../api/client-headers.ts";
import type { FailedRequest, RequestInfo } from "../../api/exchange.ts";
import { splitTarget } from "../../api/router.ts";
import { errorMessage } from "../../lib/error-message.ts";
import type { ConnectionEvents } from "../../server/connection.ts";
import type { ProtocolError, ProtocolErrorKind } from "../../server/request.ts";
import type { Observer, RefusalReason } from "../../telemetry/event.ts";
import { createLog, type Log } from "../../telemetry/log/log.ts";
import { LogFile } from "../../telemetry/log/log-file.ts";
import { type LogTarget, standardError } from "../../telemetry/log/log-writer.ts";
import type { MetricsSources } from "../../telemetry/metric.ts";
import { Metrics } from "../../telemetry/metrics.ts";
import { CommandError } from "../terminal/arguments.ts";
import type { ServeSettings } from "./settings.ts";

export interface Observability {
  readonly observe: Observer;
  readonly log: Log;
  /** Opens the file of `--log-file` again. Returns whether there is one, and it could be opened. */
  reopenLog(): boolean;
  readonly metrics: Metrics;
  /** The caller adds the server, the lists and the store when they exist. */
  readonly sources: MetricsSources;
  /** Undefined when neither log nor metrics need single requests. The server then skips the measurement. */
  readonly onSent: ConnectionEvents<RequestInfo>["onSent"];
  readonly onRefused: (error: ProtocolError, peer: string, id: string | undefined) => void;
  readonly onRequestFailed: (error: unknown, request: FailedRequest) => void;
  /** Takes errors that belong to no request. */
  readonly onError: (error: unknown) => void;
  readonly onKeysRead: (read: KeyRead) => void;
}

export function createObservability({
  logLevel,
  logFile: path,
  adminPort,
}: Pick<ServeSettings, "logLevel" | "logFile" | "adminPort">): Observability {
  // Without an admin port, nobody could read metrics.
  const collectMetrics = adminPort !== undefined;
  const logFile = path === undefined ? undefined : openLogFile(path);
  const format = process.stderr.isTTY && !logFile ? "text" : "json";
  const log = createLog({ level: logLevel, format, ...targetOf(logFile) });
  const sources: MetricsSources = { version: packageJson.version, log };
  const metrics = new Metrics(sources);
  const observeBoth: Observer = (event) => {
    metrics.observe(event);
    log.observe(event);
  };
  const observe = collectMetrics ? observeBoth : log.observe;

  const onSent: Observability["onSent"] = (request, info, sent) =>
    observe({
      kind: "request",
      id: info?.id ?? randomRequestId(),
      client: request.client,
      method: request.method,
      path: splitTarget(request.target).path,
      route: info?.route ?? "unknown",
      status: sent.status,
      bodyBytes: sent.bodyBytes,
      seconds: sent.seconds,
      firstByteSeconds: sent.firstByteSeconds,
      caller: info?.caller,
      cacheHit: info?.cacheHit ?? false,
      complete: sent.complete,
    });

  return {
    observe,
    log,
    reopenLog: () => logFile?.reopen() ?? false,
    metrics,
    sources,
    onSent: collectMetrics || logLevel === "requests" ? onSent : undefined,
    onRefused: ({ kind }, peer, id) =>
      observe({ kind: "refused", reason: REASON_BY_ERROR[kind], client: peer, id }),
    onRequestFailed: (error, request) => observe({ kind: "failed", ...request, error }),
    onError: (error) => observe({ kind: "fault", error }),
    // The message says it all: a stack would add nothing.
    onKeysRead: (read) =>
      observe({ kind: "keys", ...read, ...("error" in read && { error: read.error.message }) }),
  };
}

function targetOf(logFile: LogFile | undefined): LogTarget {
  const { sink, maxWriteBytes } = logFile ?? standardError();
  return { sink, maxWriteBytes };
}

function openLogFile(path: string): LogFile {
  try {
    return new LogFile(path, (problem) => console.error(`colophon: ${problem}`));
  } catch (error) {
    throw new CommandError(
      `the log file ${path} cannot be opened (${errorMessage(error)}): create its folder, with the right to write for this user, or choose another file with --log-file`,
    );
  }
}

/** Writes the rest of the log, and makes sure that the process ends even if nobody reads standard error. */
export async function closeLog(log: Log): Promise<void> {
  await log.close();
  setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref();
}

const EXIT_TIMEOUT_MS = 500;

const REASON_BY_ERROR: Readonly<Record<ProtocolErrorKind, RefusalReason>> = {
  malformed: "not-http",
  "bad-host": "not-http",
  "bad-target": "not-http",
  "version-not-supported": "not-http",
  timeout: "too-slow",
  "uri-too-long": "too-large",
  "headers-too-large": "too-large",
  "too-many-connections": "connections",
  "too-many-connections-of-client": "connections",
  "out-of-descriptors": "descriptors",
};
