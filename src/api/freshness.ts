/**
 * Freshness: a request that starts after an import has ended sees that import, and a revoked token is refused from the
 * next request on. Even so, neither the store nor the token registry is queried for each request. One check holds until
 * the end of its event-loop tick.
 *
 * This is safe because the system delivers all readable sockets at the beginning of a tick. A request that is handled
 * as it is read was sent before the first check of the tick. It cannot have started after an import that the check
 * missed.
 *
 * A tick must not begin in a `setImmediate` callback: it would still run when sockets are read again. Two things run
 * there. A pipelined request that waited behind another one (`Request.isDeferred`) is handled there, and the app ends
 * the tick right after it. Chunks of lists are sent from there, and the response cache stores a list without a check.
 *
 * `ResponseCache` drops its responses when the catalog's state changes. The lookups of a tick share one read
 * transaction. The authenticator checks the revocation of a token once a tick.
 */
import type { LookupTransaction } from "../catalog/store.ts";
import type { Day } from "../onix/date.ts";

/** Numbers the ticks of the event loop. A tick begins with the first call of `current` and ends before sockets are read. */
export class TickClock {
  #tick = 0;
  #running = false;
  readonly #onEnd: (() => void)[] = [];

  current(): number {
    if (!this.#running) {
      this.#running = true;
      this.#tick++;
      // Runs before the event loop waits for sockets again.
      setImmediate(this.end);
    }
    return this.#tick;
  }

  /** Calls back at the end of every tick. */
  onEnd(callback: () => void): void {
    this.#onEnd.push(callback);
  }

  /** Ends the tick early: what follows is another one. */
  readonly end = () => {
    if (!this.#running) return;
    this.#running = false;
    for (const callback of this.#onEnd) callback();
  };
}

/** The state that responses depend on, beside the request. */
export interface CatalogState {
  readonly revision: string;
  /** News without a date are different tomorrow. */
  readonly day: Day;
  /** Responses may have labels of subjects. */
  readonly subjects: string;
}

export class CatalogFreshness {
  readonly #lookups: LookupTransaction;
  readonly #today: () => Day;
  readonly #ticks: TickClock;
  #state: CatalogState | undefined;
  #checkedTick = 0;

  constructor(lookups: LookupTransaction, today: () => Day, ticks: TickClock) {
    this.#lookups = lookups;
    this.#today = today;
    this.#ticks = ticks;
    ticks.onEnd(() => lookups.end());
  }

  /**
   * Returns the catalog's state in this tick: the same object for as long as nothing changes. The first call of a tick
   * begins the read transaction that the lookups of the tick share.
   */
  current(): CatalogState {
    const tick = this.#ticks.current();
    if (tick === this.#checkedTick && this.#state) return this.#state;
    const revision = this.#lookups.begin();
    const day = this.#today();
    const subjects = this.#lookups.subjectsVersion();
    let state = this.#state;
    if (revision !== state?.revision || day !== state.day || subjects !== state.subjects)
      state = this.#state = { revision, day, subjects };
    this.#checkedTick = tick;
    return state;
  }
}
