/** The endpoint /api/subjects: the tree of Thema, in the words that `colophon subjects` has loaded. */
import { type Subject, schemeOf } from "../../catalog/subjects/subject-labels.ts";
import { SUBJECT_CODE } from "../../catalog/subjects/thema-file.ts";
import { ApiError, badRequest } from "../errors.ts";
import { arrayOf } from "../openapi/json-schema.ts";
import { ref } from "../openapi/schemas.ts";
import { excerpt, oneOf } from "../parameters/kinds.ts";
import { inQuery, type Kind, type Values } from "../parameters/parameter.ts";
import { documentWithDigest } from "../response/responder.ts";
import { type Endpoint, type EndpointCaller, type EndpointContext, route } from "../route.ts";
import { refusable } from "../search/search-endpoints.ts";
import { FACET_PARAMETERS, selectionOf } from "../search/search-parameters.ts";
import { SELECTION_ERRORS } from "../search/search-routes.ts";

const MAX_CODES = 100;

const notCodes = (value: string) =>
  badRequest(
    `"${excerpt(value)}" is not what a subject of Thema is called; give up to ${MAX_CODES} codes, such as FBA, separated by commas.`,
  );

const codes: Kind<readonly string[]> = {
  parse(value) {
    const list = value.toUpperCase().split(",");
    return list.length <= MAX_CODES && list.every((code) => SUBJECT_CODE.test(code)) ? list : notCodes(value);
  },
  schema: { type: "string" },
  wrong: { "Not a code": "Fiction & related" },
};

const code: Kind<string> = {
  parse: (value) => (SUBJECT_CODE.test(value.toUpperCase()) ? value.toUpperCase() : notCodes(value)),
  schema: { type: "string" },
};

const PARAMETERS = {
  below: inQuery(code, {
    description: "The code whose next narrower subjects are listed. Default: the top.",
  }),
  codes: inQuery(codes, {
    description: `These subjects instead: up to ${MAX_CODES} codes, separated by commas.`,
  }),
  count: inQuery(oneOf(["1"], { "Other count": "true" }), {
    description:
      "`1`: each subject has `books`, the number of books that a search with the other parameters finds in it and " +
      "below it. `subject` is ignored then.",
  }),
  ...FACET_PARAMETERS,
};
type SubjectsRequest = Values<typeof PARAMETERS>;

const getSubjects: Endpoint<SubjectsRequest> = async (context, values, _choice, caller) => {
  const { labels, below = "", codes, count } = values;
  const words = await context.subjects.in(labels);
  const found = codes ? codes.flatMap((each) => words.find(each) ?? []) : words.below(below);
  const entries = found.map(({ code, label, parent }) => ({
    code,
    scheme: schemeOf(code),
    label,
    parent: parent === "" ? null : parent,
    narrower: words.below(code).length,
  }));
  if (count === undefined) return documentWithDigest(entries);
  const books = await refusable(() => countBooks(context, values, found, caller));
  if (books instanceof ApiError) return books;
  return documentWithDigest(entries.map((entry, at) => ({ ...entry, books: books[at] })));
};

/** Counts with one search for each subject, which the store ends at 10,000 books. */
async function countBooks(
  { store }: EndpointContext,
  values: SubjectsRequest,
  subjects: readonly Subject[],
  caller: EndpointCaller,
): Promise<readonly (number | string)[] | ApiError> {
  const selection = selectionOf(values);
  if (selection instanceof ApiError) return selection;
  const totals: (number | string)[] = [];
  for (const { code } of subjects) {
    const filters = { ...selection.filters, subject: [`${schemeOf(code)}:${code}`] };
    const request = { query: selection.query, filters, sort: "newest", limit: 1 } as const;
    totals.push((await store.search(request, caller)).total);
  }
  return totals;
}

const exampleSubject = {
  code: "FB",
  scheme: "93",
  label: "Fiction: general and literary",
  parent: "F",
  narrower: 4,
};

export const SUBJECTS_ROUTE = route({
  path: "/api/subjects",
  id: "getSubjects",
  tag: "Translations",
  summary: "Subjects in words",
  description:
    "The subjects of Thema, one level at a time: those at the top, or those below a code. They are there once " +
    "`colophon subjects` has loaded a file of EDItEUR. `/api/search?subject=93:FB` has the books of one and of all " +
    "below it.",
  parameters: PARAMETERS,
  found: {
    description: "The subjects, in the order of Thema; none when no file was loaded.",
    schema: arrayOf(ref("SubjectEntry")),
    example: [exampleSubject],
  },
  errors: SELECTION_ERRORS,
  endpoint: getSubjects,
  skipsCache: true,
});
