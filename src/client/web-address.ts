/** The addresses of covers and other resources, as feeds send them. */

/**
 * Returns an http or https address as browsers read it, or undefined when the text is none. A line break is that of a
 * feed that was wrapped, and goes with the indentation; a space within the address is `%20`.
 */
export function webAddress(text: string): string | undefined {
  if (!/^https?:\/\/[^\s]/i.test(text)) return undefined;
  if (!/\s/.test(text)) return text;
  const address = text.replace(/[ \t]*[\r\n][ \t\r\n]*|\t/g, "").replaceAll(" ", "%20");
  return /\s/.test(address) ? undefined : address;
}
