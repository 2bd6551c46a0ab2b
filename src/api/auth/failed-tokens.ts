/** Slows down addresses that send many tokens which fail: each further failure is answered later. */
import { networkOf } from "../../server/client-addresses.ts";
import { LocalRateBuckets } from "../rate/rate-buckets.ts";
import { RateLimit } from "../rate/rate-limit.ts";

/** So many failures of an address are answered at once, and one a second after them. */
const FAILURES = { requests: 20, seconds: 20 };
const MAX_ADDRESSES = 10_000;

/** How long an answer waits. Longer would keep more connections open than it would stop. */
const FAILED_TOKEN_DELAY_MS = 2000;
/** The answers that can wait. Beyond them nobody waits, so that an attack does not fill the memory. */
const MAX_WAITING = 1000;

export class FailedTokens {
  readonly #limit = new RateLimit(FAILURES, new LocalRateBuckets(FAILURES.seconds * 1000, MAX_ADDRESSES));
  readonly #delayMs: number;
  #waiting = 0;

  constructor(delayMs = FAILED_TOKEN_DELAY_MS) {
    this.#delayMs = delayMs;
  }

  /** Counts a failure. Returns a promise when the answer is to wait. */
  count(address: string): Promise<void> | undefined {
    const { allowed } = this.#limit.take({ id: networkOf(address), name: undefined }, performance.now());
    if (allowed || this.#waiting >= MAX_WAITING) return undefined;
    this.#waiting++;
    return Bun.sleep(this.#delayMs).finally(() => this.#waiting--);
  }
}
