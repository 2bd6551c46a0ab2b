/**
 * The path of a request:
 *
 *     accept         server/server.ts
 *     parse          server/connection.ts, server/request-parser.ts
 *     route          route-tables.ts, router.ts, routes.ts     ┐
 *     authenticate   auth/authenticator.ts                     │
 *     rate limit     rate-limit.ts                             │
 *     negotiate      client-headers.ts                         │
 *     cache          cache/response-cache.ts, freshness.ts     │ `handle`, below
 *     endpoint       endpoints.ts, parameters.ts               │
 *     store          catalog/store.ts, stores/                 │
 *     respond        response/responder.ts                     ┘
 *     send           server/connection.ts, server/output/response-writer.ts
 *
 * Each step either returns a response or leads to the next one. With the embedded store a lookup is synchronous, once
 * its token is known.
 */
import type { ReadableStore, StoredRecord } from "../catalog/store.ts";
import type { Caller } from "../catalog/token-registry.ts";
import { type Awaitable, then } from "../lib/awaitable.ts";
import { noteGarbage } from "../lib/young-garbage.ts";
import { type Day, utcDay } from "../onix/date.ts";
import type { App, Handled, ResponseLease } from "../server/app.ts";
import { listQueue } from "../server/output/fair-queue.ts";
import type { Request } from "../server/request.ts";
import type { Response, SerializedResponse } from "../server/response.ts";
import type { Authenticator, AuthResult } from "./auth/auth-result.ts";
import { FailedTokens } from "./auth/failed-tokens.ts";
import { ResponseCache } from "./cache/response-cache.ts";
import { type ClientHeaders, ClientHeadersReader } from "./client-headers.ts";
import type { EndpointContext } from "./endpoints.ts";
import {
  ApiError,
  internalError,
  keysUnavailable,
  methodNotAllowed,
  notAcceptable,
  tooManyLists,
  tooManyRequestsOfClient,
  unauthorized,
  unavailable,
} from "./errors.ts";
import { chooseFormat, type FormatChoice, formatNotOffered, hasFormatWish } from "./formats/format-choice.ts";
import { FORMAT_BYTES, inFormat } from "./formats/formatted-result.ts";
import { CatalogFreshness, TickClock } from "./freshness.ts";
import { ListTotals } from "./paging/list-totals.ts";
import { bucketName } from "./rate-buckets.ts";
import type { RateLimit } from "./rate-limit.ts";
import { requestIdGenerator } from "./request-id.ts";
import { ENCODER_BYTES } from "./response/content-coding.ts";
import { Cors } from "./response/cors.ts";
import { JsonArray } from "./response/json-array.ts";
import { NotFound } from "./response/not-found.ts";
import { Refusals } from "./response/refusals.ts";
import { type EndpointResult, preflight, problem, respond, respondWithStatic } from "./response/responder.ts";
import { StaticContent } from "./response/static-content.ts";
import { createRouter, type PageOptions, PageTable } from "./route-tables.ts";
import { type RouteMatch, splitTarget } from "./router.ts";
import type { Route } from "./routes.ts";
import { asStoreError, StoreUnavailable, withStoreErrors } from "./store-errors.ts";
import { DEFAULT_STREAM_BYTES, StreamBudget } from "./stream-budget.ts";

/** What the app reports about a request, for the log. */
export interface RequestInfo {
  /** The id of the endpoint, or "page"; undefined when the path is neither. */
  readonly route: string | undefined;
  /** Is undefined before the token is accepted. */
  readonly caller: Caller | undefined;
  readonly cacheHit: boolean;
  /** Is undefined when neither the client nor an error has named the request. */
  readonly id: string | undefined;
}

/** A request that failed, for the log: `id` is in its response. */
export interface FailedRequest {
  readonly id: string;
  /** The address of the client. */
  readonly client: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The id of the endpoint. */
  readonly route: string;
}

