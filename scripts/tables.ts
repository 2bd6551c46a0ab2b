/**
 * `npm run tables [FOLDER]`: generates src/onix/tables/ from the ONIX standard.
 *
 * FOLDER contains tags.json, codes.json and schemas/ (default: ../shared/onix beside the project). The tables contain
 * only facts of the standard: names, tags, positions, codes, labels. Spanish labels that the official translation lacks
 * come from scripts/spanish/.
 */
import { join } from "node:path";
import { SaxesParser } from "saxes";
import { categories } from "./categories.ts";

const project = join(import.meta.dir, "..");
const standardFolder = process.argv[2] ?? join(project, "../shared/onix");
const tablesFolder = join(project, "src/onix/tables");

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

const tags: Tag[] = (await Bun.file(join(standardFolder, "tags.json")).json()).elements;
const codes: { meta: { eng: string }; lists: Lists } = await Bun.file(
  join(standardFolder, "codes.json"),
).json();
const ownSpanishLabels: Record<string, Record<string, string>>[] = await Promise.all(
  ["names", "terms", "values"].map((name) => Bun.file(join(project, `scripts/spanish/${name}.json`)).json()),
);

await Bun.write(join(tablesFolder, "elements.json"), formatTable(await elementTable()));
await Bun.write(join(tablesFolder, "codes.json"), formatTable(codeTable()));

/**
 * Returns an entry for each element: short tag, kind, parents where it is repeatable (`many`), parents where it is not
 * (`one`), code lists, and children in the order of the schema.
 */
async function elementTable(): Promise<Record<string, unknown>> {
  const children = mergeOrders(await childOrder("3.1"), await childOrder("3.0"));
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
        ...(children[tag.reference] && { children: children[tag.reference] }),
      },
    ]),
  );
}

/** Returns the children of every composite, in the order of the schema. */
async function childOrder(release: string): Promise<Record<string, string[]>> {
  const schema = join(standardFolder, `schemas/${release}/ONIX_BookProduct_${release}_reference.xsd`);
  const contents = new Map<string, ({ element: string } | { type: string })[]>();
  const parser = new SaxesParser();
  let depth = 0;
  let owner: string | undefined;
  parser.on("opentag", ({ name, attributes: { name: declared, ref, type, base } }) => {
    depth++;
    if (depth === 2) {
      owner = name === "xs:element" ? declared : `${name} ${declared}`;
      if (!contents.has(owner!)) contents.set(owner!, []);
      return;
    }
    const parts = contents.get(owner!) ?? [];
    if (name === "xs:element" && ref) parts.push({ element: ref });
    else if (name === "xs:group" && ref) parts.push({ type: `xs:group ${ref}` });
    else if (name === "xs:extension" && base) parts.push({ type: `xs:complexType ${base}` });
    else if (name === "xs:element" && declared && type) {
      // A local declaration. The same name may be declared with different types: the union of their children counts.
      parts.push({ element: declared });
      contents.set(declared, [...(contents.get(declared) ?? []), { type: `xs:complexType ${type}` }]);
    }
  });
  parser.on("closetag", () => depth--);
  parser.write(await Bun.file(schema).text()).close();

  const childrenOf = (name: string): string[] =>
    (contents.get(name) ?? []).flatMap((part) =>
      "element" in part ? [part.element] : childrenOf(part.type),
    );
  const order: Record<string, string[]> = {};
  for (const name of contents.keys()) {
    const children = [...new Set(childrenOf(name))];
    if (children.length > 0 && !name.includes(" ")) order[name] = children;
  }
  return order;
}

/** Adds the children that only the older release has, each after its predecessor in that release. */
function mergeOrders(
  newer: Record<string, string[]>,
  older: Record<string, string[]>,
): Record<string, string[]> {
  const merged = structuredClone(newer);
  for (const [parent, children] of Object.entries(older)) {
    merged[parent] ??= [];
    const target = merged[parent];
    children.forEach((child, index) => {
      if (target.includes(child)) return;
      const predecessor = children.slice(0, index).findLast((name) => target.includes(name));
      target.splice(predecessor === undefined ? 0 : target.indexOf(predecessor) + 1, 0, child);
    });
  }
  return merged;
}

/** Returns the code lists that elements and attributes of a record use, by the name of the category. */
function codeTable(): Record<string, unknown> {
  const usedLists = new Set(tags.flatMap((tag) => tag.codelists));
  const issue = /Issue (\d+)/.exec(codes.meta.eng)?.[1];
  const namedLists = new Set(categories.map(([list]) => list));
  const unnamed = [...usedLists].filter((list) => !namedLists.has(list));
  if (unnamed.length > 0)
    throw new Error(`code lists ${unnamed} have no category: add them to scripts/categories.ts`);
  const table: Record<string, unknown> = { issue: Number(issue) };
  for (const [list, name] of categories) {
    const rows = Object.entries(codes.lists[list]?.codes ?? {}).map(
      ([code, { eng, spa, spa_untranslated }]) => {
        const label =
          ownSpanishLabels.map((labels) => labels[list]?.[code]).find(Boolean) ??
          (spa_untranslated ? undefined : spa);
        if (!label)
          throw new Error(
            `list ${list}, code ${code} (${eng}) has no Spanish label: add it to scripts/spanish/`,
          );
        return [code, eng.trim(), label.trim()] as const;
      },
    );
    // An array of rows, because a JavaScript object would put the key "10" before "02".
    rows.sort(([a], [b]) => (a < b ? -1 : 1));
    table[name] = { list, codes: rows };
  }
  return table;
}

/** Returns JSON with one line for each member, so that changes of the standard show up in a diff. */
function formatTable(table: Record<string, unknown>): string {
  const members = Object.entries(table).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  );
  return `{\n${members.join(",\n")}\n}\n`;
}
