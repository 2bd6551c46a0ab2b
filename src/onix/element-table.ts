/** Every element of ONIX 3.0 and 3.1. The table is made by `npm run tables`. */
import table from "./tables/elements.json" with { type: "json" };

export interface ElementRule {
  /** The reference name. */
  readonly name: string;
  /** The short tag. */
  readonly short: string;
  /** Holds elements; holds text; holds text with XHTML; says something by being there. */
  readonly kind: "composite" | "data" | "markup" | "flag";
  /** The code lists that its value may come from. */
  readonly lists: readonly number[];
  /** Its children, in the order of the schema. */
  readonly children: ReadonlyMap<string, ElementPlacement>;
}

/** Where a child stands among its siblings, and whether ONIX allows it to repeat there. */
export interface ElementPlacement {
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

/** By reference name or short tag. */
export function elementByTag(tag: string): ElementRule | undefined {
  return byTag.get(tag);
}

export function allElements(): readonly ElementRule[] {
  return [...new Set(byTag.values())];
}
