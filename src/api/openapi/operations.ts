/** The operations of an endpoint in the OpenAPI document: GET, and OPTIONS. HEAD is GET without the body. */
import { type ApiError, notAcceptable } from "../errors.ts";
import { formatNotOffered } from "../formats/format-choice.ts";
import { exampleErrors, type Parameter } from "../parameters/parameter.ts";
import type { Route } from "../route.ts";
import { contentOf, formatErrors } from "./formats.ts";
import { CONTENT_HEADERS, foundHeaders, PREFLIGHT_HEADERS, VALIDATOR_HEADERS } from "./header-objects.ts";
import {
  MALFORMED_REQUEST,
  NOT_ACCEPTABLE,
  PROBLEM_RESPONSES,
  problemResponse,
  UNAVAILABLE,
  UNAVAILABLE_ERRORS,
} from "./problem-responses.ts";

type Json = Readonly<Record<string, unknown>>;

/** The responses that are the same for all endpoints. */
export const SHARED_RESPONSES = {
  NotModified: {
    description: "The content has not changed: `If-None-Match` has its current `ETag`.",
    headers: VALIDATOR_HEADERS,
  },
  Options: { description: "The supported methods, also for browsers (CORS).", headers: PREFLIGHT_HEADERS },
  ...PROBLEM_RESPONSES,
} as const satisfies Record<string, Json>;

const refTo = (name: keyof typeof SHARED_RESPONSES): Json => ({ $ref: `#/components/responses/${name}` });

/** What a server of HTTP may respond to any request. */
const PROTOCOL_RESPONSES: Readonly<Record<number, Json>> = {
  408: refTo("RequestTimeout"),
  414: refTo("UriTooLong"),
  429: refTo("TooManyRequests"),
  431: refTo("HeadersTooLarge"),
  503: refTo("ServiceUnavailable"),
  505: refTo("VersionNotSupported"),
};

export function getOperation(route: Route): Json {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    parameters: Object.entries(route.allParameters).map(toParameter),
    responses: {
      200: {
        description: route.found.description,
        headers: { ...CONTENT_HEADERS, ...foundHeaders(route.found.headers) },
        content: contentOf(route),
      },
      304: refTo("NotModified"),
      400: problemResponse("A parameter, or the request itself, is not valid.", {
        ...errorsWithStatus(route, 400),
        ...MALFORMED_REQUEST,
      }),
      401: refTo("Unauthorized"),
      ...(hasErrors(route, 404) && {
        404: problemResponse("The catalog does not have it.", errorsWithStatus(route, 404)),
      }),
      405: refTo("MethodNotAllowed"),
      406: route.formats
        ? problemResponse(NOT_ACCEPTABLE, {
            "No offered format": formatNotOffered(route.formats),
            "No known coding": notAcceptable.coding,
          })
        : refTo("NotAcceptable"),
      ...(hasErrors(route, 410) && {
        410: problemResponse(
          "The catalog cannot continue after the cursor. Load it anew, without `since`.",
          errorsWithStatus(route, 410),
        ),
      }),
      500: refTo("InternalServerError"),
      ...PROTOCOL_RESPONSES,
      ...(hasErrors(route, 503) && {
        503: problemResponse(UNAVAILABLE, { ...UNAVAILABLE_ERRORS, ...errorsWithStatus(route, 503) }),
      }),
    },
  };
}

export function optionsOperation(route: Route): Json {
  const pathParameters = Object.entries(route.parameters).filter(([, parameter]) => parameter.in === "path");
  return {
    operationId: `${route.id}Options`,
    tags: [route.tag],
    summary: "The supported methods",
    description: "Needs no token.",
    security: [],
    parameters: pathParameters.map(toParameter),
    responses: {
      204: refTo("Options"),
      400: refTo("BadRequest"),
      // A segment such as `..` is no value of a parameter.
      ...(pathParameters.length > 0 && { 404: refTo("NotFound") }),
      ...PROTOCOL_RESPONSES,
    },
  };
}

/** An optional parameter has its example in the description: the OpenAPI page would fill it in, and send it. */
function toParameter([name, parameter]: [string, Parameter]): Json {
  const { in: place, kind, description, example, maxValues } = parameter;
  const { schema: items } = kind;
  const schema = maxValues === undefined ? items : { type: "array", items, maxItems: maxValues };
  if (place === "path") return { name, in: place, description, schema, required: true, example };
  const hint = example === undefined ? "" : ` For example \`${example}\`.`;
  return { name, in: place, description: description + hint, schema, required: false };
}

function errorsWithStatus(route: Route, status: number): Record<string, ApiError> {
  const errors = { ...exampleErrors(route.allParameters), ...route.errors, ...formatErrors(route) };
  return Object.fromEntries(Object.entries(errors).filter(([, error]) => error.status === status));
}

function hasErrors(route: Route, status: number): boolean {
  return Object.values(route.errors).some((error) => error.status === status);
}
