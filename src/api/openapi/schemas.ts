/** JSON Schemas (2020-12) of the response bodies. */

import { QUERY_PROBLEMS } from "../../catalog/search/query-parser.ts";
import { codeLists } from "../../onix/code-lists.ts";
import { TOO_MANY_TO_SORT } from "../errors.ts";
import { importSchemas } from "./imports-schema.ts";
import {
  arrayOf,
  completeObject,
  count,
  isbn13Schema,
  object,
  refTo,
  type Schema,
  text,
} from "./json-schema.ts";
import { recordSchemas } from "./record/record-schemas.ts";
import { facetsSchema, qualitySchema, suggestionsSchema } from "./search-schemas.ts";
import { summaryPartSchema, summarySchema } from "./summary-schema.ts";

type SchemaName =
  | "Book"
  | "Summary"
  | "Work"
  | "SummaryPart"
  | "Facets"
  | "Quality"
  | "Suggestions"
  | "Changes"
  | "Change"
  | "ImprintEntry"
  | "SubjectEntry"
  | "Label"
  | "Labels"
  | "Translations"
  | "Problem"
  | keyof typeof importSchemas;

export const ref = (name: SchemaName): Schema => refTo(name);

const label = object({ eng: text("English label."), spa: text("Spanish label.") }, ["eng", "spa"]);

const categories = Object.fromEntries(
  Object.entries(codeLists).map(([category, { list, title }]) => [
    category,
    { ...ref("Labels"), description: `${title} (ONIX list ${list}).`, "x-onix-list": list },
  ]),
);

const bookMembers: Readonly<Record<string, Schema>> = {
  _id: { type: "string", pattern: "^[0-9a-f]{24}$", description: "Derived from the ISBN." },
  RecordReference: { ...isbn13Schema, description: "The ISBN-13." },
};

const responseSchemas: Readonly<Record<Exclude<SchemaName, "Book">, Schema>> = {
  ...importSchemas,
  Summary: summarySchema,
  Work: completeObject({
    editions: { ...arrayOf(ref("Summary")), description: "The books of the work, by ISBN." },
    complete: { type: "boolean", description: "False when the work may have more books than the response." },
  }),
  SummaryPart: summaryPartSchema,
  Changes: object(
    {
      changes: { ...arrayOf(ref("Change")), description: "In the order of the imports, then by ISBN." },
      next: text("The cursor for `since` of the next request. The last page has it too."),
      more: { type: "boolean", description: "Whether more changes are there already." },
    },
    ["changes", "next", "more"],
  ),
  Change: object(
    {
      isbn: isbn13Schema,
      change: {
        type: "string",
        enum: ["added", "updated", "deleted"],
        description:
          "`added`: the book came into the catalog after the client was last up to date (`more` was false). Store " +
          "`added` and `updated` in the same way.",
      },
      at: { type: "string", format: "date-time", description: "The time of the import." },
      record: ref("Book"),
      summary: ref("Summary"),
    },
    ["isbn", "change", "at"],
  ),
  Facets: facetsSchema,
  Quality: qualitySchema,
  Suggestions: suggestionsSchema,
  ImprintEntry: object(
    {
      _id: object({ slug: text() }, ["slug"]),
      slug: text("Identifier in lower case, with hyphens between words."),
      name: text("The spelling that most books of the imprint use."),
    },
    ["_id", "slug", "name"],
  ),
  SubjectEntry: object(
    {
      code: text("The code of Thema."),
      scheme: text("Its SubjectSchemeIdentifier (ONIX list 27): `93`, or `94` to `99` for qualifiers."),
      label: text(),
      parent: { type: ["string", "null"], description: "The next broader code; null at the top." },
      narrower: count("How many subjects are directly below it."),
      books: {
        type: ["integer", "string"],
        description:
          "With `count=1`: the number of books in it and below it, exact up to 10,000, then `10000+`.",
      },
    },
    ["code", "scheme", "label", "parent", "narrower"],
  ),
  Label: label,
  Labels: { type: "object", additionalProperties: ref("Label"), description: "Labels by code." },
  Translations: {
    ...object(
      { _id: object({ $oid: { type: "string", pattern: "^[0-9a-f]{24}$" } }, ["$oid"]), ...categories },
      ["_id", "product_forms", "languages", "publishing_status", "product_availability"],
    ),
    description: "Labels by category and code. There is a category for each code list that records can use.",
  },
  Problem: {
    ...object(
      {
        type: { type: "string", const: "about:blank" },
        title: text("The phrase of the status code."),
        status: { type: "integer" },
        message: text("The error, as a fixed text."),
        detail: text("What to change."),
        missing: { ...arrayOf(isbn13Schema), description: "The ISBNs that the catalog does not have." },
        position: { type: "integer", minimum: 1, description: "The character of `q` that is wrong." },
        code: {
          type: "string",
          enum: [...QUERY_PROBLEMS, TOO_MANY_TO_SORT],
          description: "What is wrong with a search.",
        },
        allowed: { ...arrayOf(text()), description: "The values that the parameter takes." },
      },
      ["type", "title", "status", "message", "detail"],
    ),
    description: "An error (RFC 9457).",
  },
};

/** The components of the document. */
export const schemas: Readonly<Record<string, Schema>> = joinSchemas(
  responseSchemas,
  recordSchemas(bookMembers),
);

function joinSchemas(
  responses: Readonly<Record<string, Schema>>,
  record: Readonly<Record<string, Schema>>,
): Record<string, Schema> {
  const both = Object.keys(responses).filter((name) => Object.hasOwn(record, name));
  if (both.length > 0) throw new Error(`${both} is a component of the record too: rename it`);
  return { ...responses, ...record };
}
