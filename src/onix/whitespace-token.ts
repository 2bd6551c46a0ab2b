/** Tells text from layout. */
import { referenceCode } from "../xml/references.ts";
import type { XmlTokenizer } from "../xml/tokenizer.ts";

const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;

/** Tells whether the current text consists of whitespace, which may be written as character references. */
export function isWhitespaceToken(tokenizer: XmlTokenizer, input: Uint8Array): boolean {
  const { isWhitespace, isPlain, isCdata, textStart, textEnd } = tokenizer;
  if (isWhitespace || isPlain || isCdata) return isWhitespace;
  for (let offset = textStart; offset < textEnd; offset++) {
    let code = input[offset]!;
    if (code === AMPERSAND) {
      const end = input.indexOf(SEMICOLON, offset);
      code = referenceCode(input, offset + 1, end);
      offset = end;
    }
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false;
  }
  return true;
}
