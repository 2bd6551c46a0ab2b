/** The number of pages and the duration of a book (ONIX group P.11). */
import type { BookFields } from "../fields/book-fields.ts";
import { composites, firstText, wholeNumber } from "../record/field-access.ts";
import { amountProblem, readAmount, unreadable, type ValueProblem, wholeNumberProblem } from "./amount.ts";

/** ExtentUnit (list 24). */
const PAGES = "03";
/**
 * ExtentType (list 23), in the order of preference: main content, content, total numbered and absolute page count, pages
 * of the print counterpart, notional pages of a digital product.
 */
const PAGE_COUNTS: readonly string[] = ["00", "11", "05", "07", "08", "10"];
/** Duration, of the main content, of the production. */
const DURATIONS: readonly string[] = ["09", "14", "16"];

export function pagesOf(details: readonly BookFields[]): number | null {
  return preferredExtent(details, PAGE_COUNTS, (value, unit) =>
    unit === PAGES ? wholeNumber(value) : undefined,
  );
}

/** Returns minutes, rounded. */
export function durationOf(details: readonly BookFields[]): number | null {
  return preferredExtent(details, DURATIONS, minutesOf);
}

/** Returns the first value of the best type that can be read. */
function preferredExtent(
  details: readonly BookFields[],
  types: readonly string[],
  read: (value: string, unit: string) => number | undefined,
): number | null {
  let found: number | null = null;
  let bestRank = types.length;
  for (const { Extent } of details) {
    if (Extent === undefined) continue;
    for (const { ExtentType, ExtentValue, ExtentUnit } of composites(Extent)) {
      const rank = types.indexOf(firstText(ExtentType));
      if (rank < 0 || rank >= bestRank) continue;
      const number = read(firstText(ExtentValue), firstText(ExtentUnit));
      if (number === undefined) continue;
      found = number;
      bestRank = rank;
    }
  }
  return found;
}

/** How many minutes the decimal units of list 24 have: hours, minutes, seconds. */
const DECIMAL_UNITS: ReadonlyMap<string, number> = new Map([
  ["04", 60],
  ["05", 1],
  ["06", 1 / 60],
]);
/** Units of list 24 in which the digits are a time: HHH, HHHMM and HHHMMSS. */
const CLOCK_UNITS: ReadonlyMap<string, RegExp> = new Map([
  ["14", /^([0-9]{1,4})$/],
  ["15", /^([0-9]{0,4}?)([0-9]{1,2})$/],
  ["16", /^([0-9]{0,4}?)([0-9]{0,2}?)([0-9]{1,2})$/],
]);

function minutesOf(value: string, unit: string): number | undefined {
  const factor = DECIMAL_UNITS.get(unit);
  if (factor !== undefined) {
    const amount = readAmount(value);
    return amount === null ? undefined : inRange(Number(amount) * factor);
  }
  const [, hours, minutes = "0", seconds = "0"] = CLOCK_UNITS.get(unit)?.exec(value) ?? [];
  if (hours === undefined) return undefined;
  // `90` minutes are clear, and `0190` are not.
  const isClear = Number(hours) === 0 || Number(minutes) < 60;
  if (!isClear || (Number(seconds) > 59 && Number(hours + minutes) > 0)) return undefined;
  return inRange(Number(hours) * 60 + Number(minutes) + Number(seconds) / 60);
}

/** Longer texts of digits are no durations. */
const MAX_MINUTES = 1_000_000;

function inRange(minutes: number): number | undefined {
  return minutes <= MAX_MINUTES ? Math.round(minutes) : undefined;
}

/** Returns undefined for a value that can be read, and for what is neither a number of pages nor a duration. */
export function extentProblem(type: string, value: string, unit: string): ValueProblem | undefined {
  if (PAGE_COUNTS.includes(type) && unit === PAGES) return wholeNumberProblem(value, "ExtentValue");
  const isDecimal = DECIMAL_UNITS.has(unit);
  if (!DURATIONS.includes(type) || !(isDecimal || CLOCK_UNITS.has(unit))) return undefined;
  if (minutesOf(value, unit) === undefined) {
    return unreadable("ExtentValue", value, `a duration in unit ${unit} of list 24`);
  }
  return isDecimal ? amountProblem(value, "ExtentValue") : undefined;
}
