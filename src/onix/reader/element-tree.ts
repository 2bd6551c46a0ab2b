/**
 * The elements of one product (or header) in typed arrays, in document order. Nodes refer to the input by offsets:
 * nothing is decoded until it is needed.
 */

import { type Position, positionOf } from "../../xml/position.ts";
import { utf8Text } from "../../xml/references.ts";
import type { LiteralText } from "../fields/book-fields.ts";
import { AttributeNames } from "./attribute-names.ts";

/** Values of `kind` for nodes that are not elements of ONIX. */
export const UNKNOWN_ELEMENT = -1;
export const TEXT_NODE = -2;
export const CDATA_NODE = -3;

/** Flag of a text: its bytes are its characters in XML and in JSON, so they can be copied. */
export const IS_PLAIN = 1;
/** Flag of an element: its children are not in the order of the standard, or some are not allowed there. */
export const IS_UNORDERED = 4;
/** Flag of an element: it has text that is not whitespace, or CDATA, as its own child. */
export const HAS_TEXT = 8;
/** Flag of an element: it has elements as children. */
export const HAS_ELEMENTS = 16;
/** Flag of an element: it has attributes. */
export const HAS_ATTRIBUTES = 32;
/** Flag of an element: its only child is a text that is plain. */
export const IS_PLAIN_TEXT = 64;

const INITIAL_NODES = 4096;
const NODE_ARRAYS = [
  "kind",
  "start",
  "from",
  "to",
  "next",
  "firstChild",
  "sibling",
  "placement",
  "line",
  "lineStart",
  "jsonStart",
  "jsonEnd",
] as const;
const INITIAL_ATTRIBUTES = 1024;

export class ElementTree {
  /** The bytes that the offsets refer to, in UTF-8. */
  input: Buffer = Buffer.alloc(0);
  /** The same bytes. */
  view: DataView = new DataView(new ArrayBuffer(0));
  /** The number of nodes. Node 0 is the root: the product or the header. */
  count = 0;
  /** The number of the element (see `element-numbers.ts`), or UNKNOWN_ELEMENT, TEXT_NODE or CDATA_NODE. */
  kind = new Int32Array(INITIAL_NODES);
  /** The offset of the `<` of an element, or of the first byte of a text. */
  start = new Int32Array(INITIAL_NODES);
  /** The name of an element without its prefix, or a text. */
  from = new Int32Array(INITIAL_NODES);
  to = new Int32Array(INITIAL_NODES);
  /** The index of the node after the last descendant. The children of `node` begin at `node + 1`. */
  next = new Int32Array(INITIAL_NODES);
  /** The first child that is an element, and the next sibling that is one; 0 for none. The builder may reorder them. */
  firstChild = new Int32Array(INITIAL_NODES);
  sibling = new Int32Array(INITIAL_NODES);
  /** The placement of a child of a composite (see `placementOf`); 0 when it is not allowed there. */
  placement = new Int32Array(INITIAL_NODES);
  /** A union of the flags above. */
  flags = new Uint8Array(INITIAL_NODES);
  /** The line of `start`, and the offset at which that line begins. */
  line = new Int32Array(INITIAL_NODES);
  lineStart = new Int32Array(INITIAL_NODES);
  /** Where the record has the text of an element between quotes. The builder sets them for texts that are not plain. */
  jsonStart = new Int32Array(INITIAL_NODES);
  jsonEnd = new Int32Array(INITIAL_NODES);
  /** The text of an element, when it has been decoded and is long. */
  readonly texts: (string | undefined)[] = new Array(INITIAL_NODES).fill(undefined);
  /** The last of them, with its bytes. */
  readonly literal: { -readonly [Member in keyof LiteralText]: LiteralText[Member] } = {
    text: "",
    bytes: this.input,
    from: 0,
    to: 0,
  };
  /** The index of the first attribute. The attributes end where those of the following node begin. */
  attributes = new Int32Array(INITIAL_NODES + 1);

  readonly attributeNames = new AttributeNames();
  attributeCount = 0;
  /** The values that the record has for attributes of repeated texts, null ones included. */
  arrayValueCount = 0;
  /** The number of the name in `attributeNames`. */
  attributeName = new Int32Array(INITIAL_ATTRIBUTES);
  attributeFrom = new Int32Array(INITIAL_ATTRIBUTES);
  attributeTo = new Int32Array(INITIAL_ATTRIBUTES);
  /** IS_PLAIN or 0. */
  attributeFlags = new Uint8Array(INITIAL_ATTRIBUTES);

  begin(input: Buffer, view: DataView): void {
    this.input = input;
    this.view = view;
    this.literal.text = "";
    this.literal.bytes = input;
    for (let node = 0; node < this.count; node++) this.texts[node] = undefined;
    this.count = 0;
    this.attributeCount = 0;
    this.arrayValueCount = 0;
    this.attributeNames.forgetMany();
  }

  /** Adds a node. The caller sets its other members. */
  add(): number {
    if (this.count === this.kind.length) this.growNodes();
    return this.count++;
  }

  addAttribute(): number {
    if (this.attributeCount === this.attributeName.length) this.growAttributes();
    return this.attributeCount++;
  }

  attributesEnd(node: number): number {
    return node + 1 < this.count ? this.attributes[node + 1]! : this.attributeCount;
  }

  /** Returns the index of the attribute with this name, or -1. */
  attributeOf(node: number, name: number): number {
    const end = this.attributesEnd(node);
    for (let index = this.attributes[node]!; index < end; index++) {
      if (this.attributeName[index] === name) return index;
    }
    return -1;
  }

  /** Returns the name of an element without its prefix, as it is in the feed. */
  nameOf(node: number): string {
    return utf8Text(this.input, this.from[node]!, this.to[node]!);
  }

  positionOf(node: number): Position {
    return positionOf(this.input, this.line[node]!, this.lineStart[node]!, this.start[node]!);
  }

  private growNodes(): void {
    const { length } = this.kind;
    while (this.texts.length < length * 2) this.texts.push(undefined);
    for (const name of NODE_ARRAYS) {
      const grown = new Int32Array(length * 2);
      grown.set(this[name]);
      this[name] = grown;
    }
    const attributes = new Int32Array(length * 2 + 1);
    attributes.set(this.attributes);
    this.attributes = attributes;
    const flags = new Uint8Array(length * 2);
    flags.set(this.flags);
    this.flags = flags;
  }

  private growAttributes(): void {
    const length = this.attributeName.length * 2;
    for (const name of ["attributeName", "attributeFrom", "attributeTo"] as const) {
      const grown = new Int32Array(length);
      grown.set(this[name]);
      this[name] = grown;
    }
    const flags = new Uint8Array(length);
    flags.set(this.attributeFlags);
    this.attributeFlags = flags;
  }
}
