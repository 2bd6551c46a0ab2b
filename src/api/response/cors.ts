/** Who may read the catalog from a page of another origin (the Fetch standard, 3.2). */
import type { FieldsOf } from "../../server/request.ts";
import { ALLOWED_METHODS } from "../errors.ts";

export class Cors {
  /** `Vary` of every answer. */
  readonly vary: string;
  /** Undefined: any origin. */
  readonly #origins: ReadonlySet<string> | undefined;

  /** `*`, or origins separated by commas. Throws a RangeError on what is no origin. */
  constructor(setting = "*") {
    const origins = setting.split(",").map((item) => item.trim());
    this.#origins = origins.includes("*") ? undefined : new Set(origins.filter(Boolean).map(originOf));
    this.vary = `Accept-Encoding, Authorization${this.#origins ? ", Origin" : ""}`;
  }

  /** The value of Access-Control-Allow-Origin, if any. */
  allowed(headers: FieldsOf): string | undefined {
    if (!this.#origins) return "*";
    const origin = headers.get("origin");
    return origin !== null && this.#origins.has(origin) ? origin : undefined;
  }
}

export const EXPOSED_HEADERS =
  "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";

/**
 * What a preflight asks for. `Authorization` must be named: the Fetch standard leaves it out of `*`. Content-Type and
 * Cache-Control mean nothing on a GET here, but many clients send them with every request.
 */
export const PREFLIGHT: Readonly<Record<string, string>> = {
  Allow: ALLOWED_METHODS,
  "Access-Control-Allow-Methods": ALLOWED_METHODS,
  "Access-Control-Allow-Headers":
    "Authorization, If-None-Match, Accept, Content-Type, Cache-Control, X-Request-Id",
  "Access-Control-Max-Age": "86400",
};

/** As a browser writes it: lower case, no path, no port that is the scheme's own. */
function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== "/" ||
    url.search ||
    url.hash ||
    url.username
  ) {
    throw new RangeError(`"${text}" is no origin; write it as https://shop.example`);
  }
  return url.origin;
}
