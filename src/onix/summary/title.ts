/** The title, the subtitle and the collection of a book (ONIX group P.5 and P.6). */
import { allOf, composites, firstText } from "../record/field-access.ts";
import type { RecordFields } from "../record/record-fields.ts";

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

/** Returns the title of a book without its subtitle. Is undefined when the record has none. */
export function titleOf(record: RecordFields): string | undefined {
  return titlesOf(record).title;
}

export function titlesOf(record: RecordFields): Titles {
  const details = allOf(record, "DescriptiveDetail");
  const elements = elementsOf(details);
  const collections = details.flatMap(({ Collection }) => composites(Collection));
  const ownCollection = textAtLevel(elements, COLLECTION_LEVEL);
  const collection = collectionTitle(collections) ?? ownCollection;
  const product = elements.find((element) => levelOf(element) === PRODUCT_LEVEL);
  const subtitle = product && (firstText(product.Subtitle) || undefined);
  const title = product && elementText(product);
  if (title !== undefined) return { title, subtitle, collection };
  // A volume may have only a number, and the title of its collection or set.
  const other = ownCollection ?? elements.map(elementText).find((text) => text !== undefined) ?? collection;
  const part = product && firstText(product.PartNumber);
  return { title: other !== undefined && part ? `${other}, ${part}` : other, subtitle, collection };
}

/** Returns the elements of the distinctive title or, without one, of the first title. */
function elementsOf(parents: readonly RecordFields[]): readonly RecordFields[] {
  const titles = parents.flatMap(({ TitleDetail }) => composites(TitleDetail));
  const title = titles.find(({ TitleType }) => firstText(TitleType) === DISTINCTIVE_TITLE) ?? titles[0];
  return title ? composites(title.TitleElement) : [];
}

/** A collection that the publisher names comes before one that others have ascribed. */
function collectionTitle(collections: readonly RecordFields[]): string | undefined {
  const named = PUBLISHER_COLLECTIONS.flatMap((type) =>
    collections.filter(({ CollectionType }) => firstText(CollectionType) === type),
  );
  for (const collection of [...named, ...collections]) {
    const elements = elementsOf([collection]);
    const text = textAtLevel(elements, COLLECTION_LEVEL) ?? elements.map(elementText).find(Boolean);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textAtLevel(elements: readonly RecordFields[], level: string): string | undefined {
  return elements
    .filter((element) => levelOf(element) === level)
    .map(elementText)
    .find((text) => text !== undefined);
}

function levelOf({ TitleElementLevel }: RecordFields): string {
  return firstText(TitleElementLevel);
}

/** Returns TitleText or, without it, the prefix and the rest. A prefix such as L’ is followed by no space. */
function elementText({ TitleText, TitlePrefix, TitleWithoutPrefix }: RecordFields): string | undefined {
  const text = firstText(TitleText);
  if (text !== "") return text;
  const [prefix, rest] = [firstText(TitlePrefix), firstText(TitleWithoutPrefix)];
  if (prefix === "" || rest === "") return prefix || rest || undefined;
  return /['’-]$/.test(prefix) ? prefix + rest : `${prefix} ${rest}`;
}
