/** What the server is: a function from request to response. The process around it is `server.ts`. */
import type { Maybe, Store, StoredRecord } from "../catalog/port.ts";
import { type Day, dayOf } from "../onix/day.ts";
import type { Gate } from "./auth/verdict.ts";
import { Constant } from "./constant.ts";
import { Cors } from "./cors.ts";
import type { Catalog } from "./endpoints.ts";
import {
  internal,
  methodNotAllowed,
  notAcceptable,
  notFound,
  twoHosts,
  unauthorized,
  unavailable,
} from "./errors.ts";
import { guard, guarded, StoreFailure } from "./guarded.ts";
import { attempt, then } from "./maybe.ts";
import { acceptsJson, chooseCoding } from "./negotiation.ts";
import { type Description, openApiDocument } from "./openapi.ts";
import { Responder } from "./response.ts";
import { type Match, Router, targetOf } from "./router.ts";
import { ROUTES, type Route } from "./routes.ts";

/** A file that is served as it is, without a token. */
export interface Page {
  readonly body: Uint8Array;
  readonly type: string;
  readonly etag: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that failed, for the log: `id` is what the client was told. */
export interface FailedRequest {
  readonly id: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
}

export interface AppOptions extends Description {
  readonly store: Pick<Store, "record" | "view">;
  readonly gate: Gate;
  /** `*`, or the origins that may read from a page, separated by commas. */
  readonly cors?: string | undefined;
  readonly translations: StoredRecord;
  /** By path. */
  readonly pages?: ReadonlyMap<string, Page> | undefined;
  /** In UTC. */
  readonly today?: (() => Day) | undefined;
  /** Called for each 500 and 503, and for each list that broke off. */
  readonly onError: (error: unknown, request: FailedRequest) => void;
}

export type App = (request: Request) => Maybe<Response>;

export function createApp(options: AppOptions): App {
  const { gate, onError } = options;
  const responder = new Responder(new Cors(options.cors));
  const router = routerOf(options);
  const ids = requestIds();
  const catalog: Catalog = {
    store: guarded(options.store),
    translations: new Constant(options.translations.body, options.translations.etag),
    today: options.today ?? (() => dayOf(new Date())),
  };

  function report(request: Request, error: unknown): string {
    const failed = { id: ids(), method: request.method, path: targetOf(request.url).path };
    onError(error instanceof StoreFailure ? error.cause : error, failed);
    return failed.id;
  }

  function answer(request: Request): Maybe<Response> {
    const { path, query } = targetOf(request.url);
    const { headers, method } = request;
    // RFC 9112, 3.2: the runtime joins two Hosts with a comma.
    if (headers.get("host")?.includes(",")) return responder.problem(request, twoHosts);
    const match = router.match(path);
    if (!match) return responder.problem(request, notFound);
    if (method === "OPTIONS") return responder.options(request);
    if (method !== "GET" && method !== "HEAD") return responder.problem(request, methodNotAllowed);
    const { route } = match;
    if (route instanceof Constant) return page(request, route);
    return then(
      guard(() => gate.admit(headers.get("authorization"))),
      (verdict) =>
        verdict.ok
          ? admitted(request, route, match, query)
          : responder.problem(request, unauthorized(verdict.challenge)),
    );
  }

  function admitted(request: Request, route: Route, { parameter }: Match<unknown>, query: string) {
    const { headers } = request;
    if (!acceptsJson(headers.get("accept"))) return responder.problem(request, notAcceptable.type);
    const choice = chooseCoding(headers.get("accept-encoding"));
    if (!choice) return responder.problem(request, notAcceptable.coding);
    return then(route.endpoint(catalog, parameter, query), (answer) =>
      responder.respond(request, answer, choice, (error) => report(request, error)),
    );
  }

  /** A browser asks for a script with an Accept of its own making: pages go out as what they are. */
  function page(request: Request, constant: Constant): Maybe<Response> {
    const choice = chooseCoding(request.headers.get("accept-encoding"));
    if (!choice) return responder.problem(request, notAcceptable.coding);
    return responder.respond(request, constant, choice, () => {});
  }

  function failed(request: Request, error: unknown): Response {
    const id = report(request, error);
    return responder.problem(request, error instanceof StoreFailure ? unavailable(id) : internal(id));
  }

  return (request) =>
    attempt(
      () => answer(request),
      (error) => failed(request, error),
    );
}

function routerOf(options: AppOptions): Router<Route | Constant> {
  const router = new Router<Route | Constant>();
  for (const route of ROUTES) router.add(route.path, route);
  router.add("/openapi.json", descriptionOf(options));
  for (const [path, { body, etag, type, headers }] of options.pages ?? []) {
    router.add(path, new Constant(body, etag, type, { ...PAGE_HEADERS, ...headers }));
  }
  return router;
}

/** Pages are the same for everyone, and change only with Colophon. */
const PAGE_HEADERS = { "Cache-Control": "no-cache" };

function descriptionOf(description: Description): Constant {
  const body = new TextEncoder().encode(JSON.stringify(openApiDocument(description)));
  const etag = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 32);
  return new Constant(body, etag, "application/json", PAGE_HEADERS);
}

/** Unlike those of another process, and in order within one. */
function requestIds(): () => string {
  const process = crypto.randomUUID().slice(0, 8);
  let count = 0;
  return () => `${process}-${++count}`;
}
