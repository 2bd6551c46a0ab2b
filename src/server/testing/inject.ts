/** Calls an app without a socket: the request is parsed as the server parses it. */
import type { App, Handled } from "../app.ts";
import { ProtocolError, type Request, RequestHeaders } from "../request.ts";
import { RequestParser } from "../request-parser.ts";
import { isStreamed, type Response, SerializedResponse, type StreamedBody } from "../response.ts";
import { headLines, parseFields } from "./socket.ts";

interface InjectedRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
}

interface InjectedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** Rejects when a streamed body fails, as a client sees a connection that is cut. */
export async function inject<Info>(app: App<Info>, request: InjectedRequest): Promise<InjectedResponse> {
  // A request from a socket arrives in an event-loop tick of its own.
  await new Promise(setImmediate);
  const parsed = parseRequest(request);
  if (parsed instanceof ProtocolError)
    return readResponse(request.method, app.refuse(parsed, headOf(request)).response, "");
  let handled: Handled<Info>;
  try {
    handled = await app.handle(parsed);
  } catch {
    return readResponse(request.method, app.fail(), "");
  }
  try {
    return await readResponse(request.method, handled.response, handled.extraHeaders);
  } finally {
    handled.lease?.release();
  }
}

function headOf({ method, target, headers }: InjectedRequest): string {
  const lines = [`${method} ${target} HTTP/1.1`, "host: x"];
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
}

export function parseRequest(injected: InjectedRequest): Request | ProtocolError {
  const request = new RequestParser().parse(headOf(injected));
  if (request === undefined) throw new Error("The request has no end");
  return request;
}

/** Reads a response to its end. Content-Length and Transfer-Encoding are those that the server would send. */
export async function readResponse(
  method: string,
  response: Response | SerializedResponse,
  extraHeaders: string,
): Promise<InjectedResponse> {
  const { headers, body } = await contentOf(response, method === "HEAD");
  for (const [name, value] of linesToHeaders(extraHeaders)) headers.append(name, value);
  return { status: response.status, headers, body };
}

async function contentOf(response: Response | SerializedResponse, omitBody: boolean) {
  if (response instanceof SerializedResponse) return serializedContent(response, omitBody);
  const headers = linesToHeaders(response.headers);
  const { body } = response;
  if (body === undefined) return { headers, body: NO_BODY };
  if (isStreamed(body)) {
    headers.set("transfer-encoding", "chunked");
    if (omitBody) body.stream?.close();
    return { headers, body: omitBody ? NO_BODY : await readStream(body) };
  }
  headers.set("content-length", String(body.length));
  return { headers, body: omitBody ? NO_BODY : body };
}

function serializedContent(response: SerializedResponse, omitBody: boolean) {
  const date = new Date(0).toUTCString();
  const head = Buffer.from(response.head(date)).toString("latin1");
  const headers = linesToHeaders(head.slice(head.indexOf("\r\n") + 2));
  headers.delete("date");
  if (omitBody) return { headers, body: NO_BODY };
  const start = Buffer.from(response.start(date).subarray(head.length));
  return { headers, body: Buffer.concat([start, ...(response.longBody ?? [])]) };
}

/** Reads as the server does: it reports a failure and closes the stream in any case. */
async function readStream({ stream, onFailure }: StreamedBody): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  if (!stream) return NO_BODY;
  try {
    // A chunk is only valid until the next one. `slice` of a Buffer would not copy it.
    for (let chunk = await stream.next(); chunk; chunk = await stream.next())
      chunks.push(new Uint8Array(chunk));
  } catch (error) {
    onFailure(error);
    throw error;
  } finally {
    stream.close();
  }
  return Buffer.concat(chunks);
}

const NO_BODY = new Uint8Array(0);

function linesToHeaders(lines: string): Headers {
  return parseFields(headLines(lines));
}

/** Builds headers from names and values. */
export function requestHeaders(fields: Readonly<Record<string, string>>): RequestHeaders {
  const lines = Object.entries(fields).map(([name, value]) => `\r\n${name}: ${value}`);
  const headers = RequestHeaders.parse(lines.join(""));
  if (headers instanceof RequestHeaders) return headers;
  throw new RangeError(`The header fields are ${headers}`);
}
