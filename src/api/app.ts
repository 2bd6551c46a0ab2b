/**
 * The path of a request:
 *
 *     accept         server/server.ts
 *     parse          server/connection.ts, server/request-parser.ts
 *     route          route-tables.ts, router.ts, routes.ts     ┐
 *     authenticate   auth/authenticator.ts                     │
 *     rate limit     rate/rate-limit.ts                        │
 *     negotiate      client-headers.ts                         │
 *     cache          catalog-request.ts, cache/response-cache  │ `handle`, below
 *     parameters     parameters/                               │
 *     admit          stream-budget.ts (lists, large books)     │
 *     endpoint       endpoints.ts                              │
 *     store          catalog/store.ts, stores/                 │
 *     respond        response/responder.ts                     ┘
 *     send           server/connection.ts, server/output/response-writer.ts
 *
 * Each step either returns a response or leads to the next one. With the embedded store a lookup is synchronous, once
 * its token is known.
 */
import type { ReadableStore, StoredRecord } from "../catalog/store.ts";
import { SnapshotExpired, StoreError } from "../catalog/store-errors.ts";
import { SubjectReader } from "../catalog/subjects/subject-labels.ts";
import type { Caller } from "../catalog/token-registry.ts";
import { type Awaitable, then } from "../lib/awaitable.ts";
import { noteRequest } from "../lib/young-garbage.ts";
import { type Day, utcDay } from "../onix/date.ts";
import type { App, Handled } from "../server/app.ts";
import type { Request } from "../server/request.ts";
import type { Response } from "../server/response.ts";
import type { Authenticator, AuthResult } from "./auth/authenticator.ts";
import { createCatalogRequestHandler } from "./catalog-request.ts";
import { ClientHeadersReader, randomRequestId } from "./client-headers.ts";
import {
  type ApiError,
  internalError,
  keysUnavailable,
  methodNotAllowed,
  notAcceptable,
  tooManyRequestsOfClient,
  unauthorized,
  unavailable,
} from "./errors.ts";
import { type AnyResponse, Exchange, type FailedRequest, type RequestInfo } from "./exchange.ts";
import { TickClock } from "./freshness.ts";
import { ListTotals } from "./paging/page.ts";
import { FailedTokens, type RateLimit } from "./rate/rate-limit.ts";
import { StaticContent } from "./response/content-coding.ts";
import { Cors } from "./response/cors.ts";
import { NotFound, Refusals } from "./response/refusals.ts";
import { preflight, problem, respondWithStatic } from "./response/responder.ts";
import type { EndpointContext, Route } from "./route.ts";
import { createRouter, type PageOptions, PageTable } from "./route-tables.ts";
import { type RouteMatch, splitTarget } from "./router.ts";
import { NewestLabels } from "./search/newest-labels.ts";
import { DEFAULT_STREAM_BYTES, StreamBudget } from "./stream-budget.ts";

export interface AppOptions extends PageOptions {
  /** Throws errors of the port only, as does the token registry of the authenticator: see `instrumentStore`. */
  readonly store: ReadableStore;
  readonly authenticator: Authenticator;
  /** The budget of the response cache; 0 turns it off. */
  readonly cacheBytes?: number | undefined;
  /** The memory of all lists in flight together. */
  readonly streamBudget?: StreamBudget | undefined;
  /** `*`, or the web origins that may read, separated by commas. */
  readonly cors?: string | undefined;
  /** Shared with the authenticator. */
  readonly ticks?: TickClock | undefined;
  readonly translations: StoredRecord;
  /** Returns today's date in UTC. */
  readonly today?: (() => Day) | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly failedTokens?: FailedTokens | undefined;
  /** Called for each 500 and 503, and for each list that was cut off. */
  readonly onError: (error: unknown, request: FailedRequest) => void;
}

/** About 10,000 records of the usual size, or one list of as many. */
export const DEFAULT_CACHE_BYTES = 40 * 1024 * 1024;