export interface AppOptions extends PageOptions {
  readonly store: ReadableStore;
  readonly authenticator: Authenticator;
  /** The budget of the response cache; 0 turns it off. */
  readonly cacheBytes?: number | undefined;
  /** The memory of all lists in flight together. */
  readonly streamBudget?: StreamBudget | undefined;
  /** `*`, or the web origins that may read, separated by commas. */
  readonly cors?: string | undefined;
  /** Is shared with the authenticator. */
  readonly ticks?: TickClock | undefined;
  readonly translations: StoredRecord;
  /** Returns today's date in UTC. */
  readonly today?: (() => Day) | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly failedTokens?: FailedTokens | undefined;
  /** Is called for each 500 and 503, and for each list that was cut off. */
  readonly onError: (error: unknown, request: FailedRequest) => void;
}

/** About 10,000 records of the usual size, or one list of as many. */
export const DEFAULT_CACHE_BYTES = 40 * 1024 * 1024;

/** The objects of a request, its text and that of its response. Measured, roughly. */
const REQUEST_GARBAGE_BYTES = 1500;

/** The memory of a list in flight, measured: its buffers, and the pages that a remote store reads ahead. */
const EMBEDDED_LIST_BYTES = 128 * 1024;
const REMOTE_LIST_BYTES = 384 * 1024;

type AnyResponse = Response | SerializedResponse;

/** One request in flight. Only this file writes to it. */
class Exchange implements RequestInfo {
  route: string | undefined;
  caller: Caller | undefined;
  cacheHit = false;
  id: string | undefined;
  rateLimitHeaders = "";
  hasFailed = false;
  lease: ResponseLease | undefined;

  constructor(
    readonly request: Request,
    readonly client: ClientHeaders,
  ) {
    this.id = client.requestId;
  }
}

