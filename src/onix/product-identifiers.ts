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

/** A ProductIdentifier. Missing parts are empty. */
export interface Identifier {
  /** ProductIDType, list 5. */
  readonly type: string;
  /** IDValue, as sent. */
  readonly value: string;
}

const ISBN_10 = "02";
const GTIN_13 = "03";
const ISBN_13 = "15";

/** Removes hyphens, also typographic ones, and every kind of whitespace. */
function removeSeparators(text: string): string {
  return /^[0-9Xx]*$/.test(text) ? text : text.replace(/[\s\u2010\u2011-]/g, "");
}

/** Returns the first value of this type without separators, or an empty string. */
function valueOfType(identifiers: readonly Identifier[], type: string): string {
  const found = identifiers.find((identifier) => identifier.type === type && identifier.value !== "");
  return found ? removeSeparators(found.value) : "";
}

/** Prefers the ISBN-13, then a GTIN-13 with the prefix of a book, then the ISBN-10. */
export function findIsbn(identifiers: readonly Identifier[]): Isbn13 | undefined {
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
export function missingIdentifiers(identifiers: readonly Identifier[], isbn: Isbn13): Identifier[] {
  // A GTIN may differ from the ISBN. Another value of type ISBN-13 is a mistake, and does not replace the ISBN.
  const isPresent = (type: string) =>
    identifiers.some(
      (identifier) => identifier.type === type && (type !== ISBN_13 || identifier.value === isbn),
    );
  const missing: Identifier[] = [];
  if (!isPresent(ISBN_13)) missing.push({ type: ISBN_13, value: isbn });
  if (!isPresent(GTIN_13)) missing.push({ type: GTIN_13, value: isbn });
  if (!isPresent(ISBN_10)) {
    const isbn10 = hasValidCheckDigit(isbn) ? toIsbn10(isbn) : undefined;
    if (isbn10) missing.push({ type: ISBN_10, value: isbn10 });
  }
  return missing;
}

/**
 * Returns the corrected value: without hyphens, with a capital X, and an ISBN-13 instead of an ISBN-10 under a type
 * of 13 digits. Returns undefined when there is nothing to correct.
 */
export function correctedIdentifier(identifier: Identifier): string | undefined {
  const { type, value } = identifier;
  if (!isBookType(type) || value === "") return undefined;
  const digits = type === ISBN_10 ? removeSeparators(value).toUpperCase() : removeSeparators(value);
  const corrected = isMistypedIsbn10(identifier) ? parseIsbn(digits)! : digits;
  return corrected !== value && /^[0-9Xx]+$/.test(corrected) ? corrected : undefined;
}

/** Returns one sentence for each value of type ISBN-13 that is not an ISBN-13. */
export function describeBadIsbns(identifiers: readonly Identifier[]): string[] {
  return identifiers.flatMap((identifier) => {
    const { type, value } = identifier;
    if (isMistypedIsbn10(identifier)) return [`"${value}" under type ${type} is an ISBN-10.`];
    const isbn = type === ISBN_13 ? parseIsbn(removeSeparators(value)) : undefined;
    const isBad = type === ISBN_13 && !(isbn && isBookIsbn(isbn));
    return isBad ? [`"${value}" is not an ISBN-13.`] : [];
  });
}

/** Describes identifiers that name different books. Returns undefined when they agree. */
export function describeContradiction(identifiers: readonly Identifier[]): string | undefined {
  const named: { isbn: Isbn13; identifier: Identifier }[] = [];
  for (const identifier of identifiers) {
    const isbn = bookOf(identifier);
    if (isbn && !named.some((other) => other.isbn === isbn)) named.push({ isbn, identifier });
  }
  if (named.length < 2) return undefined;
  const list = named.map(({ identifier: { type, value } }) => `${value} (type ${type})`).join(", ");
  return `The identifiers name different books: ${list}.`;
}

/** Explains why `findIsbn` finds no ISBN. */
export function explainMissingIsbn(identifiers: readonly Identifier[]): string {
  const digits = valueOfType(identifiers, ISBN_13);
  if (!/^[0-9]{13}$/.test(digits)) return "The product has no ISBN.";
  const why = digits.startsWith("979") ? "979-0 is for music" : "an ISBN begins with 978 or 979";
  return `${digits} is not an ISBN: ${why}.`;
}

export function hasWrongIsbn10CheckDigit(identifiers: readonly Identifier[]): boolean {
  const isbn10 = valueOfType(identifiers, ISBN_10);
  return ISBN_10_PATTERN.test(isbn10) && parseIsbn(isbn10) === undefined;
}

/** Returns the book that an identifier names, whatever its check digit. A GTIN need not be that of a book. */
function bookOf({ type, value }: Identifier): Isbn13 | undefined {
  if (!isBookType(type)) return undefined;
  const digits = removeSeparators(value);
  if (ISBN_10_PATTERN.test(digits)) return isbnFromIsbn10(digits);
  const isbn = parseIsbn(digits);
  return isbn && isBookIsbn(isbn) ? isbn : undefined;
}

function isBookType(type: string): boolean {
  return type === ISBN_13 || type === GTIN_13 || type === ISBN_10;
}

/** Tells whether a valid ISBN-10 has the type of an ISBN-13 or GTIN-13. */
function isMistypedIsbn10({ type, value }: Identifier): boolean {
  if (type !== ISBN_13 && type !== GTIN_13) return false;
  const digits = removeSeparators(value);
  return ISBN_10_PATTERN.test(digits) && parseIsbn(digits) !== undefined;
}

/** Ignores the check digit of the ISBN-10, because the ISBN-13 has its own. */
function isbnFromIsbn10(isbn10: string): Isbn13 | undefined {
  if (!ISBN_10_PATTERN.test(isbn10)) return undefined;
  return completeIsbn13(`978${isbn10.slice(0, 9)}`);
}
