/** JSON Schema of a summary. A test compares its members with those of a summary, and the example with the sample. */
import { encodeJson } from "../../lib/text.ts";
import { readSummary, type Summary } from "../../onix/summary/summary.ts";
import { exampleBook } from "./examples.ts";
import { completeObject, isbn13Schema, object, type Schema } from "./json-schema.ts";
import { listKeywords } from "./record/value-schemas.ts";

const list = (items: Schema, description: string): Schema => ({ type: "array", items, description });
const text = (description: string): Schema => ({ type: ["string", "null"], description });
const code = (list: number, of: string): Schema => ({
  ...text(`${of}: a code of ONIX list ${list}.`),
  ...listKeywords(list),
});
const codes = (number: number, of: string): Schema =>
  list({ type: "string", ...listKeywords(number) }, `${of}: codes of ONIX list ${number}.`);
const day = (description: string): Schema => ({
  type: ["string", "null"],
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
  description,
});
const decimal = (description: string): Schema => ({
  type: ["string", "null"],
  pattern: "^[0-9]+(\\.[0-9]+)?$",
  description: `${description} A decimal number with a point.`,
});
const territory = (description: string): Schema =>
  text(
    `${description} Countries, then regions, separated by spaces; excluded ones with a minus before them: codes of ONIX lists 91 and 49.`,
  );
/** Returns the name of the member with the label of a code, or with the labels of several. */
export function labelName(name: string, isList: boolean): string {
  return isList ? `${name.replace(/s$/, "")}Labels` : `${name}Label`;
}

/** The last two are there when the price has them. */
const PRICE: Record<string, Schema> = {
  amount: decimal("The amount, or null when what was sent is not a number."),
  currency: code(96, "Currency"),
  type: code(58, "Type of the price"),
  from: day("The first day on which the price holds."),
  until: day("The last day on which the price holds."),
  territory: territory("Where the price holds; null stands for everywhere."),
  qualifier: code(59, "For whom the price is"),
  conditions: list(
    completeObject({
      type: code(167, "Condition"),
      quantity: decimal("A quantity of the condition, such as the 7 of a rental of 7 days."),
      unit: code(169, "Unit of the quantity"),
    }),
    "The conditions of the price.",
  ),
  minimumQuantity: { type: ["integer", "null"], description: "The smallest order at this price." },
  taxes: list(
    completeObject({
      type: code(171, "Type of the tax"),
      rate: code(62, "Rate"),
      percent: decimal("The rate in percent."),
      taxable: decimal("The part of the price that is taxed."),
      amount: decimal("The tax."),
    }),
    "The taxes that the price includes or that are added to it.",
  ),
  constraints: list(
    completeObject({
      type: code(230, "Constraint"),
      status: code(146, "Whether it is permitted"),
      quantity: decimal("A limit, such as the 7 of a licence for 7 days."),
      unit: code(147, "Unit of the limit"),
    }),
    "What a copy at this price may be used for. There when the price has constraints.",
  ),
  per: code(60, "What the price is for, when it was sent"),
};

