/** Summaries as CSV (RFC 4180): one row per book. `docs/formats.md` explains the rules. */
import { BYTE_ORDER_MARK, type Cell, csvLine } from "../../lib/csv-line.ts";
import { readSummary, type Summary } from "../../onix/summary/summary.ts";

type ItemOf<T> = NonNullable<T extends readonly (infer Item)[] ? Item : T>;
type ObjectField = {
  [Name in keyof Summary]: ItemOf<Summary[Name]> extends object ? Name : never;
}[keyof Summary];

/**
 * An object, or a list of objects, has one column for each member, so that the cell of a book with one price is a number.
 * The members of an object have the same place in their lists.
 */
const MEMBERS: { readonly [Name in ObjectField]: readonly (keyof ItemOf<Summary[Name]>)[] } = {
  contributors: ["name", "role", "roles"],
  subjects: ["scheme", "code", "text"],
  prices: [
    ...(["amount", "currency", "type", "from", "until", "territory"] as const),
    ...(["qualifier", "conditions", "minimumQuantity", "taxes", "constraints", "per"] as const),
  ],
  markets: ["territory", "availability"],
  rights: ["exclusive", "nonExclusive", "notForSale"],
};

/** Members that fields got later. New columns come last, so that programs that read by number go on. */
const LATER_MEMBERS: ReadonlySet<string> = new Set([
  "contributors.roles",
  ...["qualifier", "conditions", "minimumQuantity", "taxes", "constraints", "per"].map(
    (member) => `prices.${member}`,
  ),
]);

/** No field of a summary is ever missing. */
const FIELDS = Object.keys(readSummary(Buffer.from("{}")).summary) as readonly (keyof Summary)[];
const BY_FIELD = FIELDS.flatMap((name) => membersOf(name)?.map((member) => `${name}.${member}`) ?? [name]);

function membersOf(name: keyof Summary): readonly string[] | undefined {
  return (MEMBERS as Partial<Record<keyof Summary, readonly string[]>>)[name];
}

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
  const cells = FIELDS.flatMap((name): Cell[] => {
    const value = summary[name];
    const members = membersOf(name);
    if (members === undefined) return [value as Cell];
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
