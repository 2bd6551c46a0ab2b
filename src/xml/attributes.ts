/** The attributes of a start tag, and the namespaces that it declares. */
import { printable } from "../feed/feed-error.ts";
import {
  AMPERSAND,
  APOSTROPHE,
  BACKSLASH,
  COLON,
  COLON_BYTE,
  CR,
  EQUALS_SIGN,
  GREATER_THAN,
  isForbiddenAt,
  isWhitespace,
  LESS_THAN,
  LF,
  MAYBE_NONCHARACTER,
  NAME_BYTE,
  NO_NAME_BYTE,
  NON_ASCII_BYTE,
  nameClass,
  QUOTATION_MARK,
  SLASH,
  SPACE,
} from "./characters.ts";
import type { Cursor } from "./cursor.ts";
import { declarationError, type Namespaces, NO_NAMESPACE, UNBOUND, XMLNS_NAMESPACE } from "./namespaces.ts";
import { decodeAttribute, utf8Text } from "./references.ts";

const MAX_ATTRIBUTES = 100;
const XMLNS = "xmlns";

/** Bytes that need no attention in a value are 0; the others are 1. */
const valueClass = new Uint8Array(256);
valueClass.fill(1, 0, SPACE);
for (const byte of [LESS_THAN, AMPERSAND, QUOTATION_MARK, APOSTROPHE, BACKSLASH, MAYBE_NONCHARACTER]) {
  valueClass[byte] = 1;
}

export class Attributes {
  count = 0;
  /** The name begins at `qualifiedStart` with its prefix, and at `nameStart` without it. */
  readonly qualifiedStart = new Int32Array(MAX_ATTRIBUTES);
  readonly nameStart = new Int32Array(MAX_ATTRIBUTES);
  readonly nameEnd = new Int32Array(MAX_ATTRIBUTES);
  /** The value, between the quotes. */
  readonly from = new Int32Array(MAX_ATTRIBUTES);
  readonly to = new Int32Array(MAX_ATTRIBUTES);
  /** 1 when the value has no `&`, TAB, CR, LF, `"` or `\`: the bytes are the value in XML and in JSON. */
  readonly isPlain = new Uint8Array(MAX_ATTRIBUTES);
  readonly namespace = new Int32Array(MAX_ATTRIBUTES);
  /** The tag declares namespaces. */
  hasDeclarations = false;
  /** The tag ends with `/>`. */
  isEmptyElement = false;
  private hasPrefixes = false;

  constructor(
    private readonly cursor: Cursor,
    private readonly namespaces: Namespaces,
  ) {}

  /** Reads the rest of a start tag from the whitespace after its name. Returns the offset after the tag. */
  scan(from: number, depth: number): number {
    const { cursor } = this;
    const { input, end } = cursor;
    this.count = 0;
    this.hasDeclarations = false;
    this.hasPrefixes = false;
    for (let offset = from; ; ) {
      const start = cursor.skipWhitespace(offset);
      if (start >= end) cursor.rejectEnd();
      const byte = input[start]!;
      if (byte === GREATER_THAN) {
        this.isEmptyElement = false;
        return start + 1;
      }
      if (byte === SLASH) {
        if (start + 1 >= end) cursor.rejectEnd();
        if (input[start + 1] !== GREATER_THAN) {
          cursor.rejectCharacter("/ in a start tag is not followed by >", start + 1);
        }
        this.isEmptyElement = true;
        return start + 2;
      }
      if (start === offset && cursor.isNameStartAt(start)) {
        cursor.rejectCharacter("no whitespace between attributes", start);
      }
      offset = this.scanAttribute(start, depth);
    }
  }

  /** Reads one attribute. Returns the offset after its closing quote. */
  private scanAttribute(start: number, depth: number): number {
    const { cursor, count } = this;
    const { input, end } = cursor;
    let colon = -1;
    let offset = start;
    for (; offset < end; offset++) {
      const kind = nameClass[input[offset]!]!;
      if (kind === NO_NAME_BYTE || kind === NON_ASCII_BYTE || (kind === NAME_BYTE && offset === start)) break;
      if (kind === COLON_BYTE && colon < 0) colon = offset;
    }
    if (offset < end && nameClass[input[offset]!] === NON_ASCII_BYTE) {
      offset = cursor.skipName(start);
      colon = input.subarray(start, offset).indexOf(COLON);
      if (colon >= 0) colon += start;
    }
    if (offset >= end) cursor.rejectEnd();
    const nameEnd = offset;
    const afterName = input[offset]!;
    if (
      nameEnd === start ||
      !(afterName === EQUALS_SIGN || afterName === GREATER_THAN || isWhitespace(afterName))
    ) {
      cursor.rejectCharacter("disallowed character in an attribute name", offset);
    }
    offset = cursor.skipWhitespace(offset);
    if (offset >= end) cursor.rejectEnd();
    if (input[offset] !== EQUALS_SIGN) cursor.rejectCharacter("attribute without value", offset);
    offset = cursor.skipWhitespace(offset + 1);
    if (offset >= end) cursor.rejectEnd();
    const quote = input[offset]!;
    if (quote !== QUOTATION_MARK && quote !== APOSTROPHE) {
      cursor.rejectCharacter("unquoted attribute value", offset);
    }
    const valueEnd = this.scanValue(offset + 1, quote);
    if (colon >= 0) this.checkQualifiedName(start, colon, nameEnd);
    if (count === MAX_ATTRIBUTES) {
      cursor.rejectToken(`an element has more than ${MAX_ATTRIBUTES} attributes`);
    }
    // A `xmlns:p` has the namespace XMLNS_NAMESPACE because of its prefix.
    const isDefault = nameEnd - start === XMLNS.length && this.beginsWithXmlns(start);
    const isDeclaration = isDefault || (colon - start === XMLNS.length && this.beginsWithXmlns(start));
    if (isDeclaration) this.declare(isDefault ? nameEnd : colon + 1, nameEnd, offset + 1, valueEnd, depth);
    else if (colon >= 0) this.hasPrefixes = true;
    this.qualifiedStart[count] = start;
    this.nameStart[count] = colon < 0 ? start : colon + 1;
    this.nameEnd[count] = nameEnd;
    this.from[count] = offset + 1;
    this.to[count] = valueEnd;
    this.namespace[count] = isDeclaration ? XMLNS_NAMESPACE : NO_NAMESPACE;
    this.count = count + 1;
    return valueEnd + 1;
  }

