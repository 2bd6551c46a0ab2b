/** From what has happened to a line of the log. */
import type { Answered, Caller, Event, Refusal } from "./event.ts";
import { describe, fit, shown } from "./printable.ts";

/** A line, before it is written as JSON or short. `text` is the short one. */
export interface Line {
  readonly event: string;
  readonly text: string;
  readonly members?: Readonly<Record<string, string | number>>;
}

/** The bytes of a line are bounded by those of its parts. */
const MOST = { id: 128, method: 32, path: 2048, url: 256, error: 3072, shortPath: 512 } as const;
const MOST_OF_CALLER = { id: 128, name: 256 } as const;

export function lineOf(event: Exclude<Event, { kind: "answered" | "refused" | "store" }>): Line {
  switch (event.kind) {
    case "failed": {
      const id = shown(event.id, MOST.id);
      const method = fit(event.method, MOST.method);
      const path = shown(event.path, MOST.shortPath);
      const error = shown(describe(event.error), MOST.error);
      return {
        event: "failed",
        text: `${id} ${method} ${path}: ${error}`,
        members: { id, method, path, error },
      };
    }
    case "fault": {
      const error = shown(describe(event.error), MOST.error);
      return { event: "fault", text: error, members: { error } };
    }
    case "started": {
      const url = shown(event.url, MOST.url);
      const { version, workers } = event;
      return { event: "started", text: `${url}, Colophon ${version}`, members: { url, version, workers } };
    }
    case "stopping": {
      const why = shown(event.why, MOST.url);
      return { event: "stopping", text: why, members: { why } };
    }
    case "stopped": {
      const { cut } = event;
      const seconds = Math.round(event.seconds * 1000) / 1000;
      const left = cut === 0 ? "" : `; ${cut} answers were cut off`;
      return { event: "stopped", text: `after ${seconds} s${left}`, members: { seconds, cut } };
    }
    case "keys": {
      if (event.error === undefined) return { event: "keys", text: "read again" };
      const error = shown(describe(event.error), MOST.error);
      return {
        event: "keys",
        text: `could not be read again, those in use stay: ${error}`,
        members: { error },
      };
    }
    case "worker": {
      const { state, pid } = event;
      const why = event.why === undefined ? undefined : shown(event.why, MOST.url);
      const text = `${pid} ${state}${why === undefined ? "" : `: ${why}`}`;
      return { event: "worker", text, members: { state, pid, ...(why !== undefined && { why }) } };
    }
  }
}

const REFUSED: Readonly<Record<Refusal, string>> = {
  connections: "over the limit of connections",
  "not-http": "not HTTP",
  "too-large": "too large",
  "too-slow": "too slow",
};

export function refusedLine(why: Refusal, count: number): Line {
  return { event: "refused", text: `${count} times: ${REFUSED[why]}`, members: { why, count } };
}

export function droppedLine(count: number): Line {
  return { event: "dropped", text: `${count} lines of this log`, members: { count } };
}

/** The texts of a line are fit to stand in a JSON string already. */
export function asJson(time: string, { event, members }: Line): string {
  let line = `{"time":"${time}","event":"${event}"`;
  for (const [name, value] of Object.entries(members ?? {})) {
    line += typeof value === "number" ? `,"${name}":${value}` : `,"${name}":"${value}"`;
  }
  return `${line}}`;
}

export function asText(time: string, { event, text }: Line): string {
  return `${time} ${event} ${text}`;
}

export type AnsweredLine = (time: string, event: Answered) => string;

/** Written out, as it is for every request. */
export function answeredAsJson(): AnsweredLine {
  const callers = new WeakMap<Caller, string>();
  return (time, event) => {
    const { caller, seconds } = event;
    let token = "";
    if (caller) {
      token = callers.get(caller) ?? "";
      if (token === "") {
        token = membersOf(caller);
        callers.set(caller, token);
      }
    }
    return (
      `{"time":"${time}","event":"answered","id":"${shown(event.id, MOST.id)}",` +
      `"method":"${fit(event.method, MOST.method)}","path":"${shown(event.path, MOST.path)}",` +
      `"route":"${event.route}","status":${event.status},"bytes":${event.bytes},` +
      `"ms":${milliseconds(seconds)},"kept":${event.kept},"whole":${event.whole}${token}}`
    );
  };
}

function membersOf({ id, name }: Caller): string {
  const first = id === undefined ? "" : `,"tokenId":"${shown(id, MOST_OF_CALLER.id)}"`;
  const second = name === undefined ? "" : `,"tokenName":"${shown(name, MOST_OF_CALLER.name)}"`;
  return first + second;
}

export function answeredAsText(): AnsweredLine {
  return (time, { status, method, path, bytes, seconds, caller, whole }) => {
    const name = caller?.name ?? caller?.id;
    const whose = name === undefined ? "" : ` ${shown(name, MOST_OF_CALLER.name)}`;
    const asked = `${fit(method, MOST.method)} ${shown(path, MOST.shortPath)}`;
    return `${time} ${status} ${asked} ${bytes} B ${milliseconds(seconds)} ms${whose}${whole ? "" : " (broken off)"}`;
  };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1_000_000) / 1000;
}
