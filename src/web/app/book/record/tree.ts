/** The fields of a record as a tree: all of them, or those that the page shows nowhere else. */
import type { Described, DescribedValue } from "../../../../client/describe.ts";
import { isComposite, listOf, type ReadKeys, type Shown, shownOf } from "./fields.ts";

export interface TreeNode {
  /** The reference name of the element or, with `@` before it, of the attribute. */
  readonly name: string;
  /** Counts the composites of one name, from 1. Is undefined when there is only one. */
  readonly position?: number;
  readonly values: readonly Shown[];
  readonly children: readonly TreeNode[];
}

/** Returns the whole tree or, with `read`, the tree of what was not read. */
export function treeOf(composite: Described, read?: ReadKeys): readonly TreeNode[] {
  return Object.entries(composite).flatMap(([key, value]) => nodesOf(composite, key, value, read));
}

function nodesOf(
  composite: Described,
  key: string,
  value: DescribedValue,
  read: ReadKeys | undefined,
): readonly TreeNode[] {
  const all = listOf(value);
  const composites = all.filter(isComposite);
  const isRead = read?.has(composite, key) ?? false;
  const name = key.replace("#more", "");
  const nodes = composites.flatMap((each, index): TreeNode[] => {
    const children = treeOf(each, read);
    const isHidden = children.length === 0 && Object.keys(each).length > 0;
    if (isHidden) return [];
    return [{ name, values: [], children, ...(composites.length > 1 && { position: index + 1 }) }];
  });
  if (isRead || all.length === composites.length) {
    // An empty array is an element without content.
    return nodes.length > 0 || isRead || all.length > 0 ? nodes : [{ name, values: [], children: [] }];
  }
  const values = all
    .flatMap((each) => listOf(each))
    .map((each) => shownOf(each))
    .filter((shown) => shown !== undefined);
  return [...(values.length > 0 ? [{ name, values, children: [] }] : []), ...nodes];
}
