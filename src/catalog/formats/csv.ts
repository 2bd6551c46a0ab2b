/** Summaries as CSV (RFC 4180): one row per book. `docs/formats.md` explains the rules. */
import { BYTE_ORDER_MARK, type Cell, csvLine } from "../../lib/csv-line.ts";
import type { Summary } from "../../onix/summary/summary.ts";

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
