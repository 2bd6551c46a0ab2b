/**
 * `npm run tables [FOLDER [OUTPUT]]`: generates src/onix/generated/, or the folder OUTPUT, from the ONIX standard.
 *
 * FOLDER contains tags.json, codes.json and schemas/ (default: ../shared/onix beside the project). The tables contain
 * only facts of the standard: names, tags, positions, codes, labels. Spanish labels that the official translation lacks
 * come from scripts/spanish/.
 */
import { join } from "node:path";
import { ContentModel, childOrder } from "../src/onix/check/content-model.ts";
import { categories } from "./categories.ts";
import { readSchema, type SchemaRow } from "./schema.ts";

const project = join(import.meta.dir, "..");
const standardFolder = process.argv[2] ?? join(project, "../shared/onix");
const tablesFolder = process.argv[3] ?? join(project, "src/onix/generated");

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
  /** The issue of the code lists that deprecated the code. */
  deprecated: number | null;
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

const schema30 = await readSchema(standardFolder, "3.0");
const schema31 = await readSchema(standardFolder, "3.1");

await Bun.write(join(tablesFolder, "elements.json"), formatTable(elementTable()));
await Bun.write(join(tablesFolder, "codes.json"), formatTable(codeTable()));
await Bun.write(join(tablesFolder, "schema.json"), formatTable(schemaTable()));
await Bun.write(join(tablesFolder, "deprecated-codes.json"), formatTable(deprecatedCodes()));

/**
 * Returns an entry for each element: short tag, kind, parents where it is repeatable (`many`), parents where it is not
 * (`one`), code lists, and children in the order of the schema.
 */
function elementTable(): Record<string, unknown> {
  const children = mergeOrders(childOrders(schema31), childOrders(schema30));
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
function childOrders(schema: ReadonlyMap<string, SchemaRow>): Record<string, string[]> {
  const order: Record<string, string[]> = {};
  const orders = [...schema].flatMap(([name, { model }]) =>
    model === undefined ? [] : [[name, new ContentModel(model)] as const],
  );
  for (const [name, model] of orders) if (isElement(name)) order[name] = childOrder(model);
  // An element that is declared in its place may have different types: the union of their children counts.
  for (const { name, row } of orders.flatMap(([, model]) => model.particles)) {
    if (name === row) continue;
    const children = childOrder(new ContentModel(schema.get(row)!.model!));
    order[name] = [...new Set([...(order[name] ?? []), ...children])];
  }
  return order;
}

function isElement(name: string): boolean {
  return tags.some(({ reference }) => reference === name);
}

/**
 * Returns content model, datatype, attributes and unique constraints of each element, for the quality checks.
 * A member is one value for both releases, or the pair of 3.0 and 3.1. Lists are joined.
 */
function schemaTable(): Record<string, unknown> {
  const names = [...new Set([...schema30.keys(), ...schema31.keys()])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const [older, newer] = [schema30.get(name), schema31.get(name)].map(
        (row) =>
          row && {
            in: "both",
            model: row.model,
            type: row.type,
            attributes: row.attributes?.join(" "),
            unique: row.unique?.join("; "),
          },
      );
      const members = (["in", "model", "type", "attributes", "unique"] as const).flatMap((member) => {
        const values = [older?.[member] ?? null, newer?.[member] ?? null];
        if (member === "in") return older && newer ? [] : [["in", older ? "3.0" : "3.1"]];
        if (values.every((value) => value === null)) return [];
        const isSame = !older || !newer || values[0] === values[1];
        return [[member, isSame ? (values[0] ?? values[1]) : values]];
      });
      return [name, Object.fromEntries(members)];
    }),
  );
}

/** Returns the deprecated codes of each list, with the issue that deprecated them. */
function deprecatedCodes(): Record<string, unknown> {
  return Object.fromEntries(
    categories.flatMap(([list]) => {
      const deprecated = Object.entries(codes.lists[list]?.codes ?? {}).flatMap(
        ([code, { deprecated: issue }]) => (issue === null ? [] : [[code, issue]]),
      );
      return deprecated.length > 0 ? [[list, Object.fromEntries(deprecated)]] : [];
    }),
  );
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
    // EDItEUR has not defined any code of list 88 yet: an empty category would put words to nothing.
    if (rows.length === 0) continue;
    // An array of rows, because a JavaScript object would put the key "10" before "02".
    rows.sort(([a], [b]) => (a < b ? -1 : 1));
    table[name] = { list, title: codes.lists[list]!.eng.trim(), codes: rows };
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
