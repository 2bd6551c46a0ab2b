/** Formats events as lines of the log. The lines may change at any time: see docs/contract.md. */
import type { FeedEvent, KeysEvent, RefusalReason, ServiceEvent } from "../event.ts";
import { escapeToFit, redactToFit } from "../printable.ts";
import { describeError } from "./describe-error.ts";
import type { ClientCounts, GatheredFailures } from "./failure-gatherer.ts";
import { MAX_BYTES } from "./log-writer.ts";

export interface LogLine {
  readonly event: string;
  /** The line for a terminal, without time and event. */
  readonly text: string;
  /** The members of the JSON line. Text is already escaped. */
  readonly members?: Readonly<Record<string, string | number>>;
}

/** The events that are frequent, or come in floods, have other functions. */
type RareEvent = Exclude<
  ServiceEvent,
  { kind: "request" | "refused" | "failed" | "fault" | "store" | "backlog" }
>;

export function eventLine(event: RareEvent): LogLine {
  switch (event.kind) {
    case "started": {
      const url = redactToFit(event.url, MAX_BYTES.url);
      const { version, workers, books } = event;
      const members = { url, version, workers, books };
      return { event: "started", text: `${url}, Colophon ${version}`, members };
    }
    case "stopping": {
      const reason = redactToFit(event.reason, MAX_BYTES.reason);
      return { event: "stopping", text: reason, members: { reason } };
    }
    case "stopped": {
      const cut = event.cutConnections;
      const seconds = Math.round(event.seconds * 1000) / 1000;
      const note = cut === 0 ? "" : `; ${cut} connections were cut`;
      return { event: "stopped", text: `after ${seconds} s${note}`, members: { seconds, cut } };
    }
    case "keys": {
      const { outcome, reason } = event;
      const error = event.error === undefined ? undefined : formatError(event.error);
      const text = keysText(event) + (error === undefined ? "" : `: ${error}`);
      return { event: "keys", text, members: { outcome, reason, ...(error !== undefined && { error }) } };
    }
    case "catalog": {
      const { state } = event;
      if (state === "opened") {
        const path = redactToFit(event.path, MAX_BYTES.textPath);
        return { event: "catalog", text: `${path} is served`, members: { state, path } };
      }
      const reason = redactToFit(event.reason, MAX_BYTES.error);
      return { event: "catalog", text: `is not served: ${reason}`, members: { state, reason } };
    }
    case "feed":
      return feedLine(event);
    case "watch": {
      const { state } = event;
      const path = redactToFit(event.folder, MAX_BYTES.textPath);
      const reason = event.reason === undefined ? undefined : redactToFit(event.reason, MAX_BYTES.error);
      const text = `${path} ${state}${reason === undefined ? "" : `: ${reason}`}`;
      return { event: "watch", text, members: { state, path, ...(reason !== undefined && { reason }) } };
    }
    case "hook": {
      const feed = redactToFit(event.feed, MAX_BYTES.textPath);
      const reason = redactToFit(event.reason, MAX_BYTES.error);
      return { event: "hook", text: `${feed}: ${reason}`, members: { feed, reason } };
    }
    case "worker": {
      const { state, pid } = event;
      const reason = event.reason === undefined ? undefined : redactToFit(event.reason, MAX_BYTES.reason);
      const text = `${pid} ${state}${reason === undefined ? "" : `: ${reason}`}`;
      return { event: "worker", text, members: { state, pid, ...(reason !== undefined && { reason }) } };
    }
  }
}

function feedLine(event: FeedEvent): LogLine {
  const { outcome, products, rejected } = event;
  const feed = redactToFit(event.feed, MAX_BYTES.textPath);
  const sender = event.sender === undefined ? undefined : redactToFit(event.sender, MAX_BYTES.sender);
  const movedTo = event.movedTo === undefined ? undefined : redactToFit(event.movedTo, MAX_BYTES.textPath);
  const reason = event.reason === undefined ? undefined : redactToFit(event.reason, MAX_BYTES.feedReason);
  const seconds = event.seconds === undefined ? undefined : Math.round(event.seconds * 1000) / 1000;
  const notes = [
    ...(products === undefined ? [] : [`${products} products`]),
    ...(rejected ? [`${rejected} rejected`] : []),
    ...(reason === undefined ? [] : [reason]),
  ];
  const text = `${feed} ${outcome}${notes.length === 0 ? "" : `: ${notes.join(", ")}`}`;
  const members = Object.entries({ sender, products, rejected, seconds, movedTo, reason });
  const known = members.filter((member): member is [string, string | number] => member[1] !== undefined);
  return { event: "feed", text, members: { outcome, feed, ...Object.fromEntries(known) } };
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

/** Keys are read every few minutes. That they are the same is worth a line only to an operator who sent SIGHUP. */
export function isRoutine(event: ServiceEvent): boolean {
  return event.kind === "keys" && event.outcome === "unchanged" && event.reason !== "demand";
}

export function failuresLine({ first, count, routes, clients }: GatheredFailures): LogLine {
  const error = formatError(first.error);
  const times = count === 1 ? "" : `${count} times, first `;
  if (first.kind === "fault") return { event: "fault", text: times + error, members: { error, count } };
  const id = redactToFit(first.id, MAX_BYTES.id);
  const client = redactToFit(first.client, MAX_BYTES.client);
  const method = escapeToFit(first.method, MAX_BYTES.method);
  const path = redactToFit(first.path, MAX_BYTES.textPath);
  const text = `${times}${client} ${id} ${method} ${path}: ${error}`;
  const routeList = escapeToFit(routes.join(" "), MAX_BYTES.routes);
  const members = { id, client, method, path, error, count, routes: routeList, clients };
  return { event: "failed", text, members };
}

function formatError(error: unknown): string {
  return redactToFit(describeError(error), MAX_BYTES.error);
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
  const client = redactToFit(gathered.clients.mostFrequent, MAX_BYTES.client);
  const clients = gathered.clients.size;
  const from = clients === 1 ? client : `${clients} addresses, most often ${client}`;
  const isRange = lastId !== undefined && lastId !== id;
  const ids = id === undefined ? "" : `, ${id}${isRange ? ` to ${lastId}` : ""}`;
  const text = `${count} times: ${REFUSAL_TEXTS[reason]}, from ${from}${ids}`;
  const idMembers = { ...(id !== undefined && { id }), ...(isRange && { lastId }) };
  return { event: "refused", text, members: { reason, count, clients, client, ...idMembers } };
}

export function droppedLine(count: number): LogLine {
  return { event: "dropped", text: `${count} lines of this log`, members: { count } };
}

export function formatJson(time: string, { event, members }: LogLine): string {
  let line = `{"time":"${time}","event":"${event}"`;
  for (const [name, value] of Object.entries(members ?? {})) {
    line += typeof value === "number" ? `,"${name}":${value}` : `,"${name}":"${value}"`;
  }
  return `${line}}`;
}

export function formatText(time: string, { event, text }: LogLine): string {
  return `${time} ${event} ${text}`;
}
