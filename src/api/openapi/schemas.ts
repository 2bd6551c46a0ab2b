/** JSON Schemas (2020-12) of the response bodies. A record may have members that its schema does not list. */
import { facetsSchema } from "./facets-schema.ts";
import { summarySchema } from "./summary-schema.ts";

export interface Schema {
  readonly [keyword: string]: unknown;
}

export type SchemaName =
  | "Book"
  | "Summary"
  | "Facets"
  | "Changes"
  | "Change"
  | "Imprint"
  | "Label"
  | "Translations"
  | "Problem";

const text = (description?: string): Schema => ({ type: "string", ...(description && { description }) });
const code = (list: number, of: string): Schema => text(`${of}: a code of ONIX list ${list}.`);
export const arrayOf = (items: Schema): Schema => ({ type: "array", items });
/** A repeatable ONIX element: a single value when it occurs once, an array when it occurs several times. */
const oneOrMany = (one: Schema): Schema => ({ anyOf: [one, { type: "array", items: one, minItems: 2 }] });
const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
export const ref = (name: SchemaName): Schema => ({ $ref: `#/components/schemas/${name}` });
const emptyFlag = (description: string): Schema => ({ type: "array", maxItems: 0, description });

export const isbn13Schema: Schema = { type: "string", pattern: "^[0-9]{13}$" };

const productIdentifier = object(
  {
    ProductIDType: code(5, "Type of the identifier"),
    IDTypeName: text("Name of a proprietary identifier scheme (type 01)."),
    IDValue: text("The ISBN-13 for types 03 and 15, the ISBN-10 for 02."),
  },
  ["ProductIDType", "IDValue"],
);

const descriptiveDetail = object({
  ProductComposition: code(2, "One product, or several in one"),
  ProductForm: code(150, "Form of the product"),
  ProductFormDetail: oneOrMany(code(175, "Detail of the form")),
  ProductPackaging: code(80, "Packaging"),
  PrimaryContentType: code(81, "Main type of content"),
  Measure: arrayOf(
    object({
      MeasureType: code(48, "What is measured"),
      Measurement: text("A decimal number."),
      MeasureUnitCode: code(50, "Unit"),
    }),
  ),
  CountryOfManufacture: code(91, "Country"),
  NoCollection: emptyFlag("Present when the product belongs to no collection."),
  TitleDetail: oneOrMany(
    object({
      TitleType: code(15, "Type of the title"),
      TitleElement: oneOrMany(object({ TitleElementLevel: code(149, "Level"), TitleText: text() })),
    }),
  ),
  Contributor: oneOrMany(
    object({
      SequenceNumber: text(),
      ContributorRole: oneOrMany(code(17, "Role")),
      PersonName: text(),
      PersonNameInverted: text(),
      NamesBeforeKey: text(),
      KeyNames: text(),
      CorporateName: oneOrMany(text("The name of an organisation, instead of the names of a person.")),
    }),
  ),
  NoEdition: emptyFlag("Present when the product has no edition statement."),
  Language: oneOrMany(
    object({
      LanguageRole: code(22, "Role of the language; 01 is the language of the text"),
      LanguageCode: { ...code(74, "Language"), minLength: 3, maxLength: 3 },
    }),
  ),
  Extent: oneOrMany(
    object({
      ExtentType: code(23, "What is counted"),
      ExtentValue: text("A number."),
      ExtentUnit: code(24, "Unit"),
    }),
  ),
  Subject: arrayOf(
    object(
      {
        MainSubject: {
          ...arrayOf({ type: "string" }),
          description: '`["true"]` when it is the main subject of its scheme, otherwise `[]`.',
        },
        SubjectSchemeIdentifier: code(27, "Scheme"),
        SubjectCode: text(),
        SubjectHeadingText: oneOrMany(text()),
      },
      ["MainSubject"],
    ),
  ),
  Audience: oneOrMany(
    object({ AudienceCodeType: code(29, "Scheme of the code"), AudienceCodeValue: text() }),
  ),
  AudienceRange: oneOrMany(
    object({
      AudienceRangeQualifier: code(30, "What the range is of"),
      AudienceRangePrecision: arrayOf(code(31, "From, to or exactly")),
      AudienceRangeValue: arrayOf(text()),
    }),
  ),
});

const collateralDetail = object({
  TextContent: arrayOf(
    object({
      TextType: code(153, "Type of the text"),
      ContentAudience: oneOrMany(code(154, "Audience")),
      Text: oneOrMany(text("May contain HTML markup and line feeds.")),
    }),
  ),
});

const label = object({ eng: text("English label."), spa: text("Spanish label.") }, ["eng", "spa"]);
const labels: Schema = { type: "object", additionalProperties: ref("Label") };

export const schemas: Readonly<Record<SchemaName, Schema>> = {
  Book: {
    ...object(
      {
        _id: { type: "string", pattern: "^[0-9a-f]{24}$", description: "Derived from the ISBN." },
        RecordReference: { ...isbn13Schema, description: "The ISBN-13." },
        NotificationType: code(1, "Type of the notification"),
        ProductIdentifier: { ...arrayOf(productIdentifier), minItems: 1 },
        DescriptiveDetail: descriptiveDetail,
        CollateralDetail: collateralDetail,
      },
      ["_id", "RecordReference", "NotificationType", "ProductIdentifier"],
    ),
    description:
      "A book, with the reference names of ONIX 3. All other blocks and elements of the feed (PublishingDetail, " +
      'ProductSupply, …) are present too. An attribute is a member beside its element, such as `"Text@language"`. ' +
      'When a feed repeats an element that ONIX does not repeat, the others follow as `"TitleText#more"`.',
  },
  Summary: summarySchema,
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
  Imprint: object(
    {
      _id: object({ slug: text() }, ["slug"]),
      slug: text("Identifier in lower case, with hyphens between words."),
      name: text("The spelling that most books of the imprint use."),
    },
    ["_id", "slug", "name"],
  ),
  Label: label,
  Translations: {
    ...object(
      {
        _id: object({ $oid: { type: "string", pattern: "^[0-9a-f]{24}$" } }, ["$oid"]),
        product_forms: { ...labels, description: "ONIX list 150." },
        languages: { ...labels, description: "ONIX list 74." },
        publishing_status: { ...labels, description: "ONIX list 64." },
        product_availability: { ...labels, description: "ONIX list 65." },
      },
      ["_id", "product_forms", "languages", "publishing_status", "product_availability"],
    ),
    additionalProperties: labels,
    description:
      "Labels by code. Beside the four categories shown, there is one for each code list that records can use.",
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
        allowed: { ...arrayOf(text()), description: "The codes that the parameter takes." },
      },
      ["type", "title", "status", "message", "detail"],
    ),
    description: "An error (RFC 9457).",
  },
};
