/** Builds the OpenAPI 3.1 document of the API from the table of routes. */
import { TAGS } from "../route.ts";
import { ROUTES } from "../routes.ts";
import { formatExamples } from "./formats.ts";
import { HEADER_OBJECTS } from "./header-objects.ts";
import { getOperation, optionsOperation, SHARED_RESPONSES } from "./operations.ts";
import { schemas } from "./schemas.ts";

export interface OpenApiOptions {
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
        "says what to change. The methods are GET, HEAD and OPTIONS; any other gets 405. The documentation for",
        "integrators is at [`docs`](docs).",
      ].join(" "),
      contact: { name: "The operator of this service" },
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    // Relative to the document, so that it is right behind any path prefix of a reverse proxy.
    servers: [{ url: "." }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(
      ROUTES.map((route) => [route.path, { get: getOperation(route), options: optionsOperation(route) }]),
    ),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas,
      examples: formatExamples(),
      responses: SHARED_RESPONSES,
      headers: HEADER_OBJECTS,
    },
  };
}
