/** The log: one line per event, as JSON for programs or as text for a terminal. Tokens never appear in it. */
import type { Observer, RefusalReason, RefusedEvent } from "../event.ts";
import { ClientCounts, FailureGatherer } from "./failure-gatherer.ts";
import {
  droppedLine,
  eventLine,
  failuresLine,
  formatJson,
  formatText,
  type GatheredRefusals,
  type LogLine,
  refusedLine,
} from "./log-lines.ts";
import { LogWriter, type LogWriterOptions, type Sink } from "./log-writer.ts";
import { requestJsonFormatter, requestTextFormatter } from "./request-line.ts";

/** `errors` logs everything but requests. */
export const LOG_LEVELS = ["requests", "errors", "none"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions extends LogWriterOptions {
  readonly level: LogLevel;
  readonly format: "json" | "text";
  readonly sink: Sink;
  /** Returns milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export interface Log {
  readonly observe: Observer;
  /** The number of lines that were dropped because the reader was too slow. */
  readonly droppedLines: number;
  /** Writes the buffered lines, and gives up after the timeout. */
  close(timeoutMs?: number): Promise<void>;
}

/** Refused connections come in floods, so they are counted and logged once per interval. */
const REFUSED_INTERVAL_MS = 1000;

const CLOSE_TIMEOUT_MS = 1000;

export function createLog(options: LogOptions): Log {
  const { level, format, sink } = options;
  const clock = new LogClock(options.now ?? Date.now, format);
  const formatLine = format === "json" ? formatJson : formatText;
  const formatRequest = format === "json" ? requestJsonFormatter() : requestTextFormatter();
  const formatDropped = (count: number) => formatLine(clock.time(), droppedLine(count));
  const writer = new LogWriter(sink, formatDropped, options);
  const failures = new FailureGatherer((gathered) => write(failuresLine(gathered)));
  const refused = new Map<RefusalReason, GatheredRefusals>();
  let refusedTimer: ReturnType<typeof setTimeout> | undefined;

  function write(line: LogLine | undefined): void {
    if (line) writer.add(formatLine(clock.time(), line));
  }

  function countRefused({ reason, client, id }: RefusedEvent): void {
    const gathered = refused.get(reason) ?? { count: 0, clients: new ClientCounts() };
    gathered.count++;
    gathered.clients.add(client);
    gathered.firstId ??= id;
    gathered.lastId = id ?? gathered.lastId;
    refused.set(reason, gathered);
    refusedTimer ??= setTimeout(writeRefused, REFUSED_INTERVAL_MS);
  }

  function writeRefused(): void {
    clearTimeout(refusedTimer);
    refusedTimer = undefined;
    for (const [reason, gathered] of refused) write(refusedLine(reason, gathered));
    refused.clear();
  }

  const observe: Observer =
    level === "none"
      ? () => {}
      : (event) => {
          if (event.kind === "request") {
            if (level === "requests") writer.add(formatRequest(clock.time(), event));
          } else if (event.kind === "refused") countRefused(event);
          else if (event.kind === "failed" || event.kind === "fault") failures.add(event);
          else write(eventLine(event));
        };

  return {
    observe,
    get droppedLines() {
      return writer.droppedLines;
    },
    async close(timeoutMs = CLOSE_TIMEOUT_MS) {
      writeRefused();
      failures.flush();
      await writer.close(timeoutMs);
    },
  };
}

/** Formats the current time, once per millisecond. */
class LogClock {
  #formattedMs = Number.NaN;
  #text = "";

  constructor(
    readonly now: () => number,
    readonly format: "json" | "text",
  ) {}

  /** Returns ISO 8601 in UTC for programs, and the local time of day for a terminal. */
  time(): string {
    const nowMs = this.now();
    if (nowMs === this.#formattedMs) return this.#text;
    this.#formattedMs = nowMs;
    const date = new Date(nowMs);
    this.#text = this.format === "text" ? date.toTimeString().slice(0, 8) : date.toISOString();
    return this.#text;
  }
}
