/** The token buckets of the rate limit, in the memory of one process. `shared-rate-buckets.ts` has those of several. */
import type { Caller } from "../../catalog/token-registry.ts";

/** When the bucket of each token is full again. A bucket that is not stored is full. */
export interface RateBuckets {
  /** Times are of the same clock as `nowMs`. A time that has passed means a full bucket. */
  fullAtMs(caller: Caller, nowMs: number): number;
  /**
   * Sets the time of the bucket that `fullAtMs` returned last. Returns false when another process has used the bucket
   * since: read it again.
   */
  trySet(fullAtMs: number): boolean;
}

/**
 * Returns the text that identifies a bucket. The limit belongs to the token, which its `jti` names. Tokens without a
 * `jti` share the limit of their subject, so a client that gets such a token every hour does not get a new limit with
 * it. Tokens with neither share one limit.
 */
export function bucketName({ id, name }: Caller): string {
  return id === undefined ? `sub ${name ?? ""}` : `jti ${id}`;
}

/** In each of the two generations. Both take about 20 MB at most. */
const MAX_TOKENS = 50_000;
/** A `jti` may be as long as a token; a longer name is replaced by its digest. */
const MAX_NAME_CHARS = 64;

/**
 * A bucket is full at most a window after its last request, so after a window the older of two generations holds nothing
 * but full buckets and is dropped. Only when more tokens are in use than fit are some dropped earlier, the least recently
 * used first; their buckets start full.
 */
export class LocalRateBuckets implements RateBuckets {
  readonly #windowMs: number;
  readonly #maxTokens: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  /** When the young generation began. */
  #sinceMs = Number.NEGATIVE_INFINITY;
  #current = "";

  constructor(windowMs: number, maxTokens = MAX_TOKENS) {
    this.#windowMs = windowMs;
    this.#maxTokens = maxTokens;
  }

  fullAtMs(caller: Caller, nowMs: number): number {
    // Also true after a clock has gone back.
    if (Math.abs(nowMs - this.#sinceMs) >= this.#windowMs) this.#startGeneration(nowMs);
    this.#current = shorten(bucketName(caller));
    return this.#young.get(this.#current) ?? this.#old.get(this.#current) ?? Number.NEGATIVE_INFINITY;
  }

  trySet(fullAtMs: number): boolean {
    if (this.#young.size >= this.#maxTokens && !this.#young.has(this.#current))
      this.#startGeneration(this.#sinceMs);
    this.#young.set(this.#current, fullAtMs);
    return true;
  }

  #startGeneration(sinceMs: number): void {
    this.#old = this.#young;
    this.#young = new Map();
    this.#sinceMs = sinceMs;
  }
}

function shorten(name: string): string {
  if (name.length <= MAX_NAME_CHARS) return name;
  // 86 characters: no short name has this length.
  return new Bun.CryptoHasher("sha512").update(name).digest("base64url");
}
