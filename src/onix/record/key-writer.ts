/** Writes the keys of a record's members, and the attributes of elements as members. A comma precedes each member. */
import { COMPOSITE, ELEMENT_COUNT, elementKind, elementName, FLAG } from "../element-numbers.ts";
import { type ElementTree, HAS_ATTRIBUTES, HAS_ELEMENTS, HAS_TEXT } from "../reader/element-tree.ts";
import { reject } from "../reader/tree-reader.ts";
import { type JsonOutput, jsonPart } from "./json-output.ts";
import type { TextWriter } from "./text-writer.ts";

const keyTexts = Array.from({ length: ELEMENT_COUNT }, (_, element) => `,"${elementName(element)}":`);
/** `,"Name":` of all elements, one after the other, so that they share few lines of the processor's cache. */
const keys = jsonPart(keyTexts.join(""));
/** Where the key of an element begins. It ends where the next one begins. */
const keyStarts = new Int32Array(ELEMENT_COUNT + 1);
keyTexts.forEach((text, element) => {
  keyStarts[element + 1] = keyStarts[element]! + text.length;
});
const NULL = jsonPart("null");
/** A few bytes of a feed can lead to many values: each attribute of repeated texts is an array with a value for each of them. */
const MAX_ARRAY_VALUES = 200_000;

export class KeyWriter {
  constructor(
    private readonly output: JsonOutput,
    private readonly texts: TextWriter,
  ) {}

  /** Writes `,"Name":`. The name of an unknown element is that of the node. */
  key(tree: ElementTree, node: number, element: number): void {
    const { output } = this;
    if (element >= 0) {
      output.copy(keys.bytes, keys.view, keyStarts[element]!, keyStarts[element + 1]!);
      return;
    }
    output.reserve(8);
    output.byte(0x2c);
    output.byte(0x22);
    output.copy(tree.input, tree.view, tree.from[node]!, tree.to[node]!);
    output.byte(0x22);
    output.byte(0x3a);
  }

  /** Writes `,"NameSuffix":`. */
  keyWithSuffix(tree: ElementTree, node: number, element: number, suffix: string): void {
    this.key(tree, node, element);
    // Replaces the quote and the colon.
    this.output.end -= 2;
    this.output.text(`${suffix}":`);
  }

  /** Writes `,"@name":"value"` for each attribute of a composite. */
  compositeAttributes(tree: ElementTree, node: number): void {
    const { output } = this;
    const end = tree.attributesEnd(node);
    for (let index = tree.attributes[node]!; index < end; index++) {
      output.reserve(8);
      output.byte(0x2c);
      output.byte(0x22);
      output.byte(0x40);
      output.write(tree.attributeNames.partOf(tree.attributeName[index]!));
      output.byte(0x22);
      output.byte(0x3a);
      this.texts.writeAttribute(tree, index);
    }
  }

  /** Writes `,"Name@attribute":"value"` for each attribute of a flag or single text. */
  attributes(tree: ElementTree, node: number, element: number): void {
    const end = tree.attributesEnd(node);
    for (let index = tree.attributes[node]!; index < end; index++) {
      this.attributeKey(tree, node, element, "", index);
      this.texts.writeAttribute(tree, index);
    }
  }

  /** Writes `,"Name@attribute":[…]` for each attribute of the texts among `count` siblings; null without one. */
  arrayAttributes(tree: ElementTree, first: number, count: number, element: number, suffix: string): void {
    const written = new Set<number>();
    for (let owner = first, index = 0; index < count; owner = tree.sibling[owner]!, index++) {
      if ((tree.flags[owner]! & HAS_ATTRIBUTES) === 0 || !isText(tree, owner, element)) continue;
      const end = tree.attributesEnd(owner);
      for (let attribute = tree.attributes[owner]!; attribute < end; attribute++) {
        const name = tree.attributeName[attribute]!;
        if (written.has(name)) continue;
        written.add(name);
        tree.arrayValueCount += count;
        if (tree.arrayValueCount > MAX_ARRAY_VALUES) {
          reject("a Product has too many attributes of repeated elements", tree.positionOf(owner));
        }
        this.attributeKey(tree, owner, element, suffix, attribute);
        this.attributeValues(tree, first, count, element, name);
      }
    }
  }

  private attributeValues(
    tree: ElementTree,
    first: number,
    count: number,
    element: number,
    name: number,
  ): void {
    const { output } = this;
    const start = output.end;
    for (let node = first, index = 0; index < count; node = tree.sibling[node]!, index++) {
      output.byte(0x2c);
      const own = isText(tree, node, element) ? tree.attributeOf(node, name) : -1;
      if (own < 0) output.write(NULL);
      else this.texts.writeAttribute(tree, own);
      output.reserve(8);
    }
    output.bytes[start] = 0x5b;
    output.byte(0x5d);
  }

  private attributeKey(
    tree: ElementTree,
    node: number,
    element: number,
    suffix: string,
    attribute: number,
  ): void {
    const { output } = this;
    if (suffix === "") this.key(tree, node, element);
    else this.keyWithSuffix(tree, node, element, suffix);
    // Replaces the quote and the colon.
    output.end -= 2;
    output.byte(0x40);
    output.write(tree.attributeNames.partOf(tree.attributeName[attribute]!));
    output.byte(0x22);
    output.byte(0x3a);
  }
}

/** Tells whether the value of a node is a string. An unknown element with elements and no text is an object. */
export function isText(tree: ElementTree, node: number, element: number): boolean {
  if (element >= 0) return elementKind[element] !== COMPOSITE && elementKind[element] !== FLAG;
  return (tree.flags[node]! & (HAS_ELEMENTS | HAS_TEXT)) !== HAS_ELEMENTS;
}
