/** A rate limit for each token: `--rate 600/60`. */
import type { Caller } from "../../catalog/token-registry.ts";
import { networkOf } from "../../server/client-addresses.ts";
import { type ApiError, rateLimited } from "../errors.ts";
import { headerLines } from "../response/cors.ts";
import { LocalRateBuckets, type RateBuckets } from "./rate-buckets.ts";

/** This many requests in this many seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

type Allowance =
  /** `remaining` requests may follow at once; after `resetSeconds` all of them may again. */
  | { readonly allowed: true; readonly remaining: number; readonly resetSeconds: number }
  /** The next request is allowed after `retryAfterSeconds`, a whole number. */
  | { readonly allowed: false; readonly retryAfterSeconds: number };

const MAX_REQUESTS = 1_000_000;
const MAX_SECONDS = 86_400;

/** Returns undefined unless the text is two whole numbers within the limits. */
export function parseRate(text: string): Rate | undefined {
  const [, requests, seconds] = /^([0-9]{1,7})\/([0-9]{1,5})$/.exec(text) ?? [];
  const rate = { requests: Number(requests), seconds: Number(seconds) };
  const isWithin = (number: number, max: number) => number >= 1 && number <= max;
  return isWithin(rate.requests, MAX_REQUESTS) && isWithin(rate.seconds, MAX_SECONDS) ? rate : undefined;
}

/**
 * GCRA: a token bucket of `requests` that refills evenly in `seconds`. All of them may come at once, as from a page that
 * loads many books. Within any d seconds there are at most `requests` × (1 + d / `seconds`).
 */
export class RateLimit {
  readonly #rate: Rate;
  readonly #costMs: number;
  readonly #windowMs: number;
  readonly #buckets: RateBuckets;
  /** The value of `RateLimit-Policy`. */
  readonly #policy: string;

  /** When `buckets` are omitted, only requests of this process count. */
  constructor(rate: Rate, buckets?: RateBuckets | undefined) {
    this.#rate = rate;
    this.#windowMs = rate.seconds * 1000;
    this.#costMs = this.#windowMs / rate.requests;
    this.#buckets = buckets ?? new LocalRateBuckets(this.#windowMs);
    this.#policy = `"default";q=${rate.requests};w=${rate.seconds}`;
  }

  /** Counts a request, unless it exceeds the limit. `nowMs` is the time of a monotonic clock. */
  take(caller: Caller, nowMs: number): Allowance {
    for (;;) {
      const fullAtMs = this.#buckets.fullAtMs(caller, nowMs);
      // After a clock has gone back, it is at most a window away.
      const nextFullAtMs = Math.min(Math.max(fullAtMs, nowMs), nowMs + this.#windowMs) + this.#costMs;
      const excessMs = nextFullAtMs - nowMs - this.#windowMs;
      // A sum of many small numbers is slightly off, and must not cost a second.
      const slackMs = this.#costMs * 1e-6;
      if (excessMs > slackMs)
        return { allowed: false, retryAfterSeconds: Math.ceil((excessMs - slackMs) / 1000) };
      if (!this.#buckets.trySet(nextFullAtMs)) continue;
      const remaining = Math.min(this.#rate.requests - 1, Math.floor(-excessMs / this.#costMs + 1e-6));
      return {
        allowed: true,
        remaining: Math.max(0, remaining),
        resetSeconds: Math.ceil((nextFullAtMs - nowMs - slackMs) / 1000),
      };
    }
  }

  /**
   * Returns the header fields of draft-ietf-httpapi-ratelimit-headers for a response. `RateLimit` has what is left, and
   * the seconds until there is more. When nothing is left, that is the time of `Retry-After`, as the draft wants the
   * latter not to be earlier.
   */
  headers(allowance: Allowance): Readonly<Record<string, string>> {
    const left = allowance.allowed
      ? `r=${allowance.remaining};t=${allowance.resetSeconds}`
      : `r=0;t=${allowance.retryAfterSeconds}`;
    return { "RateLimit-Policy": this.#policy, RateLimit: `"default";${left}` };
  }

  /** The same fields as lines of a response head. */
  headerLines(allowance: Allowance): string {
    return headerLines(this.headers(allowance));
  }

  /** Returns the 429. */
  error(allowance: Allowance & { readonly allowed: false }): ApiError {
    return rateLimited(allowance.retryAfterSeconds, this.headers(allowance));
  }
}

/** So many failures of an address are answered at once, and one a second after them. */
const FAILURES = { requests: 20, seconds: 20 };
const MAX_ADDRESSES = 10_000;

/** How long an answer waits. Longer would keep more connections open than it would stop. */
const FAILED_TOKEN_DELAY_MS = 2000;
/** The answers that can wait. Beyond them nobody waits, so that an attack does not fill the memory. */
const MAX_WAITING = 1000;

/** Slows down addresses that send many tokens which fail: each further failure is answered later. */
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
