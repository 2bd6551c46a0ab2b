/** Parameters that several routes have. */
import type { View } from "../../catalog/store.ts";
import { LABEL_LANGUAGES } from "../../catalog/subjects/subject-labels.ts";
import { EXAMPLE_ISBNS } from "../openapi/examples.ts";
import { isbn, limitUpTo, oneOf, text } from "./kinds.ts";
import { inPath, inQuery, type Values } from "./parameter.ts";

export const ISBN_IN_PATH = inPath(isbn, {
  description: "13 digits. Hyphens and spaces are ignored, and an ISBN-10 is converted to its ISBN-13.",
  example: EXAMPLE_ISBNS[0],
});

export const view = oneOf<View>(["record", "summary"], { "Other view": "full" });

export const VIEW = inQuery(view, {
  description: "`summary`: one flat object per book instead of its record. Default: `record`.",
  default: "record",
});

export const labels = oneOf(LABEL_LANGUAGES, { "Other language of labels": "fra" });

/** The most items of a page. */
export const MAX_PAGE_LIMIT = 1000;
export const pageLimit = limitUpTo(MAX_PAGE_LIMIT);

export const PAGE_PARAMETERS = {
  limit: inQuery(pageLimit, {
    description:
      `The most items of a page, 1 to ${MAX_PAGE_LIMIT}. The header \`Link\` has the URL of the next page, and ` +
      "`X-Total-Count` the length of the list. Without it, the response is the whole list.",
  }),
  cursor: inQuery(text, {
    description:
      "Where the page begins, as the `Link` of the page before has it. Valid for the same list only.",
  }),
};

/** Without `limit`, the request is for the whole list. */
export type PageRequest = Values<typeof PAGE_PARAMETERS>;
