/** Runs an app on Bun.serve: the oracle of the differential test. */
import type { App, Handled } from "../app.ts";
import { Request } from "../request.ts";
import { isStreamed, SerializedResponse, type Response as ServerResponse } from "../response.ts";
import { requestHeaders } from "./inject.ts";
import { headLines, parseFields } from "./socket.ts";

export interface BunServer {
  readonly port: number;
  stop(): Promise<void>;
}

export function serveOnBun<Info>(app: App<Info>, port = 0): BunServer {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const headers = requestHeaders(Object.fromEntries(request.headers));
      const handled = await app.handle(new Request(request.method, pathname + search, headers));
      // The oracle does not limit its memory.
      handled.lease?.release();
      return toWebResponse(request.method, handled);
    },
    error: () => toWebResponse("GET", { response: app.fail(), extraHeaders: "", info: undefined }),
  });
  return { port: server.port!, stop: () => server.stop(true) };
}

function toWebResponse<Info>(method: string, { response, extraHeaders }: Handled<Info>): Response {
  const { lines, body } =
    response instanceof SerializedResponse ? ofSerialized(response) : ofResponse(response);
  const headers = parseFields(headLines(lines + extraHeaders));
  if (method === "HEAD" || body === undefined) {
    if (body instanceof Uint8Array) headers.set("content-length", String(body.length));
    return new Response(null, { status: response.status, headers });
  }
  return new Response(body as Uint8Array<ArrayBuffer> | ReadableStream, { status: response.status, headers });
}

function ofResponse({ headers, body }: ServerResponse): {
  lines: string;
  body: Uint8Array | ReadableStream | undefined;
} {
  if (!isStreamed(body)) return { lines: headers, body };
  const { stream, onFailure } = body;
  if (!stream) return { lines: headers, body: undefined };
  return {
    lines: headers,
    body: new ReadableStream({
      async pull(controller) {
        try {
          const chunk = await stream.next();
          if (chunk) controller.enqueue(chunk.slice());
          else {
            stream.close();
            controller.close();
          }
        } catch (error) {
          onFailure(error);
          stream.close();
          controller.error(error);
        }
      },
      cancel: () => stream.close(),
    }),
  };
}

/** The bytes of a cached response are shared: they are copied before the next request can change their date. */
function ofSerialized(response: SerializedResponse): { lines: string; body: Uint8Array | undefined } {
  const date = new Date().toUTCString();
  const head = Buffer.from(response.head(date)).toString("latin1");
  const lines = head.slice(head.indexOf("\r\n") + 2, -2);
  if (response.status === 304) return { lines, body: undefined };
  const start = Buffer.from(response.start(date).slice(head.length));
  return { lines, body: Buffer.concat([start, ...(response.longBody ?? [])]) };
}
