/**
 * Gathers failures for the log. When a store is down, every request fails in the same way: the first failure of a kind
 * is logged at once, and the others of its kind when it has ended, with their number.
 */
import { StoreUnreachable } from "../../catalog/store-errors.ts";
import type { FaultEvent, RequestFailedEvent } from "../event.ts";

/** A flood may come from any number of addresses. */
const MAX_CLIENTS = 1000;

/** Counts events by the address of the client, for a bounded number of addresses. */
export class ClientCounts {
  readonly #counts = new Map<string, number>();

  add(client: string): void {
    const count = this.#counts.get(client);
    if (count !== undefined) this.#counts.set(client, count + 1);
    else if (this.#counts.size < MAX_CLIENTS) this.#counts.set(client, 1);
  }

  /** The number of different addresses, at most 1000. */
  get size(): number {
    return this.#counts.size;
  }

  /** The address with the most events. */
  get mostFrequent(): string {
    let [found, most] = ["", 0];
    for (const [client, count] of this.#counts) {
      if (count > most) [found, most] = [client, count];
    }
    return found;
  }
}

type FailureEvent = RequestFailedEvent | FaultEvent;

/** A kind without a failure for this long has ended. It is longer than what a query waits for a server. */
const QUIET_MS = 10_000;
/** A kind that does not end is logged again after so many such intervals: every ten minutes. */
const MAX_INTERVALS = 60;
/** Failures of further kinds are gathered as one more kind. */
const MAX_KINDS = 20;
const MAX_KIND_LENGTH = 200;

/** A kind that has been logged, and that has not ended. */
interface RecentKind {
  /** The failures since the last line. */
  gathered: GatheredFailures | undefined;
  /** True when there was a failure in this interval. */
  isOngoing: boolean;
  /** The intervals since the last line. */
  intervals: number;
  timer: Timer;
}

export class FailureGatherer {
  readonly #write: (failures: GatheredFailures) => void;
  readonly #quietMs: number;
  readonly #recent = new Map<string, RecentKind>();

  constructor(write: (failures: GatheredFailures) => void, quietMs = QUIET_MS) {
    this.#write = write;
    this.#quietMs = quietMs;
  }

  add(event: FailureEvent): void {
    const kind = this.#knownKind(event);
    const recent = this.#recent.get(kind);
    if (!recent) {
      this.#write(new GatheredFailures(event));
      const timer = this.#startTimer(kind);
      this.#recent.set(kind, { gathered: undefined, isOngoing: false, intervals: 0, timer });
      return;
    }
    recent.isOngoing = true;
    if (recent.gathered) recent.gathered.add(event);
    else recent.gathered = new GatheredFailures(event);
  }

  /** Writes what is gathered. */
  flush(): void {
    for (const { gathered, timer } of this.#recent.values()) {
      clearTimeout(timer);
      if (gathered) this.#write(gathered);
    }
    this.#recent.clear();
  }

  #knownKind(event: FailureEvent): string {
    const kind = kindOf(event);
    return this.#recent.has(kind) || this.#recent.size < MAX_KINDS ? kind : "others";
  }

  #startTimer(kind: string): Timer {
    return setTimeout(() => {
      const recent = this.#recent.get(kind)!;
      const { gathered, isOngoing } = recent;
      if (gathered && (!isOngoing || recent.intervals >= MAX_INTERVALS)) {
        this.#write(gathered);
        recent.gathered = undefined;
        recent.intervals = 0;
      }
      recent.isOngoing = false;
      recent.intervals++;
      if (isOngoing) recent.timer = this.#startTimer(kind);
      else this.#recent.delete(kind);
    }, this.#quietMs);
  }
}

/** Failures of one kind. */
export class GatheredFailures {
  count = 0;
  readonly routes = new Set<string>();
  readonly clients = new ClientCounts();

  constructor(readonly first: FailureEvent) {
    this.add(first);
  }

  add(event: FailureEvent): void {
    this.count++;
    if (event.kind !== "failed") return;
    this.routes.add(event.route);
    this.clients.add(event.client);
  }
}

/**
 * Failures are of one kind when their class and their message are the same, apart from numbers and ids. A store that
 * cannot be reached is one kind, whether queries time out or connections are refused.
 */
function kindOf({ kind, error }: FailureEvent): string {
  try {
    if (error instanceof StoreUnreachable) return error.constructor.name;
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return `${kind} ${text.slice(0, MAX_KIND_LENGTH).replace(/\b[0-9a-f-]{8,}\b|[0-9]+/gi, "#")}`;
  } catch {
    return kind;
  }
}
