/** The errors of the OpenAPI document. Those that any endpoint may respond with are components. */
import {
  type ApiError,
  ERRORS,
  internalError,
  methodNotAllowed,
  notAcceptable,
  notFound,
  PROTOCOL_ERRORS,
  RETRY_AFTER_SECONDS,
  rateLimited,
  unauthorized,
  unavailable,
} from "../errors.ts";
import { ERROR_HEADERS, type HeaderName, headerRefs } from "./header-objects.ts";
import { refTo } from "./json-schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** All examples have the same status and the same header fields. */
export function problemResponse(description: string, examples: Readonly<Record<string, ApiError>>): Json {
  const errors = Object.values(examples);
  const names = Object.keys(errors[0]?.headers ?? {}) as HeaderName[];
  const status = errors[0]?.status ?? 0;
  const messages = Object.values(ERRORS).filter((row) => row.status === status);
  return {
    description,
    headers: { ...ERROR_HEADERS, ...headerRefs(names) },
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            refTo("Problem"),
            {
              properties: {
                status: { type: "integer", const: status },
                message: { type: "string", enum: messages.map((row) => row.message) },
              },
            },
          ],
        },
        examples: Object.fromEntries(
          Object.entries(examples).map(([name, error]) => [name, { value: error }]),
        ),
      },
    },
  };
}

export const MALFORMED_REQUEST = { "Malformed request": PROTOCOL_ERRORS["bad-host"] };

export const NOT_ACCEPTABLE = "`Accept` or `Accept-Encoding` excludes every available representation.";

export const UNAVAILABLE = "The catalog is temporarily unavailable, or there are too many connections.";

export const UNAVAILABLE_ERRORS = {
  Failure: unavailable,
  "Too many connections": PROTOCOL_ERRORS["too-many-connections"],
};

export const PROBLEM_RESPONSES = {
  BadRequest: problemResponse("The request itself is not valid.", MALFORMED_REQUEST),
  Unauthorized: problemResponse("The token is missing or not valid.", {
    "No token": unauthorized('Bearer realm="colophon"'),
  }),
  NotFound: problemResponse("The path is not an endpoint.", { "No endpoint": notFound }),
  MethodNotAllowed: problemResponse("The method is not GET, HEAD or OPTIONS.", {
    "Other method": methodNotAllowed,
  }),
  NotAcceptable: problemResponse(NOT_ACCEPTABLE, {
    "Not JSON": notAcceptable.type,
    "No known coding": notAcceptable.coding,
  }),
  RequestTimeout: problemResponse("The request was not complete in time.", {
    "Too slow": PROTOCOL_ERRORS.timeout,
  }),
  UriTooLong: problemResponse("The URL is longer than 56 kB.", {
    "Too long": PROTOCOL_ERRORS["uri-too-long"],
  }),
  TooManyRequests: problemResponse(
    "Too many requests with this token. The operator of the service sets the limit.",
    { "Too many": rateLimited(RETRY_AFTER_SECONDS) },
  ),
  HeadersTooLarge: problemResponse(
    "URL and headers are larger than 64 kB, or there are more than 100 headers.",
    { "Too large": PROTOCOL_ERRORS["headers-too-large"] },
  ),
  InternalServerError: problemResponse("Internal error.", { Failure: internalError }),
  ServiceUnavailable: problemResponse(UNAVAILABLE, UNAVAILABLE_ERRORS),
  VersionNotSupported: problemResponse("Not HTTP/1.", {
    "Other version": PROTOCOL_ERRORS["version-not-supported"],
  }),
} as const satisfies Record<string, Json>;
