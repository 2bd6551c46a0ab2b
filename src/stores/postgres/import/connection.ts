import type { ReservedSQL } from "bun";
import { StoreError } from "../../../catalog/store-errors.ts";
import { withTimeout } from "../../../lib/awaitable.ts";
import type { DatabaseAddress } from "../connection.ts";
import { codeOf } from "../errors.ts";
import { BEGIN_RUN } from "../history/import-runs.ts";
import { isCommitted } from "./commit-outcome.ts";
import { ImportFailure } from "./failure.ts";
import { type ImportDeadlines, ImportSession } from "./session.ts";
import * as statements from "./statements.ts";
import { Watchdog } from "./watchdog.ts";

export interface CatalogRow {
  readonly revision: string;
  readonly records: string;
  readonly number: number;
}

export type QueryValues = readonly (string | number | readonly string[])[];

/** Runs a query on one of the two connections. */
export type RunQuery = <Row>(text: string, values: QueryValues) => Promise<Row[]>;

interface Parts {
  readonly address: DatabaseAddress;
  readonly deadlines: ImportDeadlines;
  readonly watchdog: Watchdog;
  readonly failure: ImportFailure;
  readonly writing: ImportSession;
  readonly reading: ImportSession;
}

/**
 * The two connections of an import. The writing one runs its tasks one after the other, in one transaction. The reading
 * one sees the catalog as it was before the import, as only one import runs at a time. It reads the records that the
 * import has not changed, while the last batch is still being written.
 */
export class ImportConnection {
  readonly catalog: CatalogRow;
  readonly #parts: Parts;
  #heartbeat: ReturnType<typeof setInterval> | undefined;
  #lastTask: Promise<unknown> = Promise.resolve();
  #hasEnded = false;

  private constructor(parts: Parts, catalog: CatalogRow) {
    this.#parts = parts;
    this.catalog = catalog;
  }

  /** Begins both transactions. Waits for another import up to the timeout. */
  static async begin(
    address: DatabaseAddress,
    lockTimeoutMs: number,
    deadlines: ImportDeadlines,
  ): Promise<ImportConnection> {
    const failure = new ImportFailure(String(address));
    const sessions: ImportSession[] = [];
    const watchdog = new Watchdog(address, deadlines, (error) => {
      failure.add(error);
      // Pending queries reject.
      for (const session of sessions) session.close();
    });
    const beginSession = async (statement: string) => {
      const session = await ImportSession.begin(address, statement, deadlines);
      sessions.push(session);
      watchdog.watch(session);
      return session;
    };
    try {
      const writing = await beginSession(statements.BEGIN);
      const catalog = await writing.run((connection) => lock(connection, address, lockTimeoutMs));
      await writing.run((connection) => connection.unsafe(statements.CREATE_TABLES));
      const reading = await beginSession(statements.BEGIN_READING);
      return new ImportConnection({ address, deadlines, watchdog, failure, writing, reading }, catalog);
    } catch (error) {
      watchdog.stop();
      for (const session of sessions) session.close();
      throw failure.add(error);
    }
  }

