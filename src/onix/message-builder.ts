/** Tags and texts of a message -> its header and its products. */

import { FeedError, printable } from "../feed/feed-error.ts";
import type { OpenTag, XmlAttribute, XmlHandler } from "../xml/parser.ts";
import type { Position } from "../xml/position.ts";
import type { OnixElement } from "./element.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import { isOnixNamespace, type Message, messageOf } from "./release.ts";
import type { Remark } from "./remark.ts";

/** Bounds of one product: far beyond any real one, and what a hostile one can take of the memory. */
const DEEPEST = 100;
const MOST_ELEMENTS = 200_000;
const LONGEST_PRODUCT = 16 << 20;
/** More of them would say nothing new. */
const MOST_REMARKS = 100;

const SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

interface Node extends OnixElement {
  readonly attributes: OnixElement["attributes"];
  readonly children: (OnixElement | string)[];
}

/** An element that is open: what it becomes, and how what stands in it is to be read. */
interface Open {
  readonly node: Node;
  /** Within an element of text, everything is XHTML. */
  readonly holdsText: boolean;
  /** Blanks between the elements of a composite are layout. */
  readonly dropsBlanks: boolean;
}

/** Where the parser is, within an event. */
interface Where {
  readonly position: () => number;
  readonly textPlace: () => Position;
}

export class MessageTree implements XmlHandler {
  message: Exclude<Message, { refused: string }> | undefined;
  header: OnixElement | undefined;
  /** Those that are complete; whoever takes them sets a new list. */
  products: OnixElement[] = [];
  remarks: Remark[] = [];
  private said = 0;
  private doctypeText = "";
  /** Of the root. */
  namespace = "";
  private rootPrefix = "";
  /** Elements that are open, the root included. */
  private depth = 0;
  /** Those of the product or header that is being built; none between them, and in what is passed over. */
  private stack: Open[] = [];
  private elements = 0;
  private startsAt = 0;

  constructor(private readonly at: Where) {}

  doctype(text: string): void {
    this.doctypeText = text;
  }

  open(tag: OpenTag): void {
    if (++this.depth > DEEPEST) refuse(`elements nested more than ${DEEPEST} deep`, tag);
    if (this.depth === 1) this.root(tag);
    else if (this.depth === 2) this.part(tag);
    else if (this.stack.length > 0) this.inner(tag);
  }

  text(text: string): void {
    const parent = this.stack.at(-1);
    if ((parent?.dropsBlanks ?? true) && /^[ \t\r\n]*$/.test(text)) return;
    if (!parent) {
      if (this.depth === 1)
        this.remark("stray-text", "text between products: passed over", this.at.textPlace());
      return;
    }
    const { children } = parent.node;
    const last = children.length - 1;
    const before = children[last];
    if (typeof before === "string") children[last] = before + text;
    else if (text !== "") children.push(text);
  }

  close(): void {
    this.depth--;
    const done = this.stack.pop();
    if (!done || this.stack.length > 0) return;
    if (done.node.name === "Header") this.header ??= done.node;
    else this.products.push(done.node);
  }

  /** Between the parts of a message whose elements have no prefix: a `<Product>` here is ONIX's. */
  get isBetweenParts(): boolean {
    return this.depth === 1 && this.rootPrefix === "";
  }

  /** To be asked between writes: a product that never ends must not fill the memory. */
  checkSize(position: number): void {
    const first = this.stack[0];
    if (first && position - this.startsAt > LONGEST_PRODUCT) {
      refuse(`a ${first.node.name} of more than 16 MB`, first.node);
    }
  }

  remark(kind: Remark["kind"], text: string, { line, column }: Position): void {
    if (++this.said <= MOST_REMARKS) this.remarks.push({ kind, text, line, column });
  }

  private root(tag: OpenTag): void {
    const release = tag.attributes.find((attribute) => attribute.name === "release")?.value;
    const message = messageOf({
      name: tag.name,
      namespace: tag.namespace,
      release,
      doctype: this.doctypeText,
    });
    if ("refused" in message) refuse(message.refused, tag);
    this.message = message;
    this.namespace = tag.namespace;
    this.rootPrefix = tag.prefix;
  }

  private part(tag: OpenTag): void {
    const name = this.ruleOf(tag)?.name;
    if (name === "Header" || name === "Product") {
      this.elements = 0;
      this.startsAt = this.at.position();
      this.inner(tag);
    } else if (name !== "NoProduct") {
      this.remark(
        "unknown-element",
        `<${printable(tag.name)}> is no part of an ONIX message: passed over`,
        tag,
      );
    }
  }

  private inner(tag: OpenTag): void {
    const parent = this.stack.at(-1);
    if (++this.elements > MOST_ELEMENTS)
      refuse(`a ${this.stack[0]!.node.name} of more than 200,000 elements`, tag);
    const isXhtml = parent?.holdsText ?? false;
    const rule = isXhtml ? undefined : this.ruleOf(tag);
    const { line, column } = tag;
    const node: Node = {
      name: rule?.name ?? tag.name,
      attributes: attributesOf(tag.attributes),
      children: [],
      line,
      column,
    };
    parent?.node.children.push(node);
    this.stack.push({
      node,
      holdsText: isXhtml || rule?.kind === "data" || rule?.kind === "markup",
      dropsBlanks: rule?.kind === "composite" || rule?.kind === "flag",
    });
  }

  /** A foreign element keeps its own name, even when it looks like a short tag. */
  private ruleOf({ name, namespace }: OpenTag): ElementRule | undefined {
    const isOnix = namespace === "" || namespace === this.namespace || isOnixNamespace(namespace);
    return isOnix ? elementByTag(name) : undefined;
  }
}

const NONE: OnixElement["attributes"] = [];

/**
 * Declarations of namespaces and schemas say how to read the document, and are read. Prefixes are gone, but for
 * `xml:`, which needs no declaration; of two attributes that are the same without theirs, ONIX's own stays.
 */
function attributesOf(all: readonly XmlAttribute[]): OnixElement["attributes"] {
  if (all.length === 0) return NONE;
  const kept: [string, string][] = [];
  for (const { name, prefix, local, uri, value } of all) {
    if (name === "xmlns" || prefix === "xmlns" || uri === SCHEMA_INSTANCE) continue;
    if (prefix === "" || prefix === "xml") kept.push([name, value]);
    else if (!all.some((other) => other.name === local)) kept.push([local, value]);
  }
  return kept.length === 0 ? NONE : kept;
}

function refuse(reason: string, { line, column }: Position): never {
  throw new FeedError(reason, line, column);
}
