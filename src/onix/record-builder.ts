/**
 * Writes the record of a product: the JSON members of its elements. Names, order and arity come from the standard, not
 * from the data. Everything that the standard does not expect is kept, and remarked on.
 */
import { ChildOrder, nameOf } from "./child-order.ts";
import {
  COMPOSITE,
  ELEMENT_COUNT,
  elementKind,
  elementName,
  elementNumber,
  FLAG,
  placementOf,
  REPEATS,
  SINGLE_OR_ARRAY_BIT,
} from "./element-numbers.ts";
import { type ElementTree, HAS_TEXT, UNKNOWN_ELEMENT } from "./element-tree.ts";
import { interleavedNames, interleavingToRemember } from "./interleaving.ts";
import type { JsonOutput } from "./json-output.ts";
import { isText, KeyWriter } from "./key-writer.ts";
import type { ProductFacts } from "./product-facts.ts";
import type { Addition, RecordAdditions } from "./record-additions.ts";
import { REPEATED_SUFFIX, STRAY_TEXT } from "./record-fields.ts";
import { TextWriter } from "./text-writer.ts";
import { TreeRemarks } from "./tree-remarks.ts";
import { MAIN_SUBJECT, ValueWriter } from "./value-writer.ts";

const PRODUCT = elementNumber("Product");
const RECORD_REFERENCE = elementNumber("RecordReference");
const PRODUCT_IDENTIFIER = elementNumber("ProductIdentifier");
const ID_VALUE = elementNumber("IDValue");
const REFERENCE_BLOCK = elementName(RECORD_REFERENCE);

const AFTER_PLACEMENTS = Number.MAX_SAFE_INTEGER;

/** The names of the children that alternate, by composite. */
const alternating = Array.from({ length: ELEMENT_COUNT }, (_, element) =>
  interleavedNames(elementName(element)),
);

export class RecordBuilder {
  /** Values of IDValue nodes that are corrected. */
  readonly corrections = new Map<number, string>();
  /** The JSON of identifiers that are appended, each with a comma before it. */
  missingIdentifiers = "";
  /** `Origin.interleaved`. */
  interleaved: Record<string, Record<string, readonly string[]>> | undefined;
  readonly remarks = new TreeRemarks();
  readonly values: ValueWriter;
  private readonly keys: KeyWriter;
  private readonly children = new ChildOrder();
  private tree!: ElementTree;
  private facts!: ProductFacts;
  private additions!: RecordAdditions;

  constructor(private readonly output: JsonOutput) {
    const texts = new TextWriter(output);
    this.keys = new KeyWriter(output, texts);
    this.values = new ValueWriter(output, texts, this.keys, this.remarks);
  }

  /** Writes the members of a product after the members that the output already has. */
  writeProduct(tree: ElementTree, facts: ProductFacts, additions: RecordAdditions): void {
    this.tree = tree;
    this.facts = facts;
    this.additions = additions;
    this.remarks.remarks = [];
    this.values.exceptions = undefined;
    this.interleaved = undefined;
    this.children.end = 0;
    this.writeMembers(0, PRODUCT, UNKNOWN_ELEMENT);
  }

  /** Writes the attributes and children of a composite. An unknown composite has UNKNOWN_ELEMENT as its number. */
  private writeMembers(node: number, composite: number, parent: number): void {
    const { tree, children } = this;
    this.keys.compositeAttributes(tree, node);
    const additions = this.additions.to(tree, node, composite, this.facts);
    if (composite >= 0 && alternating[composite]) this.noteInterleaving(node, composite);
    const start = children.end;
    children.push(tree, node, composite);
    const { end } = children;
    let added = 0;
    for (let index = start; index < end; ) {
      const first = children.nodes[index]!;
      const element = tree.kind[first]!;
      let groupEnd = index + 1;
      while (groupEnd < end && this.hasSameName(children.nodes[groupEnd]!, first, element)) groupEnd++;
      const placement = composite >= 0 && element >= 0 ? placementOf(composite, element) : 0;
      const before = placement > 0 ? placement : AFTER_PLACEMENTS;
      while (added < additions.length && additions[added]!.placement < before) {
        this.writeAddition(additions[added++]!);
      }
      const extra = additions[added]?.placement === placement ? additions[added++] : undefined;
      if (node === 0) this.writeBlock(first, element, placement, index, groupEnd);
      else this.writeGroup(element, placement, index, groupEnd, composite, parent, extra);
      index = groupEnd;
    }
    while (added < additions.length) this.writeAddition(additions[added++]!);
    children.end = start;
    if ((tree.flags[node]! & HAS_TEXT) !== 0) this.writeStrayText(node, composite);
  }

  /** Writes the children of the product that have one name. */
  private writeBlock(first: number, element: number, placement: number, from: number, to: number): void {
    const { output, values } = this;
    const { end } = output;
    values.beginBlock(element >= 0 ? elementName(element) : nameOf(this.tree, first));
    this.writeGroup(element, placement, from, to, PRODUCT, UNKNOWN_ELEMENT, undefined);
    if (element === PRODUCT_IDENTIFIER) {
      // Replaces the closing bracket.
      output.end--;
      output.text(`${this.missingIdentifiers}]`);
    }
    // An unknown element called `_id` has a remark; it must not replace the id.
    if (values.block === "_id") output.end = end;
  }

