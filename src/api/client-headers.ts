/** The header fields of a request that the API reads. */
import type { RequestHeaders } from "../server/request.ts";
import { type Cors, EXPOSED_HEADERS, headerLines } from "./response/cors.ts";
import {
  type AcceptedTypes,
  acceptedTypes,
  type CodingChoice,
  chooseCoding,
} from "./response/negotiation.ts";

/** The part of a client's header fields that a response is made with. */
export type ConditionalClient = Pick<ClientHeaders, "commonHeaders" | "ifNoneMatch">;

/** Parsed on demand: before a token is accepted, nothing is parsed that is not needed. */
export class ClientHeaders {
  readonly authorization: string | null;
  readonly ifNoneMatch: string | null;
  /** The client's own name for the request, if it gave a valid one. */
  readonly requestId: string | undefined;
  /** Header lines of every response: Vary, CORS and nosniff. */
  readonly commonHeaders: string;
  readonly #headers: RequestHeaders;
  readonly #allowedOrigin: string | undefined;
  #coding: CodingChoice | undefined | "unknown" = "unknown";
  #acceptedTypes: AcceptedTypes | undefined;
  #cacheVariant: string | undefined;

  constructor(headers: RequestHeaders, allowedOrigin: string | undefined, commonHeaders: string) {
    this.#headers = headers;
    this.#allowedOrigin = allowedOrigin;
    this.commonHeaders = commonHeaders;
    this.authorization = headers.get("authorization");
    this.ifNoneMatch = headers.get("if-none-match");
    this.requestId = parseRequestId(headers.get("x-request-id"));
  }

  get acceptedTypes(): AcceptedTypes {
    this.#acceptedTypes ??= acceptedTypes(this.#headers.get("accept"));
    return this.#acceptedTypes;
  }

  /** Undefined when the client accepts no coding that we have. */
  get coding(): CodingChoice | undefined {
    if (this.#coding === "unknown") this.#coding = chooseCoding(this.#headers.get("accept-encoding"));
    return this.#coding;
  }

  /** All that a response depends on beside the target, as a prefix of its cache key; empty for most clients. */
  get cacheVariant(): string {
    this.#cacheVariant ??= this.#variant();
    return this.#cacheVariant;
  }

  #variant(): string {
    const { coding, acceptsIdentity } = this.coding ?? { coding: undefined, acceptsIdentity: false };
    const origin = this.#allowedOrigin ?? "-";
    if (coding === undefined && acceptsIdentity && origin === "*") return "";
    return `${coding ?? ""}${acceptsIdentity ? "" : "!"} ${origin} `;
  }
}

/** Reads each headers object once: the requests of a connection mostly share one (see `RequestParser`). */
export class ClientHeadersReader {
  readonly #cors: Cors;
  readonly #byHeaders = new WeakMap<RequestHeaders, ClientHeaders>();
  readonly #commonByOrigin = new Map<string | undefined, string>();

  constructor(cors: Cors) {
    this.#cors = cors;
  }

  read(headers: RequestHeaders): ClientHeaders {
    let client = this.#byHeaders.get(headers);
    if (client === undefined) {
      const origin = this.#cors.allowedOrigin(headers);
      client = new ClientHeaders(headers, origin, this.commonHeaders(origin));
      this.#byHeaders.set(headers, client);
    }
    return client;
  }

  /**
   * Returns what a response that `Accept` has chosen has in place of the client's own. Other responses have no `Accept`
   * in `Vary`: all have to be validated before each use, and each format has validators of its own.
   */
  varyingByAccept({ commonHeaders, ifNoneMatch }: ClientHeaders): ConditionalClient {
    const { vary } = this.#cors;
    return { ifNoneMatch, commonHeaders: commonHeaders.replace(`Vary: ${vary}`, `Vary: ${vary}, Accept`) };
  }

  /** Returns the header lines of every response to this origin. */
  commonHeaders(allowedOrigin: string | undefined): string {
    let lines = this.#commonByOrigin.get(allowedOrigin);
    if (lines === undefined) {
      lines = headerLines({ Vary: this.#cors.vary, "X-Content-Type-Options": "nosniff" });
      if (allowedOrigin !== undefined) {
        lines += headerLines({
          "Access-Control-Allow-Origin": allowedOrigin,
          "Access-Control-Expose-Headers": EXPOSED_HEADERS,
        });
      }
      this.#commonByOrigin.set(allowedOrigin, lines);
    }
    return lines;
  }
}

/** A client may use characters that need no quoting in a header, a URL or a line of the log. */
const VALID_ID = /^[A-Za-z0-9._~-]{1,128}$/;
/** A short JSON Web Token would be a valid id, and must not be logged. */
const TOKEN_START = /^eyJ/;

/** Returns the client's own id, or undefined when it sent none that is valid. */
export function parseRequestId(header: string | null): string | undefined {
  return header !== null && VALID_ID.test(header) && !TOKEN_START.test(header) ? header : undefined;
}

/** Returns a random id: ids that count would tell every client how many requests there are. */
export function randomRequestId(): string {
  return crypto.randomUUID();
}
