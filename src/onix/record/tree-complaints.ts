/** Collects complaints about the nodes of a tree. */

import type { Complaint, ComplaintKind } from "../complaint.ts";
import { elementName } from "../element-numbers.ts";
import type { ElementTree } from "../reader/element-tree.ts";

export class TreeComplaints {
  complaints: Complaint[] = [];

  /** `value` is the code or value that the complaint is about. */
  add(tree: ElementTree, node: number, kind: ComplaintKind, text: string, value?: string): void {
    const { line, column } = tree.positionOf(node);
    const number = tree.kind[node]!;
    const element = number >= 0 ? elementName(number) : tree.nameOf(node);
    this.complaints.push({ kind, text, line, column, element, ...(value !== undefined && { value }) });
  }
}
