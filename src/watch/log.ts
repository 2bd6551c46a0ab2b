/** The log: one line for what has happened, as JSON for machines or short for a person. Never a token. */
import type { Observe, Refusal } from "./event.ts";
import {
  answeredAsJson,
  answeredAsText,
  asJson,
  asText,
  droppedLine,
  type Line,
  lineOf,
  refusedLine,
} from "./log-lines.ts";
import { Outlet, type Sink } from "./log-writer.ts";

/** `errors`: all but the requests that were answered. */
export const LOG_LEVELS = ["requests", "errors", "none"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogOptions {
  readonly level: LogLevel;
  readonly form: "json" | "short";
  readonly sink: Sink;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
  /** Bytes that may wait for a slow reader. */
  readonly most?: number | undefined;
}

export interface Log {
  readonly observe: Observe;
  /** Lines that a slow reader was not waited for with. */
  readonly dropped: number;
  /** Writes what is left, for so many milliseconds at most. */
  close(patience?: number): Promise<void>;
}

/** Refusals come in floods: what is counted is said once a second. */
const REFUSED_EVERY_MS = 1000;

const PATIENCE_MS = 1000;

export function createLog(options: LogOptions): Log {
  const { level, form, sink } = options;
  const clock = new Clock(options.now ?? Date.now, form === "short");
  const write = form === "json" ? asJson : asText;
  const outlet = new Outlet(sink, (count) => write(clock.time(), droppedLine(count)), options.most);
  const refused = new Map<Refusal, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function say(line: Line): void {
    outlet.add(write(clock.time(), line));
  }

  function count(why: Refusal): void {
    refused.set(why, (refused.get(why) ?? 0) + 1);
    timer ??= setTimeout(sayRefused, REFUSED_EVERY_MS);
  }

  function sayRefused(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const [why, times] of refused) say(refusedLine(why, times));
    refused.clear();
  }

  const answered = form === "json" ? answeredAsJson() : answeredAsText();
  const observe: Observe =
    level === "none"
      ? () => {}
      : (event) => {
          if (event.kind === "answered") {
            if (level === "requests") outlet.add(answered(clock.time(), event));
          } else if (event.kind === "refused") count(event.why);
          else if (event.kind !== "store") say(lineOf(event));
        };

  return {
    observe,
    get dropped() {
      return outlet.dropped;
    },
    async close(patience = PATIENCE_MS) {
      sayRefused();
      await outlet.close(patience);
    },
  };
}

/** The time as it is written, made once for each millisecond. */
class Clock {
  #at = Number.NaN;
  #text = "";

  constructor(
    readonly now: () => number,
    readonly short: boolean,
  ) {}

  time(): string {
    const at = this.now();
    if (at === this.#at) return this.#text;
    this.#at = at;
    const date = new Date(at);
    // A person looks at the clock on the wall.
    this.#text = this.short ? date.toTimeString().slice(0, 8) : date.toISOString();
    return this.#text;
  }
}
