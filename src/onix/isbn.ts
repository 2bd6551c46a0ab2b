declare const brand: unique symbol;

/** Thirteen digits. Its check digit may be wrong: publishers do print such books, and shops must find them. */
export type Isbn13 = string & { readonly [brand]: "Isbn13" };

const THIRTEEN = /^[0-9]{13}$/;
const TEN = /^[0-9]{9}[0-9Xx]$/;

/** Hyphens and blanks, of ASCII and as typesetters have them (U+2010, U+2011, U+00A0); no dashes, nothing invisible. */
const SEPARATORS = /[ \u00A0\u2010\u2011-]/g;

/**
 * The ISBN-13 of what is printed on a book: hyphens and blanks are ignored, an ISBN-10 is turned into its
 * ISBN-13. Undefined for anything that is neither 13 digits nor an ISBN-10 with the right check digit.
 */
export function parseIsbn(text: string): Isbn13 | undefined {
  if (THIRTEEN.test(text)) return text as Isbn13;
  const bare = text.replace(SEPARATORS, "");
  if (THIRTEEN.test(bare)) return bare as Isbn13;
  if (TEN.test(bare) && isbn10CheckDigit(bare) === bare[9]!.toUpperCase()) return fromIsbn10(bare);
  return undefined;
}

/** A book's number: 978, or 979 without 979-0, which is music (ISMN). */
export function isBookland(isbn: Isbn13): boolean {
  return isbn.startsWith("978") || (isbn.startsWith("979") && isbn[3] !== "0");
}

export function hasRightCheckDigit(isbn: Isbn13): boolean {
  return isbn13CheckDigit(isbn) === isbn[12];
}

/** The ISBN-10 of a 978 ISBN; 979 has none. */
export function toIsbn10(isbn: Isbn13): string | undefined {
  if (!isbn.startsWith("978")) return undefined;
  const core = isbn.slice(3, 12);
  return core + isbn10CheckDigit(core);
}

function fromIsbn10(isbn10: string): Isbn13 {
  const core = `978${isbn10.slice(0, 9)}`;
  return (core + isbn13CheckDigit(core)) as Isbn13;
}

/** ISO 2108: weights 1 and 3 in turn, to a multiple of 10. */
function isbn13CheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < 12; i++) sum += Number(digits[i]) * (i % 2 === 0 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
}

/** ISO 2108:1992: weights 10 to 2, to a multiple of 11, ten written as X. */
function isbn10CheckDigit(digits: string): string {
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += Number(digits[i]) * (10 - i);
  const check = (11 - (sum % 11)) % 11;
  return check === 10 ? "X" : String(check);
}
