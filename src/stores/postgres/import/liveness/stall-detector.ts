import type { ImportSession } from "../session.ts";

/** The server process of a connection, in `pg_stat_activity`. */
export interface BackendRow {
  readonly pid: number;
  /** The start of its transaction; null outside of one, and when the role may not see it. */
  readonly started: string | null;
  /** Is null when the role may not see it. */
  readonly state: string | null;
  readonly wait_event: string | null;
  /** Waits for a lock that another transaction holds. */
  readonly is_locked: boolean;
  /** Changes with each statement, and as a COPY reads rows. */
  readonly fingerprint: string;
}

/** A long result on a slow network has no sign of progress, so it gets more time than a request. */
const ROUNDS_FACTOR_OF_RESULTS = 3;

/**
 * Finds out that a connection is dead: the import waits for the server, the server waits for the import, and nothing
 * changes from round to round.
 */
export class StallDetector {
  readonly #session: ImportSession;
  readonly #maxRounds: number;
  #fingerprint = "";
  #rounds = 0;
  #isSendingResult = false;

  constructor(session: ImportSession, maxRounds: number) {
    this.#session = session;
    this.#maxRounds = maxRounds;
  }

  get isStalled(): boolean {
    return this.#rounds > this.#maxRounds * (this.#isSendingResult ? ROUNDS_FACTOR_OF_RESULTS : 1);
  }

  /** Takes what the server says about the backend; undefined when it has none with this pid. */
  observe(row: BackendRow | undefined): void {
    const { responses, isWaiting } = this.#session;
    const isGone =
      row === undefined || (row.state !== null && row.started !== this.#session.transaction.started);
    this.#isSendingResult = !isGone && row.wait_event === "ClientWrite";
    const waitsForImport = isGone || this.#isSendingResult || row.wait_event === "ClientRead";
    const fingerprint = `${responses} ${isGone ? "gone" : row.fingerprint}`;
    const isSame = fingerprint === this.#fingerprint;
    this.#fingerprint = fingerprint;
    if (!isWaiting || !waitsForImport) this.#rounds = 0;
    else this.#rounds = isSame ? this.#rounds + 1 : 1;
  }
}
