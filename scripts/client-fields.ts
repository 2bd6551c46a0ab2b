/** `npx bun scripts/client-fields.ts`: writes the coded fields of the client. A test compares them with the tables. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ATTRIBUTE_LISTS, categoryOf } from "../src/onix/code-lists.ts";
import { elementByTag } from "../src/onix/element-table.ts";
import { fieldCodes } from "../src/onix/fields/coded-fields.ts";
import { compositesOf } from "./coded-fields.ts";

export const FIELDS_PATH = join(import.meta.dir, "../src/client/generated/coded-fields.ts");

/** Returns the source text of the table. */
export function codedFieldsSource(): string {
  const byCategory = new Map<string, Set<string>>();
  const add = (list: number, field: string) => {
    const category = categoryOf(list);
    if (category === undefined) return;
    byCategory.set(category, (byCategory.get(category) ?? new Set()).add(field));
  };
  const separated = new Set<string>();
  for (const composite of compositesOf("Product")) {
    for (const field of elementByTag(composite)!.children.keys()) {
      const codes = fieldCodes(composite, field);
      if (!codes) continue;
      if ("by" in codes) {
        for (const [code, list] of Object.entries(codes.lists)) {
          const name = `${composite}.${field}:${codes.by}=${code}`;
          add(list, name);
          if (codes.severalFor?.includes(code)) separated.add(name);
        }
      } else {
        add(codes.list, field);
        if (codes.isSpaceSeparated) separated.add(field);
      }
    }
  }
  for (const [name, list] of Object.entries(ATTRIBUTE_LISTS)) add(list, `@${name}`);
  const rows = [...byCategory]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([category, fields]) => `  ${category}: ${JSON.stringify([...fields].sort().join(" "))},`);
  return `/** Which fields of a record have codes, by category of \`/api/translations\`. Made by scripts/client-fields.ts. */

/**
 * \`Field\` is a field of any composite, \`@name\` an attribute. \`Composite.Field:Other=01\` is a field of a composite where
 * the field \`Other\` beside it has this code.
 */
export const FIELDS_BY_CATEGORY: Readonly<Record<string, string>> = {
${rows.join("\n")}
};

/** The fields that have several codes, separated by spaces. */
export const SPACE_SEPARATED = ${JSON.stringify([...separated].sort().join(" "))};
`;
}

if (import.meta.main) writeFileSync(FIELDS_PATH, codedFieldsSource());
