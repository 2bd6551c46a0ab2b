/**
 * Writes the record of a product: the JSON members of its elements. Names, order and arity come from the standard, not
 * from the data. Everything that the standard does not expect is kept, and causes a complaint.
 */
import {
  COMPOSITE,
  ELEMENT_COUNT,
  elementKind,
  elementName,
  elementNumber,
  FLAG,
  REPEATS,
  SINGLE_OR_ARRAY_BIT,
} from "../element-numbers.ts";
import { interleavedNames, interleavingToRemember } from "../interleaving.ts";
import { type ElementTree, HAS_ATTRIBUTES, HAS_TEXT, IS_UNORDERED } from "../reader/element-tree.ts";
import type { ProductFacts } from "../reader/product-facts.ts";
import { PRICE_DATE } from "../reader/value-problems.ts";
import type { JsonOutput } from "./json-output.ts";
import { isText, KeyWriter } from "./key-writer.ts";
import { type Addition, mayHaveAdditions, NO_ADDITIONS, type RecordAdditions } from "./record-additions.ts";
import { ID_KEY, REPEATED_SUFFIX, STRAY_TEXT } from "./record-fields.ts";
import { sortChildren } from "./sort-children.ts";
import { TextWriter } from "./text-writer.ts";
import { MAIN_SUBJECT, TreeComplaints, ValueWriter } from "./value-writer.ts";

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
  readonly complaints = new TreeComplaints();
  readonly values: ValueWriter;
  private readonly keys: KeyWriter;
  private tree!: ElementTree;
  private facts!: ProductFacts;
  private additions!: RecordAdditions;

  constructor(private readonly output: JsonOutput) {
    const texts = new TextWriter(output);
    this.keys = new KeyWriter(output, texts);
    this.values = new ValueWriter(output, texts, this.keys, this.complaints);
  }

  /** Writes the members of a product after the members that the output already has. */
  writeProduct(tree: ElementTree, facts: ProductFacts, additions: RecordAdditions): void {
    this.tree = tree;
    this.facts = facts;
    this.additions = additions;
    this.complaints.complaints = [];
    this.values.exceptions = undefined;
    this.interleaved = undefined;
    this.writeMembers(0, PRODUCT);
  }

  /** Writes the attributes and children of a composite. An unknown composite has UNKNOWN_ELEMENT as its number. */
  private writeMembers(node: number, composite: number): void {
    const { tree } = this;
    const { kind, sibling } = tree;
    const flags = tree.flags[node]!;
    if ((flags & HAS_ATTRIBUTES) !== 0) this.keys.compositeAttributes(tree, node);
    if (composite < 0 || (flags & IS_UNORDERED) !== 0) sortChildren(tree, node);
    const additions = mayHaveAdditions(composite)
      ? this.additions.to(tree, node, composite, this.facts)
      : NO_ADDITIONS;
    if (composite >= 0 && alternating[composite]) this.noteInterleaving(node, composite);
    let added = 0;
    for (let first = tree.firstChild[node]!; first !== 0; ) {
      const element = kind[first]!;
      let count = 1;
      let after = sibling[first]!;
      while (after !== 0 && kind[after] === element && this.hasSameName(after, first, element)) {
        count++;
        after = sibling[after]!;
      }
      const placement = tree.placement[first]!;
      let extra: Addition | undefined;
      if (added < additions.length) {
        const before = placement > 0 ? placement : AFTER_PLACEMENTS;
        while (added < additions.length && additions[added]!.placement < before) {
          this.writeAddition(additions[added++]!);
        }
        if (additions[added]?.placement === placement) extra = additions[added++];
      }
      if (node === 0) this.writeBlock(first, count, element, placement);
      else this.writeGroup(first, count, element, placement, composite, extra);
      first = after;
    }
    while (added < additions.length) this.writeAddition(additions[added++]!);
    if ((flags & HAS_TEXT) !== 0) this.writeStrayText(node, composite);
  }

  /** Writes the children of the product that have one name. */
  private writeBlock(first: number, count: number, element: number, placement: number): void {
    const { output, values } = this;
    const { end } = output;
    values.beginBlock(element >= 0 ? elementName(element) : this.tree.nameOf(first));
    this.writeGroup(first, count, element, placement, PRODUCT, undefined);
    if (element === PRODUCT_IDENTIFIER && this.missingIdentifiers !== "") {
      // Replaces the closing bracket.
      output.end--;
      output.text(`${this.missingIdentifiers}]`);
    }
    // An unknown element called `_id` has a complaint; it must not replace the id.
    if (values.block === ID_KEY) output.end = end;
  }

  /** Writes `count` children of one name, from `first`. `extra` is one more value that the product lacks. */
  private writeGroup(
    first: number,
    count: number,
    element: number,
    placement: number,
    composite: number,
    extra: Addition | undefined,
  ): void {
    if (placement === 0) this.complaintUnexpected(first, element, composite);
    const mustBeSingle = placement !== 0 && (placement & REPEATS) === 0;
    if (mustBeSingle && elementKind[element] === FLAG) {
      if (count > 1) this.complaintRepeated(first, element, composite);
      this.writeFlag(first, element);
      return;
    }
    const mayBeSingle = (placement & SINGLE_OR_ARRAY_BIT) !== 0 && extra === undefined;
    if (mustBeSingle || (count === 1 && mayBeSingle)) {
      this.writeSingle(first, element);
      if (count === 1) return;
      this.complaintRepeated(first, element, composite);
      this.writeArray(this.tree.sibling[first]!, count - 1, element, REPEATED_SUFFIX, undefined);
    } else this.writeArray(first, count, element, "", extra);
  }

  private writeSingle(node: number, element: number): void {
    const { tree, output } = this;
    const { end } = output;
    this.keys.key(tree, node, element);
    if (!isText(tree, node, element)) {
      this.writeObject(node, element);
      return;
    }
    this.writeText(node, element);
    // The record has the ISBN as RecordReference; the sender's own is stored beside it.
    if (element === RECORD_REFERENCE && this.values.block === REFERENCE_BLOCK) output.end = end;
    if ((tree.flags[node]! & HAS_ATTRIBUTES) !== 0) this.keys.attributes(tree, node, element);
  }

  /** Writes an array, then `key@attribute` in the same shape for each attribute of the texts. */
  private writeArray(
    first: number,
    count: number,
    element: number,
    suffix: string,
    extra: Addition | undefined,
  ): void {
    const { output, tree } = this;
    if (suffix === "") this.keys.key(tree, first, element);
    else this.keys.keyWithSuffix(tree, first, element, suffix);
    const start = output.end;
    let hasTextAttributes = false;
    for (let node = first, index = 0; index < count; node = tree.sibling[node]!, index++) {
      output.reserve(8);
      output.byte(0x2c);
      if (!isText(tree, node, element)) this.writeObject(node, element);
      else {
        this.writeText(node, element);
        if ((tree.flags[node]! & HAS_ATTRIBUTES) !== 0) hasTextAttributes = true;
      }
    }
    if (extra) {
      output.reserve(8);
      output.byte(0x2c);
      output.write(extra.json);
      this.values.textCount += extra.texts;
    }
    output.reserve(8);
    // Replaces the comma before the first value.
    output.bytes[start] = 0x5b;
    output.byte(0x5d);
    if (hasTextAttributes) this.keys.arrayAttributes(tree, first, count, element, suffix);
  }

  private writeText(node: number, element: number): void {
    const correction = element === ID_VALUE ? this.corrections.get(node) : undefined;
    this.values.text(this.tree, node, element, correction);
  }

  /** Writes a composite, or a flag where the standard does not allow it. */
  private writeObject(node: number, element: number): void {
    const { output } = this;
    output.reserve(8);
    if (element >= 0 && elementKind[element] !== COMPOSITE) {
      this.values.flag(this.tree, node, element);
      return;
    }
    const start = output.end;
    this.writeMembers(node, element);
    if (element === PRICE_DATE) this.values.checkPriceDate(this.tree, node);
    output.reserve(8);
    // Replaces the comma before the first member.
    output.bytes[start] = 0x7b;
    if (output.end === start) output.end++;
    output.byte(0x7d);
  }

  private writeFlag(node: number, element: number): void {
    const { tree, output } = this;
    const { end } = output;
    this.keys.key(tree, node, element);
    if (element === MAIN_SUBJECT) this.values.mainSubject(tree, node);
    else this.values.flag(tree, node, element);
    // The content of a flag that is left out has a complaint nevertheless. A repeated DescriptiveDetail keeps its flags.
    const isInFirst = node < tree.next[this.facts.descriptiveDetail]!;
    if (isInFirst && this.additions.isUnset(element)) output.end = end;
    if ((tree.flags[node]! & HAS_ATTRIBUTES) !== 0) this.keys.attributes(tree, node, element);
  }

  private writeAddition({ element, json, texts }: Addition): void {
    this.keys.key(this.tree, -1, element);
    this.output.write(json);
    this.values.textCount += texts;
  }

  private writeStrayText(node: number, composite: number): void {
    const { tree } = this;
    const name = composite >= 0 ? elementName(composite) : tree.nameOf(node);
    this.complaints.add(tree, node, "stray-text", `There is text between the elements of ${name}.`);
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
    // Without a prototype, because an unknown element can be called `__proto__`.
    this.interleaved ??= Object.create(null) as NonNullable<typeof this.interleaved>;
    this.interleaved[block] ??= {};
    this.interleaved[block]![textCount] = order;
  }

  /** Expects nodes of the same kind. */
  private hasSameName(node: number, other: number, element: number): boolean {
    return element >= 0 || this.tree.nameOf(node) === this.tree.nameOf(other);
  }

  private complaintRepeated(first: number, element: number, composite: number): void {
    const text = `${elementName(element)} may occur only once in ${elementName(composite)}.`;
    this.complaints.add(this.tree, this.tree.sibling[first]!, "repeated-element", text);
  }

  private complaintUnexpected(node: number, element: number, composite: number): void {
    const { complaints, tree } = this;
    const details = composite === PRODUCT ? { isInNoBlock: true } : {};
    if (element < 0) {
      const text = `${tree.nameOf(node)} is not an element of ONIX 3.`;
      complaints.add(tree, node, "unknown-element", text, details);
    } else if (composite >= 0) {
      const text = `${elementName(element)} is not allowed in ${elementName(composite)}.`;
      complaints.add(tree, node, "misplaced-element", text, details);
    }
  }
}
