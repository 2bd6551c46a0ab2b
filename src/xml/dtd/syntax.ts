/**
 * What the declarations of a DTD are made of: names, keywords, literals. Each function checks one part at an offset,
 * and returns the offset after it. Where the input ends before that is known, more of it is asked for.
 */
import {
  AMPERSAND,
  APOSTROPHE,
  COLON,
  isWhitespace,
  LESS_THAN,
  NUMBER_SIGN,
  PERCENT_SIGN,
  QUOTATION_MARK,
  SEMICOLON,
} from "../characters.ts";
import type { Cursor } from "../cursor.ts";
import { utf8Text } from "../references.ts";
import { findByte } from "../skipped-markup.ts";

/** Longer than every keyword. */
const MAX_KEYWORD_BYTES = 16;

/** XML 1.0 §2.3, PubidChar. */
const PUBLIC_ID = /^[ \r\na-zA-Z0-9\-'()+,./:=?;!*#@$_%]*$/;

export function rejectDtd(cursor: Cursor, reason: string, offset: number): never {
  cursor.rejectCharacter(`in the DTD, ${reason}`, offset);
}

export function byteAt(cursor: Cursor, offset: number): number {
  if (offset >= cursor.end) cursor.rejectEnd();
  return cursor.input[offset]!;
}

export function requireByte(cursor: Cursor, offset: number, wanted: number): number {
  if (byteAt(cursor, offset) !== wanted) {
    rejectDtd(cursor, `${String.fromCharCode(wanted)} is missing`, offset);
  }
  return offset + 1;
}

export function requireSpace(cursor: Cursor, offset: number): number {
  if (!isWhitespace(byteAt(cursor, offset))) rejectDtd(cursor, "a space is missing", offset);
  return cursor.skipWhitespace(offset);
}

/** Returns the offset after the whitespace at `offset`, whose lines are counted when it is skipped. */
export function afterSpace(cursor: Cursor, offset: number): number {
  let next = offset;
  while (isWhitespace(byteAt(cursor, next))) next++;
  return next;
}

/** Namespaces in XML §7: names of elements and attributes have at most one colon, and other names have none. */
export function requireName(cursor: Cursor, offset: number, isWithoutColon = false): number {
  byteAt(cursor, offset);
  const end = cursor.skipName(offset);
  // A name that reaches the end of the input may continue.
  byteAt(cursor, end);
  if (end === offset) rejectDtd(cursor, "a name is missing", offset);
  const first = cursor.input.subarray(offset, end).indexOf(COLON);
  if (first < 0) return end;
  const local = offset + first + 1;
  if (isWithoutColon || first === 0 || !cursor.isNameStartAt(local) || hasColon(cursor, local, end)) {
    rejectDtd(cursor, "a name has a colon that namespaces do not allow", offset + first);
  }
  return end;
}

function hasColon(cursor: Cursor, from: number, to: number): boolean {
  return cursor.input.subarray(from, to).includes(COLON);
}

/** XML 1.0 §2.3, Nmtoken: a name that may begin with any of its characters. */
export function requireNameToken(cursor: Cursor, offset: number): number {
  byteAt(cursor, offset);
  const end = cursor.skipNameCharacters(offset);
  byteAt(cursor, end);
  if (end === offset) rejectDtd(cursor, "a name is missing", offset);
  return end;
}

/** Returns the name at `offset` when it can be a keyword, else an empty text. */
export function keywordAt(cursor: Cursor, offset: number): string {
  const end = cursor.skipNameCharacters(offset);
  byteAt(cursor, end);
  return end - offset > MAX_KEYWORD_BYTES ? "" : utf8Text(cursor.input, offset, end);
}

/** Checks a quoted text. `checkText` is called with the offsets of its text. */
export function requireLiteral(
  cursor: Cursor,
  offset: number,
  checkText?: (cursor: Cursor, from: number, to: number) => void,
): number {
  const quote = byteAt(cursor, offset);
  if (quote !== QUOTATION_MARK && quote !== APOSTROPHE) rejectDtd(cursor, "a quote is missing", offset);
  const end = findByte(cursor, offset + 1, quote);
  checkText?.(cursor, offset + 1, end);
  return end + 1;
}

/** XML 1.0 §4.2.2, ExternalID; §4.7: a notation may have a public identifier alone. */
export function skipExternalId(cursor: Cursor, offset: number, needsSystemId: boolean): number {
  const keyword = keywordAt(cursor, offset);
  if (keyword !== "SYSTEM" && keyword !== "PUBLIC") rejectDtd(cursor, "SYSTEM or PUBLIC is missing", offset);
  const literal = requireSpace(cursor, offset + keyword.length);
  if (keyword === "SYSTEM") return requireLiteral(cursor, literal);
  const end = requireLiteral(cursor, literal, checkPublicId);
  const byte = byteAt(cursor, afterSpace(cursor, end));
  if (!needsSystemId && byte !== QUOTATION_MARK && byte !== APOSTROPHE) return end;
  return requireLiteral(cursor, requireSpace(cursor, end));
}

function checkPublicId(cursor: Cursor, from: number, to: number): void {
  if (!PUBLIC_ID.test(utf8Text(cursor.input, from, to)))
    rejectDtd(cursor, "a public identifier has a character that is not allowed", from);
}

/** XML 1.0 §2.3, AttValue. */
export function checkAttributeValue(cursor: Cursor, from: number, to: number): void {
  const markup = cursor.input.subarray(from, to).indexOf(LESS_THAN);
  if (markup >= 0) rejectDtd(cursor, "a default value has a <: write &lt;", from + markup);
  checkReferences(cursor, from, to);
}

/** XML 1.0 §2.3, EntityValue; §2.8: no %reference; within a declaration of the internal subset. */
export function checkEntityValue(cursor: Cursor, from: number, to: number): void {
  const percent = cursor.input.subarray(from, to).indexOf(PERCENT_SIGN);
  if (percent >= 0) rejectDtd(cursor, "the text of an entity has a %: write &#37;", from + percent);
  checkReferences(cursor, from, to);
}

/** Checks the syntax of references. Entities are not looked up: their declarations may be elsewhere. */
function checkReferences(cursor: Cursor, from: number, to: number): void {
  const { input } = cursor;
  for (let offset = from; offset < to; offset++) {
    if (input[offset] !== AMPERSAND) continue;
    if (input[offset + 1] === NUMBER_SIGN) {
      offset = cursor.skipReference(offset) - 1;
      continue;
    }
    const end = cursor.skipName(offset + 1);
    if (end === offset + 1 || input[end] !== SEMICOLON)
      rejectDtd(cursor, "& does not begin a reference: write &#38;", offset);
    offset = end;
  }
}
