/** A rate limit for each token: `--rate 600/60`. */
import type { Caller } from "../catalog/token-registry.ts";
import { type ApiError, rateLimited } from "./errors.ts";
import { headerLines } from "./response/header-lines.ts";

/** This many requests in this many seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

export type Allowance =
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
  readonly #byId: BucketTable;
  readonly #byName: BucketTable;
  /** The value of `RateLimit-Policy`. */
  readonly policy: string;

  constructor(rate: Rate, maxTokens = MAX_TOKENS) {
    this.#rate = rate;
    this.#windowMs = rate.seconds * 1000;
    this.#costMs = this.#windowMs / rate.requests;
    this.#byId = new BucketTable(this.#windowMs, maxTokens);
    this.#byName = new BucketTable(this.#windowMs, maxTokens);
    this.policy = `"default";q=${rate.requests};w=${rate.seconds}`;
  }

  /**
   * Counts a request, unless it exceeds the limit. `nowMs` is the time of any clock, best a monotonic one.
   *
   * The limit belongs to the token, which its `jti` names. Tokens without a `jti` share the limit of their subject, so a
   * client that gets such a token every hour does not get a new limit with it. Tokens with neither share one limit.
   */
  take({ id, name }: Caller, nowMs: number): Allowance {
    const buckets = id === undefined ? this.#byName : this.#byId;
    const token = id ?? name ?? "";
    // The time at which the bucket is full again. After a clock has gone back, it is at most a window away.
    const fullAtMs = Math.min(Math.max(buckets.get(token, nowMs), nowMs), nowMs + this.#windowMs);
    const nextFullAtMs = fullAtMs + this.#costMs;
    const excessMs = nextFullAtMs - nowMs - this.#windowMs;
    // A sum of many small numbers is slightly off, and must not cost a second.
    const slackMs = this.#costMs * 1e-6;
    if (excessMs > slackMs)
      return { allowed: false, retryAfterSeconds: Math.ceil((excessMs - slackMs) / 1000) };
    buckets.set(token, nextFullAtMs);
    const remaining = Math.min(this.#rate.requests - 1, Math.floor(-excessMs / this.#costMs + 1e-6));
    return {
      allowed: true,
      remaining: Math.max(0, remaining),
      resetSeconds: Math.ceil((nextFullAtMs - nowMs - slackMs) / 1000),
    };
  }

  /** Returns the header fields of draft-ietf-httpapi-ratelimit-headers for a response. */
  headers(allowance: Allowance): Readonly<Record<string, string>> {
    return { "RateLimit-Policy": this.policy, RateLimit: this.field(allowance) };
  }

  /**
   * Returns the value of `RateLimit`: what is left, and the seconds until there is more. When nothing is left, that is
   * the time of `Retry-After`, as the draft wants the latter not to be earlier.
   */
  field(allowance: Allowance): string {
    return allowance.allowed
      ? `"default";r=${allowance.remaining};t=${allowance.resetSeconds}`
      : `"default";r=0;t=${allowance.retryAfterSeconds}`;
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

/** In each of the two generations. Both take about 20 MB at most. */
const MAX_TOKENS = 50_000;
/** A `jti` may be as long as a token; a longer key is replaced by its digest. */
const MAX_KEY_CHARS = 64;

/**
 * When the bucket of each token is full again. That is at most a window after its last request, so after a window the
 * older of two generations holds nothing but full buckets and is dropped. Only when more tokens are in use than fit are
 * some dropped earlier, the least recently used first; their buckets start full.
 */
class BucketTable {
  readonly #windowMs: number;
  readonly #maxTokens: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  /** When the young generation began. */
  #sinceMs = Number.NEGATIVE_INFINITY;

  constructor(windowMs: number, maxTokens: number) {
    this.#windowMs = windowMs;
    this.#maxTokens = maxTokens;
  }

  get(token: string, nowMs: number): number {
    // Also true after a clock has gone back.
    if (Math.abs(nowMs - this.#sinceMs) >= this.#windowMs) this.#startGeneration(nowMs);
    const key = keyOf(token);
    return this.#young.get(key) ?? this.#old.get(key) ?? Number.NEGATIVE_INFINITY;
  }

  /** Is called after `get`. */
  set(token: string, fullAtMs: number): void {
    const key = keyOf(token);
    if (this.#young.size >= this.#maxTokens && !this.#young.has(key)) this.#startGeneration(this.#sinceMs);
    this.#young.set(key, fullAtMs);
  }

  #startGeneration(sinceMs: number): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#sinceMs = sinceMs;
  }
}

function keyOf(token: string): string {
  if (token.length <= MAX_KEY_CHARS) return token;
  // 86 characters: no short key has this length.
  return new Bun.CryptoHasher("sha512").update(token).digest("base64url");
}
