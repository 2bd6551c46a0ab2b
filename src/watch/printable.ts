/** Texts by strangers, made fit for one line of a log or a terminal: they end where we say, and nothing in them ends a line. */

const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * What could end a line, move a terminal's cursor, hide, or turn the order of what is shown: control and format
 * characters, line and paragraph separators; and halves of surrogate pairs, which UTF-8 cannot write.
 */
const UNFIT = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const EACH_UNFIT = new RegExp(UNFIT, "gu");

/** For a person: all of it, with quotes and backslashes as they are. */
export function inOneLine(text: string): string {
  return text.replace(EACH_UNFIT, escaped);
}

const CUT = "…";
const CUT_BYTES = Buffer.byteLength(CUT);

/** As within a JSON string, but without its quotes; of at most `most` bytes, and `…` where it was cut off. */
export function fit(text: string, most: number): string {
  const head = text.length <= most ? text : text.slice(0, most - CUT_BYTES);
  if (PLAIN.test(head)) return head === text ? text : head + CUT;
  let written = "";
  let bytes = 0;
  /** What is left of it if it must be cut: there is room for the mark. */
  let cuttable = 0;
  for (const character of text) {
    const next =
      UNFIT.test(character) || character === '"' || character === "\\" ? escaped(character) : character;
    bytes += Buffer.byteLength(next);
    if (bytes > most) return written.slice(0, cuttable) + CUT;
    written += next;
    if (bytes <= most - CUT_BYTES) cuttable = written.length;
  }
  return written;
}

function escaped(character: string): string {
  if (character === '"' || character === "\\") return `\\${character}`;
  if (character === "\n") return "\\n";
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** A token, or a good part of one, wherever somebody has put it: JSON that begins with `{"` is `eyJ` in base64url. */
const TOKEN = /eyJ[\w.-]{16,}/g;
/** The password of a URL. It ends at the last @: there are some who do not escape those within it. */
const PASSWORD = /(:\/\/[^\s/:@]*):[^\s/]*@/g;

/** Where none of this is, nothing needs to be done: so it is with nearly every request. */
const SUSPECT = /[^ !#-[\]-~]|eyJ|:\/\//;

/** Fit for a line, and without tokens and passwords. */
export function shown(text: string, most: number): string {
  if (text.length <= most && !SUSPECT.test(text)) return text;
  // What is never shown is not looked at: a path may have 32 kB.
  return fit(discreet(text.length > 2 * most ? text.slice(0, 2 * most) : text), most);
}

function discreet(text: string): string {
  const withoutTokens = text.includes("eyJ") ? text.replace(TOKEN, "[token]") : text;
  return withoutTokens.includes("://") ? withoutTokens.replace(PASSWORD, "$1:[password]@") : withoutTokens;
}

/** Errors of a chain of causes that are shown, and places in the code of each. */
const MOST_CAUSES = 4;
const MOST_PLACES = 6;

/** An error, where it comes from, and its causes, in one text that is still to be made fit. */
export function describe(error: unknown): string {
  const parts = [one(error)];
  for (
    let cause = causeOf(error);
    cause !== undefined && parts.length < MOST_CAUSES;
    cause = causeOf(cause)
  ) {
    parts.push(one(cause));
  }
  return parts.join("; caused by ");
}

function one(error: unknown): string {
  try {
    if (!(error instanceof Error))
      return typeof error === "string" ? error : Bun.inspect(error, { depth: 1 });
    const { code } = error as { code?: unknown };
    const named = `${error.name}${typeof code === "string" ? ` ${code}` : ""}: ${error.message}`;
    const places = (error.stack ?? "").match(/^\s+at .+$/gm)?.slice(0, MOST_PLACES) ?? [];
    return places.length > 0 ? `${named} (${places.map((place) => place.trim()).join(", ")})` : named;
  } catch {
    return "an error that cannot be shown";
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
