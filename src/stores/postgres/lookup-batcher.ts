import { StoreError } from "../../catalog/store-errors.ts";

/** The most keys in one query. With more, a response of whole records would become large. */
const MAX_BATCH_KEYS = 64;
/** The most keys that wait: more than the clients of a server. Further lookups fail at once. */
const MAX_WAITING_KEYS = 20_000;

class TooManyLookups extends StoreError {
  constructor() {
    super(
      `PostgreSQL is overloaded (${MAX_WAITING_KEYS} lookups wait); give the server more resources, or add a replica.`,
    );
  }
}

type Waiter<Value> = PromiseWithResolvers<Value | undefined>;

/**
 * Combines concurrent lookups into one query. With hundreds of readers this costs client and server a fraction of
 * single queries (measured in docs/postgres.md). Results are as fresh as those of single queries, because a lookup
 * never joins a query that has been sent.
 */
export class LookupBatcher<Value> {
  readonly #query: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>;
  readonly #maxInFlight: number;
  #waiting = new Map<string, Waiter<Value>>();
  #inFlight = 0;
  #isScheduled = false;

  constructor(maxInFlight: number, query: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
    this.#maxInFlight = maxInFlight;
    this.#query = query;
  }

  get(key: string): Promise<Value | undefined> {
    let waiter = this.#waiting.get(key);
    if (!waiter) {
      if (this.#waiting.size >= MAX_WAITING_KEYS) return Promise.reject(new TooManyLookups());
      waiter = Promise.withResolvers();
      this.#waiting.set(key, waiter);
      this.#schedule();
    }
    return waiter.promise;
  }

  /** Sends the batch in a microtask, after the other lookups of the same task. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight >= this.#maxInFlight) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      while (this.#waiting.size > 0 && this.#inFlight < this.#maxInFlight) void this.#send(this.#nextBatch());
    });
  }

  #nextBatch(): Map<string, Waiter<Value>> {
    const batch = new Map<string, Waiter<Value>>();
    for (const [key, waiter] of this.#waiting) {
      batch.set(key, waiter);
      this.#waiting.delete(key);
      if (batch.size === MAX_BATCH_KEYS) break;
    }
    return batch;
  }

  async #send(batch: Map<string, Waiter<Value>>): Promise<void> {
    this.#inFlight++;
    try {
      const values = await this.#query([...batch.keys()]);
      for (const [key, waiter] of batch) waiter.resolve(values.get(key));
    } catch (error) {
      // The waiting lookups would fail in the same way, only later.
      for (const waiter of [...batch.values(), ...this.#waiting.values()]) waiter.reject(error);
      this.#waiting.clear();
    } finally {
      this.#inFlight--;
      if (this.#waiting.size > 0) this.#schedule();
    }
  }
}
