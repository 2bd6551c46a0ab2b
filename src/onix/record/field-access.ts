/** Access to the fields of a record, whatever shape they have: absent, one value, an array, or repeated under `#more`. */
import type { BookFieldKey, BookFields } from "../fields/book-fields.ts";
import type { RecordFields, RecordValue } from "./record-fields.ts";

const NO_COMPOSITES: readonly BookFields[] = [];
const NO_TEXTS: readonly string[] = [];

/** Returns the composites of a field that may be absent, single or repeated. */
export function composites(value: RecordValue | undefined): readonly BookFields[] {
  if (typeof value !== "object" || value === null) return NO_COMPOSITES;
  if (!Array.isArray(value)) return [value as BookFields];
  for (const item of value) if (!isComposite(item)) return value.filter(isComposite);
  return value;
}

export function isComposite(value: RecordValue | undefined): value is BookFields & RecordFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names of composites of which ONIX allows one here, but a feed may have sent more. */
type RepeatedName = BookFieldKey extends infer Key
  ? Key extends `${infer Name}#more`
    ? Name
    : never
  : never;

const REPEATED_KEYS: { readonly [Name in RepeatedName]: `${Name}#more` } = {
  DescriptiveDetail: "DescriptiveDetail#more",
  CollateralDetail: "CollateralDetail#more",
  PublishingDetail: "PublishingDetail#more",
  RelatedMaterial: "RelatedMaterial#more",
  MarketPublishingDetail: "MarketPublishingDetail#more",
  Territory: "Territory#more",
};

/** Returns all composites of such a name. */
export function allOf(fields: BookFields, name: RepeatedName): readonly BookFields[] {
  const more = fields[REPEATED_KEYS[name]];
  return more === undefined ? composites(fields[name]) : [...composites(fields[name]), ...composites(more)];
}

/** Returns the texts of a field that may be absent, single or repeated. Empty ones do not count. */
export function texts(value: RecordValue | undefined): readonly string[] {
  if (typeof value === "string") return value === "" ? NO_TEXTS : [value];
  if (!Array.isArray(value)) return NO_TEXTS;
  for (const item of value) if (!isText(item)) return value.filter(isText);
  return value;
}

function isText(value: RecordValue): value is string {
  return typeof value === "string" && value !== "";
}

/** Returns the first text of a field, or an empty string. */
export function firstText(value: RecordValue | undefined): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? firstText(value[0]) : "";
}

/** Returns the first text of a field that is not empty, or null. */
export function firstNonEmpty(value: RecordValue | undefined): string | null {
  if (typeof value === "string") return value === "" ? null : value;
  return texts(value)[0] ?? null;
}

/** Returns the place of a code in the order of preference. Other codes follow those that are preferred. */
export function rankIn(preferred: readonly string[], code: string): number {
  const rank = preferred.indexOf(code);
  return rank < 0 ? preferred.length : rank;
}

const MAX_DIGITS = 9;

/** Returns the number that a text of one to nine digits is, and undefined for any other text. */
export function wholeNumber(text: string): number | undefined {
  if (text === "" || text.length > MAX_DIGITS) return undefined;
  let number = 0;
  for (let index = 0; index < text.length; index++) {
    const digit = text.charCodeAt(index) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  return number;
}
