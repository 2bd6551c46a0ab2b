/** Puts the children of a composite into the order of the standard. */
import type { ElementTree } from "../reader/element-tree.ts";

/** Greater than every placement. */
const AFTER_PLACEMENTS = 1 << 20;

/**
 * Relinks the children of a node by placement. Elements without one follow in the order of their first occurrence,
 * grouped by name.
 */
export function sortChildren(tree: ElementTree, node: number): void {
  const { firstChild, sibling } = tree;
  const groupOfName = new Map<string | number, number>();
  const keyOf = (child: number): number => {
    const element = tree.kind[child]!;
    const placement = tree.placement[child]!;
    if (placement > 0) return placement;
    const name = element >= 0 ? element : tree.nameOf(child);
    const group = groupOfName.get(name) ?? AFTER_PLACEMENTS + groupOfName.size;
    groupOfName.set(name, group);
    return group;
  };
  const children: { readonly child: number; readonly key: number }[] = [];
  for (let child = firstChild[node]!; child !== 0; child = sibling[child]!) {
    children.push({ child, key: keyOf(child) });
  }
  children.sort((a, b) => a.key - b.key);
  children.forEach(({ child }, index) => {
    sibling[child] = children[index + 1]?.child ?? 0;
  });
  firstChild[node] = children[0]?.child ?? 0;
}
