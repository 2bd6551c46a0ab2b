import { SearchUnavailable } from "../../../catalog/store-errors.ts";
import { alteredSchema, codeOf } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { CatalogVersion } from "../session/statement.ts";
import { SETTINGS } from "./search-queries.ts";

/** What the network may add to the time of a statement, before the server counts as dead. */
const NETWORK_MS = 1500;

/** An import has changed the catalog between two statements of a search. */
export class CatalogChanged extends Error {}

/** Runs the statements of one search, on one session and within one time limit. They read one state of the catalog. */
export class SearchSession {
  readonly #session: Session;
  readonly #address: string;
  readonly #deadlineMs: number;
  #version: CatalogVersion | undefined;

  constructor(session: Session, address: string, deadlineMs: number, version?: CatalogVersion) {
    this.#session = session;
    this.#address = address;
    this.#deadlineMs = deadlineMs;
    this.#version = version;
  }

  /** The state that the first statement has read. */
  get version(): CatalogVersion {
    return this.#version!;
  }

  /** Throws `CatalogChanged` when the state is not that of the statements before, and `SearchUnavailable` after the limit. */
  async query<Row>(settings: readonly string[], query: string): Promise<Row[]> {
    const timeoutMs = Math.floor(this.#deadlineMs - performance.now());
    if (timeoutMs <= 0) throw new SearchUnavailable("timeout");
    const all = [`statement_timeout = ${timeoutMs}`, ...SETTINGS, ...settings];
    try {
      const { rows, version } = await this.#session.executeText<Row>(all, query, timeoutMs + NETWORK_MS);
      if (!version) throw alteredSchema(this.#address, "colophon.catalog has no row");
      this.#version ??= version;
      const { generation, revision } = this.#version;
      if (version.generation !== generation || version.revision !== revision) throw new CatalogChanged();
      return rows;
    } catch (error) {
      // 57014: query canceled.
      if (codeOf(error) === "57014") throw new SearchUnavailable("timeout");
      throw error;
    }
  }
}
