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
