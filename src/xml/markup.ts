/** Writing markup: escaping, void elements. */

export function escapeText(text: string): string {
  // A literal carriage return would be read back as a line feed (XML 1.0 §2.11).
  return /[&<>\r]/.test(text)
    ? text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\r", "&#13;")
    : text;
}

export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
}

const VOID_ELEMENTS: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta source track wbr".split(" "),
);

/**
 * Tells whether an element may be written as one tag, `<br/>` (HTML §13.1.2). In an HTML page, `<p/>` is a start tag
 * that stays open.
 */
export function isVoidElement(name: string): boolean {
  return VOID_ELEMENTS.has(name.toLowerCase());
}
