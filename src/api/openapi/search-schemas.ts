/** JSON Schemas of the counts of /api/facets and /api/quality. Tests compare the examples with the sample catalog. */

import {
  MAX_QUALITY_BOOKS,
  MAX_QUALITY_IMPRINTS,
  MAX_QUALITY_MONTHS,
  MAX_QUALITY_VALUES,
} from "../../catalog/quality/catalog-quality.ts";
import { FACETS, type FacetName } from "../../catalog/search/properties.ts";
import { MAX_FACET_BOOKS, MAX_FACET_VALUES } from "../../catalog/search/search.ts";
import { BOOK_NEEDS } from "../../onix/completeness/needs.ts";
import { MAX_SUGGESTIONS, SUGGESTION_KINDS } from "../search/suggestions.ts";
import { completeObject, count, isbn13Schema, object, type Schema, text } from "./json-schema.ts";

const DESCRIPTIONS: Readonly<Record<FacetName, string>> = {
  imprint: "By slug of the imprint.",
  language: "By language of the text; a book with several counts in each.",
  form: "By form of the product: codes of ONIX list 150.",
  availability: "By availability: codes of ONIX list 65. With `market`, that of the market.",
  audience: "By audience: codes of ONIX list 28; a book with several counts in each.",
  price: "By currency and price band, such as `EUR 15`; a book counts once for each currency.",
  year: "By year of publication. Is counted without `from` and `to`.",
  lacks: "By what the books lack of what shops need; a book that lacks several things counts in each.",
};

const counted = (description: string): Record<string, Schema> => ({
  total: {
    oneOf: [{ type: "integer", minimum: 0 }, { const: `${MAX_FACET_BOOKS}+` }],
    description: `${description} \`${MAX_FACET_BOOKS}+\` when there are more: then the newest are counted.`,
  },
  counted: count("The number of books that were counted."),
});

const facet = (name: FacetName): Schema => ({
  ...completeObject({
    ...counted("The number of books without the filter of this facet."),
    distinct: count("The number of different values, also of those that are not listed."),
    unlisted: count("The number of values that are not listed."),
    values: {
      type: "array",
      maxItems: MAX_FACET_VALUES,
      items: completeObject({
        value: { type: "string" },
        label: { type: "string", description: "The name of an imprint, or words for a code." },
        count: count("The number of books."),
      }),
      description: "By number of books, descending, then by value.",
    },
  }),
  description: DESCRIPTIONS[name],
});

export const facetsSchema: Schema = {
  ...completeObject({
    ...counted("The number of books found."),
    facets: completeObject(Object.fromEntries(FACETS.map((name) => [name, facet(name)]))),
  }),
  description: "How many books have which values. A book without a value is not counted in that facet.",
};

const values = (...rows: readonly (readonly [value: string, label: string, count: number])[]) => ({
  total: 2,
  counted: 2,
  distinct: rows.length,
  unlisted: 0,
  values: rows.map(([value, label, count]) => ({ value, label, count })),
});

/** The response to /api/facets?q=treasure+island with the sample catalog. */
export const exampleFacets = {
  total: 2,
  counted: 2,
  facets: {
    imprint: values(["caracola-sonora", "Caracola Sonora", 1], ["teapot-lighthouse", "Teapot Lighthouse", 1]),
    language: values(["eng", "English", 1], ["spa", "Spanish", 1]),
    form: values(["AJ", "Downloadable audio file", 1], ["BC", "Paperback / softback", 1]),
    availability: values(["20", "Available", 1], ["32", "Reprinting", 1]),
    audience: values(["02", "Children", 2]),
    price: values(["EUR 10", "EUR 10–15", 1], ["GBP 10", "GBP 10–15", 1]),
    year: values(["2008", "2008", 1], ["2021", "2021", 1]),
    lacks: values(["cover", "Cover", 2]),
  } satisfies Record<FacetName, object>,
};

