/** Summaries as CSV: one row per book. */
import type { Summary } from "../../onix/summary/summary.ts";
import { BYTE_ORDER_MARK, type Cell, csvLine } from "./csv.ts";

type ItemOf<T> = T extends readonly (infer Item)[] ? Item : never;

/**
 * The columns of each field. A list of objects has one column for each member, so that the cell of a book with one
 * price is a number. The members of an object have the same place in their lists.
 */
const COLUMNS: { readonly [Name in keyof Summary]: true | readonly (keyof ItemOf<Summary[Name]>)[] } = {
  isbn: true,
  isbn10: true,
  title: true,
  subtitle: true,
  collection: true,
  contributors: ["name", "role"],
  imprint: true,
  publisher: true,
  published: true,
  status: true,
  form: true,
  languages: true,
  pages: true,
  subjects: ["scheme", "code", "text"],
  audience: true,
  prices: ["amount", "currency", "type", "from", "until", "territory"],
  availability: true,
  description: true,
  cover: true,
  updated: true,
};

const FIELDS = Object.entries(COLUMNS) as [keyof Summary, true | readonly string[]][];

/** The names of the columns: `contributors.name` has the names of the contributors. */
export const SUMMARY_COLUMNS: readonly string[] = FIELDS.flatMap(([name, members]) =>
  members === true ? [name] : members.map((member) => `${name}.${member}`),
);

export const SUMMARY_CSV_HEAD = BYTE_ORDER_MARK + csvLine(SUMMARY_COLUMNS);

/** Returns the line of a summary, from its JSON. */
export function summaryCsvLine(body: Uint8Array): string {
  const summary: Summary = JSON.parse(decoder.decode(body));
  return csvLine(
    FIELDS.flatMap(([name, members]): Cell[] => {
      const value = summary[name];
      if (members === true) return [value as Cell];
      const items = value as unknown as readonly Readonly<Record<string, string | null>>[];
      return members.map((member) => items.map((item) => item[member] ?? null));
    }),
  );
}

const decoder = new TextDecoder();
