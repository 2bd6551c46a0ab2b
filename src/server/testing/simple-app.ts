import type { Awaitable } from "../../lib/awaitable.ts";
import type { App, ResponseLease } from "../app.ts";
import type { Request } from "../request.ts";
import { Response } from "../response.ts";
import { type RunningServer, type ServerOptions, startServer } from "../server.ts";

/** An app of one function, whose errors have no body. Its responses may hold a lease. */
export function simpleApp(
  handle: (request: Request) => Awaitable<Response>,
  lease?: ResponseLease,
): App<undefined> {
  let refused = 0;
  const wrap = (response: Response) => ({ response, extraHeaders: "", info: undefined, lease });
  return {
    handle(request) {
      const response = handle(request);
      return response instanceof Promise ? response.then(wrap) : wrap(response);
    },
    refuse: ({ status }) => ({
      response: new Response(status, "", new Uint8Array(0)),
      id: `refused-${++refused}`,
    }),
    fail: () => new Response(500, "", new Uint8Array(0)),
  };
}

/** Starts a server on a free port, which `await using` stops. */
export function startOnFreePort(
  app: App<undefined>,
  options: Partial<ServerOptions<undefined>> = {},
): RunningServer & AsyncDisposable {
  const server = startServer({ app, host: "127.0.0.1", port: 0, onError() {}, ...options });
  return Object.assign(server, { [Symbol.asyncDispose]: async () => void (await server.stop(0)) });
}
