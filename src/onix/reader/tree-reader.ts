/** Reads one child of the root element, a product or the header, from the tokenizer into an element tree. */
import { FeedError } from "../../feed/feed-error.ts";
import type { Position } from "../../xml/position.ts";
import { utf8Text } from "../../xml/references.ts";
import {
  END_TAG,
  incomplete,
  START_TAG,
  TEXT,
  XML_NAMESPACE,
  XMLNS_NAMESPACE,
  type XmlTokenizer,
} from "../../xml/tokenizer.ts";
import {
  COMPOSITE,
  DATA,
  elementKind,
  elementOfSymbol,
  isShortTag,
  MARKUP,
  placementOf,
} from "../element-numbers.ts";
import {
  CDATA_NODE,
  ElementTree,
  HAS_ATTRIBUTES,
  HAS_ELEMENTS,
  HAS_TEXT,
  IS_PLAIN,
  IS_PLAIN_TEXT,
  IS_UNORDERED,
  TEXT_NODE,
  UNKNOWN_ELEMENT,
} from "./element-tree.ts";
import type { OnixNamespaces } from "./root-element.ts";
import { isWhitespaceToken } from "./whitespace-token.ts";

/** Limits of one product, which bound the memory that a hostile feed can use. Real products stay far below them. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 200_000;
const MAX_ATTRIBUTE_NAMES = 1000;

const SCHEMA_INSTANCE = "http://www.w3.org/2001/XMLSchema-instance";

export class TreeReader {
  readonly tree = new ElementTree();
  /** The open elements: their nodes, and the greatest placement among their children so far. */
  private readonly openNodes = new Int32Array(MAX_DEPTH + 2);
  private readonly placements = new Int32Array(MAX_DEPTH + 2);
  /** The last child of each open element that is an element; 0 for none. */
  private readonly lastChildren = new Int32Array(MAX_DEPTH + 2);
  private level = 0;
  /** The level of the open element that holds text; everything inside it is XHTML. -1 outside of one. */
  private textLevel = -1;
  private elementCount = 0;

  constructor(
    private readonly tokenizer: XmlTokenizer,
    private readonly namespaces: OnixNamespaces,
    /** The name of the root of the tree in error messages. */
    private readonly rootName: () => string,
  ) {}

  /** Reads the element whose start tag is the current token, up to its end. Throws `incomplete` at the end of input. */
  read(input: Buffer, view: DataView): void {
    const { tokenizer, tree } = this;
    tree.begin(input, view);
    this.level = -1;
    this.textLevel = -1;
    this.elementCount = 0;
    this.openElement();
    while (this.level >= 0) {
      const token = tokenizer.next();
      if (token === START_TAG) this.openElement();
      else if (token === END_TAG) this.closeElement();
      else if (token === TEXT) this.addText();
      else throw incomplete;
    }
  }

  private openElement(): void {
    const { tokenizer, tree, level } = this;
    const node = tree.add();
    const { symbol } = tokenizer;
    const element = symbol >= 0 && this.textLevel < 0 ? this.elementOf(symbol) : UNKNOWN_ELEMENT;
    tree.kind[node] = element;
    tree.start[node] = tokenizer.tokenStart;
    tree.from[node] = tokenizer.nameStart;
    tree.to[node] = tokenizer.nameEnd;
    tree.flags[node] = 0;
    tree.line[node] = tokenizer.tokenLine;
    tree.lineStart[node] = tokenizer.tokenLineStart;
    tree.firstChild[node] = 0;
    tree.sibling[node] = 0;
    tree.placement[node] = 0;
    tree.attributes[node] = tree.attributeCount;
    if (tokenizer.attributeCount > 0) this.addAttributes(node);
    if (++this.elementCount > MAX_ELEMENTS) {
      reject(`a ${this.rootName()} has more than 200,000 elements`, tree.positionOf(node));
    }
    if (level >= 0) this.noteChild(node, element);
    if (tokenizer.isEmpty) {
      tree.next[node] = tree.count;
      return;
    }
    const opened = level + 1;
    // The root of the document is one more level.
    if (opened + 2 > MAX_DEPTH) {
      reject(`elements are nested more than ${MAX_DEPTH} levels deep`, tree.positionOf(node));
    }
    this.level = opened;
    this.openNodes[opened] = node;
    this.placements[opened] = 0;
    this.lastChildren[opened] = 0;
    if (this.textLevel < 0 && element >= 0) {
      const kind = elementKind[element];
      if (kind === DATA || kind === MARKUP) this.textLevel = opened;
    }
    tokenizer.skipsLayout = this.textLevel < 0 && element >= 0;
  }

  /** In a foreign namespace, a short tag is a name like any other. */
  private elementOf(symbol: number): number {
    const isForeign = isShortTag(symbol) && !this.namespaces.isOnix(this.tokenizer.namespace);
    return isForeign ? UNKNOWN_ELEMENT : elementOfSymbol[symbol]!;
  }

  /** Tells the parent of a new element about it. */
  private noteChild(node: number, element: number): void {
    const { tree, level } = this;
    const parent = this.openNodes[level]!;
    const composite = tree.kind[parent]!;
    const last = this.lastChildren[level]!;
    if (last === 0) tree.firstChild[parent] = node;
    else tree.sibling[last] = node;
    this.lastChildren[level] = node;
    if (this.textLevel >= 0 || composite < 0 || elementKind[composite] !== COMPOSITE) {
      tree.flags[parent]! |= HAS_ELEMENTS;
      return;
    }
    const placement = element >= 0 ? placementOf(composite, element) : 0;
    // An element that is not allowed here has the placement 0, which is less than that of the child before.
    tree.placement[node] = placement;
    if (placement < this.placements[level]! || placement === 0) tree.flags[parent]! |= IS_UNORDERED;
    else this.placements[level] = placement;
    tree.flags[parent]! |= HAS_ELEMENTS;
  }

  private closeElement(): void {
    const { tree } = this;
    const node = this.openNodes[this.level]!;
    tree.next[node] = tree.count;
    // The flags of an element never contain IS_PLAIN.
    if (tree.count === node + 2 && (tree.flags[node + 1]! & IS_PLAIN) !== 0)
      tree.flags[node]! |= IS_PLAIN_TEXT;
    if (this.textLevel === this.level) this.textLevel = -1;
    this.level--;
    this.tokenizer.skipsLayout =
      this.textLevel < 0 && (this.level < 0 || tree.kind[this.openNodes[this.level]!]! >= 0);
  }

  private addText(): void {
    const { tokenizer, tree } = this;
    const { textStart, textEnd } = tokenizer;
    if (textStart === textEnd) return;
    const parent = this.openNodes[this.level]!;
    if (isWhitespaceToken(tokenizer, tree.input)) {
      // Whitespace between the children of a composite is layout.
      const isText = this.textLevel >= 0 || tree.kind[parent]! < 0;
      if (!isText) return;
    } else tree.flags[parent]! |= HAS_TEXT;
    const node = tree.add();
    tree.kind[node] = tokenizer.isCdata ? CDATA_NODE : TEXT_NODE;
    tree.start[node] = textStart;
    tree.from[node] = textStart;
    tree.to[node] = textEnd;
    tree.next[node] = tree.count;
    tree.flags[node] = tokenizer.isPlain ? IS_PLAIN : 0;
    tree.line[node] = tokenizer.tokenLine;
    tree.lineStart[node] = tokenizer.tokenLineStart;
    tree.attributes[node] = tree.attributeCount;
  }

  /**
   * Adds the attributes of the current start tag. Drops namespace and schema declarations, and every prefix except
   * `xml:`, which needs no declaration. When two attributes have the same name without their prefixes, the one without
   * a prefix wins.
   */
  private addAttributes(node: number): void {
    const { tokenizer, tree } = this;
    const first = tree.attributeCount;
    for (let index = 0; index < tokenizer.attributeCount; index++) {
      const namespace = tokenizer.attributeNamespace[index]!;
      if (namespace === 0 || namespace === XML_NAMESPACE) {
        this.addAttribute(index, tokenizer.attributeQualifiedStart[index]!, first);
      } else if (namespace !== XMLNS_NAMESPACE && tokenizer.namespaceUri(namespace) !== SCHEMA_INSTANCE) {
        if (!this.hasUnprefixed(index)) this.addAttribute(index, tokenizer.attributeNameStart[index]!, first);
      }
    }
    if (tree.attributeCount > first) tree.flags[node]! |= HAS_ATTRIBUTES;
    if (tree.attributeNames.count > MAX_ATTRIBUTE_NAMES) {
      reject(`a ${this.rootName()} has more than 1,000 different attributes`, tree.positionOf(node));
    }
  }

  /** Tells whether the current start tag has the name of this attribute without its prefix too. */
  private hasUnprefixed(index: number): boolean {
    const { tokenizer, tree } = this;
    const nameOf = (attribute: number) =>
      utf8Text(tree.input, tokenizer.attributeNameStart[attribute]!, tokenizer.attributeNameEnd[attribute]!);
    for (let other = 0; other < tokenizer.attributeCount; other++) {
      if (tokenizer.attributeNamespace[other] === 0 && nameOf(other) === nameOf(index)) return true;
    }
    return false;
  }

  private addAttribute(index: number, nameStart: number, first: number): void {
    const { tokenizer, tree } = this;
    const name = tree.attributeNames.numberOf(tree.input, nameStart, tokenizer.attributeNameEnd[index]!);
    for (let other = first; other < tree.attributeCount; other++) {
      if (tree.attributeName[other] === name) return;
    }
    const attribute = tree.addAttribute();
    tree.attributeName[attribute] = name;
    tree.attributeFrom[attribute] = tokenizer.attributeFrom[index]!;
    tree.attributeTo[attribute] = tokenizer.attributeTo[index]!;
    tree.attributeFlags[attribute] = tokenizer.attributeIsPlain[index] === 1 ? IS_PLAIN : 0;
  }
}

/** Throws the error of a feed that exceeds a limit. */
export function reject(reason: string, { line, column }: Position): never {
  throw new FeedError(reason, line, column);
}
