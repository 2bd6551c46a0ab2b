/** Markup that is checked and skipped: comments, processing instructions, the document type declaration. */
import {
  APOSTROPHE,
  COLON,
  CR,
  EXCLAMATION_MARK,
  GREATER_THAN,
  HYPHEN,
  isForbiddenAt,
  isWhitespace,
  LEFT_BRACKET,
  LESS_THAN,
  LF,
  MAYBE_NONCHARACTER,
  QUESTION_MARK,
  QUOTATION_MARK,
  RIGHT_BRACKET,
  SPACE,
} from "./characters.ts";
import type { Cursor } from "./cursor.ts";

const COMMENT_START_BYTES = "<!--".length;
const DOCTYPE_START_BYTES = "<!DOCTYPE".length;

/** Returns the offset of the next `wanted` byte. Checks the characters before it. */
function find(cursor: Cursor, from: number, wanted: number): number {
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
function findCommentEnd(cursor: Cursor, from: number): number {
  const { input, end } = cursor;
  for (let offset = from; ; ) {
    offset = find(cursor, offset, HYPHEN) + 1;
    if (offset >= end) cursor.rejectEnd();
    if (input[offset] !== HYPHEN) continue;
    if (offset + 1 >= end) cursor.rejectEnd();
    if (input[offset + 1] !== GREATER_THAN) cursor.rejectCharacter("-- in a comment", offset + 1);
    return offset + 2;
  }
}

/** Skips the processing instruction at the cursor (XML 1.0 §2.6). It is not the XML declaration. */
export function skipProcessingInstruction(cursor: Cursor): void {
  const { input, end } = cursor;
  const targetStart = cursor.position + 2;
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
    offset = find(cursor, offset, QUESTION_MARK) + 1;
    if (offset >= end) cursor.rejectEnd();
  } while (input[offset] !== GREATER_THAN);
  if (isReserved) {
    cursor.reject("not well-formed: the target of a processing instruction may not be xml", offset);
  }
  cursor.position = offset + 1;
  cursor.checkTokenBytes(cursor.position);
}

function isXmlInAnyCase(input: Uint8Array, offset: number): boolean {
  return (
    (input[offset]! | 0x20) === 0x78 &&
    (input[offset + 1]! | 0x20) === 0x6d &&
    (input[offset + 2]! | 0x20) === 0x6c
  );
}

/**
 * Skips the document type declaration at the cursor. Only its extent is determined: quotes, comments, processing
 * instructions and the internal subset. Nothing of it is fetched or expanded.
 */
export function skipDoctype(cursor: Cursor): void {
  const { input, end } = cursor;
  let isInSubset = false;
  for (let offset = cursor.position + DOCTYPE_START_BYTES; ; offset++) {
    if (offset >= end) cursor.rejectEnd();
    const byte = input[offset]!;
    if (byte === QUOTATION_MARK || byte === APOSTROPHE) offset = find(cursor, offset + 1, byte);
    else if (isInSubset) {
      if (byte === RIGHT_BRACKET) isInSubset = false;
      else if (byte === LESS_THAN) offset = skipSubsetMarkup(cursor, offset + 1) - 1;
      else checkCharacter(cursor, offset);
    } else if (byte === LEFT_BRACKET) isInSubset = true;
    else if (byte === GREATER_THAN) {
      cursor.position = offset + 1;
      break;
    } else checkCharacter(cursor, offset);
  }
  cursor.checkTokenBytes(cursor.position);
}

/**
 * Skips the comment or processing instruction whose `<` is before `offset`, or the first characters of a declaration.
 * Returns the offset after them.
 */
function skipSubsetMarkup(cursor: Cursor, offset: number): number {
  const { input, end } = cursor;
  if (offset >= end) cursor.rejectEnd();
  if (input[offset] === QUESTION_MARK) {
    let next = offset + 1;
    do {
      next = find(cursor, next, QUESTION_MARK) + 1;
      if (next >= end) cursor.rejectEnd();
    } while (input[next] !== GREATER_THAN);
    return next + 1;
  }
  checkCharacter(cursor, offset);
  if (input[offset] !== EXCLAMATION_MARK) return offset + 1;
  // The characters of `<!--` are never a quote or bracket, and neither are those that may stand there instead.
  for (let next = offset + 1; ; next++) {
    if (next >= end) cursor.rejectEnd();
    checkCharacter(cursor, next);
    if (input[next] !== HYPHEN) return next + 1;
    if (next === offset + 2) return findCommentEnd(cursor, next + 1);
  }
}
