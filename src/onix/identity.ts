/** Which book a product is. */
import type { Fields, Value } from "./fields.ts";
import { hasRightCheckDigit, type Isbn13, isBookland, parseIsbn, toIsbn10 } from "./isbn.ts";

/** ProductIDType, list 5. */
const ISBN_10 = "02";
const GTIN_13 = "03";
const ISBN_13 = "15";

/** The value of a product's identifier of one type, as the feed has it. */
function identifier(identifiers: readonly Fields[], type: string): string | undefined {
  const found = identifiers.find(({ ProductIDType, IDValue }) => ProductIDType === type && isText(IDValue));
  return found?.IDValue as string | undefined;
}

/** Its ISBN-13; without it a GTIN-13 of a book; without it an ISBN-10. */
export function bookOf(identifiers: readonly Fields[]): Isbn13 | undefined {
  for (const type of [ISBN_13, GTIN_13]) {
    // An ISBN-10 under one of these types is not what the type says, but there is no doubt which book it is.
    const isbn = parseIsbn(identifier(identifiers, type) ?? "");
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
  return all
    .filter(([type, value]) => value && !identifiers.some(({ ProductIDType }) => ProductIDType === type))
    .map(([ProductIDType, IDValue]) => ({ ProductIDType, IDValue: IDValue! }));
}

/** The digits of an identifier that was sent with hyphens; undefined where there is nothing to mend. */
export function bareIdentifier({ ProductIDType, IDValue }: Fields): string | undefined {
  if (!isText(IDValue) || !/^[0-9Xx\s-]+$/.test(IDValue) || !/[\s-]/.test(IDValue)) return undefined;
  const isOurs = ProductIDType === ISBN_10 || ProductIDType === GTIN_13 || ProductIDType === ISBN_13;
  return isOurs ? IDValue.replace(/[\s-]/g, "") : undefined;
}

/** A wrong check digit of an ISBN-10 is gone with the ISBN-10: the ISBN-13 has one of its own. */
function ten(text: string | undefined): Isbn13 | undefined {
  const bare = text?.replace(/[\s-]/g, "");
  if (bare === undefined || !/^[0-9]{9}[0-9Xx]$/.test(bare)) return undefined;
  const core = bare.slice(0, 9);
  for (const check of "0123456789X") {
    const isbn = parseIsbn(core + check);
    if (isbn) return isbn;
  }
  return undefined;
}

/** What stands under the type of an ISBN-13 and is none. */
export function notIsbns(identifiers: readonly Fields[]): string[] {
  return identifiers
    .filter(({ ProductIDType }) => ProductIDType === ISBN_13)
    .map(({ IDValue }) => (isText(IDValue) ? IDValue : ""))
    .filter((text) => {
      const isbn = parseIsbn(text);
      return isbn === undefined || !isBookland(isbn);
    });
}

/** Whether an ISBN-10 that names the book has a wrong check digit. */
export function hasWrongIsbn10(identifiers: readonly Fields[]): boolean {
  const text = identifier(identifiers, ISBN_10)?.replace(/[\s-]/g, "");
  return text !== undefined && /^[0-9]{9}[0-9Xx]$/.test(text) && parseIsbn(text) === undefined;
}

function isText(value: Value | undefined): value is string {
  return typeof value === "string" && value !== "";
}
