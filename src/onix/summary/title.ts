/** The title, the subtitle and the collection of a book (ONIX group P.5 and P.6). */
import type { BookFields } from "../fields/book-fields.ts";
import { allOf, composites, firstText } from "../record/field-access.ts";

/** TitleType of the title on the product (list 15). */
const DISTINCTIVE_TITLE = "01";
/** TitleElementLevel (list 149). */
const PRODUCT_LEVEL = "01";
const COLLECTION_LEVEL = "02";
/** CollectionType of collections that the publisher names (list 148), in the order of preference. */
const PUBLISHER_COLLECTIONS: readonly string[] = ["10", "11"];

export interface Titles {
  readonly title: string | undefined;
  readonly subtitle: string | undefined;
  readonly collection: string | undefined;
}

/** Returns the title of a book without its subtitle. Undefined when the record has none. */
export function titleOf(record: BookFields): string | undefined {
  return titlesOf(allOf(record, "DescriptiveDetail")).title;
}

/** Expects the blocks DescriptiveDetail. */
export function titlesOf(details: readonly BookFields[]): Titles {
  const elements = elementsOf(details);
  const product = elements.find((element) => firstText(element.TitleElementLevel) === PRODUCT_LEVEL);
  const subtitle = product && (firstText(product.Subtitle) || undefined);
  const title = product && elementText(product);
  const ownCollection = textAtLevel(elements, COLLECTION_LEVEL);
  const collection = collectionTitle(details) ?? ownCollection;
  if (title !== undefined) return { title, subtitle, collection };
  // A volume may have only a number, and the title of its collection or set.
  const other = ownCollection ?? firstElementText(elements) ?? collection;
  const part = product && firstText(product.PartNumber);
  return { title: other !== undefined && part ? `${other}, ${part}` : other, subtitle, collection };
}

/** Returns the elements of the distinctive title or, without one, of the first title. */
function elementsOf(parents: readonly BookFields[]): readonly BookFields[] {
  let first: BookFields | undefined;
  for (const { TitleDetail } of parents) {
    for (const title of composites(TitleDetail)) {
      if (firstText(title.TitleType) === DISTINCTIVE_TITLE) return composites(title.TitleElement);
      first ??= title;
    }
  }
  return first ? composites(first.TitleElement) : [];
}

/** A collection that the publisher names comes before one that others have ascribed. */
function collectionTitle(details: readonly BookFields[]): string | undefined {
  let [best, bestRank]: [string | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const { Collection } of details) {
    for (const collection of composites(Collection)) {
      const found = PUBLISHER_COLLECTIONS.indexOf(firstText(collection.CollectionType));
      const rank = found < 0 ? PUBLISHER_COLLECTIONS.length : found;
      if (rank >= bestRank) continue;
      const elements = elementsOf([collection]);
      const text = textAtLevel(elements, COLLECTION_LEVEL) ?? firstElementText(elements);
      if (text !== undefined) [best, bestRank] = [text, rank];
    }
  }
  return best;
}

function textAtLevel(elements: readonly BookFields[], level: string): string | undefined {
  for (const element of elements) {
    const text = firstText(element.TitleElementLevel) === level ? elementText(element) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

function firstElementText(elements: readonly BookFields[]): string | undefined {
  for (const element of elements) {
    const text = elementText(element);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** Returns TitleText or, without it, the prefix and the rest. A prefix such as L’ is followed by no space. */
function elementText(element: BookFields): string | undefined {
  const text = firstText(element.TitleText);
  if (text !== "") return text;
  const [prefix, rest] = [firstText(element.TitlePrefix), firstText(element.TitleWithoutPrefix)];
  if (prefix === "" || rest === "") return prefix || rest || undefined;
  return /['’-]$/.test(prefix) ? prefix + rest : `${prefix} ${rest}`;
}
