/** CSV after RFC 4180, made to be opened in a spreadsheet. `docs/formats.md` explains the rules. */
import type { Summary } from "../../onix/summary/summary.ts";

/** Excel takes a file without it for the character set of the system, and shows "GarcÃ­a". */
export const BYTE_ORDER_MARK = "\ufeff";

/** RFC 4180 §2.1. */
const LINE_END = "\r\n";

const LIST_SEPARATOR = " | ";

/**
 * A spreadsheet takes a cell that begins with one of these for a formula. It may drop quotes, and characters without ink
 * before them. Excel in some languages reads the full-width forms in the same way.
 */
const FORMULA_START = /^(?:[\t\r\n]|[\p{C}\p{Z}"]*[=+\-@＝＋－＠])/u;

/**
 * What may stand before a formula inside a cell. A spreadsheet with a semicolon or a tab as its separator does not see
 * our quotes, and begins a cell there or on the next line. The run is matched as a whole, which takes linear time.
 */
const BEFORE_FORMULA = /(?<![;,\p{C}\p{Z}"])[;,\p{C}\p{Z}"]+(?=[=+\-@＝＋－＠])/gu;
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

/** Summaries as CSV: one row per book. */
type ItemOf<T> = NonNullable<T extends readonly (infer Item)[] ? Item : T>;

/**
 * The columns of each field. An object, or a list of objects, has one column for each member, so that the cell of a book
 * with one price is a number. The members of an object have the same place in their lists.
 */
const COLUMNS: { readonly [Name in keyof Summary]: true | readonly (keyof ItemOf<Summary[Name]>)[] } = {
  isbn: true,
  isbn10: true,
  title: true,
  subtitle: true,
  collection: true,
  contributors: ["name", "role", "roles"],
  imprint: true,
  publisher: true,
  published: true,
  status: true,
  form: true,
  languages: true,
  pages: true,
  subjects: ["scheme", "code", "text"],
  audience: true,
  prices: [
    ...(["amount", "currency", "type", "from", "until", "territory"] as const),
    ...(["qualifier", "conditions", "minimumQuantity", "taxes"] as const),
  ],
  availability: true,
  description: true,
  cover: true,
  updated: true,
  partNumber: true,
  partTitle: true,
  collectionNumber: true,
  formDetail: true,
  editionNumber: true,
  editionTypes: true,
  duration: true,
  markets: ["territory", "availability"],
  rights: ["exclusive", "nonExclusive", "notForSale"],
  workId: true,
};

/** Members that fields got later. New columns come last, so that programs that read by number go on. */
const LATER_MEMBERS: ReadonlySet<string> = new Set([
  "contributors.roles",
  ...["qualifier", "conditions", "minimumQuantity", "taxes"].map((member) => `prices.${member}`),
]);

const FIELDS = Object.entries(COLUMNS) as [keyof Summary, true | readonly string[]][];
const BY_FIELD = FIELDS.flatMap(([name, members]) =>
  members === true ? [name] : members.map((member) => `${name}.${member}`),
);

/** The names of the columns: `contributors.name` has the names of the contributors. */
export const SUMMARY_COLUMNS: readonly string[] = [
  ...BY_FIELD.filter((column) => !LATER_MEMBERS.has(column)),
  ...LATER_MEMBERS,
];

/** The place of each column among those of the fields in their order. */
const PLACES = SUMMARY_COLUMNS.map((column) => BY_FIELD.indexOf(column));

export const SUMMARY_CSV_HEAD = BYTE_ORDER_MARK + csvLine(SUMMARY_COLUMNS);

/** Returns the line of a summary, from its JSON. */
export function summaryCsvLine(body: Uint8Array): string {
  const summary: Summary = JSON.parse(decoder.decode(body));
  const cells = FIELDS.flatMap(([name, members]): Cell[] => {
    const value = summary[name];
    if (members === true) return [value as Cell];
    if (!Array.isArray(value)) return members.map((member) => textOf((value as Members | null)?.[member]));
    return members.map((member) => (value as readonly Members[]).map((item) => textOf(item[member])));
  });
  return csvLine(PLACES.map((place) => cells[place]!));
}

type Members = Readonly<Record<string, unknown>>;

/** Values inside an item, such as the taxes of a price, are separated by commas, and their members by spaces. */
function textOf(value: unknown): string | null {
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (typeof value === "object" && value !== null) {
    return Object.values(value)
      .filter((member) => member !== null)
      .join(" ");
  }
  return value === null || value === undefined ? null : String(value);
}

const decoder = new TextDecoder();
