import { SNAPSHOT_HOLD_MS } from "../../../catalog/store.ts";
import type { DatabaseAddress } from "../connection.ts";
import { toStoreError } from "../errors.ts";
import { type Pool, Sessions } from "../session/pool.ts";
import type { CatalogVersion } from "../session/statement.ts";
import { ReadTransaction } from "./read-transaction.ts";
import { PostgresSnapshot } from "./snapshot.ts";

/** The transactions for one state of the catalog. Further readers share them, one page of a list at a time. */
const MAX_TRANSACTIONS_PER_STATE = 4;
/** The transactions in total, including those of slow readers that hold old states. */
const MAX_TRANSACTIONS = 16;
const SWEEP_INTERVAL_MS = 1000;

export interface SnapshotPoolOptions {
  readonly address: DatabaseAddress;
  /** For queries outside of transactions. */
  readonly pool: Pool;
  readonly currentVersion: () => Promise<CatalogVersion>;
  /** How long a snapshot holds its state. Default: `SNAPSHOT_HOLD_MS`. */
  readonly holdMs?: number | undefined;
}

/** Opens any number of snapshots on a bounded number of connections. */
export class SnapshotPool {
  readonly #options: SnapshotPoolOptions;
  readonly #holdMs: number;
  readonly #sessions: Sessions;
  readonly #snapshots = new Set<PostgresSnapshot>();
  readonly #transactions = new Set<ReadTransaction>();
  readonly #opening = new Set<Promise<unknown>>();
  #sweep: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;

  constructor(options: SnapshotPoolOptions) {
    this.#options = options;
    this.#holdMs = options.holdMs ?? SNAPSHOT_HOLD_MS;
    this.#sessions = new Sessions(options.address, MAX_TRANSACTIONS_PER_STATE);
  }

  get connections(): number {
    return this.#sessions.count;
  }

  get openSnapshots(): number {
    return this.#snapshots.size;
  }

  /** The age of the oldest open snapshot; 0 when none is open. */
  get oldestMs(): number {
    const [oldest] = this.#snapshots;
    return oldest ? performance.now() - oldest.openedAtMs : 0;
  }

  async open(): Promise<PostgresSnapshot> {
    const transaction = await this.#transaction();
    const version = transaction?.version ?? (await this.#options.currentVersion());
    if (this.#isClosed) throw new Error("The store is closed");
    const { pool } = this.#options;
    const snapshot = new PostgresSnapshot(version, transaction, pool, this.#mayReadAhead, (closed) =>
      this.#snapshots.delete(closed),
    );
    this.#snapshots.add(snapshot);
    this.#sweep ??= setInterval(() => this.#endHolds(), Math.min(SWEEP_INTERVAL_MS, this.#holdMs));
    this.#sweep.unref();
    return snapshot;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    this.#sessions.close();
    for (const snapshot of [...this.#snapshots]) snapshot.close();
    for (const transaction of this.#transactions) transaction.end();
  }

  /**
   * Returns a transaction that reads the current state. Is undefined when a pooler shares its sessions: a list must not
   * keep one of them from the others for as long as its reader takes. An export, which holds its state without end, may.
   */
  async #transaction(): Promise<ReadTransaction | undefined> {
    while (this.#mayHold(this.#options.address)) {
      if (this.#isClosed) throw new Error("The store is closed");
      if (this.#transactions.size + this.#opening.size < MAX_TRANSACTIONS_PER_STATE) {
        return await this.#begin();
      }
      // A snapshot must not be older than the call, so the current state is queried each time.
      const { generation, revision } = await this.#options.currentVersion();
      await Promise.allSettled(this.#opening);
      const current = [...this.#transactions].filter((transaction) => {
        const { version } = transaction;
        // A server that took over can have another state of this generation.
        const isCurrent = version.generation === generation && version.revision === revision;
        return isCurrent && this.#canBeJoined(transaction);
      });
      const leastUsed = current.sort((a, b) => a.readers - b.readers)[0];
      if (leastUsed && current.length + this.#opening.size >= MAX_TRANSACTIONS_PER_STATE) return leastUsed;
      if (this.#opening.size > 0) continue;
      if (this.#transactions.size >= MAX_TRANSACTIONS) this.#endOldest();
      return await this.#begin();
    }
    return undefined;
  }

  async #begin(): Promise<ReadTransaction | undefined> {
    const opening = this.#openTransaction();
    this.#opening.add(opening);
    try {
      const transaction = await opening;
      if (!transaction) return undefined;
      this.#transactions.add(transaction);
      if (this.#isClosed) transaction.end();
      return transaction;
    } finally {
      this.#opening.delete(opening);
    }
  }

  async #openTransaction(): Promise<ReadTransaction | undefined> {
    const { address } = this.#options;
    try {
      const session = await this.#sessions.acquire();
      if (this.#mayHold(address)) {
        return await ReadTransaction.begin(session, {
          sessions: this.#sessions,
          address,
          onEnd: (transaction) => this.#transactions.delete(transaction),
        });
      }
      this.#sessions.discard(session);
      return undefined;
    } catch (error) {
      throw toStoreError(error, String(address));
    }
  }

  /** While lists share sessions, those wait for what was read ahead: the lists of one client would delay all others. */
  readonly #mayReadAhead = () => this.#snapshots.size <= MAX_TRANSACTIONS_PER_STATE;

  #mayHold({ isShared }: DatabaseAddress): boolean {
    return !isShared || this.#holdMs === Number.POSITIVE_INFINITY;
  }

  /** Old transactions take no new readers, so that each ends at most two holds after its begin. */
  #canBeJoined(transaction: ReadTransaction): boolean {
    return performance.now() - transaction.beganAtMs < this.#holdMs;
  }

  /** Ends the oldest transaction: several imports later it is still being read. */
  #endOldest(): void {
    const [oldest] = [...this.#transactions].sort(
      (a, b) => Number(a.version.generation) - Number(b.version.generation),
    );
    oldest?.end();
  }

  /** Old snapshots release their transactions, so that the server can reclaim the rows that imports replace. */
  #endHolds(): void {
    const deadlineMs = performance.now() - this.#holdMs;
    for (const snapshot of this.#snapshots) {
      if (snapshot.openedAtMs <= deadlineMs) snapshot.endHold();
    }
    if (this.#snapshots.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}
