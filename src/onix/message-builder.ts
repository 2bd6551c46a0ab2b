/** Builds the header and the products of a message from the events of the XML parser. */
import { FeedError, printable } from "../feed/feed-error.ts";
import type { OpenTag, XmlAttribute, XmlHandler } from "../xml/parser.ts";
import type { Position } from "../xml/position.ts";
import type { OnixElement } from "./element.ts";
import { type ElementRule, elementByTag } from "./element-table.ts";
import { detectVersion, isOnixNamespace, type MessageVersion } from "./message-version.ts";
import type { Remark } from "./remark.ts";

/** Limits of one product, which bound the memory that a hostile feed can use. Real products stay far below them. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 200_000;
const MAX_PRODUCT_UNITS = 16 << 20;
/** Further remarks about the message as a whole are dropped. */
const MAX_REMARKS = 100;

const SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

interface MutableElement extends OnixElement {
  readonly children: (OnixElement | string)[];
}

interface OpenElement {
  readonly element: MutableElement;
  /** Children of a text element are XHTML. */
  readonly holdsText: boolean;
  /** Whitespace between the children of a composite is layout. */
  readonly dropsWhitespace: boolean;
}

/** The state of the parser within an event. */
interface ParserState {
  /** UTF-16 units parsed so far. */
  readonly offset: () => number;
  readonly textPosition: () => Position;
}

export class MessageBuilder implements XmlHandler {
  /** Is set at the start of the root element. */
  version: MessageVersion | undefined;
  header: OnixElement | undefined;
  /** Complete products. The consumer replaces the array when it takes them. */
  products: OnixElement[] = [];
  /** Remarks about the message as a whole. The consumer replaces the array when it takes them. */
  remarks: Remark[] = [];
  private remarkCount = 0;
  private doctypeText = "";
  private rootNamespace = "";
  private rootPrefix = "";
  /** How many elements are open, including the root. */
  private depth = 0;
  /** Open elements of the current product or header. Is empty between them and in ignored elements. */
  private stack: OpenElement[] = [];
  private elementCount = 0;
  private startOffset = 0;

  constructor(private readonly parser: ParserState) {}

  doctype(text: string): void {
    this.doctypeText = text;
  }

  open(tag: OpenTag): void {
    if (++this.depth > MAX_DEPTH) reject(`elements are nested more than ${MAX_DEPTH} levels deep`, tag);
    if (this.depth === 1) this.openRoot(tag);
    else if (this.depth === 2) this.openPart(tag);
    else if (this.stack.length > 0) this.openElement(tag);
  }

  text(text: string): void {
    const parent = this.stack.at(-1);
    if ((parent?.dropsWhitespace ?? true) && /^[ \t\r\n]*$/.test(text)) return;
    if (!parent) {
      if (this.depth === 1)
        this.remark("stray-text", "text between products is ignored", this.parser.textPosition());
      return;
    }
    const { children } = parent.element;
    const last = children.length - 1;
    const previous = children[last];
    if (typeof previous === "string") children[last] = previous + text;
    else if (text !== "") children.push(text);
  }

  close(): void {
    this.depth--;
    const closed = this.stack.pop();
    if (!closed || this.stack.length > 0) return;
    if (closed.element.name === "Header") this.header ??= closed.element;
    else this.products.push(closed.element);
  }

  /** The next `<Product>` is a product of the message. A root with a prefix is excluded: its products have one too. */
  get isBetweenParts(): boolean {
    return this.depth === 1 && this.rootPrefix === "";
  }

  /** Must be called between writes, so that an endless product cannot fill the memory. */
  checkSize(offset: number): void {
    const first = this.stack[0];
    if (first && offset - this.startOffset > MAX_PRODUCT_UNITS) {
      reject(`a ${first.element.name} is larger than 16 MB`, first.element);
    }
  }

  remark(kind: Remark["kind"], text: string, { line, column }: Position): void {
    if (++this.remarkCount <= MAX_REMARKS) this.remarks.push({ kind, text, line, column });
  }

  private openRoot(tag: OpenTag): void {
    const release = tag.attributes.find((attribute) => attribute.name === "release")?.value;
    const version = detectVersion({
      name: tag.name,
      namespace: tag.namespace,
      release,
      doctype: this.doctypeText,
    });
    if ("error" in version) reject(version.error, tag);
    if ("version" in version) reject(`${version.version} is not supported`, tag);
    this.version = version;
    this.rootNamespace = tag.namespace;
    this.rootPrefix = tag.prefix;
  }

  private openPart(tag: OpenTag): void {
    const name = this.ruleOf(tag)?.name;
    if (name === "Header" || name === "Product") {
      this.elementCount = 0;
      this.startOffset = this.parser.offset();
      this.openElement(tag);
    } else if (name !== "NoProduct") {
      this.remark(
        "unknown-element",
        `<${printable(tag.name)}> is not part of an ONIX message and is ignored`,
        tag,
      );
    }
  }

  private openElement(tag: OpenTag): void {
    const parent = this.stack.at(-1);
    if (++this.elementCount > MAX_ELEMENTS)
      reject(`a ${this.stack[0]!.element.name} has more than 200,000 elements`, tag);
    const isXhtml = parent?.holdsText ?? false;
    const rule = isXhtml ? undefined : this.ruleOf(tag);
    const { line, column } = tag;
    const element: MutableElement = {
      name: rule?.name ?? tag.name,
      attributes: elementAttributes(tag.attributes),
      children: [],
      line,
      column,
    };
    parent?.element.children.push(element);
    this.stack.push({
      element,
      holdsText: isXhtml || rule?.kind === "data" || rule?.kind === "markup",
      dropsWhitespace: rule?.kind === "composite" || rule?.kind === "flag",
    });
  }

  /** Returns undefined for an element of a foreign namespace, even when its name is that of an ONIX element. */
  private ruleOf({ name, namespace }: OpenTag): ElementRule | undefined {
    const isOnix = namespace === "" || namespace === this.rootNamespace || isOnixNamespace(namespace);
    return isOnix ? elementByTag(name) : undefined;
  }
}

const NO_ONIX_ATTRIBUTES: OnixElement["attributes"] = [];

/**
 * Drops namespace and schema declarations, and every prefix except `xml:`, which needs no declaration. When two
 * attributes have the same name without their prefixes, the one without a prefix wins.
 */
function elementAttributes(all: readonly XmlAttribute[]): OnixElement["attributes"] {
  if (all.length === 0) return NO_ONIX_ATTRIBUTES;
  const attributes: [string, string][] = [];
  for (const { name, prefix, local, uri, value } of all) {
    if (name === "xmlns" || prefix === "xmlns" || uri === SCHEMA_INSTANCE) continue;
    if (prefix === "" || prefix === "xml") attributes.push([name, value]);
    else if (!all.some((other) => other.name === local)) attributes.push([local, value]);
  }
  return attributes.length === 0 ? NO_ONIX_ATTRIBUTES : attributes;
}

function reject(reason: string, { line, column }: Position): never {
  throw new FeedError(reason, line, column);
}
