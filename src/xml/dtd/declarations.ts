/** The declarations of the internal subset: elements (XML 1.0 §3.2), attributes (§3.3), entities (§4.2), notations (§4.7). */
import {
  ASTERISK,
  COMMA,
  GREATER_THAN,
  LEFT_PARENTHESIS,
  NUMBER_SIGN,
  PERCENT_SIGN,
  PLUS_SIGN,
  QUESTION_MARK,
  RIGHT_PARENTHESIS,
  VERTICAL_BAR,
} from "../characters.ts";
import type { Cursor } from "../cursor.ts";
import {
  afterSpace,
  byteAt,
  checkAttributeValue,
  checkEntityValue,
  keywordAt,
  rejectDtd,
  requireByte,
  requireLiteral,
  requireName,
  requireNameToken,
  requireSpace,
  skipExternalId,
} from "./syntax.ts";

type Skip = (cursor: Cursor, offset: number) => number;

const DECLARATIONS: Readonly<Record<string, Skip>> = {
  ELEMENT: skipElement,
  ATTLIST: skipAttributes,
  ENTITY: skipEntity,
  NOTATION: skipNotation,
};

/** Skips the declaration whose keyword is at `offset`, behind `<!`. Returns the offset after its `>`. */
export function skipDeclaration(cursor: Cursor, offset: number): number {
  const keyword = keywordAt(cursor, offset);
  const skip = Object.hasOwn(DECLARATIONS, keyword) ? DECLARATIONS[keyword] : undefined;
  if (!skip) rejectDtd(cursor, "<! does not begin a declaration", offset - 2);
  const end = skip(cursor, requireSpace(cursor, offset + keyword.length));
  return requireByte(cursor, cursor.skipWhitespace(end), GREATER_THAN);
}

function skipElement(cursor: Cursor, offset: number): number {
  const content = requireSpace(cursor, requireName(cursor, offset));
  if (byteAt(cursor, content) === LEFT_PARENTHESIS) return skipContentModel(cursor, content);
  const keyword = keywordAt(cursor, content);
  if (keyword !== "EMPTY" && keyword !== "ANY") {
    rejectDtd(cursor, "an element needs EMPTY, ANY or a content model", content);
  }
  return content + keyword.length;
}

function skipContentModel(cursor: Cursor, offset: number): number {
  const isMixed = byteAt(cursor, afterSpace(cursor, offset + 1)) === NUMBER_SIGN;
  return isMixed ? skipMixed(cursor, cursor.skipWhitespace(offset + 1)) : skipChildren(cursor, offset);
}

/** §3.2.2, Mixed. */
function skipMixed(cursor: Cursor, offset: number): number {
  if (keywordAt(cursor, offset + 1) !== "PCDATA") rejectDtd(cursor, "#PCDATA is missing", offset);
  const start = offset + "#PCDATA".length;
  let next = cursor.skipWhitespace(start);
  const hasNames = byteAt(cursor, next) === VERTICAL_BAR;
  while (byteAt(cursor, next) === VERTICAL_BAR) {
    next = cursor.skipWhitespace(requireName(cursor, cursor.skipWhitespace(next + 1)));
  }
  const end = requireByte(cursor, next, RIGHT_PARENTHESIS);
  if (hasNames) return requireByte(cursor, end, ASTERISK);
  return byteAt(cursor, end) === ASTERISK ? end + 1 : end;
}

/** A content model that is deeper would cost memory, and no DTD has one. */
const MAX_CONTENT_DEPTH = 1000;

/** §3.2.1, children. Skips the group at `offset`, with the groups in it. */
function skipChildren(cursor: Cursor, offset: number): number {
  /** For each open group, the separator that it has used; 0 for none. */
  const separators: number[] = [];
  let next = offset;
  for (;;) {
    if (byteAt(cursor, next) === LEFT_PARENTHESIS) {
      if (separators.push(0) > MAX_CONTENT_DEPTH) rejectDtd(cursor, "a content model is too deep", next);
      next = cursor.skipWhitespace(next + 1);
      continue;
    }
    next = skipOccurrence(cursor, requireName(cursor, next));
    // Behind a name or a group: a separator, or the end of the group.
    for (;;) {
      next = cursor.skipWhitespace(next);
      if (byteAt(cursor, next) !== RIGHT_PARENTHESIS) break;
      separators.pop();
      next = skipOccurrence(cursor, next + 1);
      if (separators.length === 0) return next;
    }
    const separator = byteAt(cursor, next);
    const used = separators.at(-1)!;
    const isSeparator = separator === COMMA || separator === VERTICAL_BAR;
    if (!isSeparator || (used !== 0 && used !== separator))
      rejectDtd(cursor, "the content model is wrong", next);
    separators[separators.length - 1] = separator;
    next = cursor.skipWhitespace(next + 1);
  }
}

