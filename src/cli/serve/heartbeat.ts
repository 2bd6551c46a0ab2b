/** Notices a worker process that exists but does not respond: one that is stopped, or whose event loop is blocked. */

/** A worker that listens is hung after this number of checks without a response. */
const HUNG_AFTER_CHECKS = 10;
/** A worker that starts may load for long on a busy machine. */
const START_LIMIT_CHECKS = 60;

export const HEARTBEAT_INTERVAL_MS = 1000;
/** A check that comes later than this after the one before does not count: see `check`. */
const LATE_AFTER_MS = 1.5 * HEARTBEAT_INTERVAL_MS;

export interface HeartbeatEvents {
  /** Sends a message that the worker's event loop responds to. */
  readonly ping: () => void;
  /** Called once, until `restart` is called. */
  readonly onHung: (silentChecks: number) => void;
}

export class Heartbeat {
  readonly #events: HeartbeatEvents;
  /** Checks since the last response of this process. */
  #silentChecks = 0;
  /** Checks since the last response of a process that listened. */
  #notServingChecks = 0;
  #hungAfterChecks = START_LIMIT_CHECKS;
  #isListening = false;
  #hasResponded = false;
  #lastCheckMs: number;

  constructor(events: HeartbeatEvents, nowMs = performance.now()) {
    this.#events = events;
    this.#lastCheckMs = nowMs;
  }

  /** For about how many seconds no process has listened and responded. Replacing the worker does not reset it. */
  get notServingSeconds(): number {
    return this.#notServingChecks;
  }

  /** The worker has sent a message of any kind. */
  respond(): void {
    this.#hasResponded = true;
    this.#silentChecks = 0;
    if (this.#isListening) this.#notServingChecks = 0;
  }

  /** The worker accepts connections. */
  listen(): void {
    this.#isListening = true;
    this.#notServingChecks = 0;
    this.#hungAfterChecks = HUNG_AFTER_CHECKS;
  }

  /** A new process takes the place of the worker. */
  restart(): void {
    this.#isListening = false;
    this.#hasResponded = false;
    this.#silentChecks = 0;
    this.#hungAfterChecks = START_LIMIT_CHECKS;
  }

  /**
   * Counts a ping without a response. When the check itself is late, the machine was busy or paused. Its workers were
   * too, and their responses may wait unread, so that check does not count.
   */
  check(nowMs = performance.now()): void {
    const isOnTime = nowMs - this.#lastCheckMs < LATE_AFTER_MS;
    this.#lastCheckMs = nowMs;
    if (isOnTime) {
      if (!this.#hasResponded) this.#silentChecks++;
      if (!this.#hasResponded || !this.#isListening) this.#notServingChecks++;
    }
    this.#hasResponded = false;
    if (this.#silentChecks < this.#hungAfterChecks) {
      this.#events.ping();
      return;
    }
    this.#hungAfterChecks = Number.POSITIVE_INFINITY;
    this.#events.onHung(this.#silentChecks);
  }
}
