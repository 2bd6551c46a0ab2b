import type { ReservedSQL, SQL } from "bun";
import { type DatabaseAddress, withQueryTimeout } from "./connection.ts";

/**
 * Single connections, one for each read transaction. They do not come from a pool of Bun's client, because that opens
 * all of its connections when a few are requested at once.
 */
export class DedicatedConnections {
  readonly #address: DatabaseAddress;
  readonly #maxIdle: number;
  readonly #idle: DedicatedConnection[] = [];
  #isClosed = false;

  constructor(address: DatabaseAddress, maxIdle: number) {
    this.#address = address;
    this.#maxIdle = maxIdle;
  }

  /** Returns a connection on which `begin` has succeeded, and its result. */
  async acquire<T>(
    begin: (connection: DedicatedConnection) => Promise<T>,
  ): Promise<{ connection: DedicatedConnection; begun: T }> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      try {
        return { connection: idle, begun: await begin(idle) };
      } catch {
        // An idle connection may be dead, for example because the server was restarted.
        idle.close();
      }
    }
    const connection = await DedicatedConnection.open(this.#address);
    try {
      return { connection, begun: await begin(connection) };
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  release(connection: DedicatedConnection): void {
    if (this.#isClosed || this.#idle.length >= this.#maxIdle) connection.close();
    else this.#idle.push(connection);
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#idle.splice(0)) connection.close();
  }
}

/** One connection. Concurrent queries run one after the other. */
export class DedicatedConnection {
  readonly #address: DatabaseAddress;
  readonly #sql: SQL;
  readonly #reserved: ReservedSQL;

  private constructor(address: DatabaseAddress, sql: SQL, reserved: ReservedSQL) {
    this.#address = address;
    this.#sql = sql;
    this.#reserved = reserved;
  }

  static async open(address: DatabaseAddress): Promise<DedicatedConnection> {
    const sql = address.connect(1);
    try {
      return new DedicatedConnection(address, sql, await withQueryTimeout(sql.reserve(), address));
    } catch (error) {
      sql.close({ timeout: 0 }).catch(() => {});
      throw error;
    }
  }

  query<Result>(text: string, values?: readonly unknown[]): Promise<Result> {
    return withQueryTimeout(this.#reserved.unsafe<Result>(text, values && [...values]), this.#address);
  }

  /** Closes the connection. The server rolls back an open transaction. */
  close(): void {
    this.#sql.close({ timeout: 0 }).catch(() => {});
  }
}
