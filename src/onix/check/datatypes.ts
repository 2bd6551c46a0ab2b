/** The datatypes of the standard, on bytes. A value is given untrimmed; only numbers and URIs may have whitespace around them. */
import { HYPHEN, isWhitespace, PLUS_SIGN } from "../../xml/characters.ts";
import { lengthOfMonth } from "../date.ts";

export type DatatypeName =
  | "CountryCodeList"
  | "DateOrDateTime"
  | "EmailString"
  | "Integer"
  | "MultiLevelNumber"
  | "MultiLevelNumberOrHyphen"
  | "NonEmptyString"
  | "NonEmptyURI"
  | "PercentDecimal"
  | "PositiveDecimal"
  | "PositiveDecimalOrZero"
  | "PositiveInteger"
  | "PositiveIntegerOrZero"
  | "RegionCodeList"
  | "RomanNumeralString"
  | "TimeOrDuration"
  | "Year"
  | "YearOrYearRange"
  | "code";

export interface Datatype {
  /** Completes "… is not". */
  readonly description: string;
  isValid(input: Uint8Array, from: number, to: number): boolean;
}

const POINT = 0x2e;
export const ZERO = 0x30;
const ONE = 0x31;
const TWO = 0x32;
const NINE = 0x39;
const LETTER_T = 0x54;

/** The range of xs:int. */
const MAX_INT = 2_147_483_647;
const MIN_INT = -2_147_483_648;

/** Longer values match no pattern. The one for e-mail addresses takes quadratic time. */
const MAX_PATTERN_BYTES = 1000;
const EMAIL =
  /^[A-Za-z0-9_]+([-+.'][A-Za-z0-9_]+)*@[A-Za-z0-9_]+([-.][A-Za-z0-9_]+)*\.[A-Za-z0-9_]+([-.][A-Za-z0-9_]+)*$/;
const ROMAN_NUMERAL = /^([MDCLXVI]+|[mdclxvi]+)$/;
const DURATION = /^[0-9]{3}[0-5][0-9][0-5][0-9]([0-9]{2})?$/;
const MULTI_LEVEL = /^[0-9]+(\.[0-9]+)*$/;
const MULTI_LEVEL_OR_HYPHEN = /^([0-9]+|-)(\.([0-9]+|-))*$/;
const TIME = /^T([01][0-9]|2[0-3])[0-5][0-9]([0-5][0-9])?(Z|[+-](0[0-9]|1[0-2])(00|15|30|45))?$/;

const isText = (input: Uint8Array, from: number, to: number): boolean =>
  !hasLineBreak(input, from, to) && trimmedStart(input, from, to) < to;

export const DATATYPES: Readonly<Record<DatatypeName, Datatype>> = {
  NonEmptyString: { description: "a text on one line", isValid: isText },
  NonEmptyURI: {
    description: "a URI without spaces",
    isValid(input, from, to) {
      const start = trimmedStart(input, from, to);
      return hasNoWhitespace(input, start, trimmedEnd(input, start, to));
    },
  },
  code: { description: "a code without spaces", isValid: hasNoWhitespace },
  CountryCodeList: { description: "a list of countries", isValid: isList },
  RegionCodeList: { description: "a list of regions", isValid: isList },
  PositiveDecimal: decimal("a number above 0 with a decimal point, such as 9.90", (value) => value > 0),
  PositiveDecimalOrZero: decimal("a number from 0 with a decimal point, such as 9.90", (value) => value >= 0),
  PercentDecimal: decimal("a number from 0 to 100, such as 5.5", (value) => value >= 0 && value <= 100),
  PositiveInteger: integer("a whole number from 1", (value) => value > 0),
  PositiveIntegerOrZero: integer("a whole number from 0", (value) => value >= 0),
  Integer: integer("a whole number", (value) => value >= MIN_INT && value <= MAX_INT),
  Year: { description: "a year from 1000 to 2099", isValid: isYear },
  YearOrYearRange: {
    description: "a year from 1000 to 2099, or two with a hyphen between them",
    isValid: (input, from, to) =>
      to - from === 9
        ? isYear(input, from, from + 4) && input[from + 4] === HYPHEN && isYear(input, from + 5, to)
        : isYear(input, from, to),
  },
  DateOrDateTime: { description: "a day of the form YYYYMMDD, with or without a time", isValid: isDateTime },
  EmailString: pattern("an e-mail address", EMAIL),
  RomanNumeralString: pattern("a Roman numeral", ROMAN_NUMERAL),
  TimeOrDuration: pattern("a duration of the form HHHMMSS", DURATION),
  MultiLevelNumber: pattern("a number of one or more levels, such as 3.12.8", MULTI_LEVEL),
  MultiLevelNumberOrHyphen: pattern("a number of one or more levels, such as 3.-.8", MULTI_LEVEL_OR_HYPHEN),
};

export function trimmedStart(input: Uint8Array, from: number, to: number): number {
  let start = from;
  while (start < to && isWhitespace(input[start]!)) start++;
  return start;
}

export function trimmedEnd(input: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && isWhitespace(input[end - 1]!)) end--;
  return end;
}

/** Returns the number of a day `YYYYMMDD` of the Gregorian calendar, or 0. */
export function dayNumber(input: Uint8Array, from: number): number {
  const month = digits(input, from + 4, from + 6);
  const day = digits(input, from + 6, from + 8);
  const year = digits(input, from, from + 4);
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > lengthOfMonth(year, month)) return 0;
  return year * 10_000 + month * 100 + day;
}

