/** The rows of the history of imports in the table of routes. */
import type { Isbn13 } from "../../onix/isbn.ts";
import { bookNotFound } from "../endpoints.ts";
import { ApiError } from "../errors.ts";
import { EXAMPLE_ISBNS } from "../openapi/examples.ts";
import { exampleImport, exampleImportDetails, exampleOrigin } from "../openapi/imports-schema.ts";
import { arrayOf, ref } from "../openapi/schemas.ts";
import { parseIsbnParameter } from "../parameters.ts";
import {
  DEFAULT_IMPORTS,
  getImport,
  getImports,
  getOrigin,
  importNotFound,
  MAX_IMPORTS,
  notAnImportCursor,
  parseImportNumber,
  parseImports,
} from "./endpoints.ts";

const IMPORTS_ROUTE = {
  path: "/api/imports",
  id: "getImports",
  tag: "Catalog",
  summary: "The history of imports",
  description:
    "The imports of the catalog, newest first, also those that failed or changed nothing. Each has its first 10 feeds.",
  parameters: [
    {
      name: "limit",
      in: "query",
      description: `At most so many imports, 1 to ${MAX_IMPORTS}. Default: ${DEFAULT_IMPORTS}.`,
      schema: { type: "integer", minimum: 1, maximum: MAX_IMPORTS },
    },
    {
      name: "cursor",
      in: "query",
      description: "Where the page begins, as the `Link` of the page before has it.",
      schema: { type: "string" },
    },
  ],
  found: {
    description: "The imports; none before the first one.",
    schema: arrayOf(ref("Import")),
    example: [exampleImport],
    headers: ["Link"],
  },
  errors: {
    "Limit out of range": errorOf(parseImports(`limit=${MAX_IMPORTS + 1}`)),
    "Cursor of another list": notAnImportCursor,
  },
  endpoint: getImports,
  skipsCache: true,
} as const;

const IMPORT_ROUTE = {
  path: "/api/imports/{number}",
  id: "getImport",
  tag: "Catalog",
  summary: "One import",
  description: "An import with its complaints about the feeds, grouped, and with up to 1,000 of its feeds.",
  parameters: [
    {
      name: "number",
      in: "path",
      description: "The number of the import, as `/api/imports` has it.",
      schema: { type: "string", pattern: "^[1-9][0-9]{0,9}$" },
      example: "1",
    },
  ],
  found: { description: "The import.", schema: ref("ImportDetails"), example: exampleImportDetails },
  errors: {
    "Not a number": errorOf(parseImportNumber("last")),
    "Unknown import": importNotFound(4711),
  },
  endpoint: getImport,
  skipsCache: true,
} as const;

const ORIGIN_ROUTE = {
  path: "/api/origin/{isbn}",
  id: "getOrigin",
  tag: "Books",
  summary: "Where a book comes from",
  description:
    "The sender of the book, the import that added it and the one that changed it last, with the elements of the " +
    "record that changed.",
  parameters: [
    {
      name: "isbn",
      in: "path",
      description: "13 digits. Hyphens and spaces are ignored, and an ISBN-10 is converted to its ISBN-13.",
      schema: { type: "string" },
      example: EXAMPLE_ISBNS[0],
    },
  ],
  found: { description: "The origin of the book.", schema: ref("Origin"), example: exampleOrigin },
  errors: {
    "Not an ISBN": errorOf(parseIsbnParameter("97899999")),
    "Unknown ISBN": bookNotFound("9789999900003" as Isbn13),
  },
  endpoint: getOrigin,
  skipsCache: true,
} as const;

export const IMPORT_ROUTES = [IMPORTS_ROUTE, IMPORT_ROUTE, ORIGIN_ROUTE] as const;

/** Returns the error for a wrong value, so that the documented example is the real one. */
function errorOf(parsed: unknown): ApiError {
  if (parsed instanceof ApiError) return parsed;
  throw new Error("The example of an error is valid");
}
