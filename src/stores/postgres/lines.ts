import type { ReservedSQL, SQL } from "bun";
import { type Place, withinPatience } from "./client.ts";

/**
 * Single connections, one for each state of the catalog that is being read. Not from a pool: Bun's opens as many
 * connections as it may have when a few are asked for at once.
 */
export class Lines {
  readonly #place: Place;
  readonly #kept: number;
  readonly #idle: Line[] = [];
  #closed = false;

  constructor(place: Place, kept: number) {
    this.#place = place;
    this.#kept = kept;
  }

  /** One on which `begin` has succeeded, and what it gave. */
  async take<T>(begin: (line: Line) => Promise<T>): Promise<{ line: Line; begun: T }> {
    for (let line = this.#idle.pop(); line; line = this.#idle.pop()) {
      try {
        return { line, begun: await begin(line) };
      } catch {
        // It has died since it was used last: its server may have been started anew.
        line.close();
      }
    }
    const line = await Line.open(this.#place);
    try {
      return { line, begun: await begin(line) };
    } catch (error) {
      line.close();
      throw error;
    }
  }

  giveBack(line: Line): void {
    if (this.#closed || this.#idle.length >= this.#kept) line.close();
    else this.#idle.push(line);
  }

  close(): void {
    this.#closed = true;
    for (const line of this.#idle.splice(0)) line.close();
  }
}

/** One connection. Questions that come at once are answered one after the other. */
export class Line {
  readonly #place: Place;
  readonly #sql: SQL;
  readonly #connection: ReservedSQL;

  private constructor(place: Place, sql: SQL, connection: ReservedSQL) {
    this.#place = place;
    this.#sql = sql;
    this.#connection = connection;
  }

  static async open(place: Place): Promise<Line> {
    const sql = place.connect(1);
    try {
      return new Line(place, sql, await withinPatience(sql.reserve(), place));
    } catch (error) {
      sql.close({ timeout: 0 }).catch(() => {});
      throw error;
    }
  }

  ask<Result>(text: string, values?: readonly unknown[]): Promise<Result> {
    const query = this.#connection.unsafe<Result>(text, values && [...values]);
    return withinPatience(query, this.#place);
  }

  /** Without a word more: the server rolls back what was begun. */
  close(): void {
    this.#sql.close({ timeout: 0 }).catch(() => {});
  }
}
