/** `npx bun scripts/coded-fields.ts`: writes the table of coded fields into docs/record.md. A test compares it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ATTRIBUTE_LISTS, categoryOf } from "../src/onix/code-lists.ts";
import { elementByTag } from "../src/onix/element-table.ts";
import { fieldCodes } from "../src/onix/fields/coded-fields.ts";

export const PAGE_PATH = join(import.meta.dir, "../docs/record.md");
const BEGIN = "<!-- The table of coded fields: npx bun scripts/coded-fields.ts -->";
const END = "<!-- The end of the table of coded fields -->";

/** Returns the page with the table of today. */
export function withCodedFields(page: string): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (after === undefined) throw new Error(`docs/record.md needs the lines ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n${codedFieldTable()}\n${END}${after}`;
}

function codedFieldTable(): string {
  const rows = [...elementRows(), ...attributeRows()].sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = rows.map(([field, list, category]) => `| ${field} | ${list} | ${category} |`);
  return ["| Field | List | Category |", "|---|---|---|", ...lines].join("\n");
}

type Row = readonly [field: string, list: string, category: string];

/** An element has the same list in every composite, unless the field beside it decides. */
function elementRows(): Row[] {
  const rows = new Map<string, Row>();
  for (const composite of compositesOf("Product")) {
    for (const field of elementByTag(composite)!.children.keys()) {
      const codes = fieldCodes(composite, field);
      if (!codes) continue;
      if (!("by" in codes)) {
        const note = codes.isSpaceSeparated ? ", several, separated by spaces" : "";
        rows.set(field, [`\`${field}\`${note}`, String(codes.list), categoryText(codes.list)]);
        continue;
      }
      for (const [code, list] of Object.entries(codes.lists)) {
        const note = codes.severalFor?.includes(code) ? ", several, separated by spaces" : "";
        const name = `\`${field}\` of \`${composite}\`, where \`${codes.by}\` is ${code}${note}`;
        rows.set(name, [name, String(list), categoryText(list)]);
      }
    }
  }
  return [...rows.values()];
}

function attributeRows(): Row[] {
  return Object.entries(ATTRIBUTE_LISTS).map(([name, list]) => [
    `\`@${name}\`, on any field`,
    String(list),
    categoryText(list),
  ]);
}

function categoryText(list: number): string {
  const category = categoryOf(list);
  return category === undefined ? "none: the list has no codes yet" : `\`${category}\``;
}

/** Returns the names of a composite and of all composites inside it. */
export function compositesOf(name: string, found = new Set<string>()): ReadonlySet<string> {
  const rule = elementByTag(name)!;
  if (rule.kind !== "composite" || found.has(name)) return found;
  found.add(name);
  for (const child of rule.children.keys()) compositesOf(child, found);
  return found;
}

if (import.meta.main) writeFileSync(PAGE_PATH, withCodedFields(readFileSync(PAGE_PATH, "utf8")));
