/** The identifiers of a product: which ISBN it has, what is wrong with them, and which are missing. */
import {
  completeIsbn13,
  hasValidCheckDigit,
  ISBN_10_PATTERN,
  type Isbn13,
  isBookIsbn,
  parseIsbn,
  toIsbn10,
} from "./isbn.ts";
import type { RecordFields, RecordValue } from "./record-fields.ts";

/** ProductIDType, list 5. */
const ISBN_10 = "02";
const GTIN_13 = "03";
const ISBN_13 = "15";

/** Removes hyphens, also typographic ones, and every kind of whitespace. */
function removeSeparators(text: string): string {
  return text.replace(/[\s\u2010\u2011-]/g, "");
}

/** Returns the first value of this type without separators, or an empty string. */
function valueOfType(identifiers: readonly RecordFields[], type: string): string {
  const found = identifiers.find(({ ProductIDType, IDValue }) => ProductIDType === type && isText(IDValue));
  return found ? removeSeparators(found.IDValue as string) : "";
}

/** Prefers the ISBN-13, then a GTIN-13 with the prefix of a book, then the ISBN-10. */
export function findIsbn(identifiers: readonly RecordFields[]): Isbn13 | undefined {
  for (const type of [ISBN_13, GTIN_13]) {
    // `parseIsbn` also accepts an ISBN-10 here: the type is wrong, but the book is clear.
    const isbn = parseIsbn(valueOfType(identifiers, type));
    if (isbn && isBookIsbn(isbn)) return isbn;
  }
  return isbnFromIsbn10(valueOfType(identifiers, ISBN_10));
}

/**
 * Returns the identifiers of types 15, 03 and 02 that the feed omits. No ISBN-10 is derived from an ISBN-13 with a
 * wrong check digit.
 */
export function missingIdentifiers(identifiers: readonly RecordFields[], isbn: Isbn13): RecordFields[] {
  const isbn10 = hasValidCheckDigit(isbn) ? toIsbn10(isbn) : undefined;
  const all: [string, string | undefined][] = [
    [ISBN_13, isbn],
    [GTIN_13, isbn],
    [ISBN_10, isbn10],
  ];
  // A GTIN may differ from the ISBN. Another value of type ISBN-13 is a mistake, and does not replace the ISBN.
  const isPresent = (type: string) =>
    identifiers.some(
      ({ ProductIDType, IDValue }) => ProductIDType === type && (type !== ISBN_13 || IDValue === isbn),
    );
  return all
    .filter(([type, value]) => value && !isPresent(type))
    .map(([ProductIDType, IDValue]) => ({ ProductIDType, IDValue: IDValue! }));
}

/**
 * Returns the corrected value: without hyphens, with a capital X, and an ISBN-13 instead of an ISBN-10 under a type
 * of 13 digits. Returns undefined when there is nothing to correct.
 */
export function correctedIdentifier(identifier: RecordFields): string | undefined {
  const { ProductIDType, IDValue } = identifier;
  const isBookType = ProductIDType === ISBN_10 || ProductIDType === GTIN_13 || ProductIDType === ISBN_13;
  if (!isBookType || !isText(IDValue)) return undefined;
  const digits =
    ProductIDType === ISBN_10 ? removeSeparators(IDValue).toUpperCase() : removeSeparators(IDValue);
  const corrected = isMistypedIsbn10(identifier) ? parseIsbn(digits)! : digits;
  return corrected !== IDValue && /^[0-9Xx]+$/.test(corrected) ? corrected : undefined;
}

/** Tells whether a valid ISBN-10 has the type of an ISBN-13 or GTIN-13. */
function isMistypedIsbn10({ ProductIDType, IDValue }: RecordFields): boolean {
  if ((ProductIDType !== ISBN_13 && ProductIDType !== GTIN_13) || !isText(IDValue)) return false;
  const digits = removeSeparators(IDValue);
  return ISBN_10_PATTERN.test(digits) && parseIsbn(digits) !== undefined;
}

/** Ignores the check digit of the ISBN-10, because the ISBN-13 has its own. */
function isbnFromIsbn10(isbn10: string): Isbn13 | undefined {
  if (!ISBN_10_PATTERN.test(isbn10)) return undefined;
  return completeIsbn13(`978${isbn10.slice(0, 9)}`);
}

/** Returns one sentence for each value of type ISBN-13 that is not an ISBN-13. */
export function describeBadIsbns(identifiers: readonly RecordFields[]): string[] {
  return identifiers.flatMap((identifier) => {
    const { ProductIDType } = identifier;
    const text = isText(identifier.IDValue) ? identifier.IDValue : "";
    if (isMistypedIsbn10(identifier)) return [`"${text}" under type ${ProductIDType} is an ISBN-10.`];
    const isbn = parseIsbn(removeSeparators(text));
    const isBad = ProductIDType === ISBN_13 && !(isbn && isBookIsbn(isbn));
    return isBad ? [`"${text}" is not an ISBN-13.`] : [];
  });
}

/** Explains why `findIsbn` finds no ISBN. */
export function explainMissingIsbn(identifiers: readonly RecordFields[]): string {
  const digits = valueOfType(identifiers, ISBN_13);
  if (!/^[0-9]{13}$/.test(digits)) return "The product has no ISBN.";
  const why = digits.startsWith("979") ? "979-0 is for music" : "an ISBN begins with 978 or 979";
  return `${digits} is not an ISBN: ${why}.`;
}

export function hasWrongIsbn10CheckDigit(identifiers: readonly RecordFields[]): boolean {
  const isbn10 = valueOfType(identifiers, ISBN_10);
  return ISBN_10_PATTERN.test(isbn10) && parseIsbn(isbn10) === undefined;
}

function isText(value: RecordValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}
