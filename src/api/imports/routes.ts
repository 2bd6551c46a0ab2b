/** The rows of the history of imports in the table of routes. */
import { IMPORT_OUTCOMES } from "../../catalog/import-run.ts";
import { bookNotFound } from "../endpoints.ts";
import { UNKNOWN_ISBN } from "../openapi/examples.ts";
import { exampleImport, exampleImportDetails, exampleOrigin } from "../openapi/imports-schema.ts";
import { arrayOf } from "../openapi/json-schema.ts";
import { ref } from "../openapi/schemas.ts";
import { limitUpTo, oneOf, words } from "../parameters/kinds.ts";
import { inPath, inQuery } from "../parameters/parameter.ts";
import { ISBN_IN_PATH } from "../parameters/shared-parameters.ts";
import { route } from "../route.ts";
import {
  DEFAULT_IMPORTS,
  getImport,
  getImports,
  getOrigin,
  importCursor,
  importNotFound,
  importNumber,
  MAX_IMPORTS,
} from "./endpoints.ts";

const IMPORTS_ROUTE = route({
  path: "/api/imports",
  id: "getImports",
  tag: "Catalog",
  summary: "The history of imports",
  description:
    "The imports of the catalog, newest first, also those that failed or changed nothing. Each has its first 10 feeds.",
  parameters: {
    limit: inQuery(limitUpTo(MAX_IMPORTS), {
      description: `The most imports of a page, 1 to ${MAX_IMPORTS}. Default: ${DEFAULT_IMPORTS}.`,
      default: DEFAULT_IMPORTS,
    }),
    outcome: inQuery(oneOf(IMPORT_OUTCOMES, { "Other outcome": "done" }), {
      description: "Only imports with this outcome.",
    }),
    sender: inQuery(words("Give sender as the name of a sender, as the feeds of an import have it."), {
      description: "Only imports with a feed of this sender: its name, as the feeds of an import have it.",
    }),
    cursor: inQuery(importCursor, {
      description: "Where the page begins, as the `Link` of the page before has it.",
    }),
  },
  found: {
    description: "The imports; none before the first one.",
    schema: arrayOf(ref("Import")),
    example: [exampleImport],
    headers: ["Link"],
  },
  errors: {},
  endpoint: getImports,
  skipsCache: true,
});

const IMPORT_ROUTE = route({
  path: "/api/imports/{number}",
  id: "getImport",
  tag: "Catalog",
  summary: "One import",
  description: "An import with its complaints about the feeds, grouped, and with up to 1,000 of its feeds.",
  parameters: {
    number: inPath(importNumber, {
      description: "The number of the import, as `/api/imports` has it.",
      example: "1",
    }),
  },
  found: { description: "The import.", schema: ref("ImportDetails"), example: exampleImportDetails },
  errors: { "Unknown import": importNotFound(4711) },
  endpoint: getImport,
  skipsCache: true,
});

const ORIGIN_ROUTE = route({
  path: "/api/origin/{isbn}",
  id: "getOrigin",
  tag: "Books",
  summary: "Where a book comes from",
  description:
    "The sender of the book, the import that added it and the one that changed it last, with the elements of the " +
    "record that changed.",
  parameters: { isbn: ISBN_IN_PATH },
  found: { description: "The origin of the book.", schema: ref("Origin"), example: exampleOrigin },
  errors: { "Unknown ISBN": bookNotFound(UNKNOWN_ISBN) },
  endpoint: getOrigin,
  skipsCache: true,
});

export const IMPORT_ROUTES = [IMPORTS_ROUTE, IMPORT_ROUTE, ORIGIN_ROUTE];
