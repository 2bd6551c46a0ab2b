/** From the text of a request to values: each function gives the value, or the error that says what is wrong. */
import { slugOf } from "../catalog/imprint.ts";
import { isLanguage } from "../onix/codes.ts";
import { type Day, parseDay } from "../onix/day.ts";
import { type Isbn13, parseIsbn } from "../onix/isbn.ts";
import { ApiError, badRequest } from "./errors.ts";

export const MOST_ISBNS = 1000;

/** The specification's form, then what is printed on the book. */
const ISBN_FORM = "write 13 digits, or an ISBN-10 with its right check digit";

export function isbnParameter(raw: string): Isbn13 | ApiError {
  const text = segmentOf(raw);
  if (text === undefined) return malformed("ISBN");
  return parseIsbn(text) ?? badRequest(`"${cut(text)}" is not an ISBN; ${ISBN_FORM}.`);
}

export function isbnsParameter(raw: string): readonly Isbn13[] | ApiError {
  const text = segmentOf(raw);
  if (text === undefined) return malformed("list of ISBNs");
  const items = text.split(",");
  if (items.length > MOST_ISBNS) {
    return badRequest(`These are ${items.length} ISBNs; ask for at most ${MOST_ISBNS} in one call.`);
  }
  const isbns: Isbn13[] = [];
  for (const item of items) {
    const isbn = parseIsbn(item);
    if (isbn === undefined) return badItem(item, isbns.length + 1);
    isbns.push(isbn);
  }
  return isbns;
}

/** The slug, or the display name, which is slugged. */
export function imprintParameter(raw: string): string | ApiError {
  const text = segmentOf(raw);
  return text === undefined ? malformed("imprint") : slugOf(text);
}

export function languageParameter(query: string): string | undefined | ApiError {
  const values = valuesOf(query, "language");
  if (values.length === 0) return undefined;
  if (values.length > 1) return badRequest("Give the parameter language once.");
  const code = values[0];
  if (code === undefined) return malformed("parameter language");
  // Letters of ASCII first: lower case would turn the Kelvin sign into a k.
  if (!/^[A-Za-z]{3}$/.test(code) || !isLanguage(code.toLowerCase())) {
    return badRequest(
      `"${cut(code)}" is not a language; give a code of three letters from ONIX list 74, such as spa or eng.`,
    );
  }
  return code.toLowerCase();
}

export function dateParameter(query: string): Day | undefined | ApiError {
  const values = valuesOf(query, "date");
  if (values.length === 0) return undefined;
  if (values.length > 1) return new ApiError("invalidDate", "Give the parameter date once.");
  const text = values[0];
  const day = text === undefined ? undefined : parseDay(text);
  return day ?? new ApiError("invalidDate", "Give date as a day of the calendar in eight digits, YYYYMMDD.");
}

/** A segment of a path, decoded once; undefined when its percent-encoding or its UTF-8 is broken. */
function segmentOf(raw: string): string | undefined {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/** All values that a query has for a name, in order; undefined for one that cannot be decoded. */
function valuesOf(query: string, name: string): (string | undefined)[] {
  const values: (string | undefined)[] = [];
  if (query === "") return values;
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (fieldOf(key) === name) values.push(equals < 0 ? "" : fieldOf(pair.slice(equals + 1)));
  }
  return values;
}

/** application/x-www-form-urlencoded, as browsers send queries: a plus is a blank. */
function fieldOf(raw: string): string | undefined {
  return segmentOf(raw.replaceAll("+", " "));
}

function badItem(item: string, place: number): ApiError {
  return badRequest(
    item === ""
      ? `Item ${place} of the list is empty; separate ISBNs with one comma each, and end with none.`
      : `Item ${place} of the list, "${cut(item)}", is not an ISBN; ${ISBN_FORM}.`,
  );
}

function malformed(what: string): ApiError {
  return badRequest(`The percent-encoding of the ${what} is broken; encode its UTF-8 as %XX.`);
}

/** What the caller sent, back to him in a sentence: as much of it as he needs to find it. */
function cut(text: string): string {
  const characters = [...text.slice(0, 80)];
  return characters.length > 40 ? `${characters.slice(0, 40).join("")}…` : text;
}