export function createApp(options: AppOptions): App<RequestInfo> {
  const { authenticator, rateLimit, failedTokens = new FailedTokens(), onError } = options;
  const cors = new Cors(options.cors);
  const clients = new ClientHeadersReader(cors);
  const router = createRouter();
  const pages = new PageTable(options);
  const notFound = new NotFound(clients, options.notFoundPage);
  const nextRequestId = requestIdGenerator();
  const refusals = new Refusals(cors, clients, nextRequestId);
  const ticks = options.ticks ?? new TickClock();
  const context: EndpointContext = {
    store: withStoreErrors(options.store),
    totals: new ListTotals(),
    translations: new StaticContent(options.translations.body, options.translations.etag),
    today: options.today ?? (() => utcDay(new Date())),
  };
  const cache = createCache(context, ticks, options.cacheBytes ?? DEFAULT_CACHE_BYTES);
  const budget = options.streamBudget ?? new StreamBudget({ maxBytes: DEFAULT_STREAM_BYTES });
  const bytesOfList = context.store.lookupTransaction ? EMBEDDED_LIST_BYTES : REMOTE_LIST_BYTES;

  function handle(request: Request): Awaitable<Handled<RequestInfo>> {
    noteGarbage(REQUEST_GARBAGE_BYTES);
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
    const result = asStoreError(() => authenticator.authenticate(authorization));
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
    return lookUp(exchange, match, query);
  }

  function limitRate(exchange: Exchange, caller: Caller): ApiError | undefined {
    if (!rateLimit) return undefined;
    const allowance = rateLimit.take(caller, performance.now());
    if (!allowance.allowed) return rateLimit.error(allowance);
    exchange.rateLimitHeaders = rateLimit.headerLines(allowance);
    return undefined;
  }

  /** Responds from the cache, or else from the endpoint. */
  function lookUp(
    exchange: Exchange,
    { route, parameter }: RouteMatch<Route>,
    query: string,
  ): Awaitable<AnyResponse> {
    const { request, client } = exchange;
    const { coding, acceptedTypes } = client;
    const choice =
      route.formats && hasFormatWish(acceptedTypes, query)
        ? chooseFormat(route.formats, acceptedTypes, query)
        : undefined;
    if (choice instanceof ApiError) return problem(client.commonHeaders, choice);
    const isAcceptable = choice !== undefined || acceptedTypes.json;
    if (!isAcceptable && !acceptedTypes.problem)
      return problem(client.commonHeaders, typeNotAcceptable(route));
    if (!coding) return problem(client.commonHeaders, notAcceptable.coding);
    const usableCache = route.skipsCache || !isAcceptable ? undefined : cache;
    const key = client.cacheVariant + (choice ? formatKey(choice) : "") + request.target;
    const cached = usableCache?.find(key);
    if (cached) {
      exchange.cacheHit = true;
      exchange.lease = cached.lease();
      return cached.respond(client.ifNoneMatch);
    }
    const slot = usableCache?.slotAfterMiss(key);
    const onFailure = (error: unknown) => report(exchange, error);
    const responseContext = {
      method: request.method,
      client: choice?.variesByAccept ? clients.varyingByAccept(client) : client,
      coding,
      slot,
      onFailure,
    };
    const execute = () =>
      then(route.endpoint(context, parameter, query, choice), (result) => {
        if (!choice) return respond(isAcceptable ? result : errorOnly(result), responseContext);
        return then(inFormat(result, choice, context.today()), (formatted) =>
          respond(formatted, responseContext),
        );
      });
    if (!route.isList) return execute();
    const bytes =
      bytesOfList +
      ENCODER_BYTES[coding.coding ?? "identity"] +
      FORMAT_BYTES[choice?.format ?? "json"] +
      extraBytesOf(route, query);
    return then(
      budget.acquire(bucketName(exchange.caller!), bytes, () => request.isAbandoned),
      (lease) => {
        if (!lease) return problem(client.commonHeaders, tooManyLists);
        exchange.lease = lease;
        // Beginning a list takes as long as a chunk of it, so hundreds that begin at once wait for each other.
        return listQueue.run(() => (request.isAbandoned ? abandoned(client) : execute()));
      },
    );
  }

  /** An import can change messages of ONIX, and leave the revision of the catalog as it is. */
  function formatKey({ format, cacheKey }: FormatChoice): string {
    if (format !== "xml" || !cache) return cacheKey;
    return `${cacheKey}${context.store.lookupTransaction?.lastImportId()} `;
  }

  function fail(exchange: Exchange, error: unknown): Response {
    report(exchange, error);
    const apiError = error instanceof StoreUnavailable ? unavailable : internalError;
    return problem(exchange.client.commonHeaders, apiError);
  }

  function report(exchange: Exchange, error: unknown): void {
    exchange.id ??= nextRequestId();
    const { method, target, client } = exchange.request;
    const { id, route = "unknown" } = exchange;
    const cause = error instanceof StoreUnavailable ? error.cause : error;
    onError(cause, { id, client, method, path: splitTarget(target).path, route });
  }

  /** Every error has an id, and every response the id that the client chose. */
  function handled(exchange: Exchange, response: AnyResponse): Handled<RequestInfo> {
    if (response.status >= 400) exchange.id ??= nextRequestId();
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

/** Responds to a client that has left while its list waited to begin. Nobody receives it. */
function abandoned({ commonHeaders }: ClientHeaders): Response {
  return problem(commonHeaders, tooManyLists);
}

function typeNotAcceptable({ formats }: Route): ApiError {
  return formats ? formatNotOffered(formats) : notAcceptable.type;
}

/** A page of a list is read by its ISBNs, as /api/isbns is. The name of the parameter may be percent-encoded. */
function extraBytesOf({ extraListBytes, extraPageBytes }: Route, query: string): number {
  return extraListBytes ?? (extraPageBytes !== undefined && /limit=|%/.test(query) ? extraPageBytes : 0);
}

/** RFC 9110 §12.5.1: for a client that accepts errors only, an error is the response, and anything else is 406. */
function errorOnly(result: EndpointResult): ApiError {
  if (result instanceof ApiError) return result;
  if (result instanceof JsonArray) result.snapshot.close();
  return notAcceptable.type;
}

/** The cache needs a store that tells its revision synchronously: another one is queried just as fast for the response. */
function createCache(
  { store, today }: EndpointContext,
  ticks: TickClock,
  budgetBytes: number,
): ResponseCache | undefined {
  if (store.lookupTransaction === undefined || budgetBytes === 0) return undefined;
  return new ResponseCache(new CatalogFreshness(store.lookupTransaction, today, ticks), budgetBytes);
}
