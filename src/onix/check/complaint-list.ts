/** Collects the complaints of the checks about one product. */

import type { Complaint, ComplaintKind } from "../complaint.ts";
import { elementName } from "../element-numbers.ts";
import type { ElementTree } from "../reader/element-tree.ts";

/** Further complaints about a product are dropped, so that a hostile one needs bounded memory. */
const MAX_COMPLAINTS = 1000;
/** Longer values are cut, in sentences and elsewhere. */
const MAX_QUOTED_CHARS = 40;
const MAX_VALUE_CHARS = 200;

export class ComplaintList {
  tree!: ElementTree;
  private complaints: Complaint[] = [];

  begin(tree: ElementTree, complaints: Complaint[]): void {
    this.tree = tree;
    this.complaints = complaints;
  }

  /** Adds a complaint at a node, about its element unless `element` names another. */
  add(kind: ComplaintKind, node: number, text: string, value?: string, element?: string): void {
    if (this.complaints.length >= MAX_COMPLAINTS) return;
    const { line, column } = this.tree.positionOf(node);
    const number = this.tree.kind[node]!;
    const name = element ?? (number >= 0 ? elementName(number) : undefined);
    this.complaints.push({
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
