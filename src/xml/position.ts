/** A position in the decoded text. Lines and columns count from 1; lines end at LF; columns are code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The last position. Some feeds have no line feeds: counting from it takes linear time for all of their products. */
const last = { input: new Uint8Array(0) as Uint8Array, lineStart: 0, offset: 0, column: 1 };

/** Returns the position of `offset` in UTF-8 bytes. It is on `line`, which begins at `lineStart`. */
export function positionOf(input: Uint8Array, line: number, lineStart: number, offset: number): Position {
  const isNear =
    last.input === input &&
    last.lineStart === lineStart &&
    Math.abs(offset - last.offset) < offset - lineStart;
  let column = 1;
  if (!isNear) column += countCharacters(input, lineStart, offset);
  else if (offset < last.offset) column = last.column - countCharacters(input, offset, last.offset);
  else column = last.column + countCharacters(input, last.offset, offset);
  last.input = input;
  last.lineStart = lineStart;
  last.offset = offset;
  last.column = column;
  return { line, column };
}

function countCharacters(input: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let index = from; index < to; index++) {
    // Continuation bytes belong to the character before them.
    if ((input[index]! & 0xc0) !== 0x80) count++;
  }
  return count;
}

/** Returns the position of `offset` in UTF-8 bytes. LF, CR LF and CR end a line (XML 1.0 §2.11). */
export function findPosition(input: Uint8Array, offset: number): Position {
  let line = 1;
  let lineStart = 0;
  for (let index = 0; index < offset; index++) {
    const byte = input[index]!;
    if (byte === 0x0a || (byte === 0x0d && input[index + 1] !== 0x0a)) {
      line++;
      lineStart = index + 1;
    }
  }
  return positionOf(input, line, lineStart, offset);
}

export const DOCUMENT_START: Position = { line: 1, column: 1 };

/** Returns the position in the document. The chunk begins at `start`, and `position` is relative to it. */
export function positionFrom(start: Position, { line, column }: Position): Position {
  return { line: start.line + line - 1, column: line === 1 ? start.column + column - 1 : column };
}

/** Returns the position after bytes that begin at `start`. */
export function positionAfterBytes(start: Position, bytes: Uint8Array): Position {
  return positionFrom(start, findPosition(bytes, bytes.length));
}
