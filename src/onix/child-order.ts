/** The children of composites in the order of the standard. Children that it does not allow there come last. */
import { placementOf } from "./element-numbers.ts";
import { type ElementTree, IS_UNORDERED, TEXT_NODE } from "./element-tree.ts";

/** Greater than every placement. */
const AFTER_PLACEMENTS = 1 << 20;

/** A stack of child lists: a list is pushed when its composite begins, and popped when it ends. */
export class ChildOrder {
  /** Nodes of the tree. */
  nodes = new Int32Array(4096);
  end = 0;

  /** Pushes the element children of a node. `composite` is its element number, or negative when it is unknown. */
  push(tree: ElementTree, node: number, composite: number): void {
    const { kind, next } = tree;
    const start = this.end;
    for (let child = node + 1; child < next[node]!; child = next[child]!) {
      if (kind[child]! <= TEXT_NODE) continue;
      if (this.end === this.nodes.length) this.grow();
      this.nodes[this.end++] = child;
    }
    if (composite < 0 || (tree.flags[node]! & IS_UNORDERED) !== 0) this.sort(tree, start, composite);
  }

  /** Sorts by placement. Elements without one follow in the order of their first occurrence, grouped by name. */
  private sort(tree: ElementTree, start: number, composite: number): void {
    const groupOfName = new Map<string | number, number>();
    const keyOf = (node: number): number => {
      const element = tree.kind[node]!;
      const placement = composite >= 0 && element >= 0 ? placementOf(composite, element) : 0;
      if (placement > 0) return placement;
      const name = element >= 0 ? element : nameOf(tree, node);
      const group = groupOfName.get(name) ?? AFTER_PLACEMENTS + groupOfName.size;
      groupOfName.set(name, group);
      return group;
    };
    const children = Array.from(this.nodes.subarray(start, this.end), (node) => ({ node, key: keyOf(node) }));
    children.sort((a, b) => a.key - b.key);
    children.forEach(({ node }, index) => {
      this.nodes[start + index] = node;
    });
  }

  private grow(): void {
    const grown = new Int32Array(this.nodes.length * 2);
    grown.set(this.nodes);
    this.nodes = grown;
  }
}

/** Returns the name of an element without its prefix, as it is in the feed. */
export function nameOf(tree: ElementTree, node: number): string {
  return Buffer.from(tree.input.subarray(tree.from[node]!, tree.to[node]!)).toString();
}
