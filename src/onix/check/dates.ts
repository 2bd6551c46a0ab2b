/** Dates of ONIX: their form by list 55, and their comparison. */

import { parseDay } from "../date.ts";
import { elementNumber } from "../element-numbers.ts";
import { DATEFORMAT } from "../reader/attribute-names.ts";
import { type ElementTree, TEXT_NODE } from "../reader/element-tree.ts";
import { childText, findChild } from "../reader/product-facts.ts";
import { attributeText, textOf } from "../reader/tree-text.ts";
import { dayNumber, ZERO } from "./datatypes.ts";

export const DATE = elementNumber("Date");
export const DATE_FORMAT = elementNumber("DateFormat");

/** A date that can be compared: its digits, as a number, and how many they are (4, 6 or 8). */
export interface ComparableDate {
  readonly value: number;
  readonly digits: number;
}

const YEAR = "[0-9]{4}";
const MONTH = "(?:0[1-9]|1[0-2])";
const DAY = "(?:0[1-9]|[12][0-9]|3[01])";
const WEEK = "(?:0[1-9]|[1-4][0-9]|5[0-3])";
const ZONE = "(?:Z|[+-][0-9]{4})?";
const TIME = "T(?:[01][0-9]|2[0-3])[0-5][0-9]";

/** The forms of list 55, with the way in which EDItEUR writes them. Free texts (12, 32) have none. */
const FORMATS: ReadonlyMap<string, readonly [form: string, expression: RegExp]> = new Map(
  (
    [
      ["00", "YYYYMMDD", YEAR + MONTH + DAY],
      ["01", "YYYYMM", YEAR + MONTH],
      ["02", "YYYYWW", YEAR + WEEK],
      ["03", "YYYYQ", `${YEAR}[1-4]`],
      ["04", "YYYYS", `${YEAR}[1-4]`],
      ["05", "YYYY", YEAR],
      ["06", "YYYYMMDDYYYYMMDD", YEAR + MONTH + DAY + YEAR + MONTH + DAY],
      ["07", "YYYYMMYYYYMM", YEAR + MONTH + YEAR + MONTH],
      ["08", "YYYYWWYYYYWW", YEAR + WEEK + YEAR + WEEK],
      ["09", "YYYYQYYYYQ", `${YEAR}[1-4]${YEAR}[1-4]`],
      ["10", "YYYYSYYYYS", `${YEAR}[1-4]${YEAR}[1-4]`],
      ["11", "YYYYYYYY", YEAR + YEAR],
      ["13", "YYYYMMDDThhmm", YEAR + MONTH + DAY + TIME + ZONE],
      ["14", "YYYYMMDDThhmmss", `${YEAR}${MONTH}${DAY}${TIME}[0-5][0-9]${ZONE}`],
      ["20", "YYYYMMDD", YEAR + MONTH + DAY],
      ["21", "YYYYMM", YEAR + MONTH],
      ["25", "YYYY", YEAR],
    ] as const
  ).map(([code, form, expression]) => [code, [form, new RegExp(`^${expression}$`)]]),
);

/** Formats of the Gregorian calendar whose first digits can be compared, with the number of these digits. */
const COMPARABLE_DIGITS: Readonly<Record<string, number>> = {
  "00": 8,
  "01": 6,
  "02": 4,
  "03": 4,
  "04": 4,
  "05": 4,
  "13": 8,
  "14": 8,
};

/** Returns the form that a date should have, or undefined when it has it or may have any. */
export function expectedForm(date: string, format: string): string | undefined {
  const [form, expression] = FORMATS.get(format || "00") ?? [];
  if (form === undefined) return undefined;
  const isValid = expression!.test(date) && (form !== "YYYYMMDD" || format === "20" || parseDay(date));
  return isValid ? undefined : form;
}

/** Returns the format of a date: the attribute `dateformat` or, without it, DateFormat beside it; else empty. */
export function formatOfDate(tree: ElementTree, composite: number, date: number): string {
  return attributeText(tree, date, DATEFORMAT) || childText(tree, composite, DATE_FORMAT);
}

/**
 * Returns the number of a day of the format 00, as most dates are, without creating a string. Returns 0 for any other
 * date.
 */
export function plainDay(tree: ElementTree, composite: number, date: number): number {
  const { input, from, to, kind, attributeFrom, attributeTo } = tree;
  const text = date + 1;
  if (tree.next[date] !== text + 1 || kind[text] !== TEXT_NODE || to[text]! - from[text]! !== 8) return 0;
  const format = tree.attributeOf(date, DATEFORMAT);
  if (format < 0) {
    if (findChild(tree, composite, DATE_FORMAT) >= 0) return 0;
  } else {
    const start = attributeFrom[format]!;
    if (attributeTo[format] !== start + 2 || input[start] !== ZERO || input[start + 1] !== ZERO) return 0;
  }
  return dayNumber(input, from[text]!);
}

/** Returns undefined for a composite without a date that can be compared. */
export function comparableDate(tree: ElementTree, composite: number): ComparableDate | undefined {
  const node = findChild(tree, composite, DATE);
  if (node < 0) return undefined;
  const day = plainDay(tree, composite, node);
  if (day !== 0) return { value: day, digits: 8 };
  const text = textOf(tree, node);
  const format = formatOfDate(tree, composite, node) || "00";
  const digits = COMPARABLE_DIGITS[format];
  if (digits === undefined || expectedForm(text, format) !== undefined) return undefined;
  return { value: Number(text.slice(0, digits)), digits };
}

/** Compares with the precision that both dates have. */
export function isLater(date: ComparableDate, other: ComparableDate): boolean {
  const digits = Math.min(date.digits, other.digits);
  return cut(date, digits) > cut(other, digits);
}

function cut({ value, digits }: ComparableDate, to: number): number {
  return Math.floor(value / 10 ** (digits - to));
}
