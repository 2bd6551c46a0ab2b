/** Markup that is checked and skipped: comments and processing instructions. `dtd/` has the DTD. */
import {
  COLON,
  CR,
  GREATER_THAN,
  HYPHEN,
  isForbiddenAt,
  isWhitespace,
  LF,
  MAYBE_NONCHARACTER,
  QUESTION_MARK,
  SPACE,
} from "./characters.ts";
import type { Cursor } from "./cursor.ts";

const COMMENT_START_BYTES = "<!--".length;

/** Returns the offset of the next `wanted` byte. Checks the characters before it. */
export function findByte(cursor: Cursor, from: number, wanted: number): number {
  const { input, end } = cursor;
  for (let offset = from; offset < end; offset++) {
    const byte = input[offset]!;
    if (byte === wanted) return offset;
    if (byte < SPACE || byte === MAYBE_NONCHARACTER) checkCharacter(cursor, offset);
  }
  return cursor.rejectEnd();
}

/** Checks the character at `offset`, and counts the line that it ends. */
function checkCharacter(cursor: Cursor, offset: number): void {
  const byte = cursor.input[offset];
  if (byte === LF) cursor.countLine(offset);
  else if (byte === CR) cursor.countCarriageReturn(offset);
  else if (isForbiddenAt(cursor.input, offset)) cursor.rejectCharacter("", offset);
}

/** Skips the comment at the cursor (XML 1.0 §2.5). */
export function skipComment(cursor: Cursor): void {
  cursor.position = findCommentEnd(cursor, cursor.position + COMMENT_START_BYTES);
  cursor.checkTokenBytes(cursor.position);
}

/** Returns the offset after the `-->` of the comment whose text begins at `from`. */
export function findCommentEnd(cursor: Cursor, from: number): number {
  const { input, end } = cursor;
  for (let offset = from; ; ) {
    offset = findByte(cursor, offset, HYPHEN) + 1;
    if (offset >= end) cursor.rejectEnd();
    if (input[offset] !== HYPHEN) continue;
    if (offset + 1 >= end) cursor.rejectEnd();
    if (input[offset + 1] !== GREATER_THAN) cursor.rejectCharacter("-- in a comment", offset + 1);
    return offset + 2;
  }
}

/** Skips the processing instruction at the cursor (XML 1.0 §2.6). It is not the XML declaration. */
export function skipProcessingInstruction(cursor: Cursor): void {
  cursor.position = findInstructionEnd(cursor, cursor.position + 2);
  cursor.checkTokenBytes(cursor.position);
}

/** Returns the offset after the `?>` of the processing instruction whose target begins at `targetStart`. */
export function findInstructionEnd(cursor: Cursor, targetStart: number): number {
  const { input, end } = cursor;
  let offset = cursor.skipName(targetStart);
  // The colon is only allowed in names of elements and attributes (Namespaces in XML §7).
  for (let index = targetStart; index < offset; index++) if (input[index] === COLON) offset = index;
  if (offset >= end) cursor.rejectEnd();
  const byte = input[offset]!;
  if (offset === targetStart && (byte === QUESTION_MARK || isWhitespace(byte))) {
    cursor.reject("not well-formed: a processing instruction without a target", offset);
  }
  if (byte !== QUESTION_MARK && !isWhitespace(byte)) {
    cursor.rejectCharacter("disallowed character in the target of a processing instruction", offset);
  }
  const isReserved = offset - targetStart === 3 && isXmlInAnyCase(input, targetStart);
  if (
    isReserved &&
    input[targetStart] === 0x78 &&
    input[targetStart + 1] === 0x6d &&
    input[targetStart + 2] === 0x6c
  ) {
    cursor.reject("not well-formed: an XML declaration must be at the start of the document", offset);
  }
  do {
    offset = findByte(cursor, offset, QUESTION_MARK) + 1;
    if (offset >= end) cursor.rejectEnd();
  } while (input[offset] !== GREATER_THAN);
  if (isReserved) {
    cursor.reject("not well-formed: the target of a processing instruction may not be xml", offset);
  }
  return offset + 1;
}

function isXmlInAnyCase(input: Uint8Array, offset: number): boolean {
  return (
    (input[offset]! | 0x20) === 0x78 &&
    (input[offset + 1]! | 0x20) === 0x6d &&
    (input[offset + 2]! | 0x20) === 0x6c
  );
}
