/** Checks the unique constraints of the schema, such as "each Contributor has another SequenceNumber". */
import { decodeAttribute } from "../../xml/references.ts";
import { elementName } from "../element-numbers.ts";
import { type ElementTree, IS_PLAIN } from "../reader/element-tree.ts";
import { findChild } from "../reader/product-facts.ts";
import { textOf } from "../reader/tree-text.ts";
import { type ComplaintList, quote } from "./complaint-list.ts";
import type { UniqueConstraint } from "./schema-rows.ts";

/** Up to this many nodes are compared in pairs, without creating strings. */
const MAX_PAIRED = 32;

export class UniqueCheck {
  /** The nodes that the selector selects. */
  private selected: number[] = [];

  constructor(private readonly complaints: ComplaintList) {}

  check(node: number, { selector, fields }: UniqueConstraint): void {
    const { tree } = this.complaints;
    this.selected.length = 0;
    this.select(tree, node, selector, 0);
    const { selected } = this;
    if (selected.length > MAX_PAIRED) this.checkMany(fields);
    else {
      for (let index = 1; index < selected.length; index++) {
        for (let other = 0; other < index; other++) {
          if (!isSame(tree, selected[index]!, selected[other]!, fields)) continue;
          this.complaint(selected[index]!, fields);
          break;
        }
      }
    }
  }

  private checkMany(fields: UniqueConstraint["fields"]): void {
    const seen = new Set<string>();
    for (const node of this.selected) {
      const key = keyOf(this.complaints.tree, node, fields);
      if (key !== undefined && seen.has(key)) this.complaint(node, fields);
      if (key !== undefined) seen.add(key);
    }
  }

  private select(
    tree: ElementTree,
    node: number,
    selector: UniqueConstraint["selector"],
    step: number,
  ): void {
    const { kind, next } = tree;
    const elements = selector[step]!;
    for (let child = node + 1; child < next[node]!; child = next[child]!) {
      if (!elements.includes(kind[child]!)) continue;
      if (step + 1 < selector.length) this.select(tree, child, selector, step + 1);
      else this.selected.push(child);
    }
  }

  private complaint(node: number, fields: UniqueConstraint["fields"]): void {
    const { tree } = this.complaints;
    const key = keyOf(tree, node, fields)!;
    const name = elementName(tree.kind[node]!);
    const names = fields
      .map((field) => (typeof field === "number" ? elementName(field) : field))
      .join(" and ");
    const label = names === "." ? "value" : names.replace("@", "attribute ");
    this.complaints.add(
      "duplicate-value",
      node,
      `Another ${name} already has the ${label} ${quote(key)}.`,
      key,
    );
  }
}

/** A node without one of the fields is not the same as any other (XML Schema 1 §3.11.4). */
function isSame(tree: ElementTree, a: number, b: number, fields: UniqueConstraint["fields"]): boolean {
  for (const field of fields) {
    if (typeof field === "string" && field !== ".") {
      const value = attributeValue(tree, a, field);
      if (value === undefined || value !== attributeValue(tree, b, field)) return false;
      continue;
    }
    const first = typeof field === "number" ? findChild(tree, a, field) : a;
    const second = typeof field === "number" ? findChild(tree, b, field) : b;
    if (first < 0 || second < 0 || !hasSameText(tree, first, second)) return false;
  }
  return true;
}

function hasSameText(tree: ElementTree, a: number, b: number): boolean {
  const { next, flags, from, to, input } = tree;
  const isPlain = (node: number) => next[node] === node + 2 && (flags[node + 1]! & IS_PLAIN) !== 0;
  if (!isPlain(a) || !isPlain(b)) return textOf(tree, a) === textOf(tree, b);
  const length = to[a + 1]! - from[a + 1]!;
  if (to[b + 1]! - from[b + 1]! !== length) return false;
  for (let index = 0; index < length; index++) {
    if (input[from[a + 1]! + index] !== input[from[b + 1]! + index]) return false;
  }
  return true;
}

/** Returns undefined for a node without one of the fields. */
function keyOf(tree: ElementTree, node: number, fields: UniqueConstraint["fields"]): string | undefined {
  const values: string[] = [];
  for (const field of fields) {
    const child = typeof field === "number" ? findChild(tree, node, field) : node;
    if (child < 0) return undefined;
    const isText = typeof field === "number" || field === ".";
    const value = isText ? textOf(tree, child) : attributeValue(tree, node, field);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.join(" ");
}

/** `field` is `@name`. */
function attributeValue(tree: ElementTree, node: number, field: string): string | undefined {
  const { attributes, attributeFrom, attributeTo, attributeNames, input } = tree;
  if (attributes[node] === tree.attributesEnd(node)) return undefined;
  const name = Buffer.from(field);
  const index = tree.attributeOf(node, attributeNames.numberOf(name, 1, name.length));
  return index < 0 ? undefined : decodeAttribute(input, attributeFrom[index]!, attributeTo[index]!);
}
