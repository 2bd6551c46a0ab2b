/** Characters of XML 1.0 (fifth edition), by byte and by code point. */

export const TAB = 0x09;
export const LF = 0x0a;
export const CR = 0x0d;
export const SPACE = 0x20;
export const EXCLAMATION_MARK = 0x21;
export const QUOTATION_MARK = 0x22;
export const NUMBER_SIGN = 0x23;
export const PERCENT_SIGN = 0x25;
export const AMPERSAND = 0x26;
export const APOSTROPHE = 0x27;
export const LEFT_PARENTHESIS = 0x28;
export const RIGHT_PARENTHESIS = 0x29;
export const ASTERISK = 0x2a;
export const PLUS_SIGN = 0x2b;
export const COMMA = 0x2c;
export const HYPHEN = 0x2d;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const SEMICOLON = 0x3b;
export const LESS_THAN = 0x3c;
export const EQUALS_SIGN = 0x3d;
export const GREATER_THAN = 0x3e;
export const QUESTION_MARK = 0x3f;
export const LEFT_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const RIGHT_BRACKET = 0x5d;
export const VERTICAL_BAR = 0x7c;
/** The first byte of U+FFFE and U+FFFF, which XML forbids, and of allowed characters. */
export const MAYBE_NONCHARACTER = 0xef;

/** Classes of bytes in names. */
export const NO_NAME_BYTE = 0;
export const NAME_START_BYTE = 1;
/** May not begin a name: digits, hyphen, full stop. */
export const NAME_BYTE = 2;
export const COLON_BYTE = 3;
/** Part of a character outside ASCII. */
export const NON_ASCII_BYTE = 4;

export const nameClass = new Uint8Array(256);
nameClass.fill(NON_ASCII_BYTE, 0x80);
for (const letter of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") {
  nameClass[letter.charCodeAt(0)] = NAME_START_BYTE;
}
for (const character of "0123456789-.") nameClass[character.charCodeAt(0)] = NAME_BYTE;
nameClass[COLON] = COLON_BYTE;

export function isWhitespace(byte: number): boolean {
  return byte === SPACE || byte === LF || byte === TAB || byte === CR;
}

/** Tells whether the character at `offset`, in valid UTF-8, is one that XML forbids (XML 1.0 §2.2). */
export function isForbiddenAt(input: Uint8Array, offset: number): boolean {
  const byte = input[offset]!;
  if (byte < SPACE) return !isWhitespace(byte);
  return byte === MAYBE_NONCHARACTER && input[offset + 1] === 0xbf && input[offset + 2]! >= 0xbe;
}

/** Tells whether a code point is a character of XML (XML 1.0 §2.2, Char). */
export function isXmlCharacter(code: number): boolean {
  return (
    code === TAB ||
    code === LF ||
    code === CR ||
    (code >= 0x20 && code < 0xd800) ||
    (code >= 0xe000 && code < 0xfffe) ||
    (code >= 0x10000 && code <= 0x10ffff)
  );
}

/** Ranges of NameStartChar outside ASCII (XML 1.0 §2.3), as first and last code points. */
const NAME_START_RANGES = [
  0xc0, 0xd6, 0xd8, 0xf6, 0xf8, 0x2ff, 0x370, 0x37d, 0x37f, 0x1fff, 0x200c, 0x200d, 0x2070, 0x218f, 0x2c00,
  0x2fef, 0x3001, 0xd7ff, 0xf900, 0xfdcf, 0xfdf0, 0xfffd, 0x10000, 0xeffff,
];
/** Ranges of NameChar outside ASCII that are not in NameStartChar. */
const NAME_RANGES = [0xb7, 0xb7, 0x300, 0x36f, 0x203f, 0x2040];

/** Tells whether a code point outside ASCII may begin a name. */
export function isNameStart(code: number): boolean {
  return isInRanges(code, NAME_START_RANGES);
}

/** Tells whether a code point outside ASCII may be part of a name. */
export function isNameCharacter(code: number): boolean {
  return isInRanges(code, NAME_START_RANGES) || isInRanges(code, NAME_RANGES);
}

function isInRanges(code: number, ranges: readonly number[]): boolean {
  for (let index = 0; index < ranges.length; index += 2) {
    if (code >= ranges[index]! && code <= ranges[index + 1]!) return true;
  }
  return false;
}

/** Returns the code point at `offset` of valid UTF-8. */
export function codePointAt(input: Uint8Array, offset: number): number {
  const byte = input[offset]!;
  if (byte < 0x80) return byte;
  const second = input[offset + 1]! & 0x3f;
  if (byte < 0xe0) return ((byte & 0x1f) << 6) | second;
  const third = input[offset + 2]! & 0x3f;
  if (byte < 0xf0) return ((byte & 0x0f) << 12) | (second << 6) | third;
  return ((byte & 0x07) << 18) | (second << 12) | (third << 6) | (input[offset + 3]! & 0x3f);
}

/** Returns the number of UTF-8 bytes of the character that begins with `byte`. */
export function characterBytes(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}
