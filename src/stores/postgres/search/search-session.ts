/** The statements of one search, which can be interrupted. */
import { SearchUnavailable } from "../../../catalog/store-errors.ts";
import { alteredSchema, codeOf } from "../errors.ts";
import type { Pool } from "../session/pool.ts";
import type { Session } from "../session/session.ts";
import { type CatalogVersion, statement } from "../session/statement.ts";
import { SETTINGS } from "./search-queries.ts";

/** What the network may add to the time of a statement, before the server counts as dead. */
const NETWORK_MS = 1500;

/** An import has changed the catalog between two statements of a search. */
export class CatalogChanged extends Error {}

/** The search was interrupted before its end. */
export class SearchInterrupted extends Error {}

/**
 * Cancels the statement of a request. A pooler may run it on any session of the server, so it is found by its text, of
 * which the server shows 1 kB.
 */
const CANCEL = statement(
  "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE state = 'active' AND starts_with(query, $1)",
);

/** One run of a search. */
export class SearchRun {
  /** Undefined until there is a connection. */
  session: Session | undefined;
  #isInterrupted = false;

  constructor(readonly deadlineMs: number) {}

  get remainingMs(): number {
    return Math.floor(this.deadlineMs - performance.now());
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** At the deadline, the server cancels the statement itself. */
  interrupt(pool: Pool): void {
    this.#isInterrupted = true;
    const runningText = this.session?.runningText;
    if (runningText === undefined || this.remainingMs <= 0) return;
    // A statement that cannot be cancelled ends at the deadline.
    pool.query(CANCEL, [runningText]).catch(() => {});
  }
}

/** Runs the statements of a search within its time. They read one state of the catalog. */
export class SearchSession {
  readonly #run: SearchRun;
  readonly #address: string;
  #version: CatalogVersion | undefined;

  constructor(run: SearchRun, address: string) {
    this.#run = run;
    this.#address = address;
  }

  /** The state that the first statement has read. */
  get version(): CatalogVersion {
    return this.#version!;
  }

  /** Returns the same, and reads it when there was no statement. */
  async readVersion(): Promise<CatalogVersion> {
    if (this.#version === undefined) await this.query([], "SELECT 1");
    return this.version;
  }

  /** Tells whether a state is the one that the statements read. Before the first of them, it becomes that. */
  reads({ generation, revision }: CatalogVersion): boolean {
    this.#version ??= { generation, revision };
    return this.#version.generation === generation && this.#version.revision === revision;
  }

  /**
   * Throws `CatalogChanged` when the state is not that of the statements before, `SearchUnavailable` after the deadline,
   * and `SearchInterrupted`.
   */
  async query<Row>(settings: readonly string[], query: string): Promise<Row[]> {
    const { session, remainingMs, isInterrupted } = this.#run;
    if (remainingMs <= 0) throw new SearchUnavailable("timeout");
    if (isInterrupted) throw new SearchInterrupted();
    const all = [`statement_timeout = ${remainingMs}`, ...SETTINGS, ...settings];
    try {
      const { rows, version } = await session!.executeText<Row>(all, query, remainingMs + NETWORK_MS);
      if (!version) throw alteredSchema(this.#address, "colophon.catalog has no row");
      if (!this.reads(version)) throw new CatalogChanged();
      return rows;
    } catch (error) {
      // 57014: query canceled. Before the deadline it may also be that of another search, which has just ended.
      if (codeOf(error) !== "57014") throw error;
      throw this.#run.remainingMs > 0 ? new SearchInterrupted() : new SearchUnavailable("timeout");
    }
  }
}
