/** The XML declaration (XML 1.0 §2.8). The encoding that it names was the concern of the decoder. */
import {
  APOSTROPHE,
  EQUALS_SIGN,
  GREATER_THAN,
  isForbiddenAt,
  isWhitespace,
  QUESTION_MARK,
  QUOTATION_MARK,
} from "./characters.ts";
import type { Cursor } from "./cursor.ts";
import { utf8Text } from "./references.ts";

const START = "<?xml";

interface Setting {
  readonly name: string;
  readonly value: RegExp;
  readonly reason: string;
}

/** The settings in the order in which they must stand. */
const SETTINGS: readonly Setting[] = [
  { name: "version", value: /^1\.[0-9]+$/, reason: "the version must be 1.0" },
  { name: "encoding", value: /^[A-Za-z][A-Za-z0-9._-]*$/, reason: "the encoding is not a valid name" },
  { name: "standalone", value: /^(?:yes|no)$/, reason: 'standalone must be "yes" or "no"' },
];

/** Tells whether the document begins with an XML declaration, as far as the input shows. */
export function isXmlDeclaration(input: Uint8Array, end: number): boolean {
  if (end <= START.length) return false;
  for (let index = 0; index < START.length; index++) {
    if (input[index] !== START.charCodeAt(index)) return false;
  }
  const next = input[START.length]!;
  return next === QUESTION_MARK || isWhitespace(next);
}

/** Skips the XML declaration at the start of the document. */
export function skipXmlDeclaration(cursor: Cursor): void {
  const { input } = cursor;
  let offset = START.length;
  /** The index of the setting that may come next. */
  let expected = 0;
  for (;;) {
    const isSeparated = isWhitespace(byteAt(cursor, offset));
    offset = cursor.skipWhitespace(offset);
    if (byteAt(cursor, offset) === QUESTION_MARK) break;
    if (!isSeparated) cursor.rejectCharacter("no whitespace before a setting of the XML declaration", offset);
    const nameEnd = findNameEnd(cursor, offset);
    const name = utf8Text(input, offset, nameEnd);
    const index = SETTINGS.findIndex((setting) => setting.name === name);
    // Without a version, nothing else may stand; after it, the others are optional.
    if (index < expected || (expected === 0 && index > 0)) rejectName(cursor, expected, nameEnd);
    offset = skipValue(cursor, SETTINGS[index]!, nameEnd);
    expected = index + 1;
  }
  const last = byteAt(cursor, offset + 1);
  if (last !== GREATER_THAN) {
    cursor.rejectCharacter("? in the XML declaration is not followed by >", offset + 1);
  }
  if (expected === 0) cursor.reject("not well-formed: the XML declaration has no version", offset + 1);
  cursor.position = offset + 2;
  cursor.checkTokenBytes(cursor.position);
}

function byteAt(cursor: Cursor, offset: number): number {
  if (offset >= cursor.end) cursor.rejectEnd();
  const byte = cursor.input[offset]!;
  if (isForbiddenAt(cursor.input, offset)) cursor.rejectCharacter("", offset);
  return byte;
}

/** Returns the offset of the whitespace or `=` after a name. */
function findNameEnd(cursor: Cursor, from: number): number {
  for (let offset = from; ; offset++) {
    const byte = byteAt(cursor, offset);
    if (byte === QUESTION_MARK) rejectIncomplete(cursor, offset);
    if ((byte === EQUALS_SIGN && offset > from) || isWhitespace(byte)) return offset;
  }
}

function rejectName(cursor: Cursor, expected: number, offset: number): never {
  const names = SETTINGS.slice(expected, expected === 0 ? 1 : undefined).map(({ name }) => name);
  const allowed = names.length === 0 ? "?>" : names.join(" or ");
  return cursor.reject(`not well-formed: ${allowed} expected in the XML declaration`, offset);
}

/** Checks `= "value"` from `from`. Returns the offset after the closing quote. */
function skipValue(cursor: Cursor, setting: Setting, from: number): number {
  let offset = cursor.skipWhitespace(from);
  const equals = byteAt(cursor, offset);
  if (equals === QUESTION_MARK) rejectIncomplete(cursor, offset);
  if (equals !== EQUALS_SIGN)
    cursor.rejectCharacter("a setting of the XML declaration without value", offset);
  offset = cursor.skipWhitespace(offset + 1);
  const quote = byteAt(cursor, offset);
  if (quote === QUESTION_MARK) rejectIncomplete(cursor, offset);
  if (quote !== QUOTATION_MARK && quote !== APOSTROPHE) {
    cursor.rejectCharacter("unquoted value in the XML declaration", offset);
  }
  const valueStart = offset + 1;
  offset = valueStart;
  for (; byteAt(cursor, offset) !== quote; offset++) {
    if (cursor.input[offset] === QUESTION_MARK) rejectIncomplete(cursor, offset);
  }
  if (!setting.value.test(utf8Text(cursor.input, valueStart, offset))) {
    cursor.reject(`not well-formed: ${setting.reason}`, offset);
  }
  return offset + 1;
}

function rejectIncomplete(cursor: Cursor, offset: number): never {
  cursor.reject("not well-formed: the XML declaration is incomplete", offset);
}
