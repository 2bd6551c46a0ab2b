/** When the keys of a URL are read again. */

const MINUTE_MS = 60_000;

/** After a read that failed, and before an unknown `kid` is a reason to read again. */
export const MIN_REFRESH_INTERVAL_MS = MINUTE_MS;
/** Half of the lifetime, so that there is time to try again before the keys expire. */
const MAX_REFRESH_INTERVAL_MS = 30 * MINUTE_MS;
const DEFAULT_REFRESH_INTERVAL_MS = 5 * MINUTE_MS;

/** The keys of a URL that fails are used for this long after the last read. After that no token is accepted. */
export const KEY_LIFETIME_MS = 60 * MINUTE_MS;

/** Returns how long a response is fresh (RFC 9111 §4.2), within bounds. Without a statement that is five minutes. */
export function refreshIntervalMs(headers: Headers): number {
  const freshMs = freshnessMs(headers) ?? DEFAULT_REFRESH_INTERVAL_MS;
  return Math.min(Math.max(freshMs, MIN_REFRESH_INTERVAL_MS), MAX_REFRESH_INTERVAL_MS);
}

/** Returns undefined when `Cache-Control` does not say it. */
function freshnessMs(headers: Headers): number | undefined {
  const directives = (headers.get("cache-control") ?? "")
    .split(",")
    .map((directive) => directive.trim().toLowerCase());
  if (directives.some((directive) => /^no-(?:store|cache)(?:=|$)/.test(directive))) return 0;
  for (const directive of directives) {
    const [, seconds] = /^max-age="?(\d+)"?$/.exec(directive) ?? [];
    // RFC 9111 §4.2.3: a cache on the way has had the response for this long.
    if (seconds !== undefined) return (Number(seconds) - ageSeconds(headers)) * 1000;
  }
  return undefined;
}

function ageSeconds(headers: Headers): number {
  const age = headers.get("age") ?? "";
  return /^\d+$/.test(age) ? Number(age) : 0;
}
