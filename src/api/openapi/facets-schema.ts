/** JSON Schema of the counts of /api/facets. A test compares the example with the sample catalog. */
import { FACETS, type FacetName } from "../../catalog/search/properties.ts";
import { MAX_FACET_BOOKS, MAX_FACET_VALUES } from "../../catalog/search/search.ts";

type Schema = Readonly<Record<string, unknown>>;

const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const object = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const DESCRIPTIONS: Readonly<Record<FacetName, string>> = {
  imprint: "By slug of the imprint.",
  language: "By language of the text; a book with several counts in each.",
  form: "By form of the product: codes of ONIX list 150.",
  availability: "By availability: codes of ONIX list 65.",
  year: "By year of publication.",
  lacks: "By what the books lack of what shops need; a book that lacks several things counts in each.",
};

const facet = (name: FacetName): Schema => ({
  ...object({
    distinct: count("The number of different values, also of those that are not listed."),
    values: {
      type: "array",
      maxItems: MAX_FACET_VALUES,
      items: object({ value: { type: "string" }, count: count("The number of books.") }),
      description: "By number of books, descending, then by value.",
    },
  }),
  description: DESCRIPTIONS[name],
});

export const facetsSchema: Schema = {
  ...object({
    total: {
      oneOf: [{ type: "integer", minimum: 0 }, { const: `${MAX_FACET_BOOKS}+` }],
      description: `The number of books found. \`${MAX_FACET_BOOKS}+\` when there are more: then the newest are counted.`,
    },
    counted: count("The number of books that were counted."),
    facets: object(Object.fromEntries(FACETS.map((name) => [name, facet(name)]))),
  }),
  description: "How many books have which values. A book without a value is not counted in that facet.",
};

const values = (...pairs: readonly (readonly [value: string, count: number])[]) => ({
  distinct: pairs.length,
  values: pairs.map(([value, count]) => ({ value, count })),
});

/** The response to /api/facets?q=treasure+island with the sample catalog. */
export const exampleFacets = {
  total: 2,
  counted: 2,
  facets: {
    imprint: values(["caracola-sonora", 1], ["teapot-lighthouse", 1]),
    language: values(["eng", 1], ["spa", 1]),
    form: values(["AJ", 1], ["BC", 1]),
    availability: values(["20", 1], ["32", 1]),
    year: values(["2008", 1], ["2021", 1]),
    lacks: values(["cover", 2]),
  } satisfies Record<FacetName, object>,
};
