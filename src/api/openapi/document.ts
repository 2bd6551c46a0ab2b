/** Builds the OpenAPI 3.1 document of the API from the table of routes. */
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
import { formatNotOffered } from "../formats/format-choice.ts";
import { ROUTES, type Route, TAGS } from "../routes.ts";
import { contentOf, formatErrors, formatExamples, formatParameters } from "./formats.ts";
import { foundHeaders } from "./found-headers.ts";
import { ref, type Schema, schemas } from "./schemas.ts";

export interface OpenApiOptions {
  /** The version of Colophon. */
  readonly version: string;
  /** The issue of the ONIX code lists that labels come from. */
  readonly codeListIssue: number;
}

type Json = Record<string, unknown>;

export function openApiDocument({ version, codeListIssue }: OpenApiOptions): Json {
  return {
    openapi: "3.1.1",
    info: {
      title: "Colophon",
      version,
      summary: "A read-only catalog of books in ONIX 3.",
      description: [
        "Book metadata in the structure of ONIX 3, as JSON. Every request needs a token:",
        "`Authorization: Bearer <ACCESS_TOKEN>`.",
        `Codes are from the ONIX code lists, issue ${codeListIssue}; \`/api/translations\` has their labels.`,
        "\n\nEvery 200 and 304 of the endpoints has an `ETag`. Send it back in `If-None-Match`, and the response is 304",
        "until the content changes. Bodies are compressed with zstd, gzip or br when `Accept-Encoding` allows it.",
        "Errors are `application/problem+json` (RFC 9457): `message` is a fixed text for each error, and `detail`",
        "says what to change. The methods are GET, HEAD and OPTIONS; any other gets 405.",
      ].join(" "),
    },
    // Relative to the document, so that it is right behind any path prefix of a reverse proxy.
    servers: [{ url: "." }],
    externalDocs: { description: "The documentation for integrators.", url: "docs" },
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(ROUTES.map((route) => [route.path, { get: toOperation(route) }])),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas,
      examples: formatExamples(),
      responses: {
        NotFound: problemResponse("The path is not an endpoint.", { "No endpoint": notFound }),
        MethodNotAllowed: problemResponse("The method is not GET, HEAD or OPTIONS.", {
          "Other method": methodNotAllowed,
        }),
      },
    },
  };
}

function toOperation(route: Route): Json {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    parameters: [...route.parameters, ...formatParameters(route)].map((parameter) => ({
      ...parameter,
      required: parameter.in === "path",
    })),
    responses: {
      200: {
        description: route.found.description,
        headers: { ...VALIDATOR_HEADERS, ...CODING_HEADERS, ...foundHeaders(route.found.headers) },
        content: contentOf(route),
      },
      304: {
        description: "The content has not changed: `If-None-Match` has its current `ETag`.",
        headers: VALIDATOR_HEADERS,
      },
      400: problemResponse("A parameter, or the request itself, is not valid.", {
        ...errorsWithStatus(route, 400),
        "Malformed request": PROTOCOL_ERRORS["bad-host"],
      }),
      401: problemResponse("The token is missing or not valid.", {
        "No token": unauthorized('Bearer realm="colophon"'),
      }),
      ...(hasErrors(route, 404) && {
        404: problemResponse("The catalog does not have it.", errorsWithStatus(route, 404)),
      }),
      ...(hasErrors(route, 410) && {
        410: problemResponse(
          "The catalog cannot continue after the cursor. Load it anew, without `since`.",
          errorsWithStatus(route, 410),
        ),
      }),
      406: problemResponse("`Accept` or `Accept-Encoding` excludes every available representation.", {
        ...(route.formats
          ? { "No offered format": formatNotOffered(route.formats) }
          : { "Not JSON": notAcceptable.type }),
        "No known coding": notAcceptable.coding,
      }),
      429: problemResponse("Too many requests with this token. The operator of the service sets the limit.", {
        "Too many": rateLimited(RETRY_AFTER_SECONDS),
      }),
      408: problemResponse("The request was not complete in time.", { "Too slow": PROTOCOL_ERRORS.timeout }),
      414: problemResponse("The URL is longer than 56 kB.", { "Too long": PROTOCOL_ERRORS["uri-too-long"] }),
      431: problemResponse("URL and headers are larger than 64 kB, or there are more than 100 headers.", {
        "Too large": PROTOCOL_ERRORS["headers-too-large"],
      }),
      500: problemResponse("Internal error.", { Failure: internalError }),
      503: problemResponse("The catalog is temporarily unavailable, or there are too many connections.", {
        Failure: unavailable,
        ...errorsWithStatus(route, 503),
        "Too many connections": PROTOCOL_ERRORS["too-many-connections"],
      }),
      505: problemResponse("Not HTTP/1.", {
        "Other version": PROTOCOL_ERRORS["version-not-supported"],
      }),
    },
  };
}

const headerObject = (description: string, schema: Schema = { type: "string" }): Json => ({
  description,
  schema,
});

const VALIDATOR_HEADERS: Json = {
  ETag: {
    ...headerObject("Changes when the content changes.", { type: "string", pattern: '^"[^"]+"$' }),
    required: true,
  },
  "Cache-Control": headerObject(
    "Only the client may cache the response, and must revalidate it before each use.",
    {
      const: "private, no-cache",
    },
  ),
  Vary: headerObject("The request headers that the response depends on."),
};

const CODING_HEADERS: Json = {
  "Content-Encoding": headerObject("The compression of the body, if any.", { enum: ["zstd", "gzip", "br"] }),
};

const ERROR_HEADERS: Readonly<Record<string, Json>> = {
  "WWW-Authenticate": headerObject("The challenge of RFC 6750.", { type: "string", pattern: "^Bearer " }),
  "Retry-After": headerObject("Seconds to wait before the next request.", {
    type: "string",
    pattern: "^[0-9]+$",
  }),
  Allow: headerObject("The supported methods."),
};

const REQUEST_ID_HEADER: Json = {
  "X-Request-Id": {
    ...headerObject("Identifies the request in the log of the service: quote it in a report."),
    required: true,
  },
};

/** All examples have the same status. A header is required when all of them have it. */
function problemResponse(description: string, examples: Readonly<Record<string, ApiError>>): Json {
  const errors = Object.values(examples);
  const names = [...new Set(errors.flatMap(({ headers }) => Object.keys(headers)))];
  const status = errors[0]?.status ?? 0;
  const messages = Object.values(ERRORS).filter((row) => row.status === status);
  return {
    description,
    headers: {
      ...REQUEST_ID_HEADER,
      ...Object.fromEntries(
        names.map((name) => [
          name,
          { ...ERROR_HEADERS[name], required: errors.every((error) => name in error.headers) },
        ]),
      ),
    },
    content: {
      "application/problem+json": {
        schema: {
          allOf: [ref("Problem")],
          properties: { status: { const: status }, message: { enum: messages.map((row) => row.message) } },
        },
        examples: Object.fromEntries(
          Object.entries(examples).map(([name, error]) => [name, { value: error }]),
        ),
      },
    },
  };
}

function errorsWithStatus(route: Route, status: number): Record<string, ApiError> {
  const errors = { ...route.errors, ...formatErrors(route) };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error.status === status));
}

function hasErrors(route: Route, status: number): boolean {
  return Object.values(route.errors).some((error) => error.status === status);
}