  /** Writes children of one name. `extra` is one more value that the product lacks. */
  private writeGroup(
    element: number,
    placement: number,
    from: number,
    to: number,
    composite: number,
    parent: number,
    extra: Addition | undefined,
  ): void {
    const { nodes } = this.children;
    const first = nodes[from]!;
    if (placement === 0) this.remarkUnexpected(first, element, composite);
    const mustBeSingle = placement !== 0 && (placement & REPEATS) === 0;
    if (mustBeSingle && to - from > 1) {
      const text = `${elementName(element)} may occur only once in ${elementName(composite)}.`;
      this.remarks.add(this.tree, nodes[from + 1]!, "repeated-element", text);
    }
    if (placement !== 0 && elementKind[element] === FLAG) {
      this.writeFlag(first, element);
      return;
    }
    const mayBeSingle = (placement & SINGLE_OR_ARRAY_BIT) !== 0 && extra === undefined;
    const isSingle = mustBeSingle || (to - from === 1 && mayBeSingle);
    const firstEnd = isSingle ? from + 1 : to;
    this.writeValues(element, from, firstEnd, isSingle, "", composite, parent, extra);
    if (firstEnd < to) {
      this.writeValues(element, firstEnd, to, false, REPEATED_SUFFIX, composite, parent, undefined);
    }
  }

  /** Writes the values of one key, then `key@attribute` in the same shape for each attribute of the texts. */
  private writeValues(
    element: number,
    from: number,
    to: number,
    isSingle: boolean,
    suffix: string,
    composite: number,
    parent: number,
    extra: Addition | undefined,
  ): void {
    const { output, children, tree } = this;
    const { end } = output;
    this.keys.key(tree, children.nodes[from]!, element, suffix);
    if (!isSingle) output.byte(0x5b);
    let hasTextAttributes = false;
    for (let index = from; index < to; index++) {
      const node = children.nodes[index]!;
      if (index > from) output.byte(0x2c);
      if (!isText(tree, node, element)) this.writeObject(node, element, composite);
      else {
        const isIdentifier = element === ID_VALUE && composite === PRODUCT_IDENTIFIER && parent === PRODUCT;
        this.values.text(tree, node, element, isIdentifier ? this.corrections.get(node) : undefined);
        if (tree.attributes[node]! < tree.attributesEnd(node)) hasTextAttributes = true;
      }
    }
    if (extra) {
      output.byte(0x2c);
      output.write(extra.json);
      this.values.textCount += extra.texts;
    }
    if (!isSingle) output.byte(0x5d);
    // The record has the ISBN as RecordReference; the sender's own is stored beside it.
    if (element === RECORD_REFERENCE && this.values.block === REFERENCE_BLOCK && suffix === "") {
      output.end = end;
    }
    if (hasTextAttributes) {
      this.keys.textAttributes(tree, children.nodes, from, to, element, suffix, isSingle);
    }
  }

  /** Writes a composite, or a flag where the standard does not allow it. */
  private writeObject(node: number, element: number, composite: number): void {
    const { output } = this;
    output.reserve(8);
    if (element >= 0 && elementKind[element] !== COMPOSITE) {
      this.values.flag(this.tree, node, element);
      return;
    }
    output.byte(0x7b);
    this.writeMembers(node, element, composite);
    output.reserve(8);
    output.byte(0x7d);
  }

  private writeFlag(node: number, element: number): void {
    const { tree } = this;
    if (!this.additions.isUnset(element)) {
      this.keys.key(tree, node, element, "");
      this.values.flag(tree, node, element);
      if (element === MAIN_SUBJECT && tree.next[node]! > node + 1) {
        this.values.flagContent(tree, node, element);
      }
    }
    this.keys.flagAttributes(tree, node, element);
  }

  private writeAddition({ element, json, texts }: Addition): void {
    this.keys.key(this.tree, -1, element, "");
    this.output.write(json);
    this.values.textCount += texts;
  }

  private writeStrayText(node: number, composite: number): void {
    const { tree } = this;
    const name = composite >= 0 ? elementName(composite) : nameOf(tree, node);
    this.remarks.add(tree, node, "stray-text", `There is text between the elements of ${name}.`);
    if (node === 0) this.values.beginBlock(STRAY_TEXT);
    this.values.strayText(tree, node);
  }

  private noteInterleaving(node: number, composite: number): void {
    const { kind, next } = this.tree;
    const names: string[] = [];
    for (let child = node + 1; child < next[node]!; child = next[child]!) {
      const name = kind[child]! >= 0 ? elementName(kind[child]!) : "";
      if (alternating[composite]!.has(name)) names.push(name);
    }
    const order = interleavingToRemember(elementName(composite), names);
    if (!order) return;
    const { block, textCount } = this.values;
    this.interleaved ??= {};
    this.interleaved[block] ??= {};
    this.interleaved[block]![textCount] = order;
  }

  private hasSameName(node: number, other: number, element: number): boolean {
    if (this.tree.kind[node] !== element) return false;
    return element >= 0 || nameOf(this.tree, node) === nameOf(this.tree, other);
  }

  private remarkUnexpected(node: number, element: number, composite: number): void {
    if (element < 0) {
      const text = `${nameOf(this.tree, node)} is not an element of ONIX 3.`;
      this.remarks.add(this.tree, node, "unknown-element", text);
    } else if (composite >= 0) {
      const text = `${elementName(element)} is not allowed in ${elementName(composite)}.`;
      this.remarks.add(this.tree, node, "misplaced-element", text);
    }
  }
}
