/**
 * A request after its token: chooses the format, looks into the response cache, parses the parameters, waits for the
 * budget of lists, and runs the endpoint.
 */
import type { SubjectWords } from "../catalog/subjects/subject-labels.ts";
import { type Awaitable, then } from "../lib/awaitable.ts";
import { freeBuffer } from "../lib/free-buffer.ts";
import { listQueue } from "../server/output/fair-queue.ts";
import { ResponseCache } from "./cache/response-cache.ts";
import type { ClientHeadersReader } from "./client-headers.ts";
import { ApiError, badRequest, notAcceptable, tooManyLists } from "./errors.ts";
import type { AnyResponse, Exchange } from "./exchange.ts";
import { chooseFormat, type FormatChoice, formatNotOffered } from "./formats/format-choice.ts";
import { FORMAT_BYTES, inFormat, withChoice } from "./formats/formatted-result.ts";
import { CatalogFreshness, type TickClock } from "./freshness.ts";
import { ignoredParameters } from "./parameters/ignored-parameters.ts";
import { MAX_PARAMETERS, Query } from "./parameters/query.ts";
import { ENCODER_BYTES } from "./response/content-coding.ts";
import { JsonArray } from "./response/json-array.ts";
import { type EndpointResult, problem, RecordResult, respond } from "./response/responder.ts";
import type { EndpointContext, Route } from "./route.ts";
import type { RouteMatch } from "./router.ts";
import type { StreamBudget } from "./stream-budget.ts";
import { shaped, shapeOf } from "./summaries/shape-parameters.ts";

/**
 * The memory of a list in flight, measured as the peak of a process with 500 slow readers: what its client has not taken
 * of a chunk, its objects, and its part of the garbage. A remote store also reads pages ahead.
 */
const EMBEDDED_LIST_BYTES = 128 * 1024;
const REMOTE_LIST_BYTES = 384 * 1024;

/** The buffers of a socket take a body of this size. A larger one is held until its client has read it. */
const MAX_FREE_BYTES = 64 * 1024;

const tooManyParameters = badRequest(`The query has more than ${MAX_PARAMETERS} parameters.`);

interface CatalogRequestOptions {
  readonly context: EndpointContext;
  readonly clients: ClientHeadersReader;
  readonly ticks: TickClock;
  /** The budget of the response cache; 0 turns it off. */
  readonly cacheBytes: number;
  /** The memory of all lists in flight together. */
  readonly budget: StreamBudget;
  /** Called when a list fails while it is sent. */
  readonly report: (exchange: Exchange, error: unknown) => void;
}

/** `query` is without the question mark, as it was sent. */
type CatalogRequestHandler = (
  exchange: Exchange,
  match: RouteMatch<Route>,
  query: string,
) => Awaitable<AnyResponse>;

