/** What a request is called, in the log and to its client: `X-Request-Id`. */

/** What a client may call it: nothing that needs quoting, in a header, a URL or a line of a log. */
const ACCEPTED = /^[A-Za-z0-9._~-]{1,128}$/;
/** A JSON Web Token begins so, and a short one would pass: what is logged must not be one. */
const TOKEN = /^eyJ/;

/** The client's own name for it; undefined when it gave none, or none that we take. */
export function givenId(header: string | null): string | undefined {
  return header !== null && ACCEPTED.test(header) && !TOKEN.test(header) ? header : undefined;
}

/** Names of our own: unlike those of another process, and in order within one. */
export function requestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return () => `${process}-${++count}`;
}
