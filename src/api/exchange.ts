/** One request and what becomes of it. */
import type { Caller } from "../catalog/token-registry.ts";
import type { Awaitable } from "../lib/awaitable.ts";
import type { ResponseLease } from "../server/app.ts";
import type { Request } from "../server/request.ts";
import type { Response, SerializedResponse } from "../server/response.ts";
import type { ClientHeaders } from "./client-headers.ts";
import type { ApiError } from "./errors.ts";
import { bucketName } from "./rate/rate-buckets.ts";
import type { EndpointCaller } from "./route.ts";

/** What the app reports about a request, for the log. */
export interface RequestInfo {
  /** The id of the endpoint, or "page"; undefined when the path is neither. */
  readonly route: string | undefined;
  /** Undefined before the token is accepted. */
  readonly caller: Caller | undefined;
  readonly cacheHit: boolean;
  /** Undefined when neither the client nor an error has named the request. */
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

export type AnyResponse = Response | SerializedResponse;

/** One request in flight. Only `app.ts` and `catalog-request.ts` write to it. */
export class Exchange implements RequestInfo, EndpointCaller {
  route: string | undefined;
  caller: Caller | undefined;
  cacheHit = false;
  id: string | undefined;
  rateLimitHeaders = "";
  lease: ResponseLease | undefined;
  takeListMemory: () => Awaitable<ApiError | undefined> = () => undefined;

  constructor(
    readonly request: Request,
    readonly client: ClientHeaders,
  ) {
    this.id = client.requestId;
  }

  /** Identifies the token in everything that clients share. */
  get key(): string {
    return bucketName(this.caller!);
  }

  get signal(): AbortSignal {
    return this.request.abandoned;
  }
}
