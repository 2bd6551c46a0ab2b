/** Every error that the API responds with: status, message and detail in one table. */
import type { ProtocolErrorKind } from "../server/request.ts";
import { REASON_PHRASES, type Status } from "../server/response.ts";

interface ErrorRow {
  readonly status: Status;
  /** RFC 9457 §4.2.1: with the type `about:blank`, the title is the status's own phrase. */
  readonly title: string;
  /** The specification's message where it has one, else the title. */
  readonly message: string;
}

export const ERRORS = {
  badRequest: row(400),
  invalidDate: row(400, "Invalid date format"),
  unauthorized: row(401),
  notFound: row(404),
  bookNotFound: row(404, "Book not found"),
  imprintNotFound: row(404, "Imprint not found"),
  importNotFound: row(404, "Import not found"),
  methodNotAllowed: row(405),
  gone: row(410),
  notAcceptable: row(406),
  // With `--rate`, or by a proxy in front that limits.
  tooManyRequests: row(429),
  requestTimeout: row(408),
  uriTooLong: row(414),
  headersTooLarge: row(431),
  internal: row(500),
  versionNotSupported: row(505),
  unavailable: row(503),
} as const;

function row(status: Status, message: string = REASON_PHRASES[status]): ErrorRow {
  return { status, title: REASON_PHRASES[status], message };
}

export type ErrorKind = keyof typeof ERRORS;

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** A store that fails over or restarts is back within a few seconds. */
export const RETRY_AFTER_SECONDS = 5;

/** An error as a value. `detail` is one sentence that tells the caller what to change. */
export class ApiError {
  constructor(
    readonly kind: ErrorKind,
    readonly detail: string,
    /** Members of the body beyond the common ones. */
    readonly extraMembers: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get status(): Status {
    return ERRORS[this.kind].status;
  }

  /** The body: RFC 9457, with the specification's message in a member of its own. */
  toJSON(): Record<string, unknown> {
    const { status, title, message } = ERRORS[this.kind];
    return { type: "about:blank", title, status, message, detail: this.detail, ...this.extraMembers };
  }
}

export function badRequest(detail: string): ApiError {
  return new ApiError("badRequest", detail);
}

/** An error that ends by itself. */
function temporary(detail: string, seconds = RETRY_AFTER_SECONDS, kind: ErrorKind = "unavailable"): ApiError {
  return new ApiError(kind, detail, {}, { "Retry-After": String(seconds) });
}

const tooManyConnections = temporary(
  "There are too many connections; use one for many requests, and try again later.",
);

export const PROTOCOL_ERRORS: Readonly<Record<ProtocolErrorKind, ApiError>> = {
  malformed: badRequest("Send a request of HTTP/1.1, well-formed as in RFC 9112."),
  // RFC 9112 §3.2.
  "bad-host": badRequest("Send exactly one Host header, with the name of a host."),
  // RFC 9112 §3.2.
  "bad-target": badRequest(
    "Send a path that begins with a slash, without a fragment, and with characters beyond ASCII and backslashes " +
      "percent-encoded.",
  ),
  timeout: new ApiError("requestTimeout", "Send the whole request within a few seconds."),
  "uri-too-long": new ApiError("uriTooLong", "Send a shorter URL; request fewer books at once."),
  "headers-too-large": new ApiError("headersTooLarge", "Send fewer, or shorter, header fields."),
  "version-not-supported": new ApiError("versionNotSupported", "Send a request of HTTP/1.1."),
  "too-many-connections-of-client": tooManyOfClient("There are too many connections from your address"),
  "too-many-connections": tooManyConnections,
  "out-of-descriptors": tooManyConnections,
};

/** The limit of an address, whoever uses it. */
function tooManyOfClient(cause: string): ApiError {
  const detail = `${cause}; use one connection for many requests, and try again later.`;
  return temporary(detail, RETRY_AFTER_SECONDS, "tooManyRequests");
}

/** Behind a trusted proxy, the requests of an address count instead of its connections. */
export const tooManyRequestsOfClient = tooManyOfClient("There are too many requests from your address");

export const notFound = new ApiError(
  "notFound",
  "No endpoint has this path; the endpoints are described at /openapi.html.",
);

export const methodNotAllowed = new ApiError(
  "methodNotAllowed",
  `The catalog is read-only; use one of ${ALLOWED_METHODS}.`,
  {},
  { Allow: ALLOWED_METHODS },
);

/** The same whatever is wrong with a token: the caller must not learn it. */
export function unauthorized(challenge: string): ApiError {
  const detail = "Send a valid token in the header Authorization: Bearer <ACCESS_TOKEN>.";
  return new ApiError("unauthorized", detail, {}, { "WWW-Authenticate": challenge });
}

export const notAcceptable = {
  type: new ApiError("notAcceptable", "Responses are JSON; let the Accept header allow application/json."),
  coding: new ApiError(
    "notAcceptable",
    "Let the Accept-Encoding header allow one of zstd, gzip, br and identity.",
  ),
};

export const internalError = new ApiError(
  "internal",
  "The service has failed; if it does so again, report the X-Request-Id of this response.",
);

export const unavailable = temporary(
  `The catalog cannot be read at the moment; try again in ${RETRY_AFTER_SECONDS} seconds.`,
);

/** A replica that serves reads may be some seconds behind. */
export const cursorIsAhead = temporary(
  `The cursor in since is newer than this replica of the catalog; try again in ${RETRY_AFTER_SECONDS} seconds.`,
);

/** The keys of a URL are read again every minute until that succeeds. */
const KEYS_RETRY_AFTER_SECONDS = 60;

export const keysUnavailable = temporary(
  `Tokens cannot be verified at the moment; try again in ${KEYS_RETRY_AFTER_SECONDS} seconds.`,
  KEYS_RETRY_AFTER_SECONDS,
);

export const tooManyLists = temporary(
  `Too many lists or large books are being sent; read the ones in flight, and try again in ${RETRY_AFTER_SECONDS} seconds.`,
);

/** The code of a search that finds too many books for their order; `query-parser.ts` has the others. */
export const TOO_MANY_TO_SORT = "too-many-to-sort";

/** Searches are short, so there is room again soon. */
const SEARCH_RETRY_AFTER_SECONDS = 1;

export const tooManySearches = temporary(
  "Too many searches are waiting; try again in a second.",
  SEARCH_RETRY_AFTER_SECONDS,
);

export const searchTimeout = temporary(
  "The search took longer than 2 seconds; try again in a second, or add words or filters.",
  SEARCH_RETRY_AFTER_SECONDS,
);

export function rateLimited(
  retryAfterSeconds: number,
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  return new ApiError(
    "tooManyRequests",
    "Try again after the seconds that Retry-After names.",
    {},
    { "Retry-After": String(retryAfterSeconds), ...headers },
  );
}
