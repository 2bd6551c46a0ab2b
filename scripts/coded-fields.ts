/**
 * `npx bun scripts/coded-fields.ts`: writes the list of coded fields into docs/record.md, and the table of the client.
 * Tests compare them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ATTRIBUTE_LISTS, categoryOf } from "../src/onix/code-lists.ts";
import { elementByTag } from "../src/onix/element-table.ts";
import { fieldCodes } from "../src/onix/fields/coded-fields.ts";

export const PAGE_PATH = join(import.meta.dir, "../docs/record.md");
export const FIELDS_PATH = join(import.meta.dir, "../src/client/generated/coded-fields.ts");
const BEGIN = "<!-- The table of coded fields: npx bun scripts/coded-fields.ts -->";
const END = "<!-- The end of the table of coded fields -->";

interface CodedField {
  /** As the client names it: `Field`, `@attribute`, or `Composite.Field:Other=01`. */
  readonly name: string;
  /** As the page names it, without the code. */
  readonly title: string;
  /** The code of the field beside it, when that decides about the list. */
  readonly code?: string | undefined;
  readonly list: number;
  readonly isSpaceSeparated: boolean;
}

/** Returns each field once: it has the same list in every composite, unless the field beside it decides. */
function codedFields(): readonly CodedField[] {
  const found = new Map<string, CodedField>();
  const add = (name: string, title: string, list: number, isSpaceSeparated = false, code?: string) =>
    found.set(name, { name, title, list, isSpaceSeparated, code });
  for (const composite of compositesOf("Product")) {
    for (const field of elementByTag(composite)!.children.keys()) {
      const codes = fieldCodes(composite, field);
      if (!codes) continue;
      if (!("by" in codes)) {
        add(field, `\`${field}\``, codes.list, codes.isSpaceSeparated);
        continue;
      }
      for (const [code, list] of Object.entries(codes.lists)) {
        const title = `\`${field}\` of \`${composite}\` where \`${codes.by}\` is `;
        add(`${composite}.${field}:${codes.by}=${code}`, title, list, codes.severalFor?.includes(code), code);
      }
    }
  }
  for (const [name, list] of Object.entries(ATTRIBUTE_LISTS))
    add(`@${name}`, `\`@${name}\` on any field`, list);
  return [...found.values()];
}

/** Returns the names of a composite and of all composites inside it. */
function compositesOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  const rule = elementByTag(name)!;
  if (rule.kind !== "composite" || found.has(name)) return found;
  found.add(name);
  for (const child of rule.children.keys()) compositesOf(child, found);
  return found;
}

/** Returns the page with the list of today. */
export function withCodedFields(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error(`docs/record.md needs the lines ${BEGIN} and ${END}`);
  const lists = [...Map.groupBy(codedFields(), ({ list }) => list)].sort(([a], [b]) => a - b);
  const rows = lists.map(([list, fields]) => {
    const category = categoryOf(list);
    // The codes of the field beside it that decide are named together.
    const titles = [...Map.groupBy(fields, ({ title }) => title)].map(([title, some]) => {
      const codes = some
        .flatMap(({ code }) => code ?? [])
        .sort()
        .join(" or ");
      return title + codes + (some[0]!.isSpaceSeparated ? " (separated by spaces)" : "");
    });
    const labels = category === undefined ? "(no codes yet)" : `\`${category}\``;
    return `- ${list} ${labels}: ${titles.sort().join(", ")}`;
  });
  return `${before}${BEGIN}\n${rows.join("\n")}\n${END}${after}`;
}

/** Returns the source text of the client's table. */
export function codedFieldsSource(): string {
  const fields = codedFields().filter(({ list }) => categoryOf(list) !== undefined);
  const textOf = (some: readonly CodedField[]) =>
    JSON.stringify(
      some
        .map(({ name }) => name)
        .sort()
        .join(" "),
    );
  const rows = [...Map.groupBy(fields, ({ list }) => categoryOf(list)!)].map(
    ([category, some]) => `  ${category}: ${textOf(some)},`,
  );
  return `/** Which fields of a record have codes, by category of \`/api/translations\`. Made by scripts/coded-fields.ts. */

/**
 * \`Field\` is a field of any composite, \`@name\` an attribute. \`Composite.Field:Other=01\` is a field of a composite where
 * the field \`Other\` beside it has this code.
 */
export const FIELDS_BY_CATEGORY = {
${rows.sort().join("\n")}
} as const;

/** The fields that have several codes, separated by spaces. */
export const SPACE_SEPARATED = ${textOf(codedFields().filter(({ isSpaceSeparated }) => isSpaceSeparated))};
`;
}

if (import.meta.main) {
  writeFileSync(PAGE_PATH, withCodedFields(readFileSync(PAGE_PATH, "utf8")));
  writeFileSync(FIELDS_PATH, codedFieldsSource());
}
