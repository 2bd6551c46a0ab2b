/** The kinds of values that parameters have. Each gives a value, or the error that says what to change. */
import { slugOf } from "../../catalog/imprint.ts";
import { wordsOf } from "../../catalog/search/word-writer.ts";
import { joinNames } from "../../lib/text.ts";
import { codesOfList } from "../../onix/code-lists.ts";
import { type Day, parseAnyDay, parseDay } from "../../onix/date.ts";
import { type Isbn13, parseIsbn } from "../../onix/isbn.ts";
import { ApiError, badRequest } from "../errors.ts";
import type { Kind } from "./parameter.ts";

/** The most ISBNs of one request. */
export const MAX_ISBNS = 1000;

const ISBN_HINT = "write 13 digits, or an ISBN-10 with its right check digit";

/** Any text. The endpoint parses it. */
export const text: Kind<string> = { parse: (value) => value, schema: { type: "string" } };

/** One of a few names. */
export function oneOf<const Name extends string>(
  names: readonly Name[],
  wrong: Kind<Name>["wrong"] = {},
): Kind<Name> {
  return {
    parse: (value, name) => names.find((each) => each === value) ?? notAllowed(name, names),
    schema: { type: "string", enum: [...names] },
    wrong,
  };
}

/** Returns the error for a value that is none of a short list. */
export function notAllowed(name: string, allowed: readonly string[]): ApiError {
  const values = allowed.length === 1 ? "only value" : "values";
  const verb = allowed.length === 1 ? "is" : "are";
  const detail = `The ${values} of the parameter ${name} ${verb} ${joinNames(allowed, "and")}.`;
  return new ApiError("badRequest", detail, { allowed });
}

/** A number from 1 to a maximum. */
export function limitUpTo(maximum: number): Kind<number> {
  return {
    parse(value, name) {
      const limit = /^[1-9][0-9]{0,3}$/.test(value) ? Number(value) : Number.NaN;
      return limit <= maximum ? limit : badRequest(`Give ${name} as a number from 1 to ${maximum}.`);
    },
    schema: { type: "integer", minimum: 1, maximum },
    wrong: { "Limit out of range": String(maximum + 1) },
  };
}

/** A code of an ONIX list, in upper or lower case. The value is the code as the list writes it. */
export function code(list: number, noun: string, options: Partial<Kind<string>> = {}): Kind<string> {
  const allowed = codesOfList(list);
  if (allowed.length === 0) throw new Error(`The table of codes has no list ${list}`);
  const codes = new Map(allowed.map((code) => [code.toLowerCase(), code]));
  return {
    parse(value) {
      // ASCII first: toLowerCase turns the Kelvin sign into a k.
      const known = /^[A-Za-z0-9]{2,3}$/.test(value) ? codes.get(value.toLowerCase()) : undefined;
      if (known !== undefined) return known;
      const detail = `"${excerpt(value)}" is not ${noun}; give a code of ONIX list ${list}, one of those in "allowed".`;
      return new ApiError("badRequest", detail, { allowed });
    },
    schema: { type: "string", enum: allowed },
    list,
    ...options,
  };
}

export const language = code(74, "a language", { schema: { type: "string", minLength: 3, maxLength: 3 } });

/** A day as the specification writes it. It has a message of its own for every error (decisions §5). */
export const specifiedDay: Kind<Day> = {
  parse: (value) =>
    parseDay(value) ??
    new ApiError("invalidDate", "Give date as a day of the calendar in eight digits, YYYYMMDD."),
  schema: { type: "string", pattern: "^[0-9]{8}$" },
  wrong: { "Not a day": "2026-07-01" },
  error: "invalidDate",
};

/** A summary writes days with hyphens, and /api/news takes them without. */
export const day: Kind<Day> = {
  parse(value, name) {
    const detail = `"${excerpt(value)}" is not a day; give ${name} as a day of the calendar, YYYYMMDD or YYYY-MM-DD.`;
    return parseAnyDay(value) ?? badRequest(detail);
  },
  schema: { type: "string", pattern: "^[0-9]{4}-?[0-9]{2}-?[0-9]{2}$" },
  wrong: { "Not a day": "2026" },
};

export const isbn: Kind<Isbn13> = {
  parse: (value) => parseIsbn(value) ?? badRequest(`"${excerpt(value)}" is not an ISBN; ${ISBN_HINT}.`),
  schema: { type: "string" },
  wrong: { "Not an ISBN": "97899999" },
};

/** ISBNs separated by commas. */
export const isbns: Kind<readonly Isbn13[]> = {
  parse(value) {
    const items = value.split(",");
    if (items.length > MAX_ISBNS)
      return badRequest(`These are ${items.length} ISBNs; request at most ${MAX_ISBNS} in one call.`);
    const list: Isbn13[] = [];
    for (const item of items) {
      const isbn = parseIsbn(item);
      if (isbn === undefined) return invalidItem(item, list.length + 1);
      list.push(isbn);
    }
    return list;
  },
  schema: { type: "string" },
  wrong: {
    "Not an ISBN": "9789999938228,97899999",
    "Empty item": "9789999938228,",
    "Too many": `${"9789999938228,".repeat(MAX_ISBNS)}9789999938228`,
  },
};

function invalidItem(item: string, position: number): ApiError {
  return badRequest(
    item === ""
      ? `Item ${position} of the list is empty; separate ISBNs with one comma each, and end with none.`
      : `Item ${position} of the list, "${excerpt(item)}", is not an ISBN; ${ISBN_HINT}.`,
  );
}

/** A longer text is not folded: that takes milliseconds of the event loop. */
const MAX_NAME_CHARS = 1000;

/** The slug of an imprint, or its display name. The value is the slug, which is empty when no imprint can have it. */
export const imprint: Kind<string> = {
  parse: (value) => (value.length > MAX_NAME_CHARS ? "" : slugOf(value)),
  schema: { type: "string" },
};

/** A text that has words. */
export function words(detail: string): Kind<string> {
  return {
    parse(value) {
      const isText = value.length <= MAX_NAME_CHARS && wordsOf(value).length > 0;
      return isText ? value.trim() : badRequest(detail);
    },
    schema: { type: "string" },
  };
}

/** Shortens what the caller sent for the error that quotes it. */
export function excerpt(text: string): string {
  const characters = [...text.slice(0, 80)];
  return characters.length > 40 ? `${characters.slice(0, 40).join("")}…` : text;
}
