/** Requests: the token, retries, and the cache of bodies. */
import { errorOf } from "./errors.ts";

export interface ClientOptions extends RetryOptions {
  /** The address of the service, with its path prefix if it has one: `https://books.example/`. */
  readonly url: string | URL;
  /** The token, or a function that returns it. The function is called for each request. */
  readonly token: string | (() => string | Promise<string>);
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** The most characters of bodies that are kept for `If-None-Match`. Default: 5 million. 0 keeps none. */
  readonly cacheCharacters?: number;
  /** Ends all requests. */
  readonly signal?: AbortSignal;
}

/** The values of query parameters. One that is undefined is left out, and one with several values is repeated. */
export type Query = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;

export interface JsonResponse<T> {
  readonly body: T;
  readonly headers: Headers;
  readonly url: string;
}

const DEFAULT_RETRIES = 4;
const DEFAULT_MAX_WAIT_MS = 60_000;
const DEFAULT_CACHE_CHARACTERS = 5_000_000;

export class Transport {
  readonly #base: string;
  readonly #cache: EtagCache;

  /** `cache` is that of another transport for the same service. */
  constructor(
    private readonly options: ClientOptions,
    cache?: EtagCache,
  ) {
    // A variable of the environment that is not set would fail much later, and say less.
    if (!options.token) throw new TypeError("The token is missing; `colophon token --name NAME` prints one.");
    const url = new URL(options.url);
    this.#base = `${url.origin}${url.pathname.replace(/\/*$/, "/")}`;
    this.#cache = cache ?? new EtagCache(options.cacheCharacters ?? DEFAULT_CACHE_CHARACTERS);
  }

  /** Returns a transport whose requests this signal ends, too. */
  until(signal: AbortSignal | undefined): Transport {
    if (!signal) return this;
    const own = this.options.signal;
    const options = { ...this.options, signal: own ? AbortSignal.any([own, signal]) : signal };
    return new Transport(options, this.#cache);
  }

  /** Returns the absolute URL of a path below `api/`. */
  urlOf(path: string, query: Query = {}): string {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const each of Array.isArray(value) ? value : [value])
        if (each !== undefined) parameters.append(name, String(each));
    }
    const text = parameters.toString();
    return `${this.#base}api/${path}${text && `?${text}`}`;
  }

  /** Throws `ColophonError` for an error response, and what `fetch` throws when there is no response. */
  async get<T>(url: string): Promise<JsonResponse<T>> {
    const cached = this.#cache.get(url);
    const { response, body } = await this.#send(url, cached?.etag);
    if (response.status === 304 && cached)
      return { body: JSON.parse(cached.body), headers: cached.headers, url };
    if (!response.ok) throw await errorOf(response, url);
    const etag = response.headers.get("etag");
    if (etag !== null) this.#cache.set(url, { etag, body, headers: response.headers });
    return { body: JSON.parse(body), headers: response.headers, url };
  }

  async #send(
    url: string,
    etag: string | undefined,
  ): Promise<{ readonly response: Response; readonly body: string }> {
    const { retries = DEFAULT_RETRIES, maxWaitMs = DEFAULT_MAX_WAIT_MS, signal } = this.options;
    const send = this.options.fetch ?? fetch;
    for (let attempt = 1; ; attempt++) {
      const headers: Record<string, string> = {
        Accept: "application/json",
        Authorization: `Bearer ${await this.#token()}`,
        ...(etag !== undefined && { "If-None-Match": etag }),
      };
      let retryAfter: string | null = null;
      try {
        const response = await send(url, { headers, ...(signal && { signal }) });
        retryAfter = response.headers.get("retry-after");
        const isRetried = RETRIED_STATUSES.includes(response.status);
        if (!isRetried || attempt > retries || waitMs(attempt, retryAfter) > maxWaitMs)
          // A list that fails while it is sent ends in a broken connection. The body of an error is read elsewhere.
          return { response, body: response.ok ? await response.text() : "" };
        await response.body?.cancel();
      } catch (error) {
        signal?.throwIfAborted();
        if (attempt > retries) throw error;
      }
      await pause(Math.min(waitMs(attempt, retryAfter), maxWaitMs), signal);
    }
  }

  async #token(): Promise<string> {
    const { token } = this.options;
    return typeof token === "string" ? token : await token();
  }
}

/** When a request is sent again, and how long that waits. */
interface RetryOptions {
  /** How often a request is sent again. Default: 4. */
  readonly retries?: number;
  /** The longest wait between two attempts. A service that wants more is not waited for. Default: 60 seconds. */
  readonly maxWaitMs?: number;
}

const FIRST_WAIT_MS = 250;
const RETRIED_STATUSES: readonly number[] = [429, 502, 503, 504];

/**
 * Returns the wait before an attempt, counted from 1. `Retry-After` is a number of seconds or a date (RFC 9110
 * §10.2.3). Without it, the wait doubles each time; a random part keeps clients from returning at the same moment.
 */
export function waitMs(attempt: number, retryAfter: string | null, nowMs = Date.now()): number {
  if (retryAfter !== null && /^[0-9]+$/.test(retryAfter)) return Number(retryAfter) * 1000;
  const dateMs = retryAfter === null ? Number.NaN : Date.parse(retryAfter);
  if (!Number.isNaN(dateMs)) return Math.max(0, dateMs - nowMs);
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
}

/** Waits. Rejects with the reason of the signal when that is aborted. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** A 304 says that it still holds, and its body is not sent again. */
interface CachedResponse {
  readonly etag: string;
  readonly body: string;
  readonly headers: Headers;
}

/** Evicts the least recently used bodies. A `Map` lists its keys in the order in which they were set. */
export class EtagCache {
  readonly #responses = new Map<string, CachedResponse>();
  #characters = 0;

  constructor(private readonly maxCharacters: number) {}

  get(url: string): CachedResponse | undefined {
    const response = this.#responses.get(url);
    if (response) {
      this.#responses.delete(url);
      this.#responses.set(url, response);
    }
    return response;
  }

  set(url: string, response: CachedResponse): void {
    this.delete(url);
    if (response.body.length > this.maxCharacters) return;
    this.#responses.set(url, response);
    this.#characters += response.body.length;
    for (const oldest of this.#responses.keys()) {
      if (this.#characters <= this.maxCharacters) return;
      this.delete(oldest);
    }
  }

  delete(url: string): void {
    this.#characters -= this.#responses.get(url)?.body.length ?? 0;
    this.#responses.delete(url);
  }
}
