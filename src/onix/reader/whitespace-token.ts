/** Tells text from layout. */
import { AMPERSAND, CR, isWhitespace, LF, SEMICOLON } from "../../xml/characters.ts";
import { type Position, positionOf } from "../../xml/position.ts";
import { referenceCode } from "../../xml/references.ts";
import type { XmlTokenizer } from "../../xml/tokenizer.ts";

/** Tells whether the current text consists of whitespace, which may be written as character references. */
export function isWhitespaceToken(tokenizer: XmlTokenizer, input: Uint8Array): boolean {
  if (tokenizer.isWhitespace || tokenizer.isPlain || tokenizer.isCdata) return tokenizer.isWhitespace;
  for (let offset = tokenizer.textStart; offset < tokenizer.textEnd; offset++) {
    let code = input[offset]!;
    if (code === AMPERSAND) {
      const end = input.indexOf(SEMICOLON, offset);
      code = referenceCode(input, offset + 1, end);
      offset = end;
    }
    if (!isWhitespace(code)) return false;
  }
  return true;
}

/** Returns the position of the first visible character of the current text, or that of its CDATA section. */
export function visiblePosition(tokenizer: XmlTokenizer, input: Uint8Array): Position {
  let { tokenStart: offset, tokenLine: line, tokenLineStart: lineStart } = tokenizer;
  for (; isWhitespace(input[offset]!); offset++) {
    if (input[offset] === LF || (input[offset] === CR && input[offset + 1] !== LF)) {
      line++;
      lineStart = offset + 1;
    }
  }
  return positionOf(input, line, lineStart, offset);
}
