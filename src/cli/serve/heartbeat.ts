/** Notices a child process that exists but does not respond: one that is stopped, or whose event loop is blocked. */

/** A process that is ready is hung after this number of checks without a response. */
const HUNG_AFTER_CHECKS = 10;
/** A process that starts may load for long on a busy machine. */
const START_LIMIT_CHECKS = 60;
/** A process that works without responding is hung after this number: it may be in an endless loop. */
const WORK_LIMIT_CHECKS = 1800;
/** When `onSilent` is called. */
const SILENT_AFTER_CHECKS = 5;

export const HEARTBEAT_INTERVAL_MS = 1000;
/** A check that comes later than this after the one before does not count: see `check`. */
const LATE_AFTER_MS = 1.5 * HEARTBEAT_INTERVAL_MS;

export interface HeartbeatEvents {
  /** Sends a message that the event loop of the process responds to. */
  readonly ping: () => void;
  /** Called once, until `restart` is called. */
  readonly onHung: (silentChecks: number) => void;
  /** Returns whether a silent process does something since the last call. When omitted, it does not. */
  readonly isWorking?: (() => boolean) | undefined;
  /** Called when a process that was ready has not responded for some seconds. */
  readonly onSilent?: ((silentChecks: number) => void) | undefined;
  /** Called when a silent process responds again. */
  readonly onHeard?: (() => void) | undefined;
}

export class Heartbeat {
  readonly #events: HeartbeatEvents;
  /** Checks since the last response of this process. */
  #silentChecks = 0;
  /** Those of them at which it did not work. */
  #idleChecks = 0;
  /** Checks since the last response of a process that was ready. */
  #notServingChecks = 0;
  #hungAfterChecks = START_LIMIT_CHECKS;
  #isReady = false;
  #hasResponded = false;
  #lastCheckMs: number;

  constructor(events: HeartbeatEvents, nowMs = performance.now()) {
    this.#events = events;
    this.#lastCheckMs = nowMs;
  }

  /** For about how many seconds no process has been ready and responded. A replacement does not reset it. */
  get notServingSeconds(): number {
    return this.#notServingChecks;
  }

  /** The process has sent a message of any kind. */
  respond(): void {
    this.#hasResponded = true;
    if (this.#isReady && this.#silentChecks >= SILENT_AFTER_CHECKS) this.#events.onHeard?.();
    this.#silentChecks = 0;
    this.#idleChecks = 0;
    if (this.#isReady) this.#notServingChecks = 0;
  }

  /** The process does its work: a worker accepts connections. */
  ready(): void {
    this.#isReady = true;
    this.#notServingChecks = 0;
    this.#hungAfterChecks = HUNG_AFTER_CHECKS;
  }

  /** A new process takes the place of the old one. */
  restart(): void {
    this.#isReady = false;
    this.#hasResponded = false;
    this.#silentChecks = 0;
    this.#idleChecks = 0;
    this.#hungAfterChecks = START_LIMIT_CHECKS;
  }

  /**
   * Counts a ping without a response. When the check itself is late, the machine was busy or paused. The child was too,
   * and its response may wait unread, so that check does not count.
   */
  check(nowMs = performance.now()): void {
    const isOnTime = nowMs - this.#lastCheckMs < LATE_AFTER_MS;
    this.#lastCheckMs = nowMs;
    if (isOnTime) {
      if (!this.#hasResponded) this.#countSilence();
      if (!this.#hasResponded || !this.#isReady) this.#notServingChecks++;
    }
    this.#hasResponded = false;
    if (this.#idleChecks < this.#hungAfterChecks && this.#silentChecks < WORK_LIMIT_CHECKS) {
      this.#events.ping();
    } else if (this.#hungAfterChecks !== Number.POSITIVE_INFINITY) {
      this.#hungAfterChecks = Number.POSITIVE_INFINITY;
      this.#events.onHung(this.#silentChecks);
    }
  }

  #countSilence(): void {
    this.#silentChecks++;
    if (!this.#events.isWorking?.()) this.#idleChecks++;
    if (this.#isReady && this.#silentChecks === SILENT_AFTER_CHECKS)
      this.#events.onSilent?.(this.#silentChecks);
  }
}
