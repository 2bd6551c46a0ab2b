/** JSON Schemas (2020-12) of what the API answers with. A record may always have more than is shown. */

export interface Schema {
  readonly [keyword: string]: unknown;
}

export type SchemaName = "Book" | "Imprint" | "Label" | "Translations" | "Problem";

const text = (description?: string): Schema => ({ type: "string", ...(description && { description }) });
const code = (list: number, of: string): Schema => text(`${of}: a code of ONIX list ${list}.`);
const many = (items: Schema): Schema => ({ type: "array", items });
/** It repeats in ONIX: one value when there is one, an array when there are several. */
const oneOrMany = (one: Schema): Schema => ({ anyOf: [one, { type: "array", items: one, minItems: 2 }] });
const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
const ref = (name: SchemaName): Schema => ({ $ref: `#/components/schemas/${name}` });
const emptyFlag = (description: string): Schema => ({ type: "array", maxItems: 0, description });

const isbn13: Schema = { type: "string", pattern: "^[0-9]{13}$" };

const productIdentifier = object(
  {
    ProductIDType: code(5, "Type of the identifier"),
    IDTypeName: text("Name of a sender's own identifier (type 01)."),
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
  Measure: many(
    object({
      MeasureType: code(48, "What is measured"),
      Measurement: text("A decimal number."),
      MeasureUnitCode: code(50, "Unit"),
    }),
  ),
  CountryOfManufacture: code(91, "Country"),
  NoCollection: emptyFlag("There when the product has no collection."),
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
      CorporateName: oneOrMany(text("Of an organisation, instead of the names of a person.")),
    }),
  ),
  NoEdition: emptyFlag("There when the product has no edition statement."),
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
  Subject: many(
    object(
      {
        MainSubject: {
          ...many({ type: "string" }),
          description: '`["true"]` when it is the main subject of its scheme, else `[]`.',
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
      AudienceRangePrecision: many(code(31, "From, to or exactly")),
      AudienceRangeValue: many(text()),
    }),
  ),
});

const collateralDetail = object({
  TextContent: many(
    object({
      TextType: code(153, "Type of the text"),
      ContentAudience: oneOrMany(code(154, "Audience")),
      Text: oneOrMany(text("May have HTML-like markup and line feeds.")),
    }),
  ),
});

const label = object({ eng: text("English label."), spa: text("Spanish label.") }, ["eng", "spa"]);
const labels: Schema = { type: "object", additionalProperties: ref("Label") };

export const schemas: Readonly<Record<SchemaName, Schema>> = {
  Book: {
    ...object(
      {
        _id: { type: "string", pattern: "^[0-9a-f]{24}$", description: "Made from the ISBN." },
        RecordReference: { ...isbn13, description: "The ISBN-13." },
        NotificationType: code(1, "Type of the notification"),
        ProductIdentifier: { ...many(productIdentifier), minItems: 1 },
        DescriptiveDetail: descriptiveDetail,
        CollateralDetail: collateralDetail,
      },
      ["_id", "RecordReference", "NotificationType", "ProductIdentifier"],
    ),
    description:
      "A book in the reference names of ONIX 3. Every other block and element of ONIX (PublishingDetail, " +
      'ProductSupply, …) is there as the feed has it; attributes stand beside their value, as `"Text@language"`; ' +
      'what a feed repeats though ONIX has it once stands behind the first, as `"TitleText#more"`.',
  },
  Imprint: object(
    {
      _id: object({ slug: text() }, ["slug"]),
      slug: text("Lower-case, hyphen-separated identifier."),
      name: text("The spelling that most of its books use."),
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
      "From code to label. Beyond the four categories shown, one for each list that a book has codes of.",
  },
  Problem: {
    ...object(
      {
        type: { type: "string", const: "about:blank" },
        title: text("The status in words."),
        status: { type: "integer" },
        message: text("What is wrong, always in the same words."),
        detail: text("What to change."),
        missing: { ...many(isbn13), description: "The ISBNs that the catalog does not have." },
      },
      ["type", "title", "status", "message", "detail"],
    ),
    description: "RFC 9457.",
  },
};

export { isbn13, many, ref };
