/** Collects the rows of a run, step by step. */

import { colophonMemory } from "../memory/memory-watch.ts";
import type { ResultRow } from "../result-row.ts";
import type { CatalogFiles, ServerUnderTest, StartServer } from "../server-under-test.ts";
import { warnings } from "../servers/colophon.ts";
import { cpuTicks, stolenShareSince } from "../stolen-cpu.ts";
import { markdownTable } from "./markdown-table.ts";
import { PROMISED_ROWS, type PromisedRow, promised, rowsNotMeasured } from "./promised-rows.ts";

export class Table {
  /** The servers and steps that could not be measured, with the reasons, and other doubts. */
  readonly notes: string[] = [];
  #rows: ResultRow[] = [];
  readonly #failed = new Map<PromisedRow, string>();

  /** Runs a step. A failure is noted, and the other steps go on: a run takes long. */
  async step(subject: string, promises: readonly PromisedRow[], measure: () => Promise<void>): Promise<void> {
    colophonMemory.subject = subject;
    const first = this.#rows.length;
    const before = cpuTicks();
    try {
      await measure();
    } catch (error) {
      const { message } = error as Error;
      this.notes.push(`${subject}: ${message}`);
      console.error(`${subject}: ${message}`);
      for (const promise of promises) this.#failed.set(promise, message);
    }
    this.notes.push(...warnings.splice(0));
    const stolenShare = stolenShareSince(before);
    this.#rows = this.#rows.map((row, index) => (index < first ? row : { ...row, stolenShare }));
  }

  /** Adds a row and prints it. */
  add(row: ResultRow): void {
    this.#rows.push(row);
    console.error(markdownTable([row]).split("\n").at(-1));
  }

  /** Adds a row with the goal of its promise. */
  keep(promise: PromisedRow, row: ResultRow): void {
    this.add(promised(promise, row));
  }

  /** Returns all rows. The promised ones come first, in the order of the promises. */
  get rows(): ResultRow[] {
    const reasonFor = (promise: PromisedRow) => this.#failed.get(promise) ?? "not part of this run";
    const all = [...this.#rows, ...rowsNotMeasured(this.#rows, reasonFor)];
    const order = Object.keys(PROMISED_ROWS);
    const inOrder = all
      .filter(({ promise }) => promise !== undefined)
      .sort((a, b) => order.indexOf(a.promise!) - order.indexOf(b.promise!));
    return [...inOrder, ...all.filter(({ promise }) => promise === undefined)];
  }

  /**
   * Starts the servers, measures them, and stops them. The first one is Colophon and must start.
   * For each other server that does not start, the reason is noted.
   */
  async withServers<T>(
    catalog: CatalogFiles,
    starts: readonly StartServer[],
    cores: string,
    measure: (servers: readonly ServerUnderTest[]) => Promise<T>,
  ): Promise<T> {
    const servers: ServerUnderTest[] = [];
    try {
      for (const start of starts) {
        try {
          servers.push(await start(catalog, cores));
        } catch (error) {
          if (servers.length === 0) throw error;
          this.notes.push(`${start.name || "server"} with ${catalog.records}: ${(error as Error).message}`);
        }
      }
      return await measure(servers);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
}
