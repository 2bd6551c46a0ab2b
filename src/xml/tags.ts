/** Start tags and end tags. */
import { printable } from "../feed/feed-error.ts";
import type { Attributes } from "./attributes.ts";
import {
  COLON,
  GREATER_THAN,
  isForbiddenAt,
  isWhitespace,
  NAME_START_BYTE,
  NO_NAME_BYTE,
  nameClass,
  SLASH,
} from "./characters.ts";
import type { Cursor } from "./cursor.ts";
import { ElementPrefix } from "./element-prefix.ts";
import { isSameBytes, letterCode, type NameTable, NO_NODE, ROOT_NODE } from "./names.ts";
import { type Namespaces, NO_NAMESPACE } from "./namespaces.ts";
import {
  type DocumentContext,
  MAX_DEPTH,
  MEMBERS,
  NAME_LENGTH,
  NAME_START,
  NAMESPACE,
  NODE,
  type OpenElements,
  PREFIX_LENGTH,
} from "./open-elements.ts";
import { utf8Text } from "./references.ts";

export class Tags {
  /** The symbol of the local name in the table of names, or -1. */
  symbol = -1;
  /** The name begins at `qualifiedStart` with its prefix, and at `nameStart` without it. */
  qualifiedStart = 0;
  nameStart = 0;
  nameEnd = 0;
  namespace = NO_NAMESPACE;
  /** The tag ends with `/>`. */
  isEmpty = false;
  attributeCount = 0;
  /** Undefined until the root element is open. */
  context: DocumentContext | undefined;
  /** The node of the last tag; that of an end tag is counted from `names.nodeCount`. */
  private lastNode = NO_NODE;
  /** The node of the start tag that followed each tag the last time. Feeds repeat elements in the same order. */
  private readonly predictedNode: Uint16Array;
  private readonly prefix: ElementPrefix;
  /** The node of the name that was looked up last. */
  private foundNode = NO_NODE;

  constructor(
    private readonly names: NameTable,
    private readonly cursor: Cursor,
    private readonly elements: OpenElements,
    private readonly namespaces: Namespaces,
    private readonly attributes: Attributes,
  ) {
    this.predictedNode = new Uint16Array(2 * names.nodeCount);
    this.prefix = new ElementPrefix(cursor, attributes);
  }

  begin(context: DocumentContext | undefined): void {
    this.context = context;
    this.prefix.forget();
  }

  /** Reads the start tag at `start`. */
  scanStart(start: number): void {
    const { names, cursor, prefix } = this;
    const { depth } = this.elements;
    const isPrefixed = prefix.length > 0 && prefix.matches(start + 1);
    const nameStart = isPrefixed ? start + 1 + prefix.length : start + 1;
    // Comparing with the name that followed the last time is faster than looking the name up.
    const node = this.predictedNode[this.lastNode]!;
    const from = names.nameStarts[node]!;
    const length = names.nameLengths[node]!;
    const nameEnd = nameStart + length;
    // The `>` behind the name is compared, too.
    const isPredicted =
      nameEnd < cursor.end && isSameBytes(cursor.view, nameStart, names.nameView, from, length + 1);
    if (isPredicted && depth > 0 && depth < MAX_DEPTH) {
      this.attributeCount = 0;
      this.isEmpty = false;
      cursor.position = nameEnd + 1;
      const namespace = isPrefixed ? prefix.namespace : this.namespaces.defaultId;
      this.open(start, nameStart, nameEnd, node, namespace);
    } else this.scanUnpredictedStart(start, nameStart);
  }

  /** Reads a start tag with another name, or with attributes, or of the root. `knownNameStart` is behind the prefix. */
  private scanUnpredictedStart(start: number, knownNameStart: number): void {
    const { cursor, elements } = this;
    const { input } = cursor;
    const { depth } = elements;
    let nameStart = knownNameStart;
    let nameEnd = this.findSimpleNameEnd(nameStart);
    let isResolved = true;
    if (nameEnd < 0) {
      nameEnd = this.findNameEnd(start + 1);
      const colon = input.subarray(start + 1, nameEnd).indexOf(COLON);
      nameStart = start + 1 + colon + 1;
      isResolved = colon < 0;
      this.foundNode = this.names.nodeAt(input, nameStart, nameEnd);
    }
    const node = this.foundNode;
    this.predictedNode[this.lastNode] = node;
    if (depth === 0 && elements.hasRoot) this.rejectSecondRoot(nameEnd);
    this.attributeCount = 0;
    this.isEmpty = false;
    cursor.position = nameEnd + 1;
    const hasDeclarations = input[nameEnd] !== GREATER_THAN && this.scanAttributes(nameEnd);
    if (hasDeclarations) this.prefix.forget();
    let namespace = this.namespaces.defaultId;
    if (nameStart > start + 1) {
      if (hasDeclarations || !isResolved) this.prefix.resolve(start + 1, nameStart, nameEnd);
      namespace = this.prefix.namespace;
    }
    if (this.attributeCount > 0) this.attributes.resolve();
    if (depth === MAX_DEPTH) cursor.rejectToken(`elements are nested more than ${MAX_DEPTH} levels deep`);
    this.open(start, nameStart, nameEnd, node, namespace);
    if (depth === 0) this.openRoot();
    if (this.isEmpty && hasDeclarations) this.leaveNamespaces(depth + 1);
  }