  /** Checks the value from `from`, and sets `isPlain`. Returns the offset of the closing quote. */
  private scanValue(from: number, quote: number): number {
    const { cursor } = this;
    const { input, end } = cursor;
    let isPlain = 1;
    for (let offset = from; offset < end; offset++) {
      const byte = input[offset]!;
      if (valueClass[byte] === 0) continue;
      if (byte === quote) {
        // Beyond the limit there is no place, and the tag is rejected.
        if (this.count < MAX_ATTRIBUTES) this.isPlain[this.count] = isPlain;
        return offset;
      }
      if (byte === AMPERSAND) {
        offset = cursor.skipReference(offset) - 1;
        isPlain = 0;
      } else if (byte === LESS_THAN) cursor.rejectCharacter("< in an attribute value: write &lt;", offset);
      else if (isForbiddenAt(input, offset)) cursor.rejectCharacter("", offset);
      else if (byte !== APOSTROPHE && byte !== MAYBE_NONCHARACTER) {
        if (byte === LF) cursor.countLine(offset);
        else if (byte === CR) cursor.countCarriageReturn(offset);
        isPlain = 0;
      }
    }
    return cursor.rejectEnd();
  }

  private beginsWithXmlns(offset: number): boolean {
    const { input } = this.cursor;
    for (let index = 0; index < XMLNS.length; index++) {
      if (input[offset + index] !== XMLNS.charCodeAt(index)) return false;
    }
    return true;
  }

  private declare(from: number, to: number, valueStart: number, valueEnd: number, depth: number): void {
    const { cursor, namespaces } = this;
    const prefix = utf8Text(cursor.input, from, to);
    const uri = decodeAttribute(cursor.input, valueStart, valueEnd).trim();
    const error = declarationError(prefix, uri);
    if (error !== undefined) cursor.rejectToken(`not well-formed: ${error}`);
    namespaces.declare(prefix, uri, depth);
    this.hasDeclarations = true;
  }

  /** Checks a name with a colon: a prefix, a colon, and a local name (Namespaces in XML §4). */
  checkQualifiedName(start: number, colon: number, end: number): void {
    const { cursor } = this;
    const { input } = cursor;
    const isValid =
      colon > start &&
      cursor.isNameStartAt(colon + 1) &&
      colon + 1 < end &&
      !input.subarray(colon + 1, end).includes(COLON);
    if (!isValid) cursor.rejectToken(`not well-formed: ${this.text(start, end)} is not a valid name`);
  }

  /** Resolves the prefixes of the attributes, and checks that no attribute stands twice. */
  resolve(): void {
    const { cursor, count } = this;
    if (this.hasPrefixes) {
      for (let index = 0; index < count; index++) {
        const start = this.qualifiedStart[index]!;
        const nameStart = this.nameStart[index]!;
        if (nameStart === start || this.namespace[index] !== NO_NAMESPACE) continue;
        this.namespace[index] = this.resolvePrefix(start, nameStart - 1);
      }
    }
    for (let index = 1; index < count; index++) {
      for (let earlier = 0; earlier < index; earlier++) {
        if (!this.isSameName(index, earlier)) continue;
        const name = this.text(this.qualifiedStart[index]!, this.nameEnd[index]!);
        cursor.rejectToken(`not well-formed: duplicate attribute: ${name}`);
      }
    }
  }

  /** Returns the id of the namespace of a prefix. */
  resolvePrefix(from: number, to: number): number {
    const id = this.namespaces.resolve(utf8Text(this.cursor.input, from, to));
    if (id === UNBOUND) {
      this.cursor.rejectToken(`not well-formed: the prefix "${this.text(from, to)}" is not declared`);
    }
    return id;
  }

  private isSameName(first: number, second: number): boolean {
    const { input } = this.cursor;
    const firstStart = this.nameStart[first]!;
    const secondStart = this.nameStart[second]!;
    const length = this.nameEnd[first]! - firstStart;
    if (this.nameEnd[second]! - secondStart !== length) return false;
    if (this.namespace[first] !== this.namespace[second]) return false;
    for (let index = 0; index < length; index++) {
      if (input[firstStart + index] !== input[secondStart + index]) return false;
    }
    return true;
  }

  private text(from: number, to: number): string {
    return printable(utf8Text(this.cursor.input, from, to));
  }
}
