/** A feed that is not read any further. What stands in the catalog stays; the caller adds the feed's name. */
export class FeedError extends Error {
  override readonly name = "FeedRefused";

  /** The place is that of the decoded text, counted from 1 in lines and code points; an archive has none. */
  constructor(
    /** One line, without the place. */
    readonly reason: string,
    readonly line?: number | undefined,
    readonly column?: number | undefined,
  ) {
    super(line === undefined ? reason : `line ${line}, column ${column}: ${reason}`);
  }
}

/** A name or a value of the feed, fit to stand in a one-line reason: short, and nothing a terminal would obey. */
export function printable(text: string): string {
  const plain = text.replace(/[\p{C}\s]+/gu, " ");
  const characters = Array.from(plain.slice(0, 200));
  return characters.length > 60 || plain.length > 200 ? `${characters.slice(0, 60).join("")}…` : plain;
}
