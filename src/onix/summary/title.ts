/** The title, the subtitle and the collection of a book (ONIX group P.5 and P.6). */
import { joinParts } from "../../client/names.ts";
import type { BookFields } from "../fields/book-fields.ts";
import { allOf, composites, firstText, rankIn } from "../record/field-access.ts";
import { plainLine } from "./plain-text.ts";

/** TitleType of the title on the product (list 15). */
const DISTINCTIVE_TITLE = "01";
/** TitleElementLevel (list 149). */
const PRODUCT_LEVEL = "01";
const COLLECTION_LEVEL = "02";
/** CollectionType of collections that the publisher names (list 148), in the order of preference. */
const PUBLISHER_COLLECTIONS: readonly string[] = ["10", "11"];
/** CollectionSequenceType (list 197), in the order of preference: order of titles, of publication. Others follow. */
const SEQUENCES: readonly string[] = ["02", "03"];

export interface Titles {
  readonly title: string | null;
  readonly subtitle: string | null;
  /** PartNumber or YearOfAnnual of the product, as it is written: "3", "Volume 3". */
  readonly partNumber: string | null;
  readonly partTitle: string | null;
  readonly collection: string | null;
  /** The number of the product in the collection. */
  readonly collectionNumber: string | null;
}

/** Returns the title of a book without its subtitle. Undefined when the record has none. */
export function titleOf(record: BookFields): string | undefined {
  return titlesOf(allOf(record, "DescriptiveDetail")).title ?? undefined;
}

/** Expects the blocks DescriptiveDetail. */
export function titlesOf(details: readonly BookFields[]): Titles {
  const elements = elementsOf(details);
  let subtitle = "";
  let title: string | null = null;
  let partTitle: string | null = null;
  let partNumber: string | null = null;
  let isFirst = true;
  for (const element of elements) {
    if (firstText(element.TitleElementLevel) !== PRODUCT_LEVEL) continue;
    const text = elementText(element);
    if (title === null) title = text;
    else partTitle ??= text;
    partNumber ??= numberOf(element);
    if (isFirst) subtitle = firstText(element.Subtitle);
    isFirst = false;
  }
  const own = collectionText(elements);
  const { collection, collectionNumber } = collectionOf(details, elements, own);
  if (title === null) {
    // A volume may have only a number, and the title of its collection or set.
    const other = own ?? firstElementText(elements) ?? collection;
    partNumber ??= collectionNumber;
    title = other !== null && partNumber !== null ? `${other}, ${partNumber}` : other;
  }
  return {
    title,
    subtitle: plainLine(subtitle) || null,
    partNumber,
    partTitle,
    collection,
    collectionNumber,
  };
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

type InCollection = Pick<Titles, "collection" | "collectionNumber">;

/** A collection that the publisher names comes before one that others have ascribed. `own` is that of the title. */
function collectionOf(
  details: readonly BookFields[],
  titleElements: readonly BookFields[],
  own: string | null,
): InCollection {
  let collection: string | null = null;
  let collectionNumber: string | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const { Collection } of details) {
    if (Collection === undefined) continue;
    for (const each of composites(Collection)) {
      const rank = rankIn(PUBLISHER_COLLECTIONS, firstText(each.CollectionType));
      if (rank >= bestRank) continue;
      const elements = elementsOf([each]);
      const named = collectionText(elements);
      const text = named ?? firstElementText(elements);
      if (text === null) continue;
      bestRank = rank;
      collection = text;
      // The number beside a subcollection is not that of the product in the collection.
      const level = named === null ? undefined : COLLECTION_LEVEL;
      collectionNumber =
        numberIn(elements, PRODUCT_LEVEL) ?? numberIn(elements, level) ?? sequenceNumberOf(each);
    }
  }
  if (own === null || (collection !== null && collection !== own)) return { collection, collectionNumber };
  return { collection: own, collectionNumber: collectionNumber ?? numberIn(titleElements, COLLECTION_LEVEL) };
}

/** Returns the first number at a level or, without a level, at any. */
function numberIn(elements: readonly BookFields[], level: string | undefined): string | null {
  for (const element of elements) {
    const isMeant = level === undefined || firstText(element.TitleElementLevel) === level;
    const number = isMeant ? numberOf(element) : null;
    if (number !== null) return number;
  }
  return null;
}

function sequenceNumberOf({ CollectionSequence }: BookFields): string | null {
  let [found, bestRank]: [string, number] = ["", Number.POSITIVE_INFINITY];
  for (const { CollectionSequenceType, CollectionSequenceNumber } of composites(CollectionSequence)) {
    const number = firstText(CollectionSequenceNumber);
    const rank = rankIn(SEQUENCES, firstText(CollectionSequenceType));
    if (number !== "" && rank < bestRank) [found, bestRank] = [number, rank];
  }
  return found || null;
}

function numberOf({ PartNumber, YearOfAnnual }: BookFields): string | null {
  if (PartNumber === undefined && YearOfAnnual === undefined) return null;
  return plainLine(firstText(PartNumber)) || firstText(YearOfAnnual) || null;
}

function collectionText(elements: readonly BookFields[]): string | null {
  for (const element of elements) {
    const text = firstText(element.TitleElementLevel) === COLLECTION_LEVEL ? elementText(element) : null;
    if (text !== null) return text;
  }
  return null;
}

function firstElementText(elements: readonly BookFields[]): string | null {
  for (const element of elements) {
    const text = elementText(element);
    if (text !== null) return text;
  }
  return null;
}

/** Returns TitleText or, without it, the prefix and the rest. */
function elementText(element: BookFields): string | null {
  const text = plainLine(firstText(element.TitleText));
  if (text !== "") return text;
  const parts = [element.TitlePrefix, element.TitleWithoutPrefix];
  return joinParts(parts.map((part) => plainLine(firstText(part)))) || null;
}
