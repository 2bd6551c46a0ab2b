/** The web origins that may read the catalog (Fetch standard §3.2). */
import type { RequestHeaders } from "../../server/request.ts";
import { ALLOWED_METHODS } from "../errors.ts";

export class Cors {
  /** The `Vary` of every response. */
  readonly vary: string;
  /** Undefined when any origin may read. */
  readonly #origins: ReadonlyMap<string, string> | undefined;

  /** Takes `*`, or origins separated by commas. Throws a RangeError for anything else. */
  constructor(setting = "*") {
    const origins = setting.split(",").map((item) => item.trim());
    const allowed = () => origins.filter(Boolean).map(normaliseOrigin);
    this.#origins = origins.includes("*") ? undefined : new Map(allowed().map((origin) => [origin, origin]));
    this.vary = `Accept-Encoding, Authorization${this.#origins ? ", Origin" : ""}`;
  }

  /** Returns the value of Access-Control-Allow-Origin, or undefined for an origin that may not read. */
  allowedOrigin(headers: RequestHeaders): string | undefined {
    if (!this.#origins) return "*";
    // Our own string: that of the request would keep its whole head alive.
    return this.#origins.get(headers.get("origin") ?? "");
  }

  /**
   * Returns the same for bytes that are not a valid request. Only a configured origin is ever returned, and a browser
   * compares it with its own: bytes that name another origin open nothing. When no origin has arrived, a single
   * configured one is returned.
   */
  originOfUnparsed(received: string): string | undefined {
    if (!this.#origins) return "*";
    const sent = ORIGIN_LINE.exec(received)?.[1];
    if (sent !== undefined) return this.#origins.get(sent);
    return this.#origins.size === 1 ? this.#origins.keys().next().value : undefined;
  }
}

export const EXPOSED_HEADERS =
  "ETag, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, " +
  "X-Ignored-Parameters, X-Missing, X-Missing-Count, X-Request-Id, X-Search-Corrected, X-Total-Count";

/** The field in bytes that are not a valid request. */
const ORIGIN_LINE = /\r\norigin:[ \t]*([^\r\n]*?)[ \t]*\r\n/i;

/**
 * The response to a preflight. `Authorization` must be named, as `*` does not cover it. Content-Type and Cache-Control
 * mean nothing on a GET here, but many clients send them with every request.
 */
export const PREFLIGHT: Readonly<Record<string, string>> = {
  Allow: ALLOWED_METHODS,
  "Access-Control-Allow-Methods": ALLOWED_METHODS,
  "Access-Control-Allow-Headers":
    "Authorization, If-None-Match, Accept, Content-Type, Cache-Control, X-Request-Id",
  "Access-Control-Max-Age": "86400",
};

/** Returns an origin as browsers write it: lower case, no path, no default port. */
function normaliseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== "/" ||
    url.search ||
    url.hash ||
    url.username
  ) {
    throw new RangeError(`"${text}" is not an origin; write it as https://shop.example`);
  }
  return url.origin;
}

/** Returns header fields as lines, each with its CRLF. */
export function headerLines(fields: Readonly<Record<string, string>>): string {
  let lines = "";
  for (const [name, value] of Object.entries(fields)) lines += `${name}: ${value}\r\n`;
  return lines;
}