export function createCatalogRequestHandler(options: CatalogRequestOptions): CatalogRequestHandler {
  const { context, clients, ticks, cacheBytes, budget, report } = options;
  const { lookupTransaction } = context.store;
  const freshness = lookupTransaction && new CatalogFreshness(lookupTransaction, context.today, ticks);
  // The cache needs a store that tells its revision synchronously: another one is queried just as fast for the response.
  const cache = freshness && cacheBytes > 0 ? new ResponseCache(freshness, cacheBytes) : undefined;
  const bytesOfList = lookupTransaction ? EMBEDDED_LIST_BYTES : REMOTE_LIST_BYTES;

  function handle(
    exchange: Exchange,
    { route, parameter }: RouteMatch<Route>,
    queryText: string,
  ): Awaitable<AnyResponse> {
    const { request, client } = exchange;
    const { coding, acceptedTypes } = client;
    const query = Query.of(queryText);
    if (query.hasTooManyParameters) return problem(client.commonHeaders, tooManyParameters);
    const choice = route.formats && chooseFormat(route.formats, acceptedTypes, query);
    if (choice instanceof ApiError) return problem(client.commonHeaders, choice);
    const isAcceptable = choice !== undefined || acceptedTypes.json;
    if (!isAcceptable && !acceptedTypes.problem) {
      return problem(client.commonHeaders, typeNotAcceptable(route));
    }
    if (!coding) return problem(client.commonHeaders, notAcceptable.coding);
    const usableCache = route.skipsCache || !isAcceptable ? undefined : cache;
    const key = client.cacheVariant + (choice ? formatKey(choice) : "") + request.target;
    const cached = usableCache?.find(key);
    if (cached) {
      exchange.cacheHit = true;
      exchange.lease = cached.lease(exchange);
      return cached.respond(client.ifNoneMatch);
    }
    // Without a cache that asks for the state, the lookups of a tick share a read transaction all the same.
    if (!cache && !route.isList && !route.skipsCache) freshness?.current();
    const ignored = ignoredParameters(query, route);
    if (ignored instanceof ApiError) return problem(client.commonHeaders, ignored);
    const { ifNoneMatch, commonHeaders } = choice?.variesByAccept ? clients.varyingByAccept(client) : client;
    const receiver = { ifNoneMatch, commonHeaders: commonHeaders + ignored };
    const values = route.reader.read(parameter, query);
    if (values instanceof ApiError) return problem(receiver.commonHeaders, values);
    const format = choice?.format ?? "json";
    const shape = shapeOf(values, format);
    if (shape instanceof ApiError) return problem(receiver.commonHeaders, shape);
    const slot = usableCache?.slotAfterMiss(key);
    const onFailure = (error: unknown) => report(exchange, error);
    const responseContext = {
      method: request.method,
      client: receiver,
      coding,
      slot,
      onFailure,
    };
    const execute = () => {
      if (shape?.labels === undefined) return executeWith(undefined);
      return context.subjects.in(shape.labels).then(executeWith);
    };
    const takeMemory = (bytes: number) =>
      then(
        budget.acquire(exchange.key, bytes, () => request.isAbandoned),
        (lease) => {
          exchange.lease = lease;
          return lease ? undefined : tooManyLists;
        },
      );
    const executeWith = (words: SubjectWords | undefined): Awaitable<AnyResponse> =>
      then(route.endpoint(context, values, choice, exchange), (result) => {
        if (!exchange.lease && result instanceof RecordResult && result.record.body.length > MAX_FREE_BYTES) {
          const taken = takeMemory(result.record.body.length);
          if (taken instanceof Promise) {
            // What waits holds no body: it is read again.
            if (result.ownsBody) freeBuffer(result.record.body);
            return taken.then((error) =>
              error ? problem(receiver.commonHeaders, error) : executeWith(words),
            );
          }
          if (taken) return problem(receiver.commonHeaders, taken);
        }
        if (shape && isAcceptable) {
          const labelsVersion = context.translations.etag.slice(0, 8) + (words?.version ?? "");
          const itsFormat = format as "json" | "ndjson";
          return then(
            shaped(result, { ...shape, words }, itsFormat, labelsVersion, exchange.key),
            (summaries) => respond(choice ? withChoice(summaries, choice) : summaries, responseContext),
          );
        }
        if (!choice) return respond(isAcceptable ? result : errorOnly(result, route), responseContext);
        return then(inFormat(result, choice, context.today(), exchange.key), (formatted) =>
          respond(formatted, responseContext),
        );
      });
    // A large book waits for the thread that converts it, and many of them would fill the memory.
    const isConverted = shape !== undefined || format !== "json";
    if (!route.isList && !isConverted) return execute();
    const bytes =
      bytesOfList +
      (route.isList ? ENCODER_BYTES[coding.coding ?? "identity"] : 0) +
      (shape ? FORMAT_BYTES.csv : FORMAT_BYTES[format]) +
      (route.extraListBytes?.(values) ?? 0);
    exchange.takeListMemory = () => takeMemory(bytes);
    // Beginning a list takes as long as a chunk of it, so hundreds that begin at once wait for each other.
    // Nobody receives the response to a client that has left meanwhile.
    const left = () => problem(client.commonHeaders, tooManyLists);
    const begin = () => listQueue.run(() => (request.isAbandoned ? left() : execute()), exchange.key);
    if (route.takesListMemory) return begin();
    return then(exchange.takeListMemory(), (error) =>
      error ? problem(client.commonHeaders, error) : begin(),
    );
  }

  /** An import can change messages of ONIX, and leave the revision of the catalog as it is. */
  function formatKey({ format, cacheKey }: FormatChoice): string {
    if (format !== "xml" || !cache) return cacheKey;
    return `${cacheKey}${context.store.lookupTransaction?.lastImportId()} `;
  }

  return handle;
}

/** RFC 9110 §12.5.1: for a client that accepts errors only, an error is the response, and anything else is 406. */
function errorOnly(result: EndpointResult, route: Route): ApiError {
  if (result instanceof ApiError) return result;
  if (result instanceof JsonArray) result.snapshot.close();
  return typeNotAcceptable(route);
}

function typeNotAcceptable({ formats }: Route): ApiError {
  return formats ? formatNotOffered(formats) : notAcceptable.type;
}
