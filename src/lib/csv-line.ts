/** The lines of CSV after RFC 4180, made to be opened in a spreadsheet. `docs/formats.md` explains the rules. */

/** Excel takes a file without it for the character set of the system, and shows "GarcÃ­a". */
export const BYTE_ORDER_MARK = "\ufeff";

/** RFC 4180 §2.1. */
const LINE_END = "\r\n";

const LIST_SEPARATOR = " | ";

/**
 * A spreadsheet takes a cell that begins with one of these for a formula. It may drop quotes, and characters without ink
 * before them. Excel in some languages reads the full-width forms in the same way.
 */
const FORMULA_START = /^(?:[\t\r\n]|[\p{C}\p{Z}\p{DI}\u2800"]*[=+\-@＝＋－＠])/u;

/**
 * What may stand before a formula inside a cell. A spreadsheet with a semicolon or a tab as its separator does not see
 * our quotes, and begins a cell there or on the next line. The run is matched as a whole, which takes linear time.
 */
const BEFORE_FORMULA = /(?<![;,\p{C}\p{Z}\p{DI}\u2800"])[;,\p{C}\p{Z}\p{DI}\u2800"]+(?=[=+\-@＝＋－＠])/gu;
const SEPARATOR = /[;,\p{Cc}\p{Zl}\p{Zp}]/u;

/** A negative decimal number is a number, and no formula. */
const NEGATIVE_NUMBER = /^-[0-9]+(\.[0-9]+)?$/;

export type Cell = string | number | null | readonly (string | null)[];

export function csvLine(cells: readonly Cell[]): string {
  return cells.map(cellText).join(",") + LINE_END;
}

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  return quote(defuse(typeof cell === "string" ? cell : joinItems(cell)));
}

/** A backslash stands before each separator and each backslash of an item, so that a list can be split again. */
function joinItems(items: readonly (string | null)[]): string {
  return items.map((item) => (item ?? "").replaceAll(/[\\|]/g, "\\$&")).join(LIST_SEPARATOR);
}

/** Makes a text harmless for spreadsheets (OWASP: CSV injection). An apostrophe marks a cell as text. */
function defuse(text: string): string {
  const inside = text.replaceAll(BEFORE_FORMULA, (run) =>
    // A space keeps the text from being a formula.
    SEPARATOR.test(run.slice(run.lastIndexOf(" ") + 1)) ? `${run} ` : run,
  );
  return FORMULA_START.test(inside) && !NEGATIVE_NUMBER.test(inside) ? `'${inside}` : inside;
}

/** RFC 4180 §2.5 to 2.7. Semicolons and tabs are quoted for spreadsheets that separate by them. */
function quote(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