  get address(): DatabaseAddress {
    return this.#parts.address;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Rejects when the import can no longer succeed. */
  get failure(): Promise<never> {
    return this.#parts.failure.promise;
  }

  /** Resolves when the tasks so far have succeeded or failed. */
  get idle(): Promise<void> {
    return this.#lastTask.then(() => {});
  }

  /** Throws when the import has failed or ended. */
  requireOpen(): void {
    const { error } = this.#parts.failure;
    if (error !== undefined) throw error;
    if (this.#hasEnded) throw new Error("The import has ended");
  }

  /**
   * Runs `beat` on the writing connection, and a statement on both, at an interval. The server ends a session that is idle
   * for too long, which a slow feed would cause.
   */
  startHeartbeat(beat: (connection: ReservedSQL) => Promise<void>): void {
    const { writing, reading } = this.#parts;
    let isBeating = false;
    this.#heartbeat = setInterval(
      async () => {
        if (isBeating) return;
        isBeating = true;
        const write = async (connection: ReservedSQL) => {
          await beat(connection);
          await connection.unsafe(statements.HEARTBEAT);
        };
        await Promise.allSettled([this.run(write), this.queryBefore(statements.HEARTBEAT, [])]);
        isBeating = false;
      },
      Math.min(writing.heartbeatMs, reading.heartbeatMs),
    );
  }

  /** Runs a task on the writing connection, after the tasks so far. An error also fails every later call. */
  async run<T>(task: (connection: ReservedSQL) => Promise<T>): Promise<T> {
    const { failure, writing } = this.#parts;
    const result = this.#lastTask.then(() => {
      if (failure.error !== undefined) throw failure.error;
      return writing.run(task);
    });
    this.#lastTask = result.catch((error) => failure.add(error));
    try {
      return await result;
    } catch (error) {
      throw failure.add(error);
    }
  }

  /** Queries the catalog as it was before the import. */
  async queryBefore<Row>(text: string, values: QueryValues): Promise<Row[]> {
    const { failure, reading } = this.#parts;
    try {
      return await reading.run((connection) => connection.unsafe<Row[]>(text, [...values]));
    } catch (error) {
      throw failure.add(error);
    }
  }

  /**
   * Commits. When the response is lost, looks for the import run with this id, which the transaction has stored. Returns
   * how the commit was confirmed.
   */
  async commit(runId: string): Promise<"response" | "search"> {
    clearInterval(this.#heartbeat);
    await this.idle;
    this.requireOpen();
    try {
      const { command } = await this.run((connection) => connection.unsafe("COMMIT"));
      this.#parts.watchdog.stop();
      // PostgreSQL responds with ROLLBACK when a statement of the transaction has failed.
      if (command === "COMMIT") return "response";
    } catch (error) {
      this.close();
      const { address, deadlines, writing } = this.#parts;
      if (await isCommitted({ address, transaction: writing.transaction, runId }, deadlines)) return "search";
      if (!(error instanceof StoreError)) throw error;
      throw new StoreError(
        `The connection to PostgreSQL at ${address} was lost during the commit, and the import was not applied; import again.`,
      );
    }
    throw new Error("The import was rolled back");
  }

  /** Runs a statement after the commit. Its failure is ignored, and it is not awaited for long. */
  async runAfterCommit(statement: string): Promise<void> {
    const { writing, deadlines } = this.#parts;
    const result = writing.run((connection) => connection.unsafe(statement));
    await withTimeout(result, deadlines.shortStatementMs, () => new Error("timeout")).catch(() => {});
  }

  /** Rolls back. `abortCopy` ends a COPY that occupies the connection. */
  async rollback(abortCopy: () => Promise<void>): Promise<void> {
    const { writing } = this.#parts;
    clearInterval(this.#heartbeat);
    this.#hasEnded = true;
    await this.#lastTask;
    // On a lost connection this fails. The server ends the transaction when it notices.
    await writing
      .run(async (connection) => {
        await abortCopy().catch(() => {});
        await connection.unsafe("ROLLBACK");
      })
      .catch(() => {});
  }

  close(): void {
    const { watchdog, writing, reading } = this.#parts;
    clearInterval(this.#heartbeat);
    this.#hasEnded = true;
    watchdog.stop();
    for (const session of [writing, reading]) session.close();
  }
}

/** Waits for another import. */
async function lock(
  connection: ReservedSQL,
  address: DatabaseAddress,
  lockTimeoutMs: number,
): Promise<CatalogRow> {
  try {
    await connection.unsafe(`SET LOCAL lock_timeout = ${Math.max(1, lockTimeoutMs)}`);
    const [row] = await connection.unsafe<[Omit<CatalogRow, "number">]>(statements.LOCK);
    const [run] = await connection.unsafe<[{ number: number }]>(BEGIN_RUN);
    return { ...row, number: run.number };
  } catch (error) {
    // 55P03: lock_timeout. 57014: statement_timeout of the role, which may be lower.
    if (!/^(55P03|57014)$/.test(codeOf(error))) throw error;
    throw new StoreError(
      `Another import into ${address} is running; start this one again when it has ended.`,
    );
  }
}
