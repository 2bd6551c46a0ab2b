/** The header fields of responses, as components of the OpenAPI document. */
import { PREFLIGHT } from "../response/cors.ts";
import { type Schema, text } from "./json-schema.ts";

interface HeaderObject {
  readonly description: string;
  readonly schema: Schema;
  readonly required?: boolean;
}

/** Every response that names the component has the field. */
const required = (description: string, schema: Schema = text()): HeaderObject => ({
  description,
  schema,
  required: true,
});
const headerObject = (description: string, schema: Schema = text()): HeaderObject => ({
  description,
  schema,
});
const DIGITS: Schema = { type: "string", pattern: "^[0-9]+$" };

const requestId = headerObject(
  "Identifies the request in the log of the service: quote it in a report. It is the one of the request, if that has one.",
  { type: "string", maxLength: 128 },
);

/** By the name of the component, which is the name of the field unless a field has several descriptions. */
export const HEADER_OBJECTS = {
  ETag: required("Changes when the content changes.", { type: "string", pattern: '^"[^"]+"$' }),
  "Cache-Control": headerObject(
    "Only the client may cache the response, and must revalidate it before each use.",
    { type: "string", const: "private, no-cache" },
  ),
  "Cache-Control-Of-Error": headerObject("No cache may store the response.", {
    type: "string",
    const: "no-store",
  }),
  Vary: headerObject("The request headers that the response depends on."),
  "Content-Encoding": headerObject("The compression of the body, if any.", {
    type: "string",
    enum: ["zstd", "gzip", "br"],
  }),
  "Access-Control-Allow-Origin": headerObject("The web origin that may read the response, or `*`."),
  "X-Ignored-Parameters": headerObject(
    "The names of parameters that the endpoint does not have, percent-encoded and separated by commas: at most 10 " +
      "names and 200 bytes. The last item is `...` when there are more.",
    { type: "string", maxLength: 200 },
  ),
  "X-Request-Id": requestId,
  "X-Request-Id-Of-Error": { ...requestId, required: true },
  RateLimit: headerObject(
    "Where the operator has set a limit: `r` is how many requests may follow at once, and `t` the seconds until all " +
      "may again (draft-ietf-httpapi-ratelimit-headers).",
    { type: "string", pattern: '^"default";r=[0-9]+;t=[0-9]+$' },
  ),
  "RateLimit-Policy": headerObject("Where the operator has set a limit: `q` requests in `w` seconds.", {
    type: "string",
    pattern: '^"default";q=[0-9]+;w=[0-9]+$',
  }),
  "WWW-Authenticate": required("The challenge of RFC 6750.", { type: "string", pattern: "^Bearer " }),
  "Retry-After": required("Seconds to wait before the next request.", DIGITS),
  Allow: required("The supported methods."),
  "Access-Control-Allow-Methods": headerObject("For browsers: the supported methods."),
  "Access-Control-Allow-Headers": headerObject("For browsers: the request headers that may be sent."),
  "Access-Control-Max-Age": headerObject("For browsers: the seconds for which this response holds.", DIGITS),
} as const satisfies Record<string, HeaderObject>;

export type HeaderName = keyof typeof HEADER_OBJECTS;

type HeaderRefs = Readonly<Record<string, Readonly<{ $ref: string }>>>;

export function headerRefs(names: readonly HeaderName[]): HeaderRefs {
  return Object.fromEntries(
    names.map((name) => [name.replace(/-Of-Error$/, ""), { $ref: `#/components/headers/${name}` }]),
  );
}

const RATE_HEADERS = ["RateLimit", "RateLimit-Policy"] as const;

/** The header fields of every 304. */
export const VALIDATOR_HEADERS: HeaderRefs = headerRefs([
  "ETag",
  "Cache-Control",
  "Vary",
  "Access-Control-Allow-Origin",
  "X-Ignored-Parameters",
  "X-Request-Id",
  ...RATE_HEADERS,
]);

/** The header fields of every 200. */
export const CONTENT_HEADERS: HeaderRefs = { ...VALIDATOR_HEADERS, ...headerRefs(["Content-Encoding"]) };

export const PREFLIGHT_HEADERS: HeaderRefs = headerRefs([
  "Vary",
  "Access-Control-Allow-Origin",
  "X-Request-Id",
  ...(Object.keys(PREFLIGHT) as HeaderName[]),
]);

/** The header fields of every error. */
export const ERROR_HEADERS: HeaderRefs = headerRefs([
  "X-Request-Id-Of-Error",
  "Cache-Control-Of-Error",
  "Vary",
  "Access-Control-Allow-Origin",
  "X-Ignored-Parameters",
  ...RATE_HEADERS,
]);

/** The header fields that only some 200 responses have. */
const FOUND_HEADERS = {
  "X-Missing-Count": headerObject(
    "With `missing=skip`: how many different ISBNs of the request the catalog does not have.",
    DIGITS,
  ),
  "X-Missing": headerObject(
    "With `missing=skip`: these ISBNs, separated by commas, when there are any and they fit into 4 kB.",
    { type: "string", pattern: "^[0-9]{13}(,[0-9]{13})*$", maxLength: 4096 },
  ),
  Link: headerObject(
    'With `limit`, and in a search, when another page follows: `<…>; rel="next"` (RFC 8288). The reference has a query only; resolve ' +
      "it against the URL of the request.",
    { type: "string", pattern: '^<\\?[^>]+>; rel="next"$' },
  ),
  "X-Search-Corrected": headerObject(
    "When the query finds nothing in the whole catalog, and a near one was used instead: that query, percent-encoded " +
      "in UTF-8.",
    { type: "string", pattern: "^[!-~]+$" },
  ),
  "X-Total-Count": headerObject(
    "With `limit`: the length of the whole list. Is absent when counting it takes more than a second. A search always " +
      "has it: exact up to 10,000 books, then `10000+`.",
    { type: "string", pattern: "^[0-9]+$|^10000\\+$" },
  ),
} as const satisfies Record<string, HeaderObject>;

export type FoundHeader = keyof typeof FOUND_HEADERS;

export function foundHeaders(names: readonly FoundHeader[] = []): Readonly<Record<string, HeaderObject>> {
  return Object.fromEntries(names.map((name) => [name, FOUND_HEADERS[name]]));
}
