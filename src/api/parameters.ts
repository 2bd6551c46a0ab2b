/** Parses path segments and queries. Each function returns the value, or the error that says what to change. */
import { FORMATS, type Format } from "../catalog/formats/format.ts";
import { slugOf } from "../catalog/imprint.ts";
import type { View } from "../catalog/store.ts";
import { isLanguageCode } from "../onix/code-lists.ts";
import { type Day, parseDay } from "../onix/date.ts";
import { type Isbn13, parseIsbn } from "../onix/isbn.ts";
import { ApiError, badRequest } from "./errors.ts";
import type { PageRequest } from "./paging/page.ts";

export const MAX_ISBNS = 1000;
export const MAX_PAGE_LIMIT = 1000;

const ISBN_HINT = "write 13 digits, or an ISBN-10 with its right check digit";

export function parseIsbnParameter(raw: string): Isbn13 | ApiError {
  const text = decodeSegment(raw);
  if (text === undefined) return brokenEncoding("ISBN");
  return parseIsbn(text) ?? badRequest(`"${excerpt(text)}" is not an ISBN; ${ISBN_HINT}.`);
}

export function parseIsbnList(raw: string): readonly Isbn13[] | ApiError {
  const text = decodeSegment(raw);
  if (text === undefined) return brokenEncoding("list of ISBNs");
  const items = text.split(",");
  if (items.length > MAX_ISBNS) {
    return badRequest(`These are ${items.length} ISBNs; request at most ${MAX_ISBNS} in one call.`);
  }
  const isbns: Isbn13[] = [];
  for (const item of items) {
    const isbn = parseIsbn(item);
    if (isbn === undefined) return invalidItem(item, isbns.length + 1);
    isbns.push(isbn);
  }
  return isbns;
}

/** Returns whether ISBNs that the catalog does not have are skipped. */
export function parseMissing(query: string): boolean | ApiError {
  const values = queryValues(query, "missing");
  if (values.length === 0) return false;
  if (values.length > 1) return badRequest("Give the parameter missing once.");
  if (values[0] === "skip") return true;
  return badRequest(
    "The only value of the parameter missing is skip; without it, a missing book is an error.",
  );
}

/** Returns what the caller wants of each book. */
export function parseView(query: string): View | ApiError {
  const values = queryValues(query, "view");
  if (values.length === 0) return "record";
  if (values.length > 1) return badRequest("Give the parameter view once.");
  return viewOf(values[0]);
}

export function viewOf(text: string | undefined): View | ApiError {
  if (text === "record" || text === "summary") return text;
  return badRequest("The values of the parameter view are record and summary.");
}

/** Returns what is wanted of each changed book, beside its change. */
export function parseInlineView(query: string): View | undefined | ApiError {
  return queryValues(query, "view").length === 0 ? undefined : parseView(query);
}

/** Returns the cursor of changes as it was sent. */
export function parseSince(query: string): string | undefined | ApiError {
  return singleValue(query, "since");
}

/** Returns the value of a parameter, which is empty when it cannot be decoded; undefined when there is none. */
export function singleValue(query: string, name: string): string | undefined | ApiError {
  const values = queryValues(query, name);
  if (values.length > 1) return badRequest(`Give the parameter ${name} once.`);
  return values.length === 0 ? undefined : (values[0] ?? "");
}

/** Returns undefined when there is none. */
export function parseLimit(query: string): number | undefined | ApiError {
  const limits = queryValues(query, "limit");
  if (limits.length === 0) return undefined;
  if (limits.length > 1) return badRequest("Give the parameter limit once.");
  return pageLimitOf(limits[0]);
}

/** Returns the view that the request names; undefined when it names none, or a wrong one. */
export function explicitView(query: string): View | undefined {
  if (queryValues(query, "view").length === 0) return undefined;
  const view = parseView(query);
  return view instanceof ApiError ? undefined : view;
}

/** Returns undefined when the request does not choose a format by parameter. */
export function parseFormat(query: string): Format | undefined | ApiError {
  const values = queryValues(query, "format");
  if (values.length === 0) return undefined;
  if (values.length > 1) return badRequest("Give the parameter format once.");
  const format = FORMATS.find((each) => each === values[0]);
  return format ?? badRequest(`The values of the parameter format are ${FORMATS.join(", ")}.`);
}

