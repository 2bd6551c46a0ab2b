/** Collects remarks about the nodes of a tree. */
import { elementName } from "../element-numbers.ts";
import type { ElementTree } from "../reader/element-tree.ts";
import type { Remark, RemarkKind } from "../remark.ts";

export class TreeRemarks {
  remarks: Remark[] = [];

  /** `value` is the code or value that the remark is about. */
  add(tree: ElementTree, node: number, kind: RemarkKind, text: string, value?: string): void {
    const { line, column } = tree.positionOf(node);
    const number = tree.kind[node]!;
    const element = number >= 0 ? elementName(number) : tree.nameOf(node);
    this.remarks.push({ kind, text, line, column, element, ...(value !== undefined && { value }) });
  }
}
