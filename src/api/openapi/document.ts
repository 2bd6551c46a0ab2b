/** The API's description (OpenAPI 3.1), made from the table of routes. */
import {
  type ApiError,
  ERRORS,
  headersTooLarge,
  internal,
  methodNotAllowed,
  notAcceptable,
  notFound,
  requestTimeout,
  tooManyConnections,
  tooManyRequests,
  unauthorized,
  unavailable,
  uriTooLong,
  versionNotSupported,
  wrongHost,
} from "../errors.ts";
import { ROUTES, type Route, TAGS } from "../routes.ts";
import { ref, type Schema, schemas } from "./schemas.ts";

export interface Description {
  /** Of Colophon. */
  readonly version: string;
  /** The issue of the ONIX code lists that labels come from. */
  readonly codeListIssue: number;
}

type Json = Record<string, unknown>;

export function openApiDocument({ version, codeListIssue }: Description): Json {
  return {
    openapi: "3.1.1",
    info: {
      title: "Colophon",
      version,
      summary: "A read-only catalog of books in ONIX 3.",
      description: [
        "Book metadata in the structure of ONIX 3, as JSON. Every request needs a token:",
        "`Authorization: Bearer <ACCESS_TOKEN>`.",
        `Codes are those of the ONIX code lists, issue ${codeListIssue}; \`/api/translations\` has words for them.`,
        "\n\nEvery answer has an `ETag`; send it back in `If-None-Match`, and the answer is 304 as long as",
        "nothing has changed. Bodies come in zstd, gzip or br where `Accept-Encoding` allows it.",
        "Errors are `application/problem+json` (RFC 9457): `message` is always in the same words, `detail` says",
        "what to change. Beside GET, HEAD and OPTIONS are answered, and any other method is 405.",
      ].join(" "),
    },
    // Relative to this document: the test page works behind any prefix of a proxy.
    servers: [{ url: "." }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(ROUTES.map((route) => [route.path, { get: operationOf(route) }])),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas,
      responses: {
        NotFound: problem("The path is no endpoint.", { "No endpoint": notFound }),
        MethodNotAllowed: problem("The method is none of GET, HEAD and OPTIONS.", {
          "Other method": methodNotAllowed,
        }),
      },
    },
  };
}

function operationOf(route: Route): Json {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    parameters: route.parameters.map((parameter) => ({
      ...parameter,
      required: parameter.in === "path",
    })),
    responses: {
      200: {
        description: route.found.description,
        headers: { ...VALIDATORS, ...CODING },
        content: { "application/json": { schema: route.found.schema, example: route.found.example } },
      },
      304: { description: "The client has this answer already (`If-None-Match`).", headers: VALIDATORS },
      400: problem("A parameter, or the request itself, is not valid.", {
        ...errorsOf(route, 400),
        "Malformed request": wrongHost,
      }),
      401: problem("The token is missing, or is not valid.", {
        "No token": unauthorized('Bearer realm="colophon"'),
      }),
      ...(hasErrors(route, 404) && { 404: problem("Not in the catalog.", errorsOf(route, 404)) }),
      406: problem("`Accept` or `Accept-Encoding` excludes all that there is.", {
        "Not JSON": notAcceptable.type,
        "No known coding": notAcceptable.coding,
      }),
      429: problem("Too many requests with this token, where the operator has set a limit.", {
        "Too many": tooManyRequests,
      }),
      408: problem("The request did not come to its end in time.", { "Too slow": requestTimeout }),
      414: problem("The URL has more than 32 kB.", { "Too long": uriTooLong }),
      431: problem("URL and headers have more than 64 kB, or there are more than 100 headers.", {
        "Too large": headersTooLarge,
      }),
      500: problem("The service has failed.", { Failure: internal("5f0c2a7e-12") }),
      503: problem("The catalog cannot be read at the moment, or there are too many connections.", {
        Failure: unavailable("5f0c2a7e-13"),
        "Too many connections": tooManyConnections,
      }),
      505: problem("Neither HTTP/1.1 nor HTTP/1.0.", { "Other version": versionNotSupported }),
    },
  };
}

const header = (description: string, schema: Schema = { type: "string" }): Json => ({ description, schema });

const VALIDATORS: Json = {
  ETag: { ...header("Changes with the answer.", { type: "string", pattern: '^"[^"]+"$' }), required: true },
  "Cache-Control": header("To be kept by the client alone, and asked about each time.", {
    const: "private, no-cache",
  }),
  Vary: header("The headers of the request that the answer depends on."),
};

const CODING: Json = {
  "Content-Encoding": header("The coding of the body, if any.", { enum: ["zstd", "gzip", "br"] }),
};

const ERROR_HEADERS: Readonly<Record<string, Json>> = {
  "WWW-Authenticate": header("RFC 6750.", { type: "string", pattern: "^Bearer " }),
  "Retry-After": header("Seconds.", { type: "string", pattern: "^[0-9]+$" }),
  "X-Request-Id": header("To be named when the failure is reported."),
  Allow: header("The methods that are answered."),
};

function problem(description: string, examples: Readonly<Record<string, ApiError>>): Json {
  const names = new Set(Object.values(examples).flatMap(({ headers }) => Object.keys(headers)));
  const [one] = Object.values(examples);
  const status = one ? one.status : 0;
  const messages = Object.values(ERRORS).filter((row) => row.status === status);
  return {
    description,
    ...(names.size > 0 && {
      headers: Object.fromEntries(
        [...names].map((name) => [name, { ...ERROR_HEADERS[name], required: true }]),
      ),
    }),
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

function errorsOf(route: Route, status: number): Record<string, ApiError> {
  return Object.fromEntries(Object.entries(route.errors).filter(([, error]) => error.status === status));
}

function hasErrors(route: Route, status: number): boolean {
  return Object.values(route.errors).some((error) => error.status === status);
}
