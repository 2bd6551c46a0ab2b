/** Every error that the API answers with. */

interface ErrorRow {
  readonly status: number;
  /** RFC 9457, 4.2.1: with the type `about:blank`, the title is the status's own phrase. */
  readonly title: string;
  /** The specification's message where it has one, else the title. */
  readonly message: string;
}

export const ERRORS = {
  badRequest: { status: 400, title: "Bad Request", message: "Bad Request" },
  invalidDate: { status: 400, title: "Bad Request", message: "Invalid date format" },
  unauthorized: { status: 401, title: "Unauthorized", message: "Unauthorized" },
  notFound: { status: 404, title: "Not Found", message: "Not Found" },
  bookNotFound: { status: 404, title: "Not Found", message: "Book not found" },
  imprintNotFound: { status: 404, title: "Not Found", message: "Imprint not found" },
  methodNotAllowed: { status: 405, title: "Method Not Allowed", message: "Method Not Allowed" },
  notAcceptable: { status: 406, title: "Not Acceptable", message: "Not Acceptable" },
  // With `--rate`, or by a proxy in front that counts.
  tooManyRequests: { status: 429, title: "Too Many Requests", message: "Too Many Requests" },
  requestTimeout: { status: 408, title: "Request Timeout", message: "Request Timeout" },
  uriTooLong: { status: 414, title: "URI Too Long", message: "URI Too Long" },
  headersTooLarge: {
    status: 431,
    title: "Request Header Fields Too Large",
    message: "Request Header Fields Too Large",
  },
  internal: { status: 500, title: "Internal Server Error", message: "Internal Server Error" },
  versionNotSupported: {
    status: 505,
    title: "HTTP Version Not Supported",
    message: "HTTP Version Not Supported",
  },
  unavailable: { status: 503, title: "Service Unavailable", message: "Service Unavailable" },
} as const satisfies Record<string, ErrorRow>;

export type ErrorKind = keyof typeof ERRORS;

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/** Seconds. A store that fails over or restarts is back within a few. */
export const RETRY_AFTER = 5;

/** An error as a value. `detail` is one sentence that tells the caller what to change. */
export class ApiError {
  constructor(
    readonly kind: ErrorKind,
    readonly detail: string,
    /** Members of the body beyond the common ones. */
    readonly more: Readonly<Record<string, unknown>> = {},
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  get status(): number {
    return ERRORS[this.kind].status;
  }

  /** The body: RFC 9457, with the specification's message in a member of its own. */
  toJSON(): Record<string, unknown> {
    const { status, title, message } = ERRORS[this.kind];
    return { type: "about:blank", title, status, message, detail: this.detail, ...this.more };
  }
}

export function badRequest(detail: string): ApiError {
  return new ApiError("badRequest", detail);
}

/** RFC 9112, 3.2: a request with more than one Host, or a wrong one, is answered with 400. */
export const wrongHost = badRequest("Send exactly one Host header, with the name of a host.");

export const malformedRequest = badRequest("Send a request of HTTP/1.1, well-formed as in RFC 9112.");

export const requestTimeout = new ApiError("requestTimeout", "Send the whole request within a few seconds.");

export const uriTooLong = new ApiError("uriTooLong", "Send a shorter URL; ask for fewer books at once.");

export const headersTooLarge = new ApiError("headersTooLarge", "Send fewer, or shorter, header fields.");

export const versionNotSupported = new ApiError("versionNotSupported", "Send a request of HTTP/1.1.");

export const tooManyConnections = new ApiError(
  "unavailable",
  "There are too many connections; use one for many requests, and try again later.",
  {},
  { "Retry-After": String(RETRY_AFTER) },
);

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

/** The same whatever is wrong with a token: what is wrong is not for the caller to learn. */
export function unauthorized(challenge: string): ApiError {
  const detail = "Send a valid token in the header Authorization: Bearer <ACCESS_TOKEN>.";
  return new ApiError("unauthorized", detail, {}, { "WWW-Authenticate": challenge });
}

export const notAcceptable = {
  type: new ApiError("notAcceptable", "Answers are JSON; let the Accept header allow application/json."),
  coding: new ApiError(
    "notAcceptable",
    "Let the Accept-Encoding header allow one of zstd, gzip, br and identity.",
  ),
};

export function internal(requestId: string): ApiError {
  const detail = "The service has failed; if it does so again, report the X-Request-Id of this answer.";
  return new ApiError("internal", detail, {}, { "X-Request-Id": requestId });
}

export function unavailable(requestId: string): ApiError {
  return new ApiError(
    "unavailable",
    `The catalog cannot be read at the moment; ask again in ${RETRY_AFTER} seconds.`,
    {},
    { "Retry-After": String(RETRY_AFTER), "X-Request-Id": requestId },
  );
}

/** `retryAfter`: whole seconds until the next request is let through. */
export function overTheRate(retryAfter: number, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError(
    "tooManyRequests",
    "Ask again after the seconds that Retry-After names.",
    {},
    { "Retry-After": String(retryAfter), ...headers },
  );
}

export const tooManyRequests = overTheRate(RETRY_AFTER);
