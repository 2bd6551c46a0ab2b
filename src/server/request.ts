import type { RequestHeaders } from "./headers.ts";

/** A request, as the parser read it. */
export class Request {
  /** Is set when the client leaves before the response. */
  isAbandoned = false;
  /**
   * The address of the client: the other end of the connection, or what a trusted proxy there names. Is empty when the
   * system does not tell it.
   */
  client = "";
  /** The client has as many requests in flight as it may. */
  isBeyondLimit = false;

  constructor(
    readonly method: string,
    /** The path with its query, as they were sent: visible ASCII characters, and no fragment. */
    readonly target: string,
    readonly headers: RequestHeaders,
    /** HTTP/1.0 has no chunked coding, and its connection closes after the response. */
    readonly isHttp10 = false,
    /**
     * Is true when the request waited behind another one, and is handled in a later event-loop tick than the one that
     * read it. What an app found out earlier in this tick may be older than the request.
     */
    readonly isDeferred = false,
  ) {}
}
