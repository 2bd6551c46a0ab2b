/** Formats events as lines of the log. The lines may change at any time: see docs/contract.md. */
import { DamagedRecord, SnapshotExpired, StoreError } from "../../catalog/store-errors.ts";
import type { KeysEvent, RefusalReason, ServiceEvent } from "../event.ts";
import { redactToFit } from "../printable.ts";
import type { ClientCounts, GatheredFailures } from "./failure-gatherer.ts";
import { MAX_BYTES } from "./log-writer.ts";

export interface LogLine {
  readonly event: string;
  /** The line for a terminal, without time and event. */
  readonly text: string;
  /** The members of the JSON line. Text is already escaped. */
  readonly members: Readonly<Record<string, string | number>>;
}

/** Events that are frequent or come in floods have other functions. */
type RareEvent = Exclude<ServiceEvent, { kind: "request" | "refused" | "failed" | "fault" }>;
type EventOf<Kind> = Extract<RareEvent, { kind: Kind }>;
type MemberOf<Event> = Event extends Event ? Exclude<keyof Event, "kind"> : never;

/** Each event's members that are logged, in this order, and its text of them. */
const LINES: {
  readonly [Kind in RareEvent["kind"]]?: readonly [
    members: readonly MemberOf<EventOf<Kind>>[],
    text: (members: LogLine["members"], event: EventOf<Kind>) => string,
  ];
} = {
  started: [["url", "version", "workers", "books"], ({ url, version }) => `${url}, Colophon ${version}`],
  stopping: [["reason"], ({ reason }) => `${reason}`],
  stopped: [
    ["seconds", "cutConnections"],
    ({ seconds, cut }) => `after ${seconds} s${cut === 0 ? "" : `; ${cut} connections were cut`}`,
  ],
  keys: [["outcome", "reason", "error"], ({ error }, event) => keysText(event) + detail(error)],
  catalog: [
    ["state", "path", "reason"],
    ({ state, path, reason }) =>
      state === "opened" ? `${path} is served` : `${state === "lost" ? "is not served: " : ""}${reason}`,
  ],
  feed: [
    ["outcome", "feed", "sender", "products", "rejected", "seconds", "movedTo", "reason"],
    ({ feed, outcome, products, rejected, reason }) => {
      const counts = [products !== undefined && `${products} products`, rejected && `${rejected} rejected`];
      return `${feed} ${outcome}${detail([...counts, reason].filter(Boolean).join(", "))}`;
    },
  ],
  watch: [["state", "folder", "reason"], ({ state, path, reason }) => `${path} ${state}${detail(reason)}`],
  hook: [["feed", "reason"], ({ feed, reason }) => `${feed}: ${reason}`],
  worker: [["state", "pid", "reason"], ({ state, pid, reason }) => `${pid} ${state}${detail(reason)}`],
};

/** The members that have another name in the log. */
const LOGGED_NAMES: Readonly<Record<string, string>> = { cutConnections: "cut", folder: "path" };

/** Returns undefined for an event that is not logged. */
export function eventLine(event: RareEvent): LogLine | undefined {
  const [names, text] = LINES[event.kind] ?? [];
  if (!names || !text || isRoutine(event)) return undefined;
  const values = event as Readonly<Record<string, unknown>>;
  const members = Object.fromEntries(names.map((name) => [LOGGED_NAMES[name] ?? name, values[name]]));
  return lineOf(event.kind, members, (escaped) => (text as (...args: unknown[]) => string)(escaped, event));
}

/** Keys are read every few minutes. That they are the same is worth a line only to an operator who sent SIGHUP. */
function isRoutine(event: RareEvent): boolean {
  return event.kind === "keys" && event.outcome === "unchanged" && event.reason !== "demand";
}

/** Omits members that are undefined, rounds numbers to thousandths, and makes text and errors fit. */
function lineOf(
  event: string,
  values: Readonly<Record<string, unknown>>,
  text: (members: LogLine["members"]) => string,
): LogLine {
  const limits: Readonly<Record<string, number>> = MAX_BYTES;
  const members: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(values)) {
    const maxBytes = limits[`${event}.${name}`] ?? limits[name] ?? MAX_BYTES.text;
    if (typeof value === "number") members[name] = Math.round(value * 1000) / 1000;
    else if (value !== undefined) members[name] = redactToFit(describeError(value), maxBytes);
  }
  return { event, text: text(members), members };
}

/** What follows a colon, if there is any. */
function detail(text: string | number | undefined): string {
  return text ? `: ${text}` : "";
}