export const suggestionsSchema: Schema = completeObject({
  suggestions: {
    type: "array",
    maxItems: MAX_SUGGESTIONS,
    items: object(
      {
        kind: { type: "string", enum: [...SUGGESTION_KINDS] },
        label: text("What to show: a title, a name, or the corrected query."),
        path: text("The path of the request that leads there, with its query."),
        isbn: { ...isbn13Schema, description: "Of a book." },
        slug: text("Of an imprint."),
        books: count("How many books a contributor, imprint or series has, where it is known."),
      },
      ["kind", "label", "path"],
    ),
  },
});

/** A response to /api/suggest?q=steve with the sample catalog. */
export const exampleSuggestions = {
  suggestions: [
    {
      kind: "contributor",
      label: "Robert Louis Stevenson",
      path: "/api/search?contributor=Robert%20Louis%20Stevenson",
      books: 2,
    },
  ],
};

export const COUNTED: Record<string, Schema> = {
  books: count("The number of books."),
  has: {
    ...completeObject(Object.fromEntries(BOOK_NEEDS.map((need) => [need, { type: "integer", minimum: 0 }]))),
    description: "How many of the books have each of what shops need.",
  },
};

const distribution = (members: Record<string, Schema>, maxItems: number, description: string): Schema => ({
  type: "array",
  maxItems,
  items: completeObject({ ...members, books: count("The number of books.") }),
  description,
});

export const qualitySchema: Schema = {
  ...completeObject({
    revision: { type: "string", description: "The revision of the catalog that was counted." },
    complete: {
      type: "boolean",
      description: `False when more than ${MAX_QUALITY_BOOKS.toLocaleString("en")} books are published from the day of \`from\` on: the last ones are counted.`,
    },
    ...COUNTED,
    imprints: {
      type: "array",
      maxItems: MAX_QUALITY_IMPRINTS,
      items: completeObject({ slug: { type: "string" }, name: { type: "string" }, ...COUNTED }),
      description: "By number of books, descending, then by slug.",
    },
    otherImprints: {
      ...completeObject({ imprints: count("The number of imprints that are not listed."), ...COUNTED }),
      description: "All imprints that are not listed, together.",
    },
    withoutImprint: { ...completeObject(COUNTED), description: "The books without an imprint." },
    languages: distribution(
      { value: { type: "string" } },
      MAX_QUALITY_VALUES,
      "By language of the text; a book with several counts in each. The most frequent first.",
    ),
    forms: distribution(
      { value: { type: "string" } },
      MAX_QUALITY_VALUES,
      "By form of the product: codes of ONIX list 150. The most frequent first.",
    ),
    prices: distribution(
      {
        currency: { type: "string" },
        from: { type: "number", minimum: 0, description: "The lowest price of the band." },
        below: {
          type: ["number", "null"],
          description: "The band ends below this price; null without an end.",
        },
      },
      MAX_QUALITY_VALUES,
      "By currency and price band; a book counts once for each currency. The most frequent first.",
    ),
    months: distribution(
      { value: { type: "string", pattern: "^[0-9]{6}$" } },
      MAX_QUALITY_MONTHS,
      "By month of publication, `YYYYMM`, the latest first.",
    ),
    unlisted: {
      ...completeObject({
        languages: count("Books."),
        forms: count("Books."),
        prices: count("Books."),
        months: count("Books."),
      }),
      description: "How many books the languages, forms, price bands and months have that are not listed.",
    },
  }),
  description: "How many books of the catalog have what shops need, and how they are distributed.",
};

export const has = (books: number, cover: number) =>
  Object.fromEntries(BOOK_NEEDS.map((need) => [need, need === "cover" ? cover : books]));

/** A small catalog. */
export const exampleQuality = {
  revision: "0123456789abcdef0123456789abcdef",
  complete: true,
  books: 12,
  has: has(12, 9),
  imprints: [{ slug: "ancla-azul", name: "Ancla Azul", books: 11, has: has(11, 8) }],
  otherImprints: { imprints: 0, books: 0, has: has(0, 0) },
  withoutImprint: { books: 1, has: has(1, 1) },
  languages: [{ value: "spa", books: 12 }],
  forms: [{ value: "BC", books: 12 }],
  prices: [{ currency: "EUR", from: 15, below: 20, books: 12 }],
  months: [{ value: "202609", books: 12 }],
  unlisted: { languages: 0, forms: 0, prices: 0, months: 0 },
};
