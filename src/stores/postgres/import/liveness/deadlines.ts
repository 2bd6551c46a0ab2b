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
