/** xs:decimal without a minus: digits with at most one point, and no exponent. Texts of records are trimmed. */
const DECIMAL = /^\+?([0-9]+\.?[0-9]*|\.[0-9]+)$/;

/** Returns the amount of a price as a number. Is NaN when the text is none; ONIX requires a number above 0. */
export function amountOf(text: string): number {
  return DECIMAL.test(text) ? Number(text) : Number.NaN;
}
