/**
 * Makes the tables of the standard that the service carries: `npm run tables [FOLDER]`.
 *
 * FOLDER holds tags.json, codes.json and schemas/ (by default ../shared/onix beside the project). What is
 * taken from them are facts: names, tags, places, code values, labels. Spanish labels that the official
 * translation lacks are ours, in scripts/spanish/.
 */
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { categories } from "./categories.ts";

const project = join(import.meta.dir, "..");
const folder = process.argv[2] ?? join(project, "../shared/onix");
const tables = join(project, "src/onix/tables");

interface Tag {
  reference: string;
  short: string;
  kind: "data" | "composite" | "mixed-xhtml" | "empty";
  repeatable_in: string[];
  single_in: string[];
  codelists: number[];
}
interface Code {
  eng: string;
  spa: string | null;
  spa_untranslated?: boolean;
}
type Lists = Record<string, { eng: string; codes: Record<string, Code> }>;

const tags: Tag[] = (await Bun.file(join(folder, "tags.json")).json()).elements;
const codes: { meta: { eng: string }; lists: Lists } = await Bun.file(join(folder, "codes.json")).json();
const ours: Record<string, Record<string, string>>[] = await Promise.all(
  ["names", "terms", "values"].map((name) => Bun.file(join(project, `scripts/spanish/${name}.json`)).json()),
);

await Bun.write(join(tables, "elements.json"), lines(await elements()));
await Bun.write(join(tables, "codes.json"), lines(labels()));

/** One line an element: [short tag, kind, parents where it repeats, parents where it does not, code lists]. */
async function elements(): Promise<Record<string, unknown>> {
  const order = merge(await childOrder("3.1"), await childOrder("3.0"));
  const kinds = { data: "data", composite: "composite", "mixed-xhtml": "markup", empty: "flag" };
  return Object.fromEntries(
    tags.map((tag) => [
      tag.reference,
      {
        short: tag.short,
        kind: kinds[tag.kind],
        ...(tag.repeatable_in.length > 0 && { many: tag.repeatable_in }),
        ...(tag.single_in.length > 0 && { one: tag.single_in }),
        ...(tag.codelists.length > 0 && { lists: tag.codelists }),
        ...(order[tag.reference] && { children: order[tag.reference] }),
      },
    ]),
  );
}

/** The children of every composite in the order of its schema. */
async function childOrder(release: string): Promise<Record<string, string[]>> {
  const file = join(folder, `schemas/${release}/ONIX_BookProduct_${release}_reference.xsd`);
  const content = new Map<string, ({ element: string } | { part: string })[]>();
  const parser = new SaxesParser();
  let depth = 0;
  let owner: string | undefined;
  parser.on("opentag", ({ name, attributes: { name: declared, ref, type, base } }) => {
    depth++;
    if (depth === 2) {
      owner = name === "xs:element" ? declared : `${name} ${declared}`;
      if (!content.has(owner!)) content.set(owner!, []);
      return;
    }
    const parts = content.get(owner!) ?? [];
    if (name === "xs:element" && ref) parts.push({ element: ref });
    else if (name === "xs:group" && ref) parts.push({ part: `xs:group ${ref}` });
    else if (name === "xs:extension" && base) parts.push({ part: `xs:complexType ${base}` });
    else if (name === "xs:element" && declared && type) {
      // Declared where it stands, with more in it in one place than in another: it has what it has in any.
      parts.push({ element: declared });
      content.set(declared, [...(content.get(declared) ?? []), { part: `xs:complexType ${type}` }]);
    }
  });
  parser.on("closetag", () => depth--);
  parser.write(await Bun.file(file).text()).close();

  const flat = (name: string): string[] =>
    (content.get(name) ?? []).flatMap((part) => ("element" in part ? [part.element] : flat(part.part)));
  const found: Record<string, string[]> = {};
  for (const name of content.keys()) {
    const children = [...new Set(flat(name))];
    if (children.length > 0 && !name.includes(" ")) found[name] = children;
  }
  return found;
}

/** What only the older release has goes behind its predecessor there. */
function merge(newer: Record<string, string[]>, older: Record<string, string[]>): Record<string, string[]> {
  const merged = structuredClone(newer);
  for (const [parent, children] of Object.entries(older)) {
    merged[parent] ??= [];
    const into = merged[parent];
    children.forEach((child, at) => {
      if (into.includes(child)) return;
      const before = children.slice(0, at).findLast((name) => into.includes(name));
      into.splice(before === undefined ? 0 : into.indexOf(before) + 1, 0, child);
    });
  }
  return merged;
}

/** Every list that an element or an attribute of a record can hold a code of, under its category's name. */
function labels(): Record<string, unknown> {
  const used = new Set(tags.flatMap((tag) => tag.codelists));
  const issue = /Issue (\d+)/.exec(codes.meta.eng)?.[1];
  const named = new Set(categories.map(([list]) => list));
  const unnamed = [...used].filter((list) => !named.has(list));
  if (unnamed.length > 0) throw new Error(`scripts/categories.ts has no name for the lists ${unnamed}`);
  const table: Record<string, unknown> = { issue: Number(issue) };
  for (const [list, name] of categories) {
    const rows = Object.entries(codes.lists[list]?.codes ?? {}).map(
      ([code, { eng, spa, spa_untranslated }]) => {
        const label =
          ours.map((part) => part[list]?.[code]).find(Boolean) ?? (spa_untranslated ? undefined : spa);
        if (!label)
          throw new Error(`List ${list}, code ${code} (${eng}) has no Spanish label in scripts/spanish/`);
        return [code, eng.trim(), label.trim()] as const;
      },
    );
    // Rows, not an object: JavaScript would put the code "10" before "02".
    rows.sort(([a], [b]) => (a < b ? -1 : 1));
    table[name] = { list, codes: rows };
  }
  return table;
}

/** JSON with one line for each member, so that a change of the standard can be read as a difference. */
function lines(table: Record<string, unknown>): string {
  const members = Object.entries(table).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}
