/** HTTP by hand: bytes go out as they are, and what comes back is taken apart by the rules of RFC 9112, 6. */
import { connect } from "node:net";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Without its transfer coding. */
  readonly body: Uint8Array;
}

export interface Exchange {
  /** Every answer that came as a whole, in order. */
  readonly answers: readonly Answer[];
  /** What came and is no whole answer. */
  readonly rest: Uint8Array;
}

export interface Wait {
  /** How many answers to wait for. */
  readonly answers?: number;
  /** Ends its own side once all is sent, as a client does that goes away. */
  readonly end?: boolean;
  /** Nothing, or no more than has come, is a good answer too: does not wait for long. */
  readonly orNone?: boolean;
  /** Of the requests, where they are not all GET: the answer to HEAD has no body. */
  readonly methods?: readonly string[];
}

/** For what must come, on a machine that has a lot to do. */
const LONG_MS = 30_000;
/** For what should not come: it only bounds the wait, and nothing is judged by it. */
const SHORT_MS = 700;

/**
 * Sends the bytes, and gives what has come when the answers are there or the server has closed. Where neither
 * happens, it stops waiting: some requests never have an answer.
 */
export async function exchange(
  port: number,
  request: string | Uint8Array,
  { answers = 1, end = false, orNone = false, methods = [] }: Wait = {},
): Promise<Exchange> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  const { promise: done, resolve } = Promise.withResolvers<void>();
  const parts: Buffer[] = [];
  socket.on("data", (part) => {
    parts.push(Buffer.from(part as Uint8Array));
    try {
      if (answersIn(Buffer.concat(parts), methods).answers.length >= answers) resolve();
    } catch {
      // Said below, to whoever waits for it.
      resolve();
    }
  });
  // A server that refuses may close, or reset, while we still write.
  for (const event of ["end", "close", "error"]) socket.on(event, () => resolve());
  socket.write(typeof request === "string" ? Buffer.from(request, "latin1") : request);
  if (end) socket.end();
  await within(done, orNone ? SHORT_MS : LONG_MS);
  // Half an answer is one that is under way.
  if (orNone && answersIn(Buffer.concat(parts), methods).rest.length > 0) await within(done, LONG_MS);
  socket.destroy();
  return answersIn(Buffer.concat(parts), methods);
}

function within(awaited: Promise<void>, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return Promise.race([awaited, promise]).finally(() => clearTimeout(timer));
}

/** The answers to requests with these methods; GET where none is named. */
export function answersIn(bytes: Buffer, methods: readonly string[] = []): Exchange {
  const answers: Answer[] = [];
  let rest = bytes;
  for (;;) {
    const head = rest.indexOf("\r\n\r\n");
    if (head < 0) return { answers, rest };
    const [line = "", ...fields] = rest.toString("latin1", 0, head).split("\r\n");
    const status = Number(/^HTTP\/1\.[01] ([1-5][0-9]{2})(?: |$)/.exec(line)?.[1]);
    if (Number.isNaN(status)) return { answers, rest };
    const headers = headersOf(fields);
    const behind = rest.subarray(head + 4);
    const taken = bodyOf(behind, status, headers, methods[answers.length] ?? "GET");
    if (!taken) return { answers, rest };
    if (status >= 200) answers.push({ status, headers, body: taken.body });
    rest = behind.subarray(taken.length);
  }
}

function headersOf(fields: readonly string[]): Headers {
  const headers = new Headers();
  for (const field of fields) {
    const colon = field.indexOf(":");
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(field.slice(0, colon)))
      throw new Error(`an answer has the header ${field}`);
    headers.append(field.slice(0, colon), field.slice(colon + 1).trim());
  }
  return headers;
}

/** Undefined: it is not whole. */
function bodyOf(bytes: Buffer, status: number, headers: Headers, method: string) {
  const nothing = { body: new Uint8Array(), length: 0 };
  if (method === "HEAD" || status < 200 || status === 204 || status === 304) return nothing;
  if (headers.get("transfer-encoding") === "chunked") return chunked(bytes);
  const length = Number(headers.get("content-length") ?? "0");
  return bytes.length < length ? undefined : { body: Uint8Array.from(bytes.subarray(0, length)), length };
}

function chunked(bytes: Buffer) {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = bytes.indexOf("\r\n", at);
    if (line < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, line), 16);
    const end = line + 2 + size + 2;
    if (Number.isNaN(size) || end > bytes.length) return undefined;
    parts.push(bytes.subarray(line + 2, end - 2));
    if (size === 0) return { body: Uint8Array.from(Buffer.concat(parts)), length: end };
    at = end;
  }
}