function keysText({ outcome, remainingMs = Number.POSITIVE_INFINITY }: KeysEvent): string {
  const minutes = Math.ceil(remainingMs / 60_000);
  switch (outcome) {
    case "changed":
      return "replaced";
    case "unchanged":
      return "read again, unchanged";
    case "withdrawn":
      return "withdrawn, every token is rejected";
    case "expired":
      return "too old, no token can be verified";
    case "failed":
      if (minutes === 0) return "could not be read, no token can be verified";
      if (minutes === Number.POSITIVE_INFINITY) return "could not be read, the previous keys stay in use";
      return `could not be read, the previous keys stay in use for at most ${minutes} min`;
  }
}

export function failuresLine({ first, count, routes, clients }: GatheredFailures): LogLine {
  const times = count === 1 ? "" : `${count} times, first `;
  const error = describeError(first.error);
  if (first.kind === "fault") return lineOf("fault", { error, count }, (members) => times + members.error);
  const { id, client, method, path } = first;
  const values = {
    id,
    client,
    method,
    path,
    error,
    count,
    routes: [...routes].join(" "),
    clients: clients.size,
  };
  return lineOf("failed", values, (members) => {
    return `${times}${members.client} ${members.id} ${members.method} ${members.path}: ${members.error}`;
  });
}

const REFUSAL_TEXTS: Readonly<Record<RefusalReason, string>> = {
  connections: "over the limit of connections",
  descriptors: "at the limit of open files, which ulimit -n or LimitNOFILE raises",
  "not-http": "not HTTP",
  "too-large": "too large",
  "too-slow": "too slow",
};

/** The refusals of an interval that have the same reason. */
export interface GatheredRefusals {
  count: number;
  readonly clients: ClientCounts;
  /** The ids of a process ascend, so the first and the last one tell whether an id belongs to the line. */
  firstId?: string | undefined;
  lastId?: string | undefined;
}

/** The client is the one that was refused most often. */
export function refusedLine(reason: RefusalReason, gathered: GatheredRefusals): LogLine {
  const { count, firstId: id, lastId } = gathered;
  const clients = gathered.clients.size;
  const isRange = lastId !== undefined && lastId !== id;
  const ids = id === undefined ? "" : `, ${id}${isRange ? ` to ${lastId}` : ""}`;
  const client = gathered.clients.mostFrequent;
  const values = { reason, count, clients, client, id, lastId: isRange ? lastId : undefined };
  return lineOf("refused", values, (members) => {
    const from = clients === 1 ? members.client : `${clients} addresses, most often ${members.client}`;
    return `${count} times: ${REFUSAL_TEXTS[reason]}, from ${from}${ids}`;
  });
}

export function droppedLine(count: number): LogLine {
  return { event: "dropped", text: `${count} lines of this log`, members: { count } };
}

export function formatJson(time: string, { event, members }: LogLine): string {
  let line = `{"time":"${time}","event":"${event}"`;
  for (const [name, value] of Object.entries(members)) {
    line += typeof value === "number" ? `,"${name}":${value}` : `,"${name}":"${value}"`;
  }
  return `${line}}`;
}

export function formatText(time: string, { event, text }: LogLine): string {
  return `${time} ${event} ${text}`;
}

const MAX_CAUSES = 4;
const MAX_STACK_FRAMES = 6;

/** Codes of SQLite, of Bun's PostgreSQL client and of the system: the failure is outside of this program. */
const OUTSIDE_CODE = /^(?:SQLITE_\w+|ERR_POSTGRES_\w+|E[A-Z0-9]+)$/;

/**
 * Describes an error and its causes. An unexpected one, which may be a defect, has its stack. The result still contains
 * line feeds and may contain secrets.
 */
export function describeError(error: unknown): string {
  const parts = [describeOne(error)];
  let cause = causeOf(error);
  while (cause !== undefined && parts.length < MAX_CAUSES) {
    parts.push(describeOne(cause));
    cause = causeOf(cause);
  }
  return parts.join("; caused by ");
}

function describeOne(error: unknown): string {
  try {
    if (!(error instanceof Error)) {
      return typeof error === "string" ? error : Bun.inspect(error, { depth: 1 });
    }
    const { code } = error as { code?: unknown };
    const name = `${error.name}${typeof code === "string" ? ` ${code}` : ""}`;
    const description = error.message ? `${name}: ${error.message}` : name;
    if (isExplained(error)) return description;
    const frames = (error.stack ?? "").match(/^\s+at .+$/gm)?.slice(0, MAX_STACK_FRAMES) ?? [];
    return frames.length > 0
      ? `${description} (${frames.map((frame) => frame.trim()).join(", ")})`
      : description;
  } catch {
    return "an error that cannot be shown";
  }
}

/** The message or the code of these errors names the cause, so a stack would add nothing. */
function isExplained(error: Error): boolean {
  if (error instanceof StoreError || error instanceof SnapshotExpired || error instanceof DamagedRecord)
    return true;
  const { code } = error as { code?: unknown };
  return typeof code === "string" && OUTSIDE_CODE.test(code);
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
