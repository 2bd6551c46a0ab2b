/** Finds the elements of two lists that belong together, so that an inserted element leaves the others unchanged. */
import { isComposite } from "../../onix/record/field-access.ts";
import type { RecordValue } from "../../onix/record/record-fields.ts";

/**
 * The fields that identify an element among its siblings, such as the type and the currency of a price. Composites that
 * are not listed have no key: they are matched by their content and their position.
 */
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
  if (fields.length === 0 || !isComposite(element)) return "";
  const values = fields.map((field) => (Object.hasOwn(element, field) ? element[field] : null));
  return values.every((value) => value === null) ? "" : JSON.stringify(values);
}

/** The indexes of an element in the old and in the new list. */
type Pair = readonly [old: number, new: number];

/**
 * Returns the pairs of elements that belong together, ascending in both lists. `contentOf` and `keyOf` return texts:
 * elements with the same content belong together; between those, elements with the same key.
 */
export function matchElements<T>(
  before: readonly T[],
  after: readonly T[],
  contentOf: (element: T) => string,
  keyOf: (element: T) => string,
): Pair[] {
  const anchors = pairsOf(before.map(contentOf), after.map(contentOf));
  const [oldKeys, newKeys] = [before.map(keyOf), after.map(keyOf)];
  const matched: Pair[] = [];
  let [fromOld, fromNew] = [0, 0];
  for (const [toOld, toNew] of [...anchors, [before.length, after.length] as const]) {
    const between = pairsOf(oldKeys.slice(fromOld, toOld), newKeys.slice(fromNew, toNew));
    for (const [oldIndex, newIndex] of between) matched.push([fromOld + oldIndex, fromNew + newIndex]);
    if (toOld < before.length && toNew < after.length) matched.push([toOld, toNew]);
    [fromOld, fromNew] = [toOld + 1, toNew + 1];
  }
  return matched;
}

/**
 * Pairs equal texts, the first occurrence with the first, the second with the second. Of the pairs that cross, as many
 * as possible are kept.
 */
function pairsOf(before: readonly string[], after: readonly string[]): Pair[] {
  const places = Map.groupBy(after.keys(), (index) => after[index]!);
  const used = new Map<string, number>();
  const pairs: Pair[] = [];
  for (const [index, text] of before.entries()) {
    const occurrence = used.get(text) ?? 0;
    const place = places.get(text)?.[occurrence];
    if (place === undefined) continue;
    used.set(text, occurrence + 1);
    pairs.push([index, place]);
  }
  return longestIncreasing(pairs);
}

/** Returns the longest subsequence whose new indexes ascend (patience sorting). The old indexes ascend already. */
function longestIncreasing(pairs: readonly Pair[]): Pair[] {
  /** For each length, the pair with the smallest new index that ends a subsequence of that length. */
  const ends: number[] = [];
  const previous: number[] = [];
  for (const [position, pair] of pairs.entries()) {
    let low = 0;
    for (let high = ends.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if (pairs[ends[middle]!]![1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? -1 : ends[low - 1]!);
    ends[low] = position;
  }
  const longest: Pair[] = [];
  for (let position = ends.at(-1) ?? -1; position >= 0; position = previous[position]!) {
    longest.push(pairs[position]!);
  }
  return longest.reverse();
}
