/**
 * Reads the amounts of prices and other numbers. A record keeps what was sent; summaries, quality and pages have this
 * reading of it (docs/summary.md).
 */
import { wholeNumber } from "../record/field-access.ts";

const USUAL = /^[0-9]+(?:\.[0-9]+)?$/;
/** Other forms of xs:decimal: with a sign, or without digits before or after the point. */
const OTHER_DECIMAL = /^\+?([0-9]*)\.?([0-9]*)$/;
const DECIMAL_COMMA = /^([0-9]+),([0-9]{1,2})$/;

/**
 * Returns the amount as a decimal number with a point, or null when the text is none. A comma before one or two digits is
 * a decimal comma; nothing else is guessed: `1.234,50` and `1,234` are no amounts.
 */
export function readAmount(text: string): string | null {
  if (USUAL.test(text)) return text;
  const comma = DECIMAL_COMMA.exec(text);
  if (comma) return `${comma[1]}.${comma[2]}`;
  const [, whole = "", decimals = ""] = OTHER_DECIMAL.exec(text) ?? [];
  if (whole === "" && decimals === "") return null;
  return decimals === "" ? whole : `${whole || "0"}.${decimals}`;
}

/** A complaint about a value; `text` is one sentence. */
export interface ValueProblem {
  readonly kind: "decimal-comma" | "bad-amount" | "bad-value";
  readonly text: string;
}

/** Returns undefined for a number with a point. */
export function amountProblem(text: string, element: string): ValueProblem | undefined {
  const amount = readAmount(text);
  if (amount === null) {
    const problem = unreadable(element, text, "a number");
    return element === "PriceAmount" ? { ...problem, kind: "bad-amount" } : problem;
  }
  if (!text.includes(",")) return undefined;
  return { kind: "decimal-comma", text: `${element} has a decimal comma: "${text}" is read as ${amount}.` };
}

/** Returns undefined for a number that `wholeNumber` reads. */
export function wholeNumberProblem(text: string, element: string): ValueProblem | undefined {
  return wholeNumber(text) === undefined
    ? unreadable(element, text, "a whole number of at most nine digits")
    : undefined;
}

export function unreadable(element: string, text: string, expected: string): ValueProblem {
  const problem =
    text === "" ? "is empty" : `has the value ${JSON.stringify(text)}, which is not ${expected}`;
  return { kind: "bad-value", text: `${element} ${problem}.` };
}
