/** The endpoint /api/subjects: the tree of Thema, in the words that `colophon subjects` has loaded. */
import { LABEL_LANGUAGES, type LabelLanguage, schemeOf } from "../../catalog/subjects/subject-labels.ts";
import { badRequest } from "../errors.ts";
import { documentResult } from "../imports/endpoints.ts";
import { arrayOf, ref } from "../openapi/schemas.ts";
import { excerpt, oneOf } from "../parameters/kinds.ts";
import { inQuery, type Kind } from "../parameters/parameter.ts";
import { type Endpoint, route } from "../route.ts";

const MAX_CODES = 100;
const CODE = /^[0-9A-Z][0-9A-Z-]{0,29}$/;

const notCodes = (value: string) =>
  badRequest(
    `"${excerpt(value)}" is not what a subject of Thema is called; give up to ${MAX_CODES} codes, such as FBA, separated by commas.`,
  );

const codes: Kind<readonly string[]> = {
  parse(value) {
    const list = value.toUpperCase().split(",");
    return list.length <= MAX_CODES && list.every((code) => CODE.test(code)) ? list : notCodes(value);
  },
  schema: { type: "string" },
  wrong: { "Not a code": "Fiction & related" },
};

const code: Kind<string> = {
  parse: (value) => (CODE.test(value.toUpperCase()) ? value.toUpperCase() : notCodes(value)),
  schema: { type: "string" },
};

interface SubjectsRequest {
  readonly labels: LabelLanguage;
  readonly below: string | undefined;
  readonly codes: readonly string[] | undefined;
}

const getSubjects: Endpoint<SubjectsRequest> = async ({ subjects }, { labels, below = "", codes }) => {
  const words = await subjects.in(labels);
  const found = codes ? codes.flatMap((each) => words.find(each) ?? []) : words.below(below);
  return documentResult(
    found.map(({ code, label, parent }) => ({
      code,
      scheme: schemeOf(code),
      label,
      parent: parent === "" ? null : parent,
      narrower: words.below(code).length,
    })),
  );
};

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
  parameters: {
    below: inQuery(code, {
      description: "The code whose next narrower subjects are listed. Default: the top.",
    }),
    codes: inQuery(codes, {
      description: `These subjects instead: up to ${MAX_CODES} codes, separated by commas.`,
    }),
    labels: inQuery(oneOf(LABEL_LANGUAGES, { "Other language": "fre" }), {
      description:
        "The language of the labels. A subject without a label in it has the English one. Default: `eng`.",
      default: "eng",
    }),
  },
  found: {
    description: "The subjects, in the order of Thema; none when no file was loaded.",
    schema: arrayOf(ref("SubjectEntry")),
    example: [exampleSubject],
  },
  errors: {},
  endpoint: getSubjects,
  skipsCache: true,
});