/** Parses a parameter that is true or false. Default: false. */
export function parseFlag(query: string, name: string): boolean | ApiError {
  const values = queryValues(query, name);
  if (values.length === 0) return false;
  if (values.length > 1) return badRequest(`Give the parameter ${name} once.`);
  if (values[0] === "true" || values[0] === "false") return values[0] === "true";
  return badRequest(`The values of the parameter ${name} are true and false.`);
}

/** Returns undefined when the whole list is requested. */
export function parsePage(query: string): PageRequest | undefined | ApiError {
  const limit = parseLimit(query);
  const cursors = queryValues(query, "cursor");
  if (limit instanceof ApiError) return limit;
  if (cursors.length > 1) return badRequest("Give the parameter cursor once.");
  if (limit === undefined) {
    if (cursors.length === 0) return undefined;
    return badRequest("Give limit with cursor; take the URL from the Link of the page before.");
  }
  return { limit, cursor: cursors.length === 0 ? undefined : (cursors[0] ?? "") };
}

export function pageLimitOf(text: string | undefined, maxLimit = MAX_PAGE_LIMIT): number | ApiError {
  const limit = /^[1-9][0-9]{0,3}$/.test(text ?? "") ? Number(text) : Number.NaN;
  return limit <= maxLimit ? limit : badRequest(`Give limit as a number from 1 to ${maxLimit}.`);
}

/** Takes the slug, or the display name, and returns the slug. */
export function parseImprint(raw: string): string | ApiError {
  const text = decodeSegment(raw);
  return text === undefined ? brokenEncoding("imprint") : slugOf(text);
}

export function parseLanguage(query: string): string | undefined | ApiError {
  const values = queryValues(query, "language");
  if (values.length === 0) return undefined;
  if (values.length > 1) return badRequest("Give the parameter language once.");
  const code = values[0];
  if (code === undefined) return brokenEncoding("parameter language");
  // ASCII letters first: toLowerCase turns the Kelvin sign into a k.
  if (!/^[A-Za-z]{3}$/.test(code) || !isLanguageCode(code.toLowerCase())) {
    return badRequest(
      `"${excerpt(code)}" is not a language; give a code of three letters from ONIX list 74, such as spa or eng.`,
    );
  }
  return code.toLowerCase();
}

export function parseDate(query: string): Day | undefined | ApiError {
  const values = queryValues(query, "date");
  if (values.length === 0) return undefined;
  if (values.length > 1) return new ApiError("invalidDate", "Give the parameter date once.");
  const text = values[0];
  const day = text === undefined ? undefined : parseDay(text);
  return day ?? new ApiError("invalidDate", "Give date as a day of the calendar in eight digits, YYYYMMDD.");
}

/** Returns undefined when the percent-encoding or its UTF-8 is broken. */
function decodeSegment(raw: string): string | undefined {
  if (!raw.includes("%")) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/** Returns all values of a parameter, in order; undefined for one that cannot be decoded. */
function queryValues(query: string, name: string): (string | undefined)[] {
  const values: (string | undefined)[] = [];
  if (query === "") return values;
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (decodeFormValue(key) === name) values.push(equals < 0 ? "" : decodeFormValue(pair.slice(equals + 1)));
  }
  return values;
}

/** application/x-www-form-urlencoded, as browsers send queries: a plus is a space. */
export function decodeFormValue(raw: string): string | undefined {
  return decodeSegment(raw.replaceAll("+", " "));
}

function invalidItem(item: string, position: number): ApiError {
  return badRequest(
    item === ""
      ? `Item ${position} of the list is empty; separate ISBNs with one comma each, and end with none.`
      : `Item ${position} of the list, "${excerpt(item)}", is not an ISBN; ${ISBN_HINT}.`,
  );
}

export function brokenEncoding(subject: string): ApiError {
  return badRequest(`The percent-encoding of the ${subject} is broken; encode its UTF-8 as %XX.`);
}

/** Shortens what the caller sent for the error that quotes it. */
export function excerpt(text: string): string {
  const characters = [...text.slice(0, 80)];
  return characters.length > 40 ? `${characters.slice(0, 40).join("")}…` : text;
}
