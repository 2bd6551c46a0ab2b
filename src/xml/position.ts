/** A position in the decoded text. Lines and columns count from 1; lines end at LF; columns are code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns the position after a text that begins on `line`, after `columnsBefore` columns of it. */
export function positionAfter(text: string, line: number, columnsBefore: number): Position {
  const lines = text.split("\n");
  const lastLineColumns = Array.from(lines.at(-1)!).length;
  return {
    line: line + lines.length - 1,
    column: (lines.length === 1 ? columnsBefore : 0) + lastLineColumns + 1,
  };
}
