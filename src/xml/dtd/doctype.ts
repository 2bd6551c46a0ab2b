/**
 * The document type declaration (XML 1.0 §2.8). Its syntax is checked and it is skipped: nothing of it is fetched,
 * expanded or remembered. `declarations.ts` has the declarations of the internal subset.
 */
import {
  EXCLAMATION_MARK,
  GREATER_THAN,
  HYPHEN,
  LEFT_BRACKET,
  LESS_THAN,
  PERCENT_SIGN,
  QUESTION_MARK,
  RIGHT_BRACKET,
  SEMICOLON,
} from "../characters.ts";
import type { Cursor } from "../cursor.ts";
import { findCommentEnd, findInstructionEnd } from "../skipped-markup.ts";
import { skipDeclaration } from "./declarations.ts";
import { byteAt, rejectDtd, requireByte, requireName, requireSpace, skipExternalId } from "./syntax.ts";

const DOCTYPE_START_BYTES = "<!DOCTYPE".length;

/** Skips the document type declaration at the cursor. */
export function skipDoctype(cursor: Cursor): void {
  const nameEnd = requireName(cursor, requireSpace(cursor, cursor.position + DOCTYPE_START_BYTES));
  let offset = cursor.skipWhitespace(nameEnd);
  const isExternal = byteAt(cursor, offset) !== LEFT_BRACKET && byteAt(cursor, offset) !== GREATER_THAN;
  if (isExternal && offset === nameEnd) rejectDtd(cursor, "a space, [ or > is missing", offset);
  if (isExternal) offset = cursor.skipWhitespace(skipExternalId(cursor, offset, true));
  if (byteAt(cursor, offset) === LEFT_BRACKET) offset = cursor.skipWhitespace(skipSubset(cursor, offset + 1));
  cursor.position = requireByte(cursor, offset, GREATER_THAN);
  cursor.checkTokenBytes(cursor.position);
}

/** Skips the internal subset (§2.8, intSubset). Returns the offset after its `]`. */
function skipSubset(cursor: Cursor, from: number): number {
  for (let offset = from; ; ) {
    offset = cursor.skipWhitespace(offset);
    const byte = byteAt(cursor, offset);
    if (byte === RIGHT_BRACKET) return offset + 1;
    if (byte === PERCENT_SIGN) {
      offset = requireByte(cursor, requireName(cursor, offset + 1, true), SEMICOLON);
    } else if (byte === LESS_THAN) {
      offset = skipSubsetMarkup(cursor, offset);
    } else {
      rejectDtd(cursor, "only declarations, comments, %references; and spaces may stand here", offset);
    }
  }
}

/** Skips the comment, processing instruction or declaration at `offset`. Returns the offset after it. */
function skipSubsetMarkup(cursor: Cursor, offset: number): number {
  const second = byteAt(cursor, offset + 1);
  if (second === QUESTION_MARK) return findInstructionEnd(cursor, offset + 2);
  if (second !== EXCLAMATION_MARK) rejectDtd(cursor, "< does not begin a declaration", offset);
  const third = byteAt(cursor, offset + 2);
  // §3.4: only an external subset has conditional sections.
  if (third === LEFT_BRACKET) rejectDtd(cursor, "a conditional section is not allowed here", offset);
  if (third !== HYPHEN) return skipDeclaration(cursor, offset + 2);
  if (byteAt(cursor, offset + 3) !== HYPHEN) rejectDtd(cursor, "<! does not begin a declaration", offset);
  return findCommentEnd(cursor, offset + 4);
}
