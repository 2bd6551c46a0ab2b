/** A limit of requests for each token: `--rate 600/60`. */
import type { Caller } from "./auth/auth-result.ts";
import { type ApiError, overTheRate } from "./errors.ts";

/** So many requests in so many seconds. */
export interface Rate {
  readonly requests: number;
  readonly seconds: number;
}

export type Allowance =
  /** `remaining` requests may come at once; `reset` seconds from now it will be all of them again. */
  | { readonly allowed: true; readonly remaining: number; readonly reset: number }
  /** `retryAfter`, in whole seconds: the next one is let through then. */
  | { readonly allowed: false; readonly retryAfter: number };

const MOST_REQUESTS = 1_000_000;
const MOST_SECONDS = 86_400;

/** Undefined: not two whole numbers within reason. */
export function parseRate(text: string): Rate | undefined {
  const [, requests, seconds] = /^([0-9]{1,7})\/([0-9]{1,5})$/.exec(text) ?? [];
  const rate = { requests: Number(requests), seconds: Number(seconds) };
  const within = (number: number, most: number) => number >= 1 && number <= most;
  return within(rate.requests, MOST_REQUESTS) && within(rate.seconds, MOST_SECONDS) ? rate : undefined;
}

/**
 * GCRA, which is a bucket that holds `requests` and is filled evenly, empty to full in `seconds`. So all of them may
 * come at once (a page that loads a shelf is no abuse), and from then on as many as flow in: within any time of
 * `d` seconds at most `requests` × (1 + d / `seconds`).
 */
export class RateLimit {
  readonly #rate: Rate;
  /** Milliseconds: what one request costs, and what the bucket holds. */
  readonly #cost: number;
  readonly #window: number;
  readonly #byId: Tokens;
  readonly #byName: Tokens;
  /** The value of `RateLimit-Policy`. */
  readonly policy: string;

  constructor(rate: Rate, memory = MOST_TOKENS) {
    this.#rate = rate;
    this.#window = rate.seconds * 1000;
    this.#cost = this.#window / rate.requests;
    this.#byId = new Tokens(this.#window, memory);
    this.#byName = new Tokens(this.#window, memory);
    this.policy = `"default";q=${rate.requests};w=${rate.seconds}`;
  }

  /**
   * Counts a request, unless it is one too many. `now`: milliseconds of any clock, best one that never goes back.
   *
   * The limit belongs to the token, which its `jti` names. Tokens without one that have the same subject cannot be
   * told apart by what the gate knows of them, and share a limit: so a client that gets a new token of this kind
   * every hour does not get a new limit with it. So do all that have neither.
   */
  take({ id, name }: Caller, now: number): Allowance {
    const tokens = id === undefined ? this.#byName : this.#byId;
    const token = id ?? name ?? "";
    // The time at which the bucket will be full again. With a clock that has gone back it is never more than empty.
    const full = Math.min(Math.max(tokens.get(token, now), now), now + this.#window);
    const next = full + this.#cost;
    const over = next - now - this.#window;
    // A sum of many small numbers is a little off: it must not cost a second.
    const slack = this.#cost * 1e-6;
    if (over > slack) return { allowed: false, retryAfter: Math.ceil((over - slack) / 1000) };
    tokens.set(token, next);
    const remaining = Math.min(this.#rate.requests - 1, Math.floor(-over / this.#cost + 1e-6));
    return {
      allowed: true,
      remaining: Math.max(0, remaining),
      reset: Math.ceil((next - now - slack) / 1000),
    };
  }

  /**
   * draft-ietf-httpapi-ratelimit-headers: what is left, and in how many seconds there is more. When nothing is left,
   * that is the time of `Retry-After`: the draft wants that not to be earlier.
   */
  field(allowance: Allowance): string {
    return allowance.allowed
      ? `"default";r=${allowance.remaining};t=${allowance.reset}`
      : `"default";r=0;t=${allowance.retryAfter}`;
  }

  /** For an answer to a request that was counted, or was one too many. */
  headers(allowance: Allowance): Readonly<Record<string, string>> {
    return { "RateLimit-Policy": this.policy, RateLimit: this.field(allowance) };
  }

  /** The same as lines of an answer's head. */
  lines(allowance: Allowance): string {
    return `RateLimit-Policy: ${this.policy}\r\nRateLimit: ${this.field(allowance)}\r\n`;
  }

  /** The 429. */
  refusal(allowance: Allowance & { readonly allowed: false }): ApiError {
    return overTheRate(allowance.retryAfter, this.headers(allowance));
  }
}

/** Of each generation; two generations are kept. About 20 MB at most. */
const MOST_TOKENS = 50_000;
/** A `jti` may be as long as a token; its digest is as good a key. */
const LONGEST_KEY = 64;

/**
 * When the bucket of each token will be full. That is no later than a window after its last request: then nothing
 * needs to be known of it any more. So there are two generations, and after a window the older one is let go, with
 * nothing in it but full buckets. Only when more tokens than fit are in use at a time, some are forgotten earlier,
 * those that were not used for longest: they are counted from the beginning.
 */
class Tokens {
  readonly #window: number;
  readonly #most: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  /** When the young generation began. */
  #since = Number.NEGATIVE_INFINITY;

  constructor(window: number, most: number) {
    this.#window = window;
    this.#most = most;
  }

  get(token: string, now: number): number {
    // Also after a clock has gone back.
    if (Math.abs(now - this.#since) >= this.#window) this.#turn(now);
    const key = keyOf(token);
    return this.#young.get(key) ?? this.#old.get(key) ?? Number.NEGATIVE_INFINITY;
  }

  /** After `get`. */
  set(token: string, full: number): void {
    const key = keyOf(token);
    if (this.#young.size >= this.#most && !this.#young.has(key)) this.#turn(this.#since);
    this.#young.set(key, full);
  }

  #turn(now: number): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#since = now;
  }
}

function keyOf(token: string): string {
  if (token.length <= LONGEST_KEY) return token;
  // No short key has this length.
  return new Bun.CryptoHasher("sha512").update(token).digest("base64url");
}
