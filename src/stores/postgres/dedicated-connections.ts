import type { ReservedSQL, SQL } from "bun";
import { type DatabaseAddress, withTimeout } from "./connection.ts";

/**
 * Single connections, one for each state of the catalog that is being read. Not from a pool: Bun's opens as many
 * connections as it may have when a few are asked for at once.
 */
export class DedicatedConnections {
  readonly #place: DatabaseAddress;
  readonly #kept: number;
  readonly #idle: DedicatedConnection[] = [];
  #closed = false;

  constructor(place: DatabaseAddress, kept: number) {
    this.#place = place;
    this.#kept = kept;
  }

  /** One on which `begin` has succeeded, and what it gave. */
  async take<T>(
    begin: (line: DedicatedConnection) => Promise<T>,
  ): Promise<{ line: DedicatedConnection; begun: T }> {
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) {
      try {
        return { line, begun: await begin(line) };
      } catch {
        // It has died since it was used last: its server may have been started anew.
        line.close();
      }
    }
    const line = await DedicatedConnection.open(this.#place);
    try {
      return { line, begun: await begin(line) };
    } catch (error) {
      line.close();
      throw error;
    }
  }

  giveBack(line: DedicatedConnection): void {
    if (this.#closed || this.#idle.length >= this.#kept) line.close();
    else this.#idle.push(line);
  }

  close(): void {
    this.#closed = true;
    for (const line of this.#idle.splice(0)) line.close();
  }
}

/** One connection. Questions that come at once are answered one after the other. */
export class DedicatedConnection {
  readonly #place: DatabaseAddress;
  readonly #sql: SQL;
  readonly #connection: ReservedSQL;

  private constructor(place: DatabaseAddress, sql: SQL, connection: ReservedSQL) {
    this.#place = place;
    this.#sql = sql;
    this.#connection = connection;
  }

  static async open(place: DatabaseAddress): Promise<DedicatedConnection> {
    const sql = place.connect(1);
    try {
      return new DedicatedConnection(place, sql, await withTimeout(sql.reserve(), place));
    } catch (error) {
      sql.close({ timeout: 0 }).catch(() => {});
      throw error;
    }
  }

  ask<Result>(text: string, values?: readonly unknown[]): Promise<Result> {
    const query = this.#connection.unsafe<Result>(text, values && [...values]);
    return withTimeout(query, this.#place);
  }

  /** Without a word more: the server rolls back what was begun. */
  close(): void {
    this.#sql.close({ timeout: 0 }).catch(() => {});
  }
}
