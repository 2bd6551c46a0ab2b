/**
 * The fields of a record that summaries and the search index read. They come from JSON or, during an import, from the
 * element tree (`tree-fields.ts`), which has no others: the type makes the compiler refuse them.
 */
import type { Day } from "../date.ts";
import type { RecordValue } from "../record/record-fields.ts";
import type { IndexFields } from "../scanned-product.ts";

/** Keys of a record as `record-fields.ts` describes them: `Name`, `Name#more` and `Name@attribute`. */
export const BOOK_FIELD_KEYS = [
  "RecordReference",
  "ProductIdentifier",
  "ProductIDType",
  "IDValue",

  "DescriptiveDetail",
  "DescriptiveDetail#more",
  "ProductForm",
  "ProductFormDetail",
  "Collection",
  "CollectionType",
  "CollectionSequence",
  "CollectionSequenceType",
  "CollectionSequenceNumber",
  "TitleDetail",
  "TitleType",
  "TitleStatement",
  "TitleElement",
  "TitleElementLevel",
  "PartNumber",
  "YearOfAnnual",
  "TitleText",
  "TitlePrefix",
  "TitleWithoutPrefix",
  "Subtitle",
  "Contributor",
  "SequenceNumber",
  "ContributorRole",
  "PersonName",
  "PersonNameInverted",
  "NamesBeforeKey",
  "PrefixToKey",
  "KeyNames",
  "NamesAfterKey",
  "SuffixToKey",
  "CorporateName",
  "CorporateNameInverted",
  "AlternativeName",
  "ContributorStatement",
  "NoContributor",
  "EditionType",
  "EditionNumber",
  "Language",
  "LanguageRole",
  "LanguageCode",
  "Extent",
  "ExtentType",
  "ExtentValue",
  "ExtentUnit",
  "Subject",
  "MainSubject",
  "SubjectSchemeIdentifier",
  "SubjectCode",
  "SubjectHeadingText",
  "Audience",
  "AudienceCode",
  "AudienceCodeType",
  "AudienceCodeValue",
  "AudienceRange",
  "AudienceRangeValue",

  "CollateralDetail",
  "CollateralDetail#more",
  "TextContent",
  "TextType",
  "ContentAudience",
  "Text",
  "Text@language",
  "SupportingResource",
  "ResourceContentType",
  "ResourceMode",
  "ResourceVersion",
  "ResourceForm",
  "ResourceLink",

  "PublishingDetail",
  "PublishingDetail#more",
  "Imprint",
  "ImprintName",
  "Publisher",
  "PublishingRole",
  "PublisherName",
  "PublishingStatus",
  "PublishingDate",
  "PublishingDateRole",
  "Date",
  "Date@dateformat",
  "DateFormat",
  "SalesRights",
  "SalesRightsType",
  "ROWSalesRightsType",

  "RelatedMaterial",
  "RelatedMaterial#more",
  "RelatedWork",
  "WorkRelationCode",
  "WorkIdentifier",
  "WorkIDType",
  "IDTypeName",
  "RelatedProduct",
  "ProductRelationCode",

  "ProductSupply",
  "Market",
  "Territory",
  "Territory#more",
  "CountriesIncluded",
  "CountriesExcluded",
  "RegionsIncluded",
  "RegionsExcluded",
  "MarketPublishingDetail",
  "MarketPublishingDetail#more",
  "MarketDate",
  "MarketDateRole",
  "SupplyDetail",
  "ProductAvailability",
  "UnpricedItemType",
  "Price",
  "PriceType",
  "PriceQualifier",
  "PriceCondition",
  "PriceConditionType",
  "PriceConditionQuantity",
  "Quantity",
  "QuantityUnit",
  "PriceConstraint",
  "PriceConstraintType",
  "PriceConstraintStatus",
  "PriceConstraintLimit",
  "PriceConstraintUnit",
  "PricePer",
  "MinimumOrderQuantity",
  "PriceAmount",
  "PriceCoded",
  "Tax",
  "TaxType",
  "TaxRateCode",
  "TaxRatePercent",
  "TaxableAmount",
  "TaxAmount",
  "CurrencyCode",
  "PriceDate",
  "PriceDateRole",
] as const;

export type BookFieldKey = (typeof BOOK_FIELD_KEYS)[number];

/** The fields of a record or of one of its composites. */
export type BookFields = { readonly [Key in BookFieldKey]?: RecordValue };

/**
 * Gets the fields of the records that will be stored as they are, to make summaries and the like of them without parsing
 * their JSON.
 */
export interface RecordVisitor {
  /** Forgets what has not been taken, because a chunk begins. */
  begin(): void;
  /** Called for each product, in order. The fields are valid during the call; undefined without a whole record. */
  visit(record: VisitedRecord | undefined): void;
}

/** A text with its bytes in UTF-8, which are the same in JSON. Without one, the text is empty. */
export interface LiteralText {
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

export interface VisitedRecord {
  readonly fields: BookFields;
  /** The long text that was read last. Its bytes are valid during the call. */
  readonly literal: LiteralText;
  readonly index: IndexFields;
  /** The latest datestamp of the record. */
  readonly updated: Day | undefined;
}
