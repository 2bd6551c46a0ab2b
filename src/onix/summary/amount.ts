/**
 * Reads the amounts of prices. A record keeps what was sent; summaries, quality and pages have this reading of it
 * (docs/summary.md).
 */

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

/** Returns what is wrong with an amount, in one sentence. Undefined for a number with a point. */
export function amountProblem(
  text: string,
): { readonly kind: "decimal-comma" | "bad-amount"; readonly text: string } | undefined {
  const amount = readAmount(text);
  if (amount === null) {
    const problem = text === "" ? "is empty" : `has the value ${JSON.stringify(text)}, which is not a number`;
    return { kind: "bad-amount", text: `PriceAmount ${problem}.` };
  }
  if (!text.includes(",")) return undefined;
  return { kind: "decimal-comma", text: `PriceAmount has a decimal comma: "${text}" is read as ${amount}.` };
}
