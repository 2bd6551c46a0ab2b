/** The header fields that only some 200 responses have, in the OpenAPI document. */
import type { Schema } from "./schemas.ts";

interface HeaderObject {
  readonly description: string;
  readonly schema: Schema;
}

const HEADERS = {
  "X-Missing-Count": {
    description: "With `missing=skip`: how many different ISBNs of the request the catalog does not have.",
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  "X-Missing": {
    description:
      "With `missing=skip`: these ISBNs, separated by commas, when there are any and they fit into 4 kB.",
    schema: { type: "string", pattern: "^[0-9]{13}(,[0-9]{13})*$", maxLength: 4096 },
  },
  Link: {
    description:
      'With `limit`, and in a search, when another page follows: `<…>; rel="next"` (RFC 8288). The reference has a query only; resolve ' +
      "it against the URL of the request.",
    schema: { type: "string", pattern: '^<\\?[^>]+>; rel="next"$' },
  },
  "X-Total-Count": {
    description:
      "With `limit`: the length of the whole list. Is absent when counting it takes more than a second. A search always " +
      "has it: exact up to 10,000 books, then `10000+`.",
    schema: { type: "string", pattern: "^[0-9]+$|^10000\\+$" },
  },
} as const satisfies Record<string, HeaderObject>;

export type FoundHeader = keyof typeof HEADERS;

export function foundHeaders(names: readonly FoundHeader[] = []): Readonly<Record<string, HeaderObject>> {
  return Object.fromEntries(names.map((name) => [name, HEADERS[name]]));
}
