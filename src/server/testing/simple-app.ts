import type { Awaitable } from "../../lib/awaitable.ts";
import type { App, ResponseLease } from "../app.ts";
import type { Request } from "../request.ts";
import { Response } from "../response.ts";

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
