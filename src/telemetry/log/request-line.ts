/**
 * Formats the line of a request, which is the only line that is written for every request. So it costs as little as
 * possible: 0.9 µs instead of 1.9 with a text of its own for each member.
 */
import type { Caller } from "../../catalog/token-registry.ts";
import type { RequestEvent } from "../event.ts";
import { escapeToFit, redactToFit } from "../printable.ts";
import { MAX_BYTES } from "./log-writer.ts";

type RequestFormatter = (time: string, event: RequestEvent) => string;

export function requestJsonFormatter(): RequestFormatter {
  const start = new LastResult((time) => `{"time":"${time}","event":"request","id":"`);
  const client = new LastResult((text) => `","client":"${redactToFit(text, MAX_BYTES.client)}","method":"`);
  const method = new LastResult((text) => `${escapeToFit(text, MAX_BYTES.method)}","path":"`);
  const path = new LastResult((text) => `${redactToFit(text, MAX_BYTES.requestPath)}","route":"`);
  const membersByCaller = new WeakMap<Caller, string>();
  return (time, event) => {
    const { id, caller, status, bodyBytes, cacheHit, complete } = event;
    let tokenMembers = "";
    if (caller) {
      tokenMembers = membersByCaller.get(caller) ?? "";
      if (tokenMembers === "") {
        tokenMembers = formatCaller(caller);
        membersByCaller.set(caller, tokenMembers);
      }
    }
    return `${start.of(time)}${redactToFit(id, MAX_BYTES.id)}${client.of(event.client)}${method.of(event.method)}${path.of(event.path)}${event.route}","status":${status},"bytes":${bodyBytes},"ms":${formatMilliseconds(event.seconds)},"cached":${cacheHit},"complete":${complete}${tokenMembers}}`;
  };
}

function formatCaller({ id, name }: Caller): string {
  const idMember = id === undefined ? "" : `,"tokenId":"${redactToFit(id, MAX_BYTES.tokenId)}"`;
  const nameMember = name === undefined ? "" : `,"tokenName":"${redactToFit(name, MAX_BYTES.tokenName)}"`;
  return idMember + nameMember;
}

export function requestTextFormatter(): RequestFormatter {
  return (time, { client, status, method, path, bodyBytes, seconds, caller, complete }) => {
    const token = caller?.name ?? caller?.id;
    const tokenText = token === undefined ? "" : ` ${redactToFit(token, MAX_BYTES.tokenName)}`;
    const target = `${escapeToFit(method, MAX_BYTES.method)} ${redactToFit(path, MAX_BYTES.text)}`;
    const note = complete ? "" : " (cut off)";
    return `${time} ${redactToFit(client, MAX_BYTES.client)} ${status} ${target} ${bodyBytes} B ${formatMilliseconds(seconds)} ms${tokenText}${note}`;
  };
}

/** Remembers one result, because a request often has the same client, time or path as the one before it. */
class LastResult {
  readonly #compute: (text: string) => string;
  #text: string | undefined;
  #result = "";

  constructor(compute: (text: string) => string) {
    this.#compute = compute;
  }

  of(text: string): string {
    if (text !== this.#text) {
      this.#result = this.#compute(text);
      this.#text = text;
    }
    return this.#result;
  }
}

/** The decimals of each number of microseconds below a millisecond, as JavaScript writes them. */
const DECIMALS = Array.from({ length: 1000 }, (_, microseconds) => String(microseconds / 1000).slice(1));

/** Rounds to microseconds. Formatting a fractional number takes five times as long. */
function formatMilliseconds(seconds: number): string {
  const microseconds = Math.round(seconds * 1_000_000);
  const milliseconds = Math.floor(microseconds / 1000);
  return `${milliseconds}${DECIMALS[microseconds - milliseconds * 1000]}`;
}
