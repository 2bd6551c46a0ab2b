/** Responses to bytes that the server below the app rejects. A browser can read them, and the log has their id. */
import type { Refused } from "../../server/app.ts";
import type { ProtocolError } from "../../server/request.ts";
import type { Response } from "../../server/response.ts";
import type { ClientHeadersReader } from "../client-headers.ts";
import { apiErrorOf, internalError } from "../errors.ts";
import type { Cors } from "./cors.ts";
import { headerLines } from "./header-lines.ts";
import { preflight, problem } from "./responder.ts";

export class Refusals {
  readonly #cors: Cors;
  readonly #clients: ClientHeadersReader;
  readonly #nextRequestId: () => string;

  constructor(cors: Cors, clients: ClientHeadersReader, nextRequestId: () => string) {
    this.#cors = cors;
    this.#clients = clients;
    this.#nextRequestId = nextRequestId;
  }

  /** `received` has one character for each byte that arrived. */
  refuse(error: ProtocolError, received: string): Refused {
    const { id, headers } = this.#identify(received);
    // Fetch standard §4.9: a browser shows the error of a request only when the preflight to its URL succeeds.
    const isPreflight = error.kind === "uri-too-long" && /^(?:\r\n)*OPTIONS /.test(received);
    return { response: isPreflight ? preflight(headers) : problem(headers, apiErrorOf(error)), id };
  }

  /** Returns the response to a request that the app could not handle at all. */
  fail(): Response {
    return problem(this.#identify("").headers, internalError);
  }

  /** Returns an id, and the header lines of every response, for a request whose head was not parsed. */
  #identify(received: string): { readonly id: string; readonly headers: string } {
    const id = this.#nextRequestId();
    const headers = this.#clients.commonHeaders(this.#cors.originOfUnparsed(received));
    return { id, headers: headers + headerLines({ "X-Request-Id": id }) };
  }
}
