/** JSON Schema of the counts of /api/quality. */
import {
  MAX_QUALITY_IMPRINTS,
  MAX_QUALITY_MONTHS,
  MAX_QUALITY_VALUES,
} from "../../catalog/quality/catalog-quality.ts";
import { BOOK_NEEDS } from "../../onix/completeness/book-needs.ts";

type Schema = Readonly<Record<string, unknown>>;

const count = (description: string): Schema => ({ type: "integer", minimum: 0, description });
const object = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const COUNTED: Record<string, Schema> = {
  books: count("The number of books."),
  has: {
    ...object(Object.fromEntries(BOOK_NEEDS.map((need) => [need, { type: "integer", minimum: 0 }]))),
    description: "How many of the books have each of what shops need.",
  },
};

const distribution = (members: Record<string, Schema>, maxItems: number, description: string): Schema => ({
  type: "array",
  maxItems,
  items: object({ ...members, books: count("The number of books.") }),
  description,
});

export const qualitySchema: Schema = {
  ...object({
    revision: { type: "string", description: "The revision of the catalog that was counted." },
    ...COUNTED,
    imprints: {
      type: "array",
      maxItems: MAX_QUALITY_IMPRINTS,
      items: object({ slug: { type: "string" }, name: { type: "string" }, ...COUNTED }),
      description: "By number of books, descending, then by slug.",
    },
    otherImprints: {
      ...object({ imprints: count("The number of imprints that are not listed."), ...COUNTED }),
      description: "All imprints that are not listed, together.",
    },
    withoutImprint: { ...object(COUNTED), description: "The books without an imprint." },
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
      ...object({
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

const has = (books: number, cover: number) =>
  Object.fromEntries(BOOK_NEEDS.map((need) => [need, need === "cover" ? cover : books]));

/** A small catalog. */
export const exampleQuality = {
  revision: "0123456789abcdef0123456789abcdef",
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
