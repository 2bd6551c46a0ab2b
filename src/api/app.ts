/** What the server is: a function from request to response. The process around it is `server.ts`. */
import type { StoredRecord } from "../catalog/store.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import { attempt, then } from "../lib/awaitable.ts";
import { type Day, dayOf } from "../onix/date.ts";
import type { Asked, FieldsOf } from "../server/request.ts";
import type { Ready, Reply } from "../server/response.ts";
import type { Authenticator } from "./auth/auth-result.ts";
import { Turns } from "./cache/freshness.ts";
import { Kept } from "./cache/response-cache.ts";
import { type Catalog, translations } from "./endpoints.ts";
import { internal, methodNotAllowed, notAcceptable, notFound, unauthorized, unavailable } from "./errors.ts";
import { type Description, openApiDocument } from "./openapi/document.ts";
import type { RateLimit } from "./rate-limit.ts";
import { givenId, requestIds } from "./request-id.ts";
import { Cors } from "./response/cors.ts";
import { acceptsJson, type CodingChoice, chooseCoding } from "./response/negotiation.ts";
import { Responder } from "./response/responder.ts";
import { Constant } from "./response/static-content.ts";
import { Router, targetOf } from "./router.ts";
import { ROUTES, type Route } from "./routes.ts";
import { guard, guarded, type Readable, StoreUnavailable } from "./store-errors.ts";

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
  readonly store: Readable;
  readonly gate: Authenticator;
  /** For answers that are asked for often, in bytes; 0: none is kept. */
  readonly cache?: number | undefined;
  /** `*`, or the origins that may read from a page, separated by commas. */
  readonly cors?: string | undefined;
  /** Shared with the gate. */
  readonly turns?: Turns | undefined;
  readonly translations: StoredRecord;
  /** By path. */
  readonly pages?: ReadonlyMap<string, Page> | undefined;
  /** In UTC. */
  readonly today?: (() => Day) | undefined;
  /** For each token; undefined: none. */
  readonly rate?: RateLimit | undefined;
  /** Called for each 500 and 503, and for each list that broke off. */
  readonly onError: (error: unknown, request: FailedRequest) => void;
}

export type App = (asked: Asked) => Awaitable<Reply | Ready>;

/** 48 MB: some 10,000 records of the usual size, or a list of as many. */
export const CACHE_BYTES = 48 * 1024 * 1024;

/** What the fields of a request say, once for all requests of a connection that have the same. */
interface Client {
  readonly authorization: string | null;
  readonly condition: string | null;
  /** Undefined: nothing that we have is acceptable. */
  readonly choice: CodingChoice | undefined;
  readonly acceptsJson: boolean;
  /** What answers depend on beside their target. */
  readonly variant: string;
  /** It was let in before, and asked for what we have: only the token is to be asked about again. */
  known: boolean;
}

