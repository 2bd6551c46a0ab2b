/** The JSON shape of a record: value types, key names, and which fields are arrays. */

export type RecordValue = string | null | readonly RecordValue[] | RecordFields;

/** Objects are created without a prototype, because an element may be called `__proto__`. */
export interface RecordFields {
  [key: string]: RecordValue;
}

/** The record of the API: `_id`, the ISBN as RecordReference, and the fields of the product. */
export interface BookRecord extends RecordFields {
  _id: string;
  RecordReference: string;
}

/** Derives 24 hexadecimal digits from the ISBN, so that a book has the same id on every machine. */
export function recordId(isbn: string): string {
  return `00000000000${isbn}`;
}

/** Elements that the specification shows as one value, but only in this composite. */
const SINGLE_OR_ARRAY_PARENTS: ReadonlyMap<string, string> = new Map([
  ["ContributorRole", "Contributor"],
  ["CorporateName", "Contributor"],
  ["SubjectHeadingText", "Subject"],
  ["ContentAudience", "TextContent"],
  ["Text", "TextContent"],
]);

/**
 * Elements that may repeat in ONIX, but that the specification shows as one value. One of them is that value; several
 * are an array. Every other element that may repeat is always an array.
 */
export const SINGLE_OR_ARRAY: ReadonlySet<string> = new Set([
  "ProductFormDetail",
  "TitleDetail",
  "TitleElement",
  "Contributor",
  "Language",
  "Extent",
  "Audience",
  "AudienceRange",
  ...SINGLE_OR_ARRAY_PARENTS.keys(),
]);

export function isSingleOrArray(name: string, parent: string): boolean {
  return SINGLE_OR_ARRAY.has(name) && (SINGLE_OR_ARRAY_PARENTS.get(name) ?? parent) === parent;
}

/** The key of the id, which no element can replace. */
export const ID_KEY = "_id";

/** The key of text between the children of a composite. No element can have this name. */
export const STRAY_TEXT = "#text";

/** `Name#more` has the second and further elements `Name` where ONIX allows only one. */
export const REPEATED_SUFFIX = "#more";

/** `MainSubject#text` has the content that a flag had in the feed, such as `false`. */
export const FLAG_TEXT_SUFFIX = "#text";

/** Returns `Name` for the keys `Name`, `Name@attribute`, `Name#more`, `Name#text` and `Name#more@attribute`. */
export function elementNameOfKey(key: string): string {
  if (!key.includes("@", 1) && !key.includes("#", 1)) return key;
  return /^.[^@#]*/s.exec(key)?.[0] ?? "";
}

/** Text format (list 34) of text that contains XHTML elements instead of escaped markup. */
const XHTML_FORMAT = "05";

/**
 * Guesses from the format and the text whether the text came as XHTML elements. `Origin.exceptions` lists the texts
 * for which the guess is wrong.
 */
export function looksLikeXhtml(text: string, format: string | undefined): boolean {
  return format === XHTML_FORMAT && /<[A-Za-z]/.test(text);
}