export const SUMMARY_PROPERTIES: Readonly<Record<keyof Summary, Schema>> = {
  isbn: { ...isbn13Schema, description: "The ISBN-13." },
  isbn10: text("The ISBN-10, for an ISBN that begins with 978."),
  title: text("The title without the subtitle."),
  subtitle: text("The subtitle."),
  collection: text("The title of the collection."),
  contributors: list(
    completeObject({
      name: text("The name in reading order."),
      role: code(17, "The first role"),
      roles: codes(17, "All roles in their order"),
    }),
    "The contributors in their order.",
  ),
  imprint: text("The name of the imprint or, without one, of the publisher."),
  publisher: text("The name of the publisher."),
  published: day("The day of publication."),
  status: code(64, "Publishing status"),
  form: code(150, "Form of the product"),
  languages: codes(74, "The languages of the text"),
  pages: { type: ["integer", "null"], description: "The number of pages." },
  subjects: list(
    completeObject({
      scheme: code(27, "Scheme"),
      code: {
        ...text("The code in the scheme. Those of Thema have words when they were loaded."),
        "x-thema": true,
      },
      text: text("The heading, or keywords."),
    }),
    "The subjects, the main one first.",
  ),
  audience: codes(28, "The audience"),
  prices: list(
    object(
      PRICE,
      Object.keys(PRICE).filter((name) => name !== "constraints" && name !== "per"),
    ),
    "All prices, of whatever day, market and buyer.",
  ),
  availability: code(65, "The best availability of all markets"),
  description: text("The description as plain text, with a line feed between paragraphs."),
  cover: text("The URL of the front cover."),
  updated: day("The day on which the sender says that the data has changed."),
  partNumber: text("The number of the volume, as it is written."),
  partTitle: text("The title of the volume, beside that of the whole."),
  collectionNumber: text("The number of the book in its collection."),
  formDetail: codes(175, "Details of the form, such as the format of a file"),
  editionNumber: { type: ["integer", "null"], description: "The number of the edition." },
  editionTypes: codes(21, "The types of the edition"),
  duration: { type: ["integer", "null"], description: "The duration of audio or video in minutes." },
  markets: list(
    completeObject({
      territory: territory("The market; null stands for everywhere."),
      availability: code(65, "Availability in the market"),
    }),
    "The markets in which the book is sold.",
  ),
  rights: {
    anyOf: [
      completeObject({
        exclusive: territory("Where it is sold with exclusive rights."),
        nonExclusive: territory("Where it is sold with non-exclusive rights."),
        notForSale: territory("Where it is not for sale."),
      }),
      { type: "null" },
    ],
    description: "The sales rights. ROW is the rest of the world.",
  },
  workId: text(
    "The identifier of the work: its type, a code of ONIX list 16, a colon and the value. `/api/work` has its editions.",
  ),
};

export const exampleSummary: Summary = readSummary(encodeJson(exampleBook)).summary;

/** Adds the members with labels to a schema of a summary, or of a part of it. */
function withLabels(properties: Readonly<Record<string, Schema>>): Record<string, Schema> {
  const all: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(properties)) {
    const items = schema.items as Schema | undefined;
    const inner = (items ?? schema).properties as Record<string, Schema> | undefined;
    const { "x-onix-list": codes } = items ?? schema;
    const labelled = inner && { ...items, properties: withLabels(inner) };
    all[name] = labelled ? { ...schema, items: labelled } : schema;
    if (codes === undefined && !schema["x-thema"]) continue;
    const label = text(`With \`labels\`: words for \`${name}\`.`);
    all[labelName(name, items !== undefined)] =
      items === undefined ? label : list({ type: ["string", "null"] }, label.description as string);
  }
  return all;
}

const highlight = completeObject({
  field: { type: "string", description: "The member of the summary that has the text." },
  text: { type: "string", description: "The text; of a long description, the part around the first word." },
  ranges: list(
    { type: "array", items: { type: "integer", minimum: 0 }, minItems: 2, maxItems: 2 },
    "Where words of the query begin and end in the text, in UTF-16 code units.",
  ),
});

export const summaryPartSchema: Schema = {
  ...object({
    ...withLabels(SUMMARY_PROPERTIES),
    editions: list(
      SUMMARY_PROPERTIES.isbn,
      "With `group=work`: the ISBNs of the other editions of its work on the page.",
    ),
    highlights: list(highlight, "With `highlight`: the texts that have words of the query."),
  }),
  additionalProperties: false,
  description: "A summary with `fields`, `labels` or `highlight`: some of its members, and further ones.",
};

export const summarySchema: Schema = {
  ...completeObject(SUMMARY_PROPERTIES),
  description:
    "A book as one flat object. No member is ever missing: an absent value is null, an absent list is empty.",
  examples: [exampleSummary],
};
