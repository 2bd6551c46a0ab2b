/** Responses to bytes that the server below the app rejects, and to paths that are nothing. */
import type { Refused } from "../../server/app.ts";
import type { ProtocolError } from "../../server/request.ts";
import { Response } from "../../server/response.ts";
import type { Page } from "../../web/page-file.ts";
import { type ClientHeaders, type ClientHeadersReader, randomRequestId } from "../client-headers.ts";
import { internalError, notFound, PROTOCOL_ERRORS } from "../errors.ts";
import { type Cors, headerLines } from "./cors.ts";
import { preflight, problem } from "./responder.ts";

/** Browsers can read the responses, and the log has their ids. */
export class Refusals {
  readonly #cors: Cors;
  readonly #clients: ClientHeadersReader;

  constructor(cors: Cors, clients: ClientHeadersReader) {
    this.#cors = cors;
    this.#clients = clients;
  }

  /** `received` has one character for each byte that arrived. */
  refuse(error: ProtocolError, received: string): Refused {
    const { id, headers } = this.#identify(received);
    // Fetch standard §4.9: a browser shows the error of a request only when the preflight to its URL succeeds.
    const isPreflight = error.kind === "uri-too-long" && /^(?:\r\n)*OPTIONS /.test(received);
    return { response: isPreflight ? preflight(headers) : problem(headers, PROTOCOL_ERRORS[error.kind]), id };
  }

  /** Returns the response to a request that the app could not handle at all. */
  fail(): Response {
    return problem(this.#identify("").headers, internalError);
  }

  /** Returns an id, and the header lines of every response, for a request whose head was not parsed. */
  #identify(received: string): { readonly id: string; readonly headers: string } {
    const id = randomRequestId();
    const headers = this.#clients.commonHeaders(this.#cors.originOfUnparsed(received));
    return { id, headers: headers + headerLines({ "X-Request-Id": id }) };
  }
}

/** Makes the page. `root` leads from its URL to that of the service. */
export type NotFoundPage = (root: string) => Page;

/** A link from a deeper path would be long. It gets the problem: no page has a link to one. */
const MAX_DEPTH = 32;

export class NotFound {
  readonly #clients: ClientHeadersReader;
  readonly #makePage: NotFoundPage | undefined;
  readonly #pagesByDepth: Page[] = [];

  /** Without `makePage`, every client gets the problem. */
  constructor(clients: ClientHeadersReader, makePage: NotFoundPage | undefined) {
    this.#clients = clients;
    this.#makePage = makePage;
  }

  respond(client: ClientHeaders, method: string, path: string): Response {
    const isRead = method === "GET" || method === "HEAD";
    const page = isRead && client.acceptedTypes.prefersHtml ? this.#pageAt(path) : undefined;
    if (page === undefined) return problem(client.commonHeaders, notFound);
    const { commonHeaders } = this.#clients.varyingByAccept(client);
    const headers = { "Content-Type": page.type, "Cache-Control": "no-store", ...page.headers };
    return new Response(404, commonHeaders + headerLines(headers), page.body);
  }

  /** A proxy may have removed a prefix of the path, so that only a relative link leads to the root. */
  #pageAt(path: string): Page | undefined {
    const depth = path.split("/", MAX_DEPTH + 3).length - 2;
    if (this.#makePage === undefined || depth > MAX_DEPTH) return undefined;
    this.#pagesByDepth[depth] ??= this.#makePage("../".repeat(depth) || "./");
    return this.#pagesByDepth[depth];
  }
}
