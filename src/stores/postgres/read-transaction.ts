import type { DatabaseAddress } from "./connection.ts";
import type { DedicatedConnection, DedicatedConnections } from "./dedicated-connections.ts";
import { toStoreError } from "./errors.ts";

export type Value = string | number | null;

interface State {
  readonly generation: string;
  readonly revision: string;
}

/** One state of the catalog: a transaction on a connection, shared by the views that were opened on it. */
export class ReadTransaction {
  readonly generation: string;
  readonly revision: string;
  readonly #line: DedicatedConnection;
  readonly #lines: DedicatedConnections;
  readonly #place: DatabaseAddress;
  readonly #whenEnded: (snapshot: ReadTransaction) => void;
  #readers = 0;
  #cursors = 0;
  #broken: unknown;
  #ended = false;

  private constructor(line: DedicatedConnection, state: State, { lines, place, ended }: Surroundings) {
    this.#line = line;
    this.generation = state.generation;
    this.revision = state.revision;
    this.#lines = lines;
    this.#place = place;
    this.#whenEnded = ended;
  }

  static async open(surroundings: Surroundings): Promise<ReadTransaction> {
    try {
      const { line, begun } = await surroundings.lines.take(begin);
      return new ReadTransaction(line, begun, surroundings);
    } catch (error) {
      throw toStoreError(error, String(surroundings.place));
    }
  }

  get readers(): number {
    return this.#readers;
  }

  join(): void {
    this.#readers++;
  }

  /** With its last reader it ends, behind whatever is still under way on its connection. */
  leave(): void {
    this.#readers--;
    if (this.#readers === 0) this.end();
  }

  async ask<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#ended) throw new Error("The view is closed");
    try {
      return await this.#line.ask<Row[]>(text, values);
    } catch (error) {
      // Whatever it was, the transaction is lost with it; a view must not go on in another one.
      this.#broken ??= toStoreError(error, String(this.#place));
      this.end();
      throw this.#broken;
    }
  }

  cursorName(): string {
    return `list_${++this.#cursors}`;
  }

  /** Lists that are still read from it break off. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#whenEnded(this);
    if (this.#broken !== undefined) {
      this.#line.close();
      return;
    }
    this.#line.ask("ROLLBACK").then(
      () => this.#lines.giveBack(this.#line),
      () => this.#line.close(),
    );
  }
}

export interface Surroundings {
  readonly lines: DedicatedConnections;
  readonly place: DatabaseAddress;
  readonly ended: (snapshot: ReadTransaction) => void;
}

/** BEGIN alone fixes no state, the first SELECT does: both in one round trip. */
async function begin(line: DedicatedConnection): Promise<State> {
  const [, [state]] = await line.ask<[unknown, [State]]>(
    "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT generation, revision FROM colophon.catalog",
  );
  return state;
}
