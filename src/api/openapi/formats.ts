/** What an endpoint with several formats has in the OpenAPI document: errors and the content of its 200. */

import { CONTENT_TYPES, type Format } from "../../catalog/formats/format.ts";
import {
  ByteOutput,
  csvOfImprints,
  csvOfIsbns,
  csvOfSummaries,
  type ListWriter,
  ndjsonOf,
} from "../../catalog/formats/list-writer.ts";
import { onixOfEntries } from "../../catalog/formats/onix.ts";
import { encodeJson } from "../../lib/text.ts";
import type { ApiError } from "../errors.ts";
import { csvOfRecords, xmlOfSummaries } from "../formats/format-choice.ts";
import { EXAMPLE_ISBNS, exampleBook, exampleImprint } from "./examples.ts";
import type { Schema } from "./json-schema.ts";
import { exampleSummary } from "./summary-schema.ts";

type Json = Record<string, unknown>;

/** The part of a route that its formats depend on. */
interface FormattedRoute {
  readonly formats?: readonly Format[] | undefined;
  readonly found: { readonly schema: Schema; readonly example: unknown };
}

export function formatErrors({ formats }: FormattedRoute): Readonly<Record<string, ApiError>> {
  if (!formats?.includes("xml")) return {};
  return { "Records as CSV": csvOfRecords, "Summaries as XML": xmlOfSummaries };
}

/** Returns the content of the 200, by media type: JSON first. */
export function contentOf(route: FormattedRoute): Json {
  const { schema, example } = route.found;
  const content: Json = { [CONTENT_TYPES.json]: { schema, example } };
  for (const format of route.formats ?? []) {
    if (format === "json") continue;
    content[CONTENT_TYPES[format]] = {
      schema: { type: "string", description: DESCRIPTIONS[format] },
      examples: { Example: { $ref: `#/components/examples/${exampleName(route, format)}` } },
    };
  }
  return content;
}

const DESCRIPTIONS: Readonly<Record<Exclude<Format, "json">, string>> = {
  ndjson: "One JSON value per line, each followed by a line feed.",
  xml: "An ONIX 3.1 message, also for one book. `SentDateTime` is the day of the response.",
  csv:
    "UTF-8 with a byte order mark, a line of column names, and one line per book, ISBN or imprint, each with CRLF (RFC " +
    "4180). Books are summaries. Several values of a cell are separated by ` | `. A cell that a spreadsheet could take " +
    "for a formula begins with an apostrophe.",
};

/** The lists are books, ISBNs or imprints. */
function exampleName({ found, formats }: FormattedRoute, format: Exclude<Format, "json">): string {
  const [first] = [found.example].flat();
  if (formats!.includes("xml"))
    return `${format === "ndjson" && first === exampleSummary ? "summaries" : "books"}-${format}`;
  return `${typeof first === "string" ? "isbns" : "imprints"}-${format}`;
}

/** The components that `contentOf` refers to. */
export function formatExamples(): Json {
  const onix = onixOfEntries({ release: "3.1", sent: "20260901", asRelease31: true });
  const book = { body: encodeJson(exampleBook), reference: EXAMPLE_ISBNS[0], origin: '{"release":"3.1"}' };
  return {
    "books-ndjson": { value: written(ndjsonOf<unknown>(itself), [exampleBook]) },
    "summaries-ndjson": { value: written(ndjsonOf<unknown>(itself), [exampleSummary]) },
    "books-xml": { value: written(onix, [book]) },
    "books-csv": { value: written(csvOfSummaries, [encodeJson(exampleSummary)]) },
    "isbns-ndjson": { value: written(ndjsonOf<string>(itself), EXAMPLE_ISBNS) },
    "isbns-csv": { value: written(csvOfIsbns, EXAMPLE_ISBNS) },
    "imprints-ndjson": { value: written(ndjsonOf<unknown>(itself), [exampleImprint]) },
    "imprints-csv": { value: written(csvOfImprints, [exampleImprint]) },
  };
}

function itself<T>(item: T): T {
  return item;
}

function written<T>(writer: ListWriter<T>, items: readonly T[]): string {
  const output = new ByteOutput();
  writer.begin?.(output);
  for (const item of items) void writer.write(item, output);
  writer.end?.(output);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(output.take());
}
