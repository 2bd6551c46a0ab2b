import type { StoreLoad } from "../../../catalog/store-load.ts";
import type { DatabaseFile } from "../connection.ts";
import { isLogOversized, logBytes, MAX_IDLE_LOG_BYTES } from "../log/log-keeper.ts";
import type { RecordIds } from "../lookups/record-ids.ts";
import { ReadTransaction, SharedState } from "./read-transaction.ts";
import { SqliteSnapshot } from "./snapshot.ts";

export interface SnapshotPoolOptions {
  readonly file: DatabaseFile;
  /** Returns a number that changes with every commit. */
  readonly dataVersion: () => number;
  /** The ids that lookups remember, too. */
  readonly recordIds: RecordIds;
  /** See SNAPSHOT_HOLD_MS. */
  readonly holdMs: number;
}

/** Each has a connection of its own. */
const MAX_SUPERSEDED_STATES = 8;
const SWEEP_MS = 1000;
/** The first renewal of a transaction that holds the log. The delay doubles with each further one. */
const MIN_RENEWAL_MS = 2000;
const MAX_RENEWAL_MS = 32_000;

/**
 * Opens snapshots. All snapshots of one state share a connection, so hundreds of slow readers need only one.
 *
 * A read transaction keeps SQLite from reusing the write-ahead log. So states that an import has superseded end after a
 * time, and at most some of them are open.
 */
export class SnapshotPool {
  readonly #options: SnapshotPoolOptions;
  /** All states with snapshots, oldest first. */
  readonly #states = new Set<SharedState>();
  /** The latest state. All others are superseded. */
  #current: SharedState | undefined;
  /** A connection that is ready for the next transaction. */
  #idle: ReadTransaction | undefined;
  #sweeper: Timer | undefined;

  constructor(options: SnapshotPoolOptions) {
    this.#options = options;
  }

  open(): SqliteSnapshot {
    // The version is read first: a commit between the two reads then only costs a needless new transaction.
    const version = this.#options.dataVersion();
    const current = this.#current;
    const state =
      current?.version === version && current.transaction.isOpen ? current : this.#beginTransaction(version);
    const snapshot: SqliteSnapshot = new SqliteSnapshot(state, this.#options.recordIds, () => {
      state.snapshots.delete(snapshot);
      if (state.snapshots.size === 0) this.#end(state);
    });
    state.snapshots.add(snapshot);
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.min(SWEEP_MS, this.#options.holdMs)).unref();
    return snapshot;
  }

  get load(): Required<Pick<StoreLoad, "openLists" | "oldestListMs">> {
    const openings = [...this.#states].flatMap(({ snapshots }) =>
      [...snapshots].map((each) => each.openedAtMs),
    );
    const oldestListMs = openings.length === 0 ? 0 : performance.now() - Math.min(...openings);
    return { openLists: openings.length, oldestListMs };
  }

  /** With a reason, readers of open snapshots are told why they were closed. */
  close(reason?: string): void {
    for (const state of this.#states) {
      for (const snapshot of state.snapshots) {
        if (reason === undefined) snapshot.close();
        else snapshot.expire(reason);
      }
    }
    this.#idle?.close();
    this.#idle = undefined;
  }

  /**
   * Begins a transaction and returns the state that it reads. When that is still the current state, its snapshots
   * continue in the new transaction: an import that changes no record supersedes nothing.
   */
  #beginTransaction(version: number): SharedState {
    const transaction = this.#idle ?? new ReadTransaction(this.#options.file);
    this.#idle = undefined;
    try {
      const { revision, generation } = transaction.begin();
      const current = this.#current;
      if (current?.generation === generation && current.transaction.isOpen) {
        this.#keep(current.replaceTransaction(transaction, version));
        return current;
      }
      const state = new SharedState(transaction, revision, generation, version);
      this.#states.add(state);
      this.#current = state;
    } catch (error) {
      transaction.close();
      throw error;
    }
    this.#endSurplusStates();
    return this.#current;
  }

  #endSurplusStates(): void {
    let surplus = this.#states.size - 1 - MAX_SUPERSEDED_STATES;
    for (const state of this.#states) {
      if (surplus-- <= 0) return;
      const reason = `imports have changed the catalog ${MAX_SUPERSEDED_STATES + 1} times since it began`;
      for (const snapshot of state.snapshots) snapshot.expire(reason);
    }
  }

  /** Runs once a second while snapshots are open. */
  #sweep(): void {
    try {
      this.#updateCurrent();
    } catch {
      // The next request meets the same error, and reports it.
    }
    this.#expireSnapshots();
  }

  /** Finds out whether the current state is superseded, or holds the log. */
  #updateCurrent(): void {
    const current = this.#current;
    if (current === undefined) return;
    const version = this.#options.dataVersion();
    if (version === current.version && !this.#holdsLog(current)) return;
    const state = this.#beginTransaction(version);
    if (state.snapshots.size === 0) this.#end(state);
  }

  /**
   * A transaction that began before its state was moved from the log into the file reads the log, and keeps it from
   * being truncated. A new transaction reads the file alone.
   */
  #holdsLog({ beganAtMs, renewals }: SharedState): boolean {
    const delayMs = Math.min(MIN_RENEWAL_MS * 2 ** renewals, MAX_RENEWAL_MS);
    return performance.now() - beganAtMs >= delayMs && logBytes(this.#options.file.path) > MAX_IDLE_LOG_BYTES;
  }

  #expireSnapshots(): void {
    const superseded = [...this.#states].filter((state) => state !== this.#current);
    if (superseded.length === 0) return;
    const { holdMs, file } = this.#options;
    const isOversized = Number.isFinite(holdMs) && isLogOversized(file.path);
    const lastOpeningMs = performance.now() - (isOversized ? 0 : holdMs);
    for (const { snapshots } of superseded) {
      for (const snapshot of snapshots) {
        if (snapshot.openedAtMs <= lastOpeningMs) snapshot.expire(isOversized ? OVERSIZED : undefined);
      }
    }
  }

  #end(state: SharedState): void {
    this.#states.delete(state);
    if (this.#current === state) this.#current = undefined;
    this.#keep(state.transaction);
    if (this.#states.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  /** Ends a transaction. Its connection is used again. */
  #keep(transaction: ReadTransaction): void {
    transaction.end();
    if (this.#idle === undefined) this.#idle = transaction;
    else transaction.close();
  }
}

const OVERSIZED = "imports have changed the catalog, and their log is several times as large as the catalog";
