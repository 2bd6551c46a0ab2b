/** Makes untrusted text safe for one line of a log or a terminal: escaped, bounded, without tokens and passwords. */

/** Text that needs no escaping inside a JSON string. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/;

/**
 * Control and format characters, line and paragraph separators, and lone surrogates. They could end a line, move the
 * cursor, hide text or reverse its direction; a lone surrogate has no UTF-8 encoding.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const EVERY_UNPRINTABLE = new RegExp(UNPRINTABLE, "gu");

/** Escapes unprintable characters. Quotes and backslashes stay, because the text is for people. */
export function escapeControls(text: string): string {
  return text.replace(EVERY_UNPRINTABLE, escapeCharacter);
}

const ELLIPSIS = "…";
const ELLIPSIS_BYTES = Buffer.byteLength(ELLIPSIS);

/** Returns the content of a JSON string, without its quotes. A longer one is truncated and ends with an ellipsis. */
export function escapeToFit(text: string, maxBytes: number): string {
  const head = text.length <= maxBytes ? text : text.slice(0, maxBytes - ELLIPSIS_BYTES);
  if (PLAIN_TEXT.test(head)) return head === text ? text : head + ELLIPSIS;
  let escaped = "";
  let bytes = 0;
  /** The length of `escaped` that leaves room for the ellipsis. */
  let truncatedLength = 0;
  for (const character of text) {
    const needsEscape = UNPRINTABLE.test(character) || character === '"' || character === "\\";
    const next = needsEscape ? escapeCharacter(character) : character;
    bytes += Buffer.byteLength(next);
    if (bytes > maxBytes) return escaped.slice(0, truncatedLength) + ELLIPSIS;
    escaped += next;
    if (bytes <= maxBytes - ELLIPSIS_BYTES) truncatedLength = escaped.length;
  }
  return escaped;
}

function escapeCharacter(character: string): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  if (character === "\n") return "\\n";
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** A JSON Web Token or the start of one: base64url of JSON that begins with `{"` is `eyJ`. */
const TOKEN = /eyJ[\w.-]{16,}/g;
/** The password in a URL. It ends at the last @, because some passwords contain an unescaped one. */
const URL_PASSWORD = /(:\/\/[^\s/:@]*):[^\s/]*@/g;

/** Finds text that needs escaping or may need redaction. Nearly all requests have none. */
const NEEDS_CHECK = /[^ !#-[\]-~]|eyJ|:\/\//;

/** Does the same as `escapeToFit`, and replaces tokens and passwords. */
export function redactToFit(text: string, maxBytes: number): string {
  if (text.length <= maxBytes && !NEEDS_CHECK.test(text)) return text;
  // A path may have 56 kB. The part that would be truncated is not searched.
  return escapeToFit(redact(text.length > 2 * maxBytes ? text.slice(0, 2 * maxBytes) : text), maxBytes);
}

function redact(text: string): string {
  const withoutTokens = text.includes("eyJ") ? text.replace(TOKEN, "[token]") : text;
  return withoutTokens.includes("://")
    ? withoutTokens.replace(URL_PASSWORD, "$1:[password]@")
    : withoutTokens;
}
