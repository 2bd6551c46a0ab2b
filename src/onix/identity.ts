/** Which book a product is. */
import type { Fields, Value } from "./fields.ts";
import { hasRightCheckDigit, type Isbn13, isBookland, parseIsbn, toIsbn10 } from "./isbn.ts";

/** ProductIDType, list 5. */
const ISBN_10 = "02";
const GTIN_13 = "03";
const ISBN_13 = "15";

const TEN = /^[0-9]{9}[0-9Xx]$/;

/** Without hyphens, also those of typesetters, and without blanks of any kind. */
function bare(text: string): string {
  return text.replace(/[\s\u2010\u2011-]/g, "");
}

/** The bare value of a product's identifier of one type; empty without one. */
function identifier(identifiers: readonly Fields[], type: string): string {
  const found = identifiers.find(({ ProductIDType, IDValue }) => ProductIDType === type && isText(IDValue));
  return found ? bare(found.IDValue as string) : "";
}

/** Its ISBN-13; without it a GTIN-13 of a book; without it an ISBN-10. */
export function bookOf(identifiers: readonly Fields[]): Isbn13 | undefined {
  for (const type of [ISBN_13, GTIN_13]) {
    // An ISBN-10 under one of these types is not what the type says, but there is no doubt which book it is.
    const isbn = parseIsbn(identifier(identifiers, type));
    if (isbn && isBookland(isbn)) return isbn;
  }
  return ten(identifier(identifiers, ISBN_10));
}

/** Identifiers of a book that a feed left out. Nothing is made of a number whose check digit is wrong but itself. */
export function missingIdentifiers(identifiers: readonly Fields[], isbn: Isbn13): Fields[] {
  const isbn10 = hasRightCheckDigit(isbn) ? toIsbn10(isbn) : undefined;
  const all: [string, string | undefined][] = [
    [ISBN_13, isbn],
    [GTIN_13, isbn],
    [ISBN_10, isbn10],
  ];
  // Not every GTIN is an ISBN; but what else stands under the type of one is a mistake, and does not count.
  const isThere = (type: string) =>
    identifiers.some(
      ({ ProductIDType, IDValue }) => ProductIDType === type && (type !== ISBN_13 || IDValue === isbn),
    );
  return all
    .filter(([type, value]) => value && !isThere(type))
    .map(([ProductIDType, IDValue]) => ({ ProductIDType, IDValue: IDValue! }));
}

/**
 * An identifier as it should have been sent: without hyphens, with a capital X, and under the type of an ISBN-13 no
 * ISBN-10. Undefined where there is nothing to mend.
 */
export function mendedIdentifier(identifier: Fields): string | undefined {
  const { ProductIDType, IDValue } = identifier;
  const isOurs = ProductIDType === ISBN_10 || ProductIDType === GTIN_13 || ProductIDType === ISBN_13;
  if (!isOurs || !isText(IDValue)) return undefined;
  const digits = ProductIDType === ISBN_10 ? bare(IDValue).toUpperCase() : bare(IDValue);
  const mended = isMistakenIsbn10(identifier) ? parseIsbn(digits)! : digits;
  return mended !== IDValue && /^[0-9Xx]+$/.test(mended) ? mended : undefined;
}

/** An ISBN-10 under a type of thirteen digits. */
function isMistakenIsbn10({ ProductIDType, IDValue }: Fields): boolean {
  if ((ProductIDType !== ISBN_13 && ProductIDType !== GTIN_13) || !isText(IDValue)) return false;
  const digits = bare(IDValue);
  return TEN.test(digits) && parseIsbn(digits) !== undefined;
}

/** A wrong check digit of an ISBN-10 is gone with the ISBN-10: the ISBN-13 has one of its own. */
function ten(isbn10: string): Isbn13 | undefined {
  if (!TEN.test(isbn10)) return undefined;
  const core = isbn10.slice(0, 9);
  for (const check of "0123456789X") {
    const isbn = parseIsbn(core + check);
    if (isbn) return isbn;
  }
  return undefined;
}

/** A sentence on each identifier that stands under the type of an ISBN-13 and is none. */
export function wrongIsbns(identifiers: readonly Fields[]): string[] {
  return identifiers.flatMap((identifier) => {
    const { ProductIDType } = identifier;
    const text = isText(identifier.IDValue) ? identifier.IDValue : "";
    if (isMistakenIsbn10(identifier)) return [`"${text}" under type ${ProductIDType} is an ISBN-10.`];
    const isbn = parseIsbn(bare(text));
    const isWrong = ProductIDType === ISBN_13 && !(isbn && isBookland(isbn));
    return isWrong ? [`"${text}" is no ISBN-13.`] : [];
  });
}

/** Of a product that `bookOf` finds no book for. */
export function whyNoBook(identifiers: readonly Fields[]): string {
  const digits = identifier(identifiers, ISBN_13);
  if (!/^[0-9]{13}$/.test(digits)) return "The product has no ISBN.";
  const why = digits.startsWith("979") ? "979-0 is music" : "one begins with 978 or 979";
  return `${digits} is no ISBN: ${why}.`;
}

/** Whether an ISBN-10 that names the book has a wrong check digit. */
export function hasWrongIsbn10(identifiers: readonly Fields[]): boolean {
  const isbn10 = identifier(identifiers, ISBN_10);
  return TEN.test(isbn10) && parseIsbn(isbn10) === undefined;
}

function isText(value: Value | undefined): value is string {
  return typeof value === "string" && value !== "";
}
