/** Reads codes of two characters from the tree as numbers, without creating strings. */
import { type ElementTree, IS_PLAIN } from "../reader/element-tree.ts";
import { findChild } from "../reader/product-facts.ts";
import { textOf } from "../reader/tree-text.ts";

/** Returns the number of a code of two ASCII characters, such as "01". */
export function code(text: string): number {
  return text.length === 2 ? (text.charCodeAt(0) << 8) | text.charCodeAt(1) : 0;
}

/** Returns the number of the code of an element, or 0 when it is not of two characters. */
export function codeOf(tree: ElementTree, node: number): number {
  const child = node + 1;
  const { input, from, to } = tree;
  if (
    tree.next[node] === child + 1 &&
    (tree.flags[child]! & IS_PLAIN) !== 0 &&
    to[child]! - from[child]! === 2
  ) {
    return (input[from[child]!]! << 8) | input[from[child]! + 1]!;
  }
  return code(textOf(tree, node));
}

/** Returns the number of the code of the first child that is this element, or 0 without one. */
export function childCode(tree: ElementTree, node: number, element: number): number {
  const child = findChild(tree, node, element);
  return child < 0 ? 0 : codeOf(tree, child);
}
