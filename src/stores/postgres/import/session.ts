import type { ReservedSQL, SQL } from "bun";
import { closeAtOnce, type DatabaseAddress, withQueryTimeout } from "../connection.ts";
import * as statements from "./statements.ts";

/** Names a transaction on the server. A pooler may use its backend for others before and after. */
export interface TransactionIdentity {
  readonly pid: number;
  /** The start of the transaction, in microseconds since 1970. */
  readonly started: string;
}

interface BeginRow extends TransactionIdentity {
  /** The timeouts that the role, the database or the server sets, in milliseconds; 0 for none. */
  readonly idle_timeout: number;
  readonly statement_timeout: number;
}

/** One connection of an import, within one transaction. */
export class ImportSession {
  readonly transaction: TransactionIdentity;
  /** A statement, and the end of a COPY, at this interval keep the connection below the limits of the role. */
  readonly heartbeatMs: number;
  readonly #sql: SQL;
  readonly #reserved: ReservedSQL;
  #responses = 0;
  #pending = 0;

  private constructor(sql: SQL, reserved: ReservedSQL, begun: BeginRow, maxHeartbeatMs: number) {
    this.#sql = sql;
    this.#reserved = reserved;
    this.transaction = { pid: begun.pid, started: begun.started };
    const limits = [begun.idle_timeout, begun.statement_timeout].filter((limit) => limit > 0);
    this.heartbeatMs = Math.max(1, Math.min(maxHeartbeatMs, ...limits.map((limit) => limit / 4)));
  }

  /** Connects, and begins a transaction with a statement. */
  static async begin(
    address: DatabaseAddress,
    statement: string,
    deadlines: ImportDeadlines,
  ): Promise<ImportSession> {
    const sql = address.connect();
    try {
      const reserved = await withQueryTimeout(sql.reserve(), address);
      const begin = async () => {
        await reserved.unsafe(statement);
        const [row] = await reserved.unsafe<[BeginRow]>(statements.SET_LIMITS, [deadlines.maxIdleMs]);
        return row;
      };
      const begun = await withQueryTimeout(begin(), address, deadlines.shortStatementMs);
      return new ImportSession(sql, reserved, begun, deadlines.maxHeartbeatMs);
    } catch (error) {
      closeAtOnce(sql);
      throw error;
    }
  }

  /** The number of responses so far. */
  get responses(): number {
    return this.#responses;
  }

  /** True while the import waits for this connection. */
  get isWaiting(): boolean {
    return this.#pending > 0;
  }

  async run<T>(work: (connection: ReservedSQL) => Promise<T>): Promise<T> {
    this.#pending++;
    try {
      return await work(this.#reserved);
    } finally {
      this.#pending--;
      this.#responses++;
    }
  }

  /** Closes the connection. What is pending on it rejects. */
  close(): void {
    closeAtOnce(this.#sql);
  }
}

/**
 * How an import notices that its server or a connection is dead, and how the server notices that the import is. A slow
 * server is not dead: no statement has a deadline of its own.
 */
export interface ImportDeadlines {
  /** The watchdog queries the server at this interval, and waits as long for the result. */
  readonly roundMs: number;
  /** After so many rounds without a result, the server is unreachable. */
  readonly maxMissedRounds: number;
  /** After so many rounds in which server and import wait for each other, their connection is dead. */
  readonly maxStalledRounds: number;
  /** After so many rounds in which the import that holds the lock sends nothing, it is dead. */
  readonly maxIdleHolderRounds: number;
  /** Statements that must not take long, such as BEGIN. */
  readonly shortStatementMs: number;
  /** How long the outcome of a commit is looked for when the response is lost. */
  readonly outcomeMs: number;
  /** The upper limit of `idle_in_transaction_session_timeout`. */
  readonly maxIdleMs: number;
  /** Each connection runs a statement, and each COPY ends, at least at this interval. */
  readonly maxHeartbeatMs: number;
}

/** An import that meets a silent network ends within 40 s, and a dead import loses its lock within a minute. */
export const IMPORT_DEADLINES: ImportDeadlines = {
  roundMs: 5000,
  maxMissedRounds: 6,
  maxStalledRounds: 3,
  maxIdleHolderRounds: 6,
  shortStatementMs: 30_000,
  outcomeMs: 30_000,
  maxIdleMs: 45_000,
  maxHeartbeatMs: 10_000,
};