export function createApp(options: AppOptions): App<RequestInfo> {
  const { authenticator, rateLimit, failedTokens = new FailedTokens(), onError } = options;
  const cors = new Cors(options.cors);
  const clients = new ClientHeadersReader(cors);
  const router = createRouter();
  const pages = new PageTable(options);
  const notFound = new NotFound(clients, options.notFoundPage);
  const refusals = new Refusals(cors, clients);
  const ticks = options.ticks ?? new TickClock();
  const context: EndpointContext = {
    store: options.store,
    totals: new ListTotals(),
    newestLabels: new NewestLabels(),
    translations: new StaticContent(options.translations.body, options.translations.etag),
    subjects: new SubjectReader(options.store.subjects),
    today: options.today ?? (() => utcDay(new Date())),
  };
  const handleCatalogRequest = createCatalogRequestHandler({
    context,
    clients,
    ticks,
    cacheBytes: options.cacheBytes ?? DEFAULT_CACHE_BYTES,
    budget: options.streamBudget ?? new StreamBudget({ maxBytes: DEFAULT_STREAM_BYTES }),
    report,
  });

  function handle(request: Request): Awaitable<Handled<RequestInfo>> {
    noteRequest();
    const exchange = new Exchange(request, clients.read(request.headers));
    let response: Awaitable<AnyResponse>;
    try {
      response = route(exchange);
    } catch (error) {
      response = fail(exchange, error);
    }
    if (request.isDeferred) ticks.end();
    if (!(response instanceof Promise)) return handled(exchange, response);
    return response.catch((error) => fail(exchange, error)).then((late) => handled(exchange, late));
  }

  function route(exchange: Exchange): Awaitable<AnyResponse> {
    const { request, client } = exchange;
    if (request.isBeyondLimit) return problem(client.commonHeaders, tooManyRequestsOfClient);
    const { path, query } = splitTarget(request.target);
    const match = router.match(path);
    if (!match) return then(pages.find(path), (page) => respondWithPage(exchange, path, page));
    exchange.route = match.route.id;
    return otherMethod(exchange) ?? authenticate(exchange, match, query);
  }

  /** A browser requests a script with an Accept of its own making: pages do not look at it. */
  function respondWithPage(
    exchange: Exchange,
    path: string,
    page: StaticContent | undefined,
  ): Awaitable<Response> {
    const { client } = exchange;
    if (!page) return notFound.respond(client, exchange.request.method, path);
    exchange.route = "page";
    const response = otherMethod(exchange);
    if (response) return response;
    if (!client.coding) return problem(client.commonHeaders, notAcceptable.coding);
    return respondWithStatic(page, client, client.coding);
  }

  /** Returns the response to a method other than GET and HEAD. */
  function otherMethod({ request, client }: Exchange): Response | undefined {
    if (request.method === "GET" || request.method === "HEAD") return undefined;
    if (request.method === "OPTIONS") return preflight(client.commonHeaders);
    return problem(client.commonHeaders, methodNotAllowed);
  }

  function authenticate(exchange: Exchange, match: RouteMatch<Route>, query: string): Awaitable<AnyResponse> {
    const { authorization } = exchange.client;
    const result = authenticator.authenticate(authorization);
    return result instanceof Promise
      ? result.then((late) => authorize(exchange, late, match, query))
      : authorize(exchange, result, match, query);
  }

  function authorize(
    exchange: Exchange,
    auth: AuthResult,
    match: RouteMatch<Route>,
    query: string,
  ): Awaitable<AnyResponse> {
    const { client } = exchange;
    if (!auth.ok) {
      const error = auth.challenge === undefined ? keysUnavailable : unauthorized(auth.challenge);
      const response = problem(client.commonHeaders, error);
      const delay = client.authorization === null ? undefined : failedTokens.count(exchange.request.client);
      return delay ? delay.then(() => response) : response;
    }
    exchange.caller = auth.caller;
    const limited = limitRate(exchange, auth.caller);
    if (limited) return problem(client.commonHeaders, limited);
    return handleCatalogRequest(exchange, match, query);
  }

  function limitRate(exchange: Exchange, caller: Caller): ApiError | undefined {
    if (!rateLimit) return undefined;
    const allowance = rateLimit.take(caller, performance.now());
    if (!allowance.allowed) return rateLimit.error(allowance);
    exchange.rateLimitHeaders = rateLimit.headerLines(allowance);
    return undefined;
  }

  function fail(exchange: Exchange, error: unknown): Response {
    report(exchange, error);
    // A failure of the store is never a 404 or an empty list. A damaged record is 500: it stays so on the next try.
    const isUnavailable = error instanceof StoreError || error instanceof SnapshotExpired;
    return problem(exchange.client.commonHeaders, isUnavailable ? unavailable : internalError);
  }

  function report(exchange: Exchange, error: unknown): void {
    exchange.id ??= randomRequestId();
    const { method, target, client } = exchange.request;
    const { id, route = "unknown" } = exchange;
    const cause = error instanceof StoreError ? error.cause : undefined;
    onError(cause ?? error, { id, client, method, path: splitTarget(target).path, route });
  }

  /** Every error has an id, and every response the id that the client chose. */
  function handled(exchange: Exchange, response: AnyResponse): Handled<RequestInfo> {
    if (response.status >= 400) exchange.id ??= randomRequestId();
    const { id, rateLimitHeaders, lease } = exchange;
    const idHeader = id === undefined ? "" : `X-Request-Id: ${id}\r\n`;
    return { response, extraHeaders: idHeader + rateLimitHeaders, info: exchange, lease };
  }

  return {
    handle,
    refuse: (error, received) => refusals.refuse(error, received),
    fail: () => refusals.fail(),
  };
}
