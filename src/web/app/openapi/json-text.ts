/**
 * Indents JSON without parsing it: numbers, escapes and the order of members stay as they were sent. It also works on the
 * start of a text, so that the start of a long response is shown at once.
 */

export type TokenKind = "key" | "string" | "number" | "literal";

/** A token to be coloured, by its place in the indented text. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

interface IndentedJson {
  readonly text: string;
  readonly tokens: readonly Token[];
}

const INDENT = "  ";
/** One token of JSON (RFC 8259 §2), with the space before it. The last one of a cut text may be a part of a string. */
const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$))|([{}[\],:])|([^\s{}[\],:"]+))/gy;

export function indentJson(source: string): IndentedJson {
  const tokens: Token[] = [];
  let text = "";
  let depth = 0;
  /** Whether the text ends with an opening bracket. */
  let isOpen = false;
  const newLine = () => {
    text += `\n${INDENT.repeat(depth)}`;
  };
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(source); match; match = TOKEN.exec(source)) {
    const [, string, mark, word] = match;
    if (mark === "}" || mark === "]") {
      depth = Math.max(0, depth - 1);
      if (!isOpen) newLine();
      text += mark;
      isOpen = false;
      continue;
    }
    if (mark === ",") {
      text += mark;
      newLine();
      continue;
    }
    if (mark === ":") {
      markKey(tokens);
      text += ": ";
      continue;
    }
    if (isOpen) newLine();
    isOpen = mark !== undefined;
    if (mark !== undefined) {
      depth++;
      text += mark;
      continue;
    }
    const start = text.length;
    text += string ?? word!;
    tokens.push({ kind: kindOf(string, word), start, end: text.length });
  }
  return { text, tokens };
}

function kindOf(string: string | undefined, word: string | undefined): TokenKind {
  if (string !== undefined) return "string";
  return /^[-\d]/.test(word!) ? "number" : "literal";
}

/** The string before a colon is the name of a member. */
function markKey(tokens: Token[]): void {
  const last = tokens.pop();
  if (last) tokens.push({ ...last, kind: "key" });
}
