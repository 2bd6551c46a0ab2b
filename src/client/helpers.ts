/**
 * Short ways to what most readers want of a record. `title`, `authors` and `cover` follow the rules of the summary
 * (docs/summary.md) for the cases that nearly all books have. The summary itself has all of them.
 */
import type { Book } from "./generated/book.ts";
import { inReadingOrder, joinParts, NAME_PARTS } from "./names.ts";
import { webAddress } from "./web-address.ts";

/** An element that can occur once or several times is one value or an array. Returns it as an array. */
export function many<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly T[]) : [value as T];
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const composites = (parent: unknown, name: string): readonly Fields[] =>
  many(fieldsOf(parent)[name]).map(fieldsOf);
const textOf = (value: unknown): string => many(value).find((each) => typeof each === "string") ?? "";
const hasCode = (value: unknown, code: string): boolean => many(value).includes(code);

/** Returns the distinctive title of the product. Empty when the record has none. */
export function title(book: Book): string {
  const details = composites(fieldsOf(book).DescriptiveDetail, "TitleDetail");
  const detail = details.find(({ TitleType }) => TitleType === "01") ?? details[0];
  const elements = composites(detail, "TitleElement");
  const element = elements.find(({ TitleElementLevel }) => TitleElementLevel === "01") ?? elements[0] ?? {};
  const parts = [element.TitlePrefix, element.TitleWithoutPrefix];
  return textOf(element.TitleText) || joinParts(parts.map(textOf));
}

/** Returns the names of the authors (role A01). Without one, of all contributors whose role begins with A. */
export function authors(book: Book): readonly string[] {
  const contributors = [...composites(fieldsOf(book).DescriptiveDetail, "Contributor")].sort(
    (a, b) => sequenceOf(a) - sequenceOf(b),
  );
  const named = (isWanted: (role: string) => boolean) =>
    contributors
      .filter(({ ContributorRole }) => many(ContributorRole).some((role) => isWanted(String(role))))
      .map(nameOf)
      .filter(Boolean);
  const first = named((role) => role === "A01");
  return first.length > 0 ? first : named((role) => role.startsWith("A"));
}

function sequenceOf({ SequenceNumber }: Fields): number {
  return Number(textOf(SequenceNumber) || Number.POSITIVE_INFINITY);
}

function nameOf(contributor: Fields): string {
  return (
    textOf(contributor.PersonName) ||
    joinParts(NAME_PARTS.map((part) => textOf(contributor[part]))) ||
    inReadingOrder(textOf(contributor.PersonNameInverted)) ||
    textOf(contributor.CorporateName) ||
    textOf(contributor.CorporateNameInverted)
  );
}

/** Returns the address of the cover: the first http or https link of an image that is not restricted. */
export function cover(book: Book): string | undefined {
  // Lists 158 (front cover, else cover or pack), 159 (image) and 154 (restricted).
  return coverOfType(book, "01") ?? coverOfType(book, "03");
}

function coverOfType(book: Book, type: string): string | undefined {
  for (const resource of composites(fieldsOf(book).CollateralDetail, "SupportingResource")) {
    if (resource.ResourceContentType !== type || resource.ResourceMode !== "03") continue;
    if (hasCode(resource.ContentAudience, "01")) continue;
    for (const version of composites(resource, "ResourceVersion")) {
      const link = many(version.ResourceLink)
        .map((each) => webAddress(String(each)))
        .find(Boolean);
      if (link !== undefined) return link;
    }
  }
  return undefined;
}
