/** Answers that were asked for more than once, as bytes, for as long as they hold. */
import type { Day } from "../../onix/day.ts";
import { Ready } from "../../server/response.ts";
import { hasTag } from "../response/negotiation.ts";
import type { Readable } from "../store-errors.ts";
import { Cache } from "./clock-cache.ts";
import type { Turns } from "./freshness.ts";

/** A 200 and the 304 to it, as they can be given more than once. */
export interface Lasting {
  readonly tag: string;
  /** Fields of both. */
  readonly fields: string;
  /** Fields of the 200 alone. */
  readonly content: string;
  /** In pieces. */
  readonly body: readonly Uint8Array[];
}

export class KeptAnswer {
  readonly route: string | undefined;
  readonly #tag: string;
  readonly #fields: string;
  readonly #found: Ready;
  /** Most are never asked for. */
  #unchanged: Ready | undefined;

  constructor({ tag, fields, content, body }: Lasting, route: string | undefined) {
    this.route = route;
    this.#tag = tag;
    this.#fields = fields;
    this.#found = new Ready(200, fields + content, body);
  }

  /** Enough for both, and for the fields. */
  get size(): number {
    return this.#found.size + 3 * this.#fields.length;
  }

  /** `condition` is the client's If-None-Match. */
  answer(condition: string | null): Ready {
    if (condition === null || !hasTag(condition, this.#tag)) return this.#found;
    this.#unchanged ??= new Ready(304, this.#fields, undefined);
    return this.#unchanged;
  }
}

/** What answers depend on beside the request; a new object when it changes. */
export interface State {
  readonly revision: string;
  /** News without a date are others tomorrow. */
  readonly day: Day;
}

export class Kept {
  /** The largest body that is kept. */
  readonly mostBytes: number;
  readonly #store: Pick<Readable, "revision">;
  readonly #today: () => Day;
  readonly #turns: Turns;
  readonly #cache: Cache<KeptAnswer>;
  #able: boolean;
  /** Of the kept answers, and the turn in which it was last found to hold. */
  #state: State | undefined;
  #turn = -1;

  /** `budget` is in bytes; 0: nothing is kept. */
  constructor(store: Pick<Readable, "revision">, today: () => Day, turns: Turns, budget: number) {
    this.#store = store;
    this.#today = today;
    this.#turns = turns;
    this.#cache = new Cache(budget);
    this.#able = budget > 0;
    this.mostBytes = Math.floor(budget * 0.95);
  }

  /** Never stale: the store is asked for its revision in each turn, and what is of another one is dropped. */
  find(key: string): KeptAnswer | undefined {
    return this.state() === undefined ? undefined : this.#cache.get(key);
  }

  /** Whether an answer to this should be kept: it is asked for, and was before. */
  wants(key: string): boolean {
    return this.#cache.wants(key);
  }

  /** An answer is being gathered, and has so many bytes by now; 0 when it no longer is. */
  gathering(bytes: number): void {
    this.#cache.hold(bytes);
  }

  /** `state` is that of before the answer was asked for. */
  keep(key: string, state: State, answer: KeptAnswer): void {
    if (this.state() === state) this.#cache.set(key, answer, answer.size);
  }

  /**
   * The state now. Undefined: nothing is kept, because that is not wanted, or because the store cannot say at once;
   * then to ask it for the answer takes no longer.
   */
  state(): State | undefined {
    if (!this.#able) return undefined;
    const turn = this.#turns.now();
    if (turn === this.#turn) return this.#state;
    const revision = this.#store.revision();
    if (revision instanceof Promise) {
      this.#able = false;
      revision.catch(() => {});
      return undefined;
    }
    const day = this.#today();
    if (revision !== this.#state?.revision || day !== this.#state.day) {
      this.#cache.clear();
      this.#state = { revision, day };
    }
    this.#turn = turn;
    return this.#state;
  }
}
