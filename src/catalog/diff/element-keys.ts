/** The fields that identify an element among its siblings, such as the type and the currency of a price. */
import type { RecordFields, RecordValue } from "../../onix/record/record-fields.ts";

/** Composites that are not listed have no key: they are matched by their content and their position. */
export const KEY_FIELDS: Readonly<Record<string, readonly string[]>> = {
  AncillaryContent: ["AncillaryContentType"],
  Audience: ["AudienceCodeType", "AudienceCodeTypeName"],
  AudienceRange: ["AudienceRangeQualifier"],
  Collection: ["CollectionType"],
  CollectionIdentifier: ["CollectionIDType", "IDTypeName"],
  ContentDate: ["ContentDateRole"],
  Contributor: ["SequenceNumber"],
  ContributorDate: ["ContributorDateRole"],
  EpubUsageConstraint: ["EpubUsageType"],
  Extent: ["ExtentType", "ExtentUnit"],
  ImprintIdentifier: ["ImprintIDType", "IDTypeName"],
  Language: ["LanguageRole"],
  MarketDate: ["MarketDateRole"],
  Measure: ["MeasureType", "MeasureUnitCode"],
  NameIdentifier: ["NameIDType", "IDTypeName"],
  Price: ["PriceType", "CurrencyCode"],
  PriceIdentifier: ["PriceIDType", "IDTypeName"],
  ProductClassification: ["ProductClassificationType"],
  ProductFormFeature: ["ProductFormFeatureType"],
  ProductIdentifier: ["ProductIDType", "IDTypeName"],
  Publisher: ["PublishingRole"],
  PublisherIdentifier: ["PublisherIDType", "IDTypeName"],
  PublishingDate: ["PublishingDateRole"],
  ResourceVersionFeature: ["ResourceVersionFeatureType"],
  Subject: ["SubjectSchemeIdentifier", "SubjectSchemeName"],
  SupplierIdentifier: ["SupplierIDType", "IDTypeName"],
  SupplyDate: ["SupplyDateRole"],
  SupportingResource: ["ResourceContentType"],
  Tax: ["TaxType"],
  TextContent: ["TextType"],
  TitleDetail: ["TitleType"],
  TitleElement: ["TitleElementLevel"],
  Website: ["WebsiteRole"],
  WorkIdentifier: ["WorkIDType", "IDTypeName"],
};

/** Returns a text that two elements share when they have the same key. Elements without a key share one text. */
export function elementKey(name: string, element: RecordValue): string {
  const fields = Object.hasOwn(KEY_FIELDS, name) ? KEY_FIELDS[name]! : [];
  if (fields.length === 0 || !isFields(element)) return "";
  const values = fields.map((field) => (Object.hasOwn(element, field) ? element[field] : null));
  return values.every((value) => value === null) ? "" : JSON.stringify(values);
}

export function isFields(value: RecordValue | undefined): value is RecordFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