  /** Returns the end of a name of letters, digits and `_`, and sets `foundNode`. Returns -1 for other names. */
  private findSimpleNameEnd(nameStart: number): number {
    const { input, end } = this.cursor;
    const { steps, symbolOfNode } = this.names;
    let node = ROOT_NODE;
    let offset = nameStart;
    for (; offset < end; offset++) {
      const letter = letterCode[input[offset]!]!;
      if (letter === 0) break;
      node = steps[node * 64 + letter]!;
    }
    this.foundNode = symbolOfNode[node]! < 0 ? NO_NODE : node;
    const isSimple =
      offset > nameStart &&
      offset < end &&
      nameClass[input[nameStart]!] === NAME_START_BYTE &&
      nameClass[input[offset]!] === NO_NAME_BYTE;
    return isSimple ? offset : -1;
  }

  /** Returns the end of a name with any characters. */
  private findNameEnd(start: number): number {
    const { cursor } = this;
    const offset = cursor.skipName(start);
    if (offset >= cursor.end) cursor.rejectEnd();
    if (offset === start) {
      if (isForbiddenAt(cursor.input, start)) cursor.rejectCharacter("", start);
      cursor.rejectToken("not well-formed: < does not begin a tag: write &lt;");
    }
    return offset;
  }

  /** Reads the rest of a start tag from the end of its name. Returns whether it declares namespaces. */
  private scanAttributes(nameEnd: number): boolean {
    const { cursor, attributes } = this;
    const next = cursor.input[nameEnd]!;
    if (next !== SLASH && !isWhitespace(next)) {
      cursor.rejectCharacter("disallowed character in a tag name", nameEnd);
    }
    cursor.position = attributes.scan(nameEnd, this.elements.depth + 1);
    cursor.checkTokenBytes(cursor.position);
    this.attributeCount = attributes.count;
    this.isEmpty = attributes.isEmptyElement;
    return attributes.hasDeclarations;
  }

  /** Sets the members, and opens the element unless it is empty. */
  private open(start: number, nameStart: number, nameEnd: number, node: number, namespace: number): void {
    const { names, elements } = this;
    const { members, depth } = elements;
    const qualifiedStart = start + 1;
    this.symbol = names.symbolOfNode[node]!;
    this.qualifiedStart = qualifiedStart;
    this.nameStart = nameStart;
    this.nameEnd = nameEnd;
    this.namespace = namespace;
    if (this.isEmpty) {
      this.lastNode = names.nodeCount + node;
      return;
    }
    this.lastNode = node;
    const top = depth * MEMBERS;
    members[top + NAME_START] = qualifiedStart;
    members[top + NAME_LENGTH] = nameEnd - qualifiedStart;
    members[top + PREFIX_LENGTH] = nameStart - qualifiedStart;
    members[top + NODE] = node;
    members[top + NAMESPACE] = namespace;
    elements.depth = depth + 1;
  }

  private openRoot(): void {
    this.elements.hasRoot = true;
    const rootName = utf8Text(this.cursor.input, this.qualifiedStart, this.nameEnd);
    this.context = { rootName, namespaces: this.namespaces.inScope() };
  }

  private rejectSecondRoot(nameEnd: number): never {
    const { cursor } = this;
    if (isForbiddenAt(cursor.input, nameEnd)) cursor.rejectCharacter("", nameEnd);
    return cursor.rejectToken("not well-formed: a second root element");
  }

  /** Ends the scope of the namespaces that the element at this depth declares. */
  leaveNamespaces(depth: number): void {
    this.namespaces.leave(depth);
    this.prefix.forget();
  }

  /** Reads the end tag at `start`, and closes the innermost element. */
  scanEnd(start: number): void {
    const { cursor, elements, names } = this;
    const { members, depth } = elements;
    const { input, view } = cursor;
    const top = (depth - 1) * MEMBERS;
    const nameStart = start + 2;
    let nameEnd = nameStart;
    let isSame = false;
    if (depth > 0) {
      const length = members[top + NAME_LENGTH]!;
      nameEnd += length;
      isSame =
        nameEnd < cursor.end &&
        input[nameEnd] === GREATER_THAN &&
        isSameBytes(view, nameStart, view, members[top + NAME_START]!, length);
    }
    if (isSame) cursor.position = nameEnd + 1;
    else nameEnd = this.scanUnusualEnd(nameStart);
    const node = members[top + NODE]!;
    this.qualifiedStart = nameStart;
    this.nameStart = nameStart + members[top + PREFIX_LENGTH]!;
    this.nameEnd = nameEnd;
    this.symbol = names.symbolOfNode[node]!;
    this.namespace = members[top + NAMESPACE]!;
    this.lastNode = names.nodeCount + node;
    if (this.namespaces.innermostDepth === depth) this.leaveNamespaces(depth);
    elements.depth = depth - 1;
  }

  /** Reads an end tag with whitespace, or of the root of an earlier chunk, or a wrong one. Returns the end of its name. */
  private scanUnusualEnd(nameStart: number): number {
    const { cursor, elements } = this;
    const { input, end } = cursor;
    const nameEnd = cursor.skipNameCharacters(nameStart);
    const offset = cursor.skipWhitespace(nameEnd);
    if (offset >= end) cursor.rejectEnd();
    if (input[offset] !== GREATER_THAN) cursor.rejectCharacter("disallowed character in an end tag", offset);
    const name = utf8Text(input, nameStart, nameEnd);
    if (name === "") cursor.rejectToken("not well-formed: an end tag without a name");
    if (elements.depth === 0) {
      cursor.rejectToken(`not well-formed: </${printable(name)}> found where no element is open`);
    }
    const expected = elements.innermostName(input);
    if (name !== expected) {
      cursor.rejectToken(
        `not well-formed: </${printable(name)}> found where </${printable(expected)}> is expected`,
      );
    }
    cursor.position = offset + 1;
    cursor.checkTokenBytes(offset);
    return nameEnd;
  }
}