export function createApp(options: AppOptions): App {
  const { gate, rate, onError } = options;
  const responder = new Responder(new Cors(options.cors));
  const router = routerOf(options);
  const ids = requestIds();
  const turns = options.turns ?? new Turns();
  const clients = new WeakMap<FieldsOf, Client>();
  const catalog: Catalog = {
    store: guarded(options.store),
    translations: new Constant(options.translations.body, options.translations.etag),
    today: options.today ?? (() => dayOf(new Date())),
  };
  const kept = new Kept(catalog.store, catalog.today, turns, options.cache ?? CACHE_BYTES);

  function report(asked: Asked, error: unknown): string {
    asked.id ??= ids();
    const failed = { id: asked.id, method: asked.method, path: targetOf(asked.target).path };
    onError(error instanceof StoreUnavailable ? error.cause : error, failed);
    return failed.id;
  }

  function clientOf(asked: Asked): Client {
    const { headers } = asked;
    let client = clients.get(headers);
    if (client === undefined) {
      const choice = chooseCoding(headers.get("accept-encoding"));
      client = {
        authorization: headers.get("authorization"),
        condition: headers.get("if-none-match"),
        choice,
        acceptsJson: acceptsJson(headers.get("accept")),
        variant: choice === undefined ? "" : responder.variant(asked, choice),
        known: false,
      };
      clients.set(headers, client);
    }
    return client;
  }

  /** The way of most requests: of a client that is known, for an answer that is kept. Undefined: the long way. */
  function again(asked: Asked): Ready | undefined {
    const client = clients.get(asked.headers);
    if (client === undefined || !client.known || rate || asked.method !== "GET") return undefined;
    const verdict = gate.authenticate(client.authorization);
    if (verdict instanceof Promise || !verdict.ok) return undefined;
    const found = kept.find(client.variant + asked.target);
    if (found === undefined) return undefined;
    asked.route = found.route;
    asked.caller = verdict.caller;
    asked.kept = true;
    return found.answer(client.condition);
  }

  function answer(asked: Asked): Awaitable<Reply | Ready> {
    const { method } = asked;
    const { path, query } = targetOf(asked.target);
    const match = router.match(path);
    if (!match) return responder.problem(asked, notFound);
    const { route, parameter } = match;
    asked.route = route instanceof Constant ? "page" : route.id;
    if (method === "OPTIONS") return responder.options(asked);
    if (method !== "GET" && method !== "HEAD") return responder.problem(asked, methodNotAllowed);
    const client = clientOf(asked);
    if (route instanceof Constant) return page(asked, route, client);
    const verdict = guard(() => gate.authenticate(client.authorization));
    return then(verdict, (verdict) => {
      if (!verdict.ok) return responder.problem(asked, unauthorized(verdict.challenge));
      asked.caller = verdict.caller;
      if (rate) {
        const allowance = rate.take(verdict.caller, performance.now());
        if (!allowance.allowed) return responder.problem(asked, rate.refusal(allowance));
        asked.more += rate.lines(allowance);
      }
      return admitted(asked, route, parameter, query, client);
    });
  }

  function admitted(asked: Asked, route: Route, parameter: string, query: string, client: Client) {
    if (!client.acceptsJson) return responder.problem(asked, notAcceptable.type);
    const { choice } = client;
    if (!choice) return responder.problem(asked, notAcceptable.coding);
    client.known = true;
    const key = client.variant + asked.target;
    // Translations are no matter of the store: they are there when it is not.
    const state = route.endpoint === translations ? undefined : kept.state();
    const found = state && kept.find(key);
    if (found) {
      asked.kept = true;
      return found.answer(client.condition);
    }
    const keeping = state && kept.wants(key) ? { kept, key, state } : undefined;
    return then(route.endpoint(catalog, parameter, query), (answer) =>
      responder.respond(asked, answer, choice, (error) => report(asked, error), keeping),
    );
  }

  /** A browser asks for a script with an Accept of its own making: pages go out as what they are. */
  function page(asked: Asked, constant: Constant, { choice }: Client): Awaitable<Reply | Ready> {
    if (!choice) return responder.problem(asked, notAcceptable.coding);
    return responder.respond(asked, constant, choice, () => {});
  }

  function failed(asked: Asked, error: unknown): Reply {
    const id = report(asked, error);
    // It has the id of its own.
    asked.more = asked.more.replace(returned(id), "");
    return responder.problem(asked, error instanceof StoreUnavailable ? unavailable(id) : internal(id));
  }

  function respond(asked: Asked): Awaitable<Reply | Ready> {
    const given = givenId(asked.headers.get("x-request-id"));
    if (given !== undefined) {
      asked.id = given;
      asked.more = returned(given);
    }
    try {
      const ready = again(asked);
      if (ready) return ready;
    } catch {
      // The long way fails again, and reports it.
    }
    return attempt(
      () => answer(asked),
      (error) => failed(asked, error),
    );
  }

  return (asked) => {
    const reply = respond(asked);
    if (asked.outOfTurn) turns.end();
    return reply;
  };
}

/** The client's own id of a request stands on every answer to it. */
function returned(id: string): string {
  return `X-Request-Id: ${id}\r\n`;
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
