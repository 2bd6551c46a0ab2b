/** The identifiers of a product: which ISBN it has, what is wrong with them, and which are missing. */
import {
  hasValidCheckDigit,
  ISBN_10_PATTERN,
  type Isbn13,
  isBookIsbn,
  isThirteenDigits,
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

/** What a value says, whatever its type. */
interface ParsedValue {
  readonly value: string;
  /** Without hyphens and spaces. */
  readonly digits: string;
  readonly isIsbn10: boolean;
  /** The book that the value names. An ISBN-13 names one whatever its check digit, an ISBN-10 only with the right one. */
  readonly book: Isbn13 | undefined;
}

/** Identifiers of different types often have the same value. */
let lastParsed = parse("");

function parsed(value: string): ParsedValue {
  if (value !== lastParsed.value) lastParsed = parse(value);
  return lastParsed;
}

function parse(value: string): ParsedValue {
  const digits = removeSeparators(value);
  const isIsbn10 = digits.length === 10 && ISBN_10_PATTERN.test(digits);
  const isbn = parseIsbn(digits);
  return { value, digits, isIsbn10, book: isbn && isBookIsbn(isbn) ? isbn : undefined };
}

/** Removes hyphens, also typographic ones, and every kind of whitespace. */
function removeSeparators(text: string): string {
  return /^[0-9Xx]*$/.test(text) ? text : text.replace(/[\s\u2010\u2011-]/g, "");
}

/** Returns the first value of this type, or an empty string. */
function valueOfType(identifiers: readonly Identifier[], type: string): string {
  for (const identifier of identifiers) {
    if (identifier.type === type && identifier.value !== "") return identifier.value;
  }
  return "";
}

/**
 * Returns the ISBN when all identifiers of books name it as it should be: most products are like that, and the other
 * functions then find nothing to correct or to complain about. Returns undefined for all other products.
 */
export function usualIsbn(identifiers: readonly Identifier[]): Isbn13 | undefined {
  const isbn = valueOfType(identifiers, ISBN_13);
  if (!isThirteenDigits(isbn) || !isBookIsbn(isbn) || !hasValidCheckDigit(isbn)) return undefined;
  for (const { type, value } of identifiers) {
    if (
      type === ISBN_13 || type === GTIN_13 ? value !== isbn : type === ISBN_10 && value !== toIsbn10(isbn)
    ) {
      return undefined;
    }
  }
  return isbn;
}

/** Prefers the ISBN-13, then a GTIN-13 with the prefix of a book, then the ISBN-10. */
export function findIsbn(identifiers: readonly Identifier[]): Isbn13 | undefined {
  // A valid ISBN-10 counts under the first two too: the type is wrong, but the book is clear.
  return (
    firstBook(identifiers, ISBN_13) ?? firstBook(identifiers, GTIN_13) ?? firstBook(identifiers, ISBN_10)
  );
}

/** Returns the first book that a value of this type names: a product can have a GTIN of goods beside that of the book. */
function firstBook(identifiers: readonly Identifier[], wanted: string): Isbn13 | undefined {
  for (const { type, value } of identifiers) {
    if (type !== wanted) continue;
    const { isIsbn10, book } = parsed(value);
    if (book !== undefined && (type !== ISBN_10 || isIsbn10)) return book;
  }
  return undefined;
}

/** Returns the identifiers of types 15, 03 and 02 that the feed omits; none for an ISBN with a wrong check digit. */
export function missingIdentifiers(identifiers: readonly Identifier[], isbn: Isbn13): Identifier[] {
  if (!hasValidCheckDigit(isbn)) return [];
  let [hasIsbn13, hasGtin13, hasIsbn10] = [false, false, false];
  for (const { type, value } of identifiers) {
    // A GTIN may differ from the ISBN. Another value of type ISBN-13 is a mistake, and does not replace the ISBN.
    if (type === ISBN_13) hasIsbn13 ||= value === isbn;
    else if (type === GTIN_13) hasGtin13 = true;
    else if (type === ISBN_10) hasIsbn10 = true;
  }
  const missing: Identifier[] = [];
  if (!hasIsbn13) missing.push({ type: ISBN_13, value: isbn });
  if (!hasGtin13) missing.push({ type: GTIN_13, value: isbn });
  const isbn10 = hasIsbn10 ? undefined : toIsbn10(isbn);
  if (isbn10) missing.push({ type: ISBN_10, value: isbn10 });
  return missing;
}

/**
 * Returns the corrected value: without hyphens, with a capital X, and an ISBN-13 instead of an ISBN-10 under a type
 * of 13 digits. Returns undefined when there is nothing to correct.
 */
export function correctedIdentifier(identifier: Identifier): string | undefined {
  const { type, value } = identifier;
  if (!isBookType(type) || value === "") return undefined;
  const { digits, book } = parsed(value);
  const typed = type === ISBN_10 ? digits.toUpperCase() : digits;
  const corrected = isMistypedIsbn10(identifier) ? book! : typed;
  return corrected !== value && /^[0-9Xx]+$/.test(corrected) ? corrected : undefined;
}

/** Returns one sentence for each value of type ISBN-13 that is not an ISBN-13. */
export function describeBadIsbns(identifiers: readonly Identifier[]): string[] {
  const sentences: string[] = [];
  for (const identifier of identifiers) {
    const { type, value } = identifier;
    if (isMistypedIsbn10(identifier)) sentences.push(`"${value}" under type ${type} is an ISBN-10.`);
    else if (type === ISBN_13 && !parsed(value).book) sentences.push(`"${value}" is not an ISBN-13.`);
  }
  return sentences;
}

/** Describes identifiers that name different books. Returns undefined when they agree. */
export function describeContradiction(identifiers: readonly Identifier[]): string | undefined {
  const books: Isbn13[] = [];
  const named: Identifier[] = [];
  for (const identifier of identifiers) {
    const book = isBookType(identifier.type) ? parsed(identifier.value).book : undefined;
    if (book === undefined || books.includes(book)) continue;
    books.push(book);
    named.push(identifier);
  }
  if (books.length < 2) return undefined;
  const list = named.map(({ type, value }) => `${value} (type ${type})`).join(", ");
  return `The identifiers name different books: ${list}.`;
}

/** Explains why `findIsbn` finds no ISBN. Returns undefined when nothing looks as if it should be one. */
export function describeUnusableIsbn(identifiers: readonly Identifier[]): string | undefined {
  const broken = brokenIsbn10(identifiers);
  if (broken !== undefined) return `The check digit of the ISBN-10 ${broken} is wrong, so it names no book.`;
  const value = valueOfType(identifiers, ISBN_13);
  const { digits } = parsed(value);
  if (value === "") return undefined;
  if (!/^[0-9]{13}$/.test(digits)) return `"${value}" is not an ISBN-13.`;
  const why = digits.startsWith("979") ? "979-0 is for music" : "an ISBN begins with 978 or 979";
  return `${digits} is not an ISBN: ${why}.`;
}

/** Returns the first ISBN-10 with a wrong check digit, whatever its type. */
export function brokenIsbn10(identifiers: readonly Identifier[]): string | undefined {
  return identifiers.find(({ type, value }) => {
    const { isIsbn10, book } = parsed(value);
    return isBookType(type) && isIsbn10 && book === undefined;
  })?.value;
}

function isBookType(type: string): boolean {
  return type === ISBN_13 || type === GTIN_13 || type === ISBN_10;
}

/** Tells whether a valid ISBN-10 has the type of an ISBN-13 or GTIN-13. */
function isMistypedIsbn10({ type, value }: Identifier): boolean {
  if (type !== ISBN_13 && type !== GTIN_13) return false;
  const { isIsbn10, book } = parsed(value);
  return isIsbn10 && book !== undefined;
}
