/** Every element of ONIX 3.0 and 3.1. `npm run tables` generates the table. */
import table from "./generated/elements.json" with { type: "json" };

export interface ElementRule {
  /** The reference name. */
  readonly name: string;
  /** The short tag. */
  readonly short: string;
  /** A composite contains elements, data is text, markup is text with XHTML, a flag is empty. */
  readonly kind: "composite" | "data" | "markup" | "flag";
  /** The numbers of the code lists that define its values. */
  readonly lists: readonly number[];
  /** In the order of the schema. */
  readonly children: ReadonlyMap<string, ElementPlacement>;
}

/** The order of a child among its siblings, and whether the schema allows it to repeat. */
interface ElementPlacement {
  readonly order: number;
  readonly repeats: boolean;
}

interface Row {
  short: string;
  kind: string;
  many?: string[];
  lists?: number[];
  children?: string[];
}

const rows = table as Record<string, Row>;
const byTag = new Map<string, ElementRule>();

for (const [name, row] of Object.entries(rows)) {
  const children = (row.children ?? []).map((child, order): [string, ElementPlacement] => [
    child,
    { order, repeats: rows[child]?.many?.includes(name) ?? false },
  ]);
  const rule: ElementRule = {
    name,
    short: row.short,
    kind: row.kind as ElementRule["kind"],
    lists: row.lists ?? [],
    children: new Map(children),
  };
  byTag.set(name, rule);
  byTag.set(row.short, rule);
}

/** Accepts a reference name or a short tag. */
export function elementByTag(tag: string): ElementRule | undefined {
  return byTag.get(tag);
}

export function allElements(): readonly ElementRule[] {
  return [...new Set(byTag.values())];
}