/** Returns the value of some digits, or -1 when there is another character. */
export function digits(input: Uint8Array, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index++) {
    const byte = input[index]!;
    if (!isDigit(byte)) return -1;
    value = value * 10 + byte - ZERO;
  }
  return value;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

function hasLineBreak(input: Uint8Array, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (input[index] === 0x0a || input[index] === 0x0d) return true;
  return false;
}

function hasNoWhitespace(input: Uint8Array, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if (isWhitespace(input[index]!)) return false;
  return to > from;
}

function isList(input: Uint8Array, from: number, to: number): boolean {
  return trimmedStart(input, from, to) < to;
}

function isYear(input: Uint8Array, from: number, to: number): boolean {
  if (to - from !== 4) return false;
  const year = digits(input, from, to);
  return year >= 1000 && year <= 2099 && (input[from] === ONE || input[from] === TWO);
}

function isDateTime(input: Uint8Array, from: number, to: number): boolean {
  if (to - from < 8) return false;
  const year = digits(input, from, from + 4);
  if (year < 1900 || year > 2999 || dayNumber(input, from) === 0) return false;
  return to - from === 8 || (input[from + 8] === LETTER_T && TIME.test(ascii(input, from + 8, to)));
}

/** Checks xs:decimal: digits with at most one point, an optional sign, no exponent. */
function decimal(description: string, isInRange: (value: number) => boolean): Datatype {
  return { description, isValid: (input, from, to) => isInRange(number(input, from, to, 1)) };
}

function integer(description: string, isInRange: (value: number) => boolean): Datatype {
  return { description, isValid: (input, from, to) => isInRange(number(input, from, to, 0)) };
}

/** Returns NaN, which is in no range, for what is not a number with at most `maxPoints` decimal points. */
function number(input: Uint8Array, from: number, to: number, maxPoints: number): number {
  let index = trimmedStart(input, from, to);
  const end = trimmedEnd(input, index, to);
  const isNegative = input[index] === HYPHEN;
  if (index < end && (isNegative || input[index] === PLUS_SIGN)) index++;
  let value = 0;
  let scale = 0;
  let digitCount = 0;
  let points = 0;
  for (; index < end; index++) {
    const byte = input[index]!;
    if (byte === POINT) {
      if (++points > maxPoints) return Number.NaN;
      scale = 1;
    } else if (isDigit(byte)) {
      digitCount++;
      if (points === 0) value = value * 10 + byte - ZERO;
      else {
        scale /= 10;
        value += (byte - ZERO) * scale;
      }
    } else return Number.NaN;
  }
  if (digitCount === 0) return Number.NaN;
  return isNegative ? -value : value;
}

function pattern(description: string, expression: RegExp): Datatype {
  return {
    description,
    isValid: (input, from, to) => to - from <= MAX_PATTERN_BYTES && expression.test(ascii(input, from, to)),
  };
}

/** Other bytes become characters above 127, which no pattern accepts. */
function ascii(input: Uint8Array, from: number, to: number): string {
  return Buffer.from(input.buffer, input.byteOffset + from, to - from).toString("latin1");
}
