/** Sends raw bytes to an HTTP server and parses the responses by RFC 9112 §6. */
import { connect } from "node:net";

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The body without its transfer coding. */
  readonly body: Uint8Array;
}

export interface Exchange {
  /** Every complete response, in order. */
  readonly responses: readonly RawResponse[];
  /** The bytes after the last complete response. */
  readonly rest: Uint8Array;
}

interface ExchangeOptions {
  /** The number of responses to wait for. */
  readonly count?: number;
  /** Closes the sending side after the request, as a client does that disconnects. */
  readonly end?: boolean;
  /** The server may send fewer responses than `count`. Shortens the wait. */
  readonly mayBeSilent?: boolean;
  /** The methods of the requests, if not all are GET: a response to HEAD has no body. */
  readonly methods?: readonly string[];
}

/** Waits this long for an expected response, also on a busy machine. */
const RESPONSE_TIMEOUT_MS = 30_000;
/** Waits this long for a response that should not come. No assertion depends on it. */
const SILENCE_TIMEOUT_MS = 700;

/**
 * Sends the bytes and returns the responses once all have arrived or the server has closed. Otherwise it returns after a
 * timeout: some requests never get a response.
 */
export async function exchange(
  port: number,
  request: string | Uint8Array,
  { count = 1, end = false, mayBeSilent = false, methods = [] }: ExchangeOptions = {},
): Promise<Exchange> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const parts: Buffer[] = [];
  socket.on("data", (part) => {
    parts.push(Buffer.from(part as Uint8Array));
    try {
      if (parseResponses(Buffer.concat(parts), methods).responses.length >= count) resolve();
    } catch {
      // The call below throws the same error to the caller.
      resolve();
    }
  });
  // A server that rejects a request may close or reset the connection while the client still writes.
  for (const event of ["end", "close", "error"]) socket.on(event, () => resolve());
  socket.write(typeof request === "string" ? Buffer.from(request, "latin1") : request);
  if (end) socket.end();
  await withTimeout(done, mayBeSilent ? SILENCE_TIMEOUT_MS : RESPONSE_TIMEOUT_MS);
  // A partial response is in flight.
  if (mayBeSilent && parseResponses(Buffer.concat(parts), methods).rest.length > 0)
    await withTimeout(done, RESPONSE_TIMEOUT_MS);
  socket.destroy();
  return parseResponses(Buffer.concat(parts), methods);
}

function withTimeout(awaited: Promise<void>, timeoutMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  return Promise.race([awaited, promise]).finally(() => clearTimeout(timer));
}

/** Parses the responses to requests with these methods, or with GET where none is given. */
export function parseResponses(bytes: Buffer, methods: readonly string[] = []): Exchange {
  const responses: RawResponse[] = [];
  let rest = bytes;
  for (;;) {
    const head = rest.indexOf("\r\n\r\n");
    if (head < 0) return { responses, rest };
    const [line = "", ...fields] = rest.toString("latin1", 0, head).split("\r\n");
    const status = Number(/^HTTP\/1\.[01] ([1-5][0-9]{2})(?: |$)/.exec(line)?.[1]);
    if (Number.isNaN(status)) return { responses, rest };
    const headers = parseHeaders(fields);
    const afterHead = rest.subarray(head + 4);
    const parsed = parseBody(afterHead, status, headers, methods[responses.length] ?? "GET");
    if (!parsed) return { responses, rest };
    if (status >= 200) responses.push({ status, headers, body: parsed.body });
    rest = afterHead.subarray(parsed.length);
  }
}

function parseHeaders(fields: readonly string[]): Headers {
  const headers = new Headers();
  for (const field of fields) {
    const colon = field.indexOf(":");
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(field.slice(0, colon)))
      throw new Error(`a response has the header ${field}`);
    headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
  }
  return headers;
}

/** Returns undefined when the body is incomplete. */
function parseBody(bytes: Buffer, status: number, headers: Headers, method: string) {
  const noBody = { body: new Uint8Array(), length: 0 };
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return noBody;
  if (headers.get("transfer-encoding") === "chunked") return parseChunks(bytes);
  const length = Number(headers.get("content-length") ?? "0");
  return bytes.length < length ? undefined : { body: Uint8Array.from(bytes.subarray(0, length)), length };
}

function parseChunks(bytes: Buffer) {
  const parts: Buffer[] = [];
  for (let offset = 0; ; ) {
    const line = bytes.indexOf("\r\n", offset);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", offset, line), 16);
    const end = line + 2 + size + 2;
    if (Number.isNaN(size) || end > bytes.length) return undefined;
    parts.push(bytes.subarray(line + 2, end - 2));
    if (size === 0) return { body: Uint8Array.from(Buffer.concat(parts)), length: end };
    offset = end;
  }
}