function skipOccurrence(cursor: Cursor, offset: number): number {
  const byte = byteAt(cursor, offset);
  return byte === QUESTION_MARK || byte === ASTERISK || byte === PLUS_SIGN ? offset + 1 : offset;
}

function skipAttributes(cursor: Cursor, offset: number): number {
  let end = requireName(cursor, offset);
  for (;;) {
    if (byteAt(cursor, afterSpace(cursor, end)) === GREATER_THAN) return end;
    const name = requireName(cursor, requireSpace(cursor, end));
    const type = skipAttributeType(cursor, requireSpace(cursor, name));
    end = skipDefault(cursor, requireSpace(cursor, type));
  }
}

const ATTRIBUTE_TYPES = ["CDATA", "ID", "IDREF", "IDREFS", "ENTITY", "ENTITIES", "NMTOKEN", "NMTOKENS"];

/** §3.3.1, AttType. */
function skipAttributeType(cursor: Cursor, offset: number): number {
  if (byteAt(cursor, offset) === LEFT_PARENTHESIS) return skipEnumeration(cursor, offset, requireNameToken);
  const keyword = keywordAt(cursor, offset);
  const end = offset + keyword.length;
  if (keyword === "NOTATION") {
    const names: Skip = (_, at) => requireName(cursor, at, true);
    return skipEnumeration(cursor, requireSpace(cursor, end), names);
  }
  if (!ATTRIBUTE_TYPES.includes(keyword)) rejectDtd(cursor, "the type of an attribute is missing", offset);
  return end;
}

function skipEnumeration(cursor: Cursor, offset: number, skipItem: Skip): number {
  let next = requireByte(cursor, offset, LEFT_PARENTHESIS);
  for (;;) {
    next = cursor.skipWhitespace(skipItem(cursor, cursor.skipWhitespace(next)));
    if (byteAt(cursor, next) === RIGHT_PARENTHESIS) return next + 1;
    next = requireByte(cursor, next, VERTICAL_BAR);
  }
}

/** §3.3.2, DefaultDecl. */
function skipDefault(cursor: Cursor, offset: number): number {
  if (byteAt(cursor, offset) !== NUMBER_SIGN) return requireLiteral(cursor, offset, checkAttributeValue);
  const keyword = keywordAt(cursor, offset + 1);
  const end = offset + 1 + keyword.length;
  if (keyword === "REQUIRED" || keyword === "IMPLIED") return end;
  if (keyword !== "FIXED") rejectDtd(cursor, "#REQUIRED, #IMPLIED or #FIXED is missing", offset);
  return requireLiteral(cursor, requireSpace(cursor, end), checkAttributeValue);
}

function skipEntity(cursor: Cursor, offset: number): number {
  const isParameter = byteAt(cursor, offset) === PERCENT_SIGN;
  const name = isParameter ? requireSpace(cursor, offset + 1) : offset;
  const value = requireSpace(cursor, requireName(cursor, name, true));
  const isExternal = cursor.isNameStartAt(value);
  if (!isExternal) return requireLiteral(cursor, value, checkEntityValue);
  const end = skipExternalId(cursor, value, true);
  if (isParameter || byteAt(cursor, afterSpace(cursor, end)) === GREATER_THAN) return end;
  const data = requireSpace(cursor, end);
  if (keywordAt(cursor, data) !== "NDATA") rejectDtd(cursor, "NDATA or > is missing", data);
  return requireName(cursor, requireSpace(cursor, data + "NDATA".length), true);
}

function skipNotation(cursor: Cursor, offset: number): number {
  return skipExternalId(cursor, requireSpace(cursor, requireName(cursor, offset, true)), false);
}
