/** Collects the remarks of the checks about one product. */
import { elementName } from "../element-numbers.ts";
import type { ElementTree } from "../reader/element-tree.ts";
import type { Remark, RemarkKind } from "../remark.ts";

/** Further remarks about a product are dropped, so that a hostile one needs bounded memory. */
const MAX_REMARKS = 1000;
/** Longer values are cut, in sentences and elsewhere. */
const MAX_QUOTED_CHARS = 40;
const MAX_VALUE_CHARS = 200;

export class RemarkList {
  tree!: ElementTree;
  private remarks: Remark[] = [];

  begin(tree: ElementTree, remarks: Remark[]): void {
    this.tree = tree;
    this.remarks = remarks;
  }

  /** Adds a remark at a node, about its element unless `element` names another. */
  add(kind: RemarkKind, node: number, text: string, value?: string, element?: string): void {
    if (this.remarks.length >= MAX_REMARKS) return;
    const { line, column } = this.tree.positionOf(node);
    const number = this.tree.kind[node]!;
    const name = element ?? (number >= 0 ? elementName(number) : undefined);
    this.remarks.push({
      kind,
      text,
      line,
      column,
      ...(name !== undefined && { element: name }),
      ...(value !== undefined && { value: abbreviate(value, MAX_VALUE_CHARS) }),
    });
  }
}

/** Quotes a value for a sentence. */
export function quote(value: string): string {
  return `"${abbreviate(value, MAX_QUOTED_CHARS)}"`;
}

function abbreviate(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
}

/** Joins names as in "A, B or C". */
export function joinNames(names: readonly string[], conjunction: string): string {
  return names.length < 2
    ? (names[0] ?? "")
    : `${names.slice(0, -1).join(", ")} ${conjunction} ${names.at(-1)}`;
}
