/**
 * Reports in a header what the record builder reports in a product: unknown elements, repetitions and unknown codes.
 * No record is built of a header.
 */
import {
  codesOf,
  describeUnknownCode,
  elementName,
  packCode,
  placementOf,
  REPEATS,
} from "../element-numbers.ts";
import { UNKNOWN_ELEMENT } from "../reader/element-tree.ts";
import { textOf } from "../reader/tree-text.ts";
import type { ComplaintList } from "./complaint-list.ts";

export class HeaderCheck {
  constructor(private readonly complaints: ComplaintList) {}

  /** Expects a composite. */
  check(composite: number): void {
    const { kind, next } = this.complaints.tree;
    const parent = kind[composite]!;
    const seen = new Set<number>();
    for (let node = composite + 1; node < next[composite]!; node = next[node]!) {
      const element = kind[node]!;
      if (element < UNKNOWN_ELEMENT) continue;
      const placement = element < 0 ? 0 : placementOf(parent, element);
      if (placement === 0) this.complaintUnexpected(node, element, parent);
      else {
        if ((placement & REPEATS) === 0 && seen.has(element)) this.complaintRepeated(node, element, parent);
        seen.add(element);
        this.checkCode(node, element);
        this.check(node);
      }
    }
  }

  private complaintUnexpected(node: number, element: number, parent: number): void {
    const text =
      element < 0
        ? `${this.complaints.tree.nameOf(node)} is not an element of ONIX 3.`
        : `${elementName(element)} is not allowed in ${elementName(parent)}.`;
    this.complaints.add("unknown-element", node, text);
  }

  private complaintRepeated(node: number, element: number, parent: number): void {
    const text = `${elementName(element)} may occur only once in ${elementName(parent)}.`;
    this.complaints.add("repeated-element", node, text);
  }

  private checkCode(node: number, element: number): void {
    const codes = codesOf[element];
    if (!codes) return;
    const code = textOf(this.complaints.tree, node);
    const bytes = Buffer.from(code);
    if (codes.has(packCode(bytes, 0, bytes.length))) return;
    this.complaints.add("unknown-code", node, describeUnknownCode(element, code), code);
  }
}
