import type { SQL } from "bun";
import { StoreError } from "../../../catalog/store-errors.ts";
import { withTimeout } from "../../../lib/awaitable.ts";
import { closeAtOnce, type DatabaseAddress } from "../connection.ts";
import { codeOf } from "../errors.ts";
import type { ImportDeadlines, ImportSession } from "./session.ts";
import * as statements from "./statements.ts";

interface HolderRow {
  readonly pid: number;
  readonly fingerprint: string;
}

/**
 * Queries the server about the connections of an import, on a connection of its own, and reports when the server or one
 * of them is dead. Counts rounds, not time: after a pause of this process, a late timer proves nothing.
 */
export class Watchdog {
  readonly #address: DatabaseAddress;
  readonly #deadlines: ImportDeadlines;
  readonly #onFailure: (error: StoreError) => void;
  readonly #sessions = new Map<ImportSession, StallDetector>();
  readonly #idleHolders = new Map<string, number>();
  #sql: SQL | undefined;
  #missedRounds = 0;
  #responses = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;

  constructor(address: DatabaseAddress, deadlines: ImportDeadlines, onFailure: (error: StoreError) => void) {
    this.#address = address;
    this.#deadlines = deadlines;
    this.#onFailure = onFailure;
  }

  watch(session: ImportSession): void {
    this.#sessions.set(session, new StallDetector(session, this.#deadlines.maxStalledRounds));
    if (this.#timer === undefined) this.#scheduleRound(this.#deadlines.roundMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#disconnect();
  }

  #scheduleRound(delayMs: number): void {
    this.#timer = setTimeout(() => void this.#round(), delayMs);
  }

  /** A round takes `roundMs`, whether the server responds, refuses connections or is silent. */
  async #round(): Promise<void> {
    const start = performance.now();
    const failure = await this.#check();
    if (this.#isStopped) return;
    if (failure === undefined) {
      this.#scheduleRound(Math.max(0, start + this.#deadlines.roundMs - performance.now()));
      return;
    }
    this.stop();
    this.#onFailure(failure);
  }

  /** Returns the error that the import fails with, if any. */
  async #check(): Promise<StoreError | undefined> {
    try {
      const work = this.#query();
      await withTimeout(work, this.#deadlines.roundMs, () => new Error("timeout"));
      this.#missedRounds = 0;
    } catch (error) {
      this.#disconnect();
      // A pool or a server without a free connection has responded, and so has one that responds to the import.
      this.#missedRounds = isResponse(error) || this.#hasResponded() ? 0 : this.#missedRounds + 1;
      return this.#missedRounds >= this.#deadlines.maxMissedRounds ? this.#unreachable() : undefined;
    }
    const isStalled = [...this.#sessions.values()].some((detector) => detector.isStalled);
    return isStalled ? this.#deadConnection() : undefined;
  }

  async #query(): Promise<void> {
    this.#sql ??= this.#address.connect();
    const sql = this.#sql;
    const pids = [...this.#sessions.keys()].map(({ transaction }) => transaction.pid);
    const rows = await sql.unsafe<BackendRow[]>(statements.BACKENDS, [`{${pids.join(",")}}`]);
    if (this.#isStopped) return;
    for (const [session, detector] of this.#sessions) {
      const row = rows.find(({ pid }) => pid === session.transaction.pid);
      detector.observe(row);
      if (row?.is_locked) await this.#endDeadHolder(sql, row.pid);
    }
  }

  /**
   * Ends the import that holds the lock when it sends nothing. One that is alive has a heartbeat. Keepalives cannot tell
   * when a process is stopped, or when a pooler hides that its client is gone.
   */
  async #endDeadHolder(sql: SQL, waitingPid: number): Promise<void> {
    const holders = await sql.unsafe<HolderRow[]>(statements.IDLE_LOCK_HOLDERS, [waitingPid]);
    const seen = new Map([...this.#idleHolders]);
    this.#idleHolders.clear();
    for (const { pid, fingerprint } of holders) {
      const key = `${pid} ${fingerprint}`;
      const rounds = (seen.get(key) ?? 0) + 1;
      this.#idleHolders.set(key, rounds);
      // A role that may not end it, because another role runs that import, goes on waiting.
      if (rounds > this.#deadlines.maxIdleHolderRounds) {
        await sql.unsafe(statements.END_BACKEND, [pid]).catch(() => {});
      }
    }
  }

  /** Returns whether the import has got a response since the last call. */
  #hasResponded(): boolean {
    const before = this.#responses;
    this.#responses = [...this.#sessions.keys()].reduce((sum, { responses }) => sum + responses, 0);
    return this.#responses !== before;
  }

  #disconnect(): void {
    if (this.#sql) closeAtOnce(this.#sql);
    this.#sql = undefined;
  }

  #unreachable(): StoreError {
    const seconds = (this.#deadlines.roundMs * this.#deadlines.maxMissedRounds) / 1000;
    return new StoreError(
      `PostgreSQL at ${this.#address} has not responded for ${seconds} s; check the server and the network, and import again.`,
    );
  }

  #deadConnection(): StoreError {
    return new StoreError(
      `A connection of the import to PostgreSQL at ${this.#address} is dead, although the server responds on another; check firewalls and proxies in between, and import again.`,
    );
  }
}

/** Returns whether an error came from the server. Class 08 comes from poolers, when they do not reach the server. */
function isResponse(error: unknown): boolean {
  const code = codeOf(error);
  return /^[0-9A-Z]{5}$/.test(code) && !code.startsWith("08");
}

/** The server process of a connection, in `pg_stat_activity`. */
export interface BackendRow {
  readonly pid: number;
  /** The start of its transaction; null outside of one, and when the role may not see it. */
  readonly started: string | null;
  /** Null when the role may not see it. */
  readonly state: string | null;
  readonly wait_event: string | null;
  /** Waits for a lock that another transaction holds. */
  readonly is_locked: boolean;
  /** Changes with each statement, and as a COPY reads rows. */
  readonly fingerprint: string;
}

/** A long result on a slow network has no sign of progress, so it gets more time than a request. */
const ROUNDS_FACTOR_OF_RESULTS = 3;

/**
 * Finds out that a connection is dead: the import waits for the server, the server waits for the import, and nothing
 * changes from round to round.
 */
class StallDetector {
  readonly #session: ImportSession;
  readonly #maxRounds: number;
  #fingerprint = "";
  #rounds = 0;
  #isSendingResult = false;

  constructor(session: ImportSession, maxRounds: number) {
    this.#session = session;
    this.#maxRounds = maxRounds;
  }

  get isStalled(): boolean {
    return this.#rounds > this.#maxRounds * (this.#isSendingResult ? ROUNDS_FACTOR_OF_RESULTS : 1);
  }

  /** Takes what the server says about the backend; undefined when it has none with this pid. */
  observe(row: BackendRow | undefined): void {
    const { responses, isWaiting } = this.#session;
    const isGone =
      row === undefined || (row.state !== null && row.started !== this.#session.transaction.started);
    this.#isSendingResult = !isGone && row.wait_event === "ClientWrite";
    const waitsForImport = isGone || this.#isSendingResult || row.wait_event === "ClientRead";
    const fingerprint = `${responses} ${isGone ? "gone" : row.fingerprint}`;
    const isSame = fingerprint === this.#fingerprint;
    this.#fingerprint = fingerprint;
    if (!isWaiting || !waitsForImport) this.#rounds = 0;
    else this.#rounds = isSame ? this.#rounds + 1 : 1;
  }
}
