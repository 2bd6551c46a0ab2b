/** Checks the unique constraints of the schema, such as "each Contributor has another SequenceNumber". */
import { decodeAttribute } from "../../xml/references.ts";
import { elementName } from "../element-numbers.ts";
import type { ElementTree } from "../element-tree.ts";
import { findChild } from "../product-facts.ts";
import { textOf } from "../tree-text.ts";
import { quote, type RemarkList } from "./remark-list.ts";
import type { UniqueConstraint } from "./schema-rows.ts";

export class UniqueCheck {
  constructor(private readonly remarks: RemarkList) {}

  check(node: number, constraints: readonly UniqueConstraint[]): void {
    for (const constraint of constraints) this.checkOne(node, constraint);
  }

  private checkOne(node: number, { selector, fields }: UniqueConstraint): void {
    const { tree } = this.remarks;
    let selected = [node];
    for (const step of selector) selected = selected.flatMap((parent) => childrenOf(tree, parent, step));
    if (selected.length < 2) return;
    const seen = new Set<string>();
    for (const candidate of selected) {
      const values = fields.map((field) => fieldValue(tree, candidate, field));
      // A node without one of the fields does not take part (XML Schema 1 §3.11.4).
      if (values.includes(undefined)) continue;
      const key = values.join(" ");
      if (seen.has(key)) this.remark(candidate, fields, key);
      seen.add(key);
    }
  }

  private remark(node: number, fields: UniqueConstraint["fields"], key: string): void {
    const name = elementName(this.remarks.tree.kind[node]!);
    const names = fields
      .map((field) => (typeof field === "number" ? elementName(field) : field))
      .join(" and ");
    const what =
      names === "." ? `the value ${quote(key)}` : `the ${names.replace("@", "attribute ")} ${quote(key)}`;
    this.remarks.add("duplicate-value", node, `Another ${name} already has ${what}.`, key);
  }
}

function childrenOf(tree: ElementTree, node: number, elements: readonly number[]): number[] {
  const { kind, next } = tree;
  const found: number[] = [];
  for (let child = node + 1; child < next[node]!; child = next[child]!) {
    if (elements.includes(kind[child]!)) found.push(child);
  }
  return found;
}

function fieldValue(tree: ElementTree, node: number, field: number | string): string | undefined {
  if (field === ".") return textOf(tree, node);
  if (typeof field === "number") {
    const child = findChild(tree, node, field);
    return child < 0 ? undefined : textOf(tree, child);
  }
  const { attributes, attributeFrom, attributeTo, attributeName, attributeNames, input } = tree;
  const end = tree.attributesEnd(node);
  for (let index = attributes[node]!; index < end; index++) {
    if (Buffer.from(attributeNames.bytesOf(attributeName[index]!)).toString() !== field.slice(1)) continue;
    return decodeAttribute(input, attributeFrom[index]!, attributeTo[index]!);
  }
  return undefined;
}
