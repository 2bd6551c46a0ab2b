import { randomUUID } from "node:crypto";
import type { ReservedSQL, SQL } from "bun";
import { closeAtOnce, type DatabaseAddress, MARK_PARAMETER, withQueryTimeout } from "../connection.ts";
import { codeOf, WrongResult } from "../errors.ts";
import { nextRequest, type Result, resultFrom, type Statement, textStatement } from "./statement.ts";

export type QueryValue = string | number | null | readonly string[];

/**
 * One connection to the server, for one query at a time. It is dedicated when it has the server's session for itself.
 * Behind a pooler, other clients may use the session between two transactions, so that prepared statements and open
 * transactions are not ours alone.
 */
export class Session {
  readonly isDedicated: boolean;
  readonly #address: DatabaseAddress;
  readonly #sql: SQL;
  readonly #reserved: ReservedSQL;
  #isLost = false;
  #runningText: string | undefined;

  private constructor(address: DatabaseAddress, sql: SQL, reserved: ReservedSQL, isDedicated: boolean) {
    this.#address = address;
    this.#sql = sql;
    this.#reserved = reserved;
    this.isDedicated = isDedicated;
  }

  /** Connects. The session is dedicated when the server, and no pooler, has received our start-up parameter. */
  static async open(address: DatabaseAddress): Promise<Session> {
    const dedicated = address.isShared ? undefined : await Session.#openDedicated(address);
    return dedicated ?? (await Session.#connect(address));
  }

  /**
   * Returns undefined when the session may be shared. PgBouncer rejects the parameter, or ignores it where it is listed
   * in `ignore_startup_parameters`. Then the session has no value of it.
   */
  static async #openDedicated(address: DatabaseAddress): Promise<Session | undefined> {
    const mark = randomUUID();
    let session: Session;
    try {
      session = await Session.#connect(address, mark);
    } catch (error) {
      if (!isRejectedParameter(error)) throw error;
      address.setShared();
      return undefined;
    }
    try {
      const sql = `SELECT current_setting('${MARK_PARAMETER}', true) AS mark`;
      const [row] = await withQueryTimeout(session.#reserved.unsafe<{ mark: unknown }[]>(sql), address);
      if (row?.mark === mark) return session;
    } catch (error) {
      session.close();
      throw error;
    }
    session.close();
    address.setShared();
    return undefined;
  }

  /** With a mark, the connection uses named statements. */
  static async #connect(address: DatabaseAddress, mark?: string): Promise<Session> {
    let session: Session | undefined;
    const onClose = () => {
      if (session) session.#isLost = true;
    };
    const sql = mark === undefined ? address.connect(onClose) : address.connectMarked(mark, onClose);
    try {
      const reserved = await withQueryTimeout(sql.reserve(), address);
      session = new Session(address, sql, reserved, mark !== undefined);
      return session;
    } catch (error) {
      closeAtOnce(sql);
      throw error;
    }
  }

  /** False when the connection is lost, or when the address has turned out to share sessions. */
  get isUsable(): boolean {
    return !this.#isLost && !(this.isDedicated && this.#address.isShared);
  }

  /** How the text of the running statement of `executeText` begins. It identifies the statement. */
  get runningText(): string | undefined {
    return this.#runningText;
  }

  /** Throws `WrongResult` when the response is not that of this statement and this call. */
  async execute<Row>(
    statement: Statement,
    values: readonly QueryValue[],
    timeoutMs?: number,
  ): Promise<Result<Row>> {
    const request = nextRequest();
    const result = this.#reserved.unsafe<unknown[]>(statement.text, [...values, request]);
    let rows: readonly unknown[] = [];
    try {
      rows = await withQueryTimeout(result, this.#address, timeoutMs);
    } catch (error) {
      if (!this.isDedicated || !isConfusedStatement(error)) throw error;
    }
    return this.#checked<Row>(rows, statement, request);
  }

  /**
   * Runs a query that has its values in its text, with settings for this query alone. All of it is one message, which is
   * one transaction: no pooler can separate the settings from the query. It is planned for its values. Throws
   * `WrongResult` as `execute` does.
   */
  async executeText<Row>(
    settings: readonly string[],
    query: string,
    timeoutMs: number,
  ): Promise<Result<Row>> {
    const request = nextRequest();
    const statement = textStatement(query, request);
    const start = `/* ${request} */`;
    const text = [...settings.map((setting) => `SET LOCAL ${setting}`), statement.text].join("; ");
    this.#runningText = start;
    const results = await withQueryTimeout(
      this.#reserved.unsafe<unknown[][]>(`${start} ${text}`),
      this.#address,
      timeoutMs,
    ).finally(() => {
      this.#runningText = undefined;
    });
    return this.#checked<Row>(results.at(-1) ?? [], statement, request);
  }

  #checked<Row>(rows: readonly unknown[], statement: Statement, request: string): Result<Row> {
    const result = resultFrom<Row>(rows, statement, request);
    if (result) return result;
    this.#address.setShared();
    throw new WrongResult(String(this.#address));
  }

  /** Runs a task with the client. Its results are not checked, so it must not read. */
  run<T>(task: (sql: ReservedSQL) => Promise<T>): Promise<T> {
    return withQueryTimeout(task(this.#reserved), this.#address);
  }

  /** Closes the connection. The server rolls back an open transaction. */
  close(): void {
    this.#isLost = true;
    closeAtOnce(this.#sql);
  }
}

/** 08P01: protocol violation, the code of PgBouncer. 42704, 22023: undefined object, invalid parameter value. */
function isRejectedParameter(error: unknown): boolean {
  return /^(08P01|42704|22023)$/.test(codeOf(error));
}

/**
 * A prepared statement is not the one that we have prepared. 26000: it does not exist. 42P05: its name is taken. 08P01:
 * it has other parameters or columns.
 */
function isConfusedStatement(error: unknown): boolean {
  return /^(26000|42P05|08P01)$/.test(codeOf(error));
}
