/** ISBNs: parsing, conversion between ISBN-10 and ISBN-13, and the only computation of check digits. */

declare const brand: unique symbol;

/** Thirteen digits. The check digit may be wrong: some books are printed with a wrong one, and must be found by it. */
export type Isbn13 = string & { readonly [brand]: "Isbn13" };

const DIGIT_ZERO = 0x30;
const THIRTEEN_DIGITS = /^[0-9]{13}$/;
export const ISBN_10_PATTERN = /^[0-9]{9}[0-9Xx]$/;

/** Hyphens and spaces, in ASCII and typographic (U+2010, U+2011, U+00A0). Dashes and invisible characters are not. */
const SEPARATORS = /[ \u00A0\u2010\u2011-]/g;

/**
 * Parses an ISBN as it is printed on a book: ignores hyphens and spaces, and converts an ISBN-10 to its ISBN-13.
 * Returns undefined for everything except 13 digits or an ISBN-10 with a valid check digit.
 */
export function parseIsbn(text: string): Isbn13 | undefined {
  if (THIRTEEN_DIGITS.test(text)) return text as Isbn13;
  const digits = text.replace(SEPARATORS, "");
  if (THIRTEEN_DIGITS.test(digits)) return digits as Isbn13;
  if (ISBN_10_PATTERN.test(digits) && isbn10CheckDigit(digits) === digits[9]!.toUpperCase())
    return fromIsbn10(digits);
  return undefined;
}

export function isThirteenDigits(text: string): text is Isbn13 {
  return THIRTEEN_DIGITS.test(text);
}

/** Tells whether the prefix is one of books: 978, or 979 except 979-0, which is for music (ISMN). */
export function isBookIsbn(isbn: Isbn13): boolean {
  return isbn.startsWith("978") || (isbn.startsWith("979") && isbn[3] !== "0");
}

export function hasValidCheckDigit(isbn: Isbn13): boolean {
  return isbn13CheckDigit(isbn) === isbn[12];
}

/** Returns undefined for an ISBN that does not begin with 978. */
export function toIsbn10(isbn: Isbn13): string | undefined {
  if (!isbn.startsWith("978")) return undefined;
  const core = isbn.slice(3, 12);
  return core + isbn10CheckDigit(core);
}

function fromIsbn10(isbn10: string): Isbn13 {
  return completeIsbn13(`978${isbn10.slice(0, 9)}`);
}

/** Appends the check digit to the first twelve digits of an ISBN-13. */
export function completeIsbn13(first12: string): Isbn13 {
  return (first12 + isbn13CheckDigit(first12)) as Isbn13;
}

/** Computes it from the first twelve digits, as for every GTIN-13. ISO 2108: weights 1 and 3, modulo 10. */
function isbn13CheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += (digits.charCodeAt(i) - DIGIT_ZERO) * ((i & 1) === 0 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
}

/** Computes it from the first nine digits. ISO 2108:1992: weights 10 to 2, modulo 11, with X for ten. */
function isbn10CheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += (digits.charCodeAt(i) - DIGIT_ZERO) * (10 - i);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? "X" : String(check);
}
