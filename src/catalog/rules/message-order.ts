/** Tells which of two messages of a sender is older, by SentDateTime and MessageNumber of their headers. */
import { parseDay } from "../../onix/date.ts";
import type { MessageMark } from "../import-state.ts";

/**
 * The key of the sender of the bundled sample (`sample/catalog.xml`). A book is of the sample while this sender has sent
 * it: a feed of another sender that has the book takes it over, and it stays.
 */
export const SAMPLE_SENDER = "name:Colophon sample catalog";

/** A time with its precision: `20240115` is a whole day, `20240115T0930Z` a minute. `to` is excluded. */
interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
  /** False for a local time of an unknown zone. It is then computed as if it were UTC. */
  readonly hasZone: boolean;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Local times are at most 14 hours ahead of UTC and 12 hours behind it. */
const MAX_AHEAD_MS = 14 * HOUR_MS;
const MAX_BEHIND_MS = 12 * HOUR_MS;

/**
 * Tells whether a message was sent before another one. Equal is not older. The number decides only when the times are
 * equal, missing or unreadable.
 */
export function isOlderMessage(message: MessageMark, other: MessageMark): boolean {
  return (
    (isEarlier(message.sent, other.sent) ?? isLower(message.messageNumber, other.messageNumber)) === true
  );
}

/**
 * Returns the mark without a time that is more than a day ahead of now. Remembered, it would make all later messages of
 * the sender older.
 */
export function withoutFuture(message: MessageMark, nowMs: number): MessageMark {
  const time = parseTime(message.sent ?? "");
  return time && time.fromMs > nowMs + DAY_MS ? { ...message, sent: undefined } : message;
}

/** Returns the mark to store after a message that is not older than `last`. */
export function nextMark(message: MessageMark, last: MessageMark | undefined): MessageMark {
  // Some senders begin to count again, so a number counts only together with its own time.
  if (last === undefined || isEarlier(last.sent, message.sent)) return message;
  return {
    sent: startOf(message.sent) >= startOf(last.sent) ? message.sent : last.sent,
    messageNumber: isNumeric(message.messageNumber) ? message.messageNumber : last.messageNumber,
  };
}

/** Returns when a SentDateTime begins, in milliseconds since 1970. A time without a zone counts as UTC. */
export function sentAtMs(sent: string | undefined): number | undefined {
  return parseTime(sent ?? "")?.fromMs;
}

/** Returns when a time begins at the earliest. A text that is no time is before all others. */
function startOf(text: string | undefined): number {
  const time = parseTime(text ?? "");
  return time === undefined ? Number.NEGATIVE_INFINITY : inAnyZone(time).fromMs;
}

/** Names a message by its time and its number. */
export function describeMessage({ sent, messageNumber }: MessageMark): string {
  const number = messageNumber === undefined ? "" : `number ${messageNumber}`;
  const time = sent === undefined ? "" : `of ${sent}`;
  return [number, time].filter(Boolean).join(" ");
}

/** Returns undefined when the texts do not tell: they are equal, missing, unreadable or not precise enough. */
function isEarlier(text: string | undefined, otherText: string | undefined): boolean | undefined {
  const time = parseTime(text ?? "");
  const other = parseTime(otherText ?? "");
  if (!time || !other) return undefined;
  const [a, b] = time.hasZone === other.hasZone ? [time, other] : [inAnyZone(time), inAnyZone(other)];
  if (a.toMs <= b.fromMs) return true;
  return b.toMs <= a.fromMs ? false : undefined;
}

function inAnyZone(time: TimeRange): TimeRange {
  if (time.hasZone) return time;
  return { fromMs: time.fromMs - MAX_AHEAD_MS, toMs: time.toMs + MAX_BEHIND_MS, hasZone: true };
}

/** Reads `YYYYMMDD`, with or without `Thhmm` or `Thhmmss`, and a zone. Hyphens and colons of ISO 8601 are ignored. */
function parseTime(text: string): TimeRange | undefined {
  const [, year, month, date, hour, minute, second, zone] =
    /^\s*(\d{4})-?(\d\d)-?(\d\d)(?:[T ]?(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?\s*$/i.exec(
      text,
    ) ?? [];
  if (year === undefined || parseDay(`${year}${month}${date}`) === undefined) return undefined;
  const fromMs =
    Date.UTC(Number(year), Number(month) - 1, Number(date), Number(hour ?? 0), Number(minute ?? 0)) +
    Number(second ?? 0) * SECOND_MS -
    offsetMs(zone);
  const precisionMs = hour === undefined ? DAY_MS : second === undefined ? MINUTE_MS : SECOND_MS;
  return { fromMs, toMs: fromMs + precisionMs, hasZone: zone !== undefined };
}

function offsetMs(zone = "Z"): number {
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS) * (sign === "-" ? -1 : 1);
}

/** Returns undefined when one of them is missing or not a number. */
function isLower(number: string | undefined, other: string | undefined): boolean | undefined {
  return isNumeric(number) && isNumeric(other) ? BigInt(number) < BigInt(other) : undefined;
}

function isNumeric(text: string | undefined): text is string {
  return text !== undefined && /^\s*\d+\s*$/.test(text);
}
