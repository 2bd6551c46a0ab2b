/** The bytes that follow cannot be decoded. Their position is the end of what was decoded, which the caller knows. */
export class DecodeError extends Error {
  override readonly name = "DecodeError";
}

/** A feed cannot be read any further. The import is rolled back, and the caller adds the name of the feed. */
export class FeedError extends Error {
  override readonly name = "FeedError";

  /**
   * Line and column count from 1 in the decoded text; columns are code points. Both are omitted when the error
   * concerns an archive.
   */
  constructor(
    /** One line, without the position. */
    readonly reason: string,
    readonly line?: number | undefined,
    readonly column?: number | undefined,
  ) {
    super(line === undefined ? reason : `line ${line}, column ${column}: ${reason}`);
  }
}

/** An import that did not take effect. The message names the feed or the catalog, and the cause. */
export class ImportError extends Error {}

/** The feed or a rule is the cause: the same import would fail again. Other failures may pass. */
export class FeedRefused extends ImportError {}

/** The bytes of a feed cannot be read: a missing right, or a failing disk. */
export class FeedUnreadable extends ImportError {}

/** Makes a name or value of a feed safe to show in a one-line message: at most 60 characters, no control characters. */
export function printable(text: string): string {
  const singleLine = text.replace(/[\p{C}\s]+/gu, " ");
  const characters = Array.from(singleLine.slice(0, 200));
  return characters.length > 60 || singleLine.length > 200
    ? `${characters.slice(0, 60).join("")}…`
    : singleLine;
}
