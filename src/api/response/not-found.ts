/** The 404 of a path that is no endpoint and no page: a page for a browser, a problem (RFC 9457) for everyone else. */
import { Response } from "../../server/response.ts";
import type { Page } from "../../web/page-file.ts";
import type { ClientHeaders, ClientHeadersReader } from "../client-headers.ts";
import { notFound } from "../errors.ts";
import { headerLines } from "./header-lines.ts";
import { problem } from "./responder.ts";

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
