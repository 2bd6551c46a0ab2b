import type { Awaitable } from "../lib/awaitable.ts";
import type { ProtocolError, Request } from "./request.ts";
import type { Response, SerializedResponse } from "./response.ts";

/**
 * The application behind the server: a function from request to response, and how to render the server's own errors.
 * `Info` is what the app reports about a request, for the log. The server only passes it on.
 */
export interface App<Info> {
  /** A response that is there at once is sent in the event-loop tick that read the request. */
  handle(request: Request): Awaitable<Handled<Info>>;
  /** Renders the response to bytes that are not a valid request: `received` has one character for each of them. */
  refuse(error: ProtocolError, received: string): Refused;
  /** Renders the response to a request whose `handle` threw. */
  fail(): Response;
}

/** The response to bytes that are not a valid request. */
export interface Refused {
  readonly response: Response;
  /** The id of the request in the response, for the log. */
  readonly id: string;
}

export interface Handled<Info> {
  readonly response: Response | SerializedResponse;
  /** Header lines for this request alone, each with its CRLF: the response may be shared with other requests. */
  readonly extraHeaders: string;
  readonly info: Info;
  /** What the response holds until it has been sent. */
  readonly lease?: ResponseLease | undefined;
}

/** How fast a client takes a response that has bytes for it. */
export interface ResponsePace {
  /** For so long it has taken nothing. */
  readonly stalledSeconds: number;
  /** It took less than `MIN_BYTES_PER_SECOND` in the last full minute. */
  readonly isSlow: boolean;
}

/** Something scarce that a response holds while it is being sent, such as memory. */
export interface ResponseLease {
  /** Identifies the client: long responses of each take turns with those of others. */
  readonly client: string;
  /** Called when the response has been sent, or is abandoned. A second call has no effect. */
  release(): void;
  /** Called once a second while bytes wait for the client. Returns true when it is to be cut off. */
  isRecalled(pace: ResponsePace): boolean;
}
