/** Returns a text that both engines can store, cut to a number of UTF-16 code units. PostgreSQL stores no U+0000. */
export function keptText(text: string, maxChars: number): string {
  const isLong = text.length > maxChars;
  const cut = isLong ? `${text.slice(0, maxChars - 1)}…` : text;
  // Encoding makes a copy, because a part of a string keeps the whole string alive.
  return Buffer.from(cut.replaceAll("\0", "\ufffd").toWellFormed()).toString();
}
