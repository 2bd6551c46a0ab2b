/** The name of a request in the log and to its client: `X-Request-Id`. */

/** A client may use characters that need no quoting in a header, a URL or a line of the log. */
const VALID_ID = /^[A-Za-z0-9._~-]{1,128}$/;
/** A short JSON Web Token would be a valid id, and must not be logged. */
const TOKEN_START = /^eyJ/;

/** Returns the client's own id, or undefined when it sent none that is valid. */
export function parseRequestId(header: string | null): string | undefined {
  return header !== null && VALID_ID.test(header) && !TOKEN_START.test(header) ? header : undefined;
}

/** Returns a generator of ids that are unique across processes and ascending within one. */
export function requestIdGenerator(): () => string {
  const process = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return () => `${process}-${++count}`;
}
