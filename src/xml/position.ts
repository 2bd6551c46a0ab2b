/** Columns are code points, lines end at LF; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Of the character behind a text that begins where so many columns of a line have been read. */
export function positionAfter(text: string, line: number, column: number): Position {
  const lines = text.split("\n");
  const last = Array.from(lines.at(-1)!).length;
  return { line: line + lines.length - 1, column: (lines.length === 1 ? column : 0) + last + 1 };
}
