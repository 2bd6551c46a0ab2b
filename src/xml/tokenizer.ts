/**
 * A strict XML tokenizer on a buffer of UTF-8 bytes. `next` returns one token after the other; its members say where
 * it is in the buffer. Nothing is copied or decoded.
 *
 * A document may be cut into chunks between the children of its root element: each chunk is a buffer of its own, and
 * may be read by another tokenizer. Nothing is fetched, and no entity of a DTD is expanded.
 */
import { printable } from "../feed/feed-error.ts";
import { Attributes } from "./attributes.ts";
import { CharacterData } from "./character-data.ts";
import {
  COLON,
  CR,
  EXCLAMATION_MARK,
  GREATER_THAN,
  isForbiddenAt,
  isWhitespace,
  LESS_THAN,
  LF,
  NAME_START_BYTE,
  NO_NAME_BYTE,
  nameClass,
  QUESTION_MARK,
  SLASH,
  SPACE,
  TAB,
} from "./characters.ts";
import { Cursor } from "./cursor.ts";
import { letterCode, type NameTable, NO_NODE } from "./names.ts";
import { Namespaces, NO_NAMESPACE, XMLNS_NAMESPACE } from "./namespaces.ts";
import { MAX_DEPTH, OpenElements } from "./open-elements.ts";
import { utf8Text } from "./references.ts";
import { skipComment, skipDoctype, skipProcessingInstruction } from "./skipped-markup.ts";
import { isXmlDeclaration, skipXmlDeclaration } from "./xml-declaration.ts";

export { incomplete } from "./cursor.ts";
export { NO_NAMESPACE, XML_NAMESPACE, XMLNS_NAMESPACE } from "./namespaces.ts";

/** Tokens. */
export const END_OF_INPUT = 0;
export const START_TAG = 1;
export const END_TAG = 2;
export const TEXT = 3;
export const DOCTYPE = 4;

/** Where a later chunk begins: inside the root element, between its children. Plain data. */
export interface DocumentContext {
  /** With its prefix. */
  readonly rootName: string;
  /** Those in scope in the root element. The default namespace has an empty prefix. */
  readonly namespaces: readonly (readonly [prefix: string, uri: string])[];
}

const COMMENT_START = "<!--";
const CDATA_START = "<![CDATA[";
const DOCTYPE_START = "<!DOCTYPE";

export class XmlTokenizer {
  /** Of a tag: the symbol of its local name in the table of names, or -1. */
  symbol = -1;
  /** Of a tag: its name begins at `qualifiedStart` with its prefix, and at `nameStart` without it. */
  qualifiedStart = 0;
  nameStart = 0;
  nameEnd = 0;
  /** Of a tag: the id of its namespace; see `namespaceUri`. */
  namespace = NO_NAMESPACE;
  /** Of a start tag: it ends with `/>`, and no END_TAG follows. */
  isEmpty = false;
  /** The number of attributes of a start tag. The arrays below are valid until the next call. */
  attributeCount = 0;
  readonly attributeQualifiedStart: Int32Array;
  readonly attributeNameStart: Int32Array;
  readonly attributeNameEnd: Int32Array;
  readonly attributeFrom: Int32Array;
  readonly attributeTo: Int32Array;
  readonly attributeIsPlain: Uint8Array;
  readonly attributeNamespace: Int32Array;

  /** Whitespace between two tags is skipped instead of being returned as a TEXT. The caller may change it any time. */
  skipsLayout = false;

  private readonly elements = new OpenElements();
  private readonly cursor = new Cursor(this.elements);
  private readonly namespaces = new Namespaces();
  private readonly attributes = new Attributes(this.cursor, this.namespaces);
  private readonly data = new CharacterData(this.cursor);
  /** The node of the last tag; that of an end tag is counted from `names.nodeCount`. */
  private lastNode = 0;
  /** The node of the start tag that followed each tag the last time. Feeds repeat the same elements in the same order. */
  private readonly predictedNode: Uint16Array;
  /** The prefix of the last tag, with its colon; its length is 0 when there was none. */
  private prefixStart = 0;
  private prefixLength = 0;
  private prefixNamespace = NO_NAMESPACE;
  private isDocumentStart = true;
  private hasRoot = false;
  private hasDoctype = false;
  private documentContext: DocumentContext | undefined;

  constructor(private readonly names: NameTable) {
    this.predictedNode = new Uint16Array(2 * names.nodeCount);
    const { attributes } = this;
    this.attributeQualifiedStart = attributes.qualifiedStart;
    this.attributeNameStart = attributes.nameStart;
    this.attributeNameEnd = attributes.nameEnd;
    this.attributeFrom = attributes.from;
    this.attributeTo = attributes.to;
    this.attributeIsPlain = attributes.isPlain;
    this.attributeNamespace = attributes.namespace;
  }

  /**
   * Begins a chunk: the valid UTF-8 in `input` up to `end`. Without a context it is the start of the document, without
   * a byte order mark. `isLast` says that no bytes of the document follow.
   */
  begin(input: Uint8Array, end: number, context: DocumentContext | undefined, isLast: boolean): void {
    this.cursor.begin(input, end, isLast);
    this.namespaces.begin(context?.namespaces ?? []);
    this.documentContext = context;
    this.hasRoot = context !== undefined;
    this.isDocumentStart = context === undefined;
    this.hasDoctype = false;
    this.prefixLength = 0;
    const [prefix, local] = splitName(context?.rootName ?? "");
    const { names } = this;
    const bytes = new TextEncoder().encode(local);
    const namespace = prefix === "" ? this.namespaces.defaultId : this.namespaces.resolve(prefix);
    this.elements.begin(context?.rootName, namespace, names.nodeAt(bytes, 0, bytes.length));
  }

  /** The number of open elements after this token, with the root. An empty element is not counted. */
  get depth(): number {
    return this.elements.depth;
  }

  /** The context for a chunk that begins between the children of the root element, once that is open. */
  get context(): DocumentContext {
    if (this.documentContext === undefined) throw new Error("the root element has not been read");
    return this.documentContext;
  }

  get tokenStart(): number {
    return this.cursor.tokenStart;
  }

  get tokenLine(): number {
    return this.cursor.tokenLine;
  }

  get tokenLineStart(): number {
    return this.cursor.tokenLineStart;
  }

  get position(): number {
    return this.cursor.position;
  }

  get line(): number {
    return this.cursor.line;
  }

  get lineStart(): number {
    return this.cursor.lineStart;
  }

  /** Of a TEXT, which is a run of character data or a CDATA section, or of a DOCTYPE. */
  get textStart(): number {
    return this.data.start;
  }

  get textEnd(): number {
    return this.data.end;
  }

  get isCdata(): boolean {
    return this.data.isCdata;
  }

  /** Of a TEXT: there is no `&`, CR, LF, TAB, `"` or `\`, so that its bytes may be copied into JSON. */
  get isPlain(): boolean {
    return this.data.isPlain;
  }

  get isWhitespace(): boolean {
    return this.data.isWhitespace;
  }

  namespaceUri(id: number): string {
    return this.namespaces.uriOf(id);
  }

  /**
   * Reads the next token. Throws a FeedError when the document is not well-formed, and `incomplete` when a chunk that
   * is not the last ends inside a token.
   */
  next(): number {
    const { cursor } = this;
    const { input, end } = cursor;
    for (;;) {
      const start = cursor.position;
      cursor.tokenStart = start;
      cursor.tokenLine = cursor.line;
      cursor.tokenLineStart = cursor.lineStart;
      if (start >= end) return this.endOfInput();
      if (input[start] !== LESS_THAN) {
        if (this.elements.depth === 0) this.skipOutsideRoot();
        else if (!this.skipsLayout || !this.skipLayout(start)) return this.scanText();
        continue;
      }
      const next = start + 1 < end ? input[start + 1]! : cursor.rejectEnd();
      if (next === SLASH) return this.scanEndTag(start);
      if (next === EXCLAMATION_MARK) {
        const token = this.scanDeclaration(start);
        if (token !== END_OF_INPUT) return token;
      } else if (next === QUESTION_MARK) {
        if (start === 0 && this.isDocumentStart && isXmlDeclaration(input, end)) skipXmlDeclaration(cursor);
        else skipProcessingInstruction(cursor);
      } else return this.scanStartTag(start, next);
    }
  }

  private endOfInput(): number {
    const { cursor } = this;
    if (cursor.isLast) {
      if (this.elements.depth > 0) cursor.rejectEnd();
      if (!this.hasRoot) cursor.rejectToken("not well-formed: no root element");
    }
    return END_OF_INPUT;
  }

  /** Skips whitespace up to a tag. Returns false, and skips nothing, when it is part of a text or ends with the input. */
  private skipLayout(start: number): boolean {
    const { cursor } = this;
    const { input, end } = cursor;
    let { line, lineStart } = cursor;
    let offset = start;
    for (; offset < end; offset++) {
      const byte = input[offset]!;
      if (byte === SPACE || byte === TAB) continue;
      if (byte === LF) {
        line++;
        lineStart = offset + 1;
      } else if (byte !== CR || input[offset + 1] !== LF) break;
    }
    if (offset >= end || input[offset] !== LESS_THAN) return false;
    cursor.checkTokenBytes(offset);
    cursor.position = offset;
    cursor.line = line;
    cursor.lineStart = lineStart;
    return true;
  }

  private scanText(): number {
    const { cursor, data } = this;
    data.scanText();
    const { position, input } = cursor;
    if (position >= cursor.end) {
      // Whitespace between the children of the root may be cut anywhere, but not inside a CR LF.
      const mayEnd = data.isWhitespace && this.elements.depth === 1 && input[position - 1] !== CR;
      if (cursor.isLast || !mayEnd) cursor.rejectEnd();
    }
    return TEXT;
  }

  /** Skips whitespace before and after the root element. */
  private skipOutsideRoot(): void {
    const { cursor } = this;
    const next = cursor.skipWhitespace(cursor.position);
    cursor.checkTokenBytes(next);
    cursor.position = next;
    if (next < cursor.end && cursor.input[next] !== LESS_THAN) {
      cursor.rejectCharacter("text outside the root element", next);
    }
  }

  /** Reads the markup at a `<!`. Returns END_OF_INPUT after a comment, which is no token. */
  private scanDeclaration(start: number): number {
    const { cursor, data } = this;
    if (this.isMarkup(start, COMMENT_START)) {
      skipComment(cursor);
      return END_OF_INPUT;
    }
    if (this.isMarkup(start, CDATA_START)) {
      if (this.elements.depth === 0) cursor.rejectToken("not well-formed: text outside the root element");
      data.scanCdata();
      return TEXT;
    }
    if (!this.isMarkup(start, DOCTYPE_START)) cursor.rejectToken("not well-formed: incorrect syntax");
    if (this.hasRoot || this.hasDoctype) {
      cursor.rejectToken("not well-formed: inappropriately located doctype declaration");
    }
    this.hasDoctype = true;
    skipDoctype(cursor);
    data.start = start + DOCTYPE_START.length;
    data.end = cursor.position - 1;
    return DOCTYPE;
  }

  /** Tells whether the markup at `start` begins with these characters. */
  private isMarkup(start: number, expected: string): boolean {
    const { cursor } = this;
    const { input, end } = cursor;
    for (let index = 2; index < expected.length; index++) {
      if (start + index >= end) cursor.rejectEnd();
      if (input[start + index] !== expected.charCodeAt(index)) return false;
    }
    return true;
  }

  private scanStartTag(start: number, firstByte: number): number {
    const { cursor, names, elements, predictedNode } = this;
    const { input, end } = cursor;
    const { nameBytes } = names;
    let nameStart = start + 1;
    if (this.prefixLength > 0 && this.matchesLastPrefix(nameStart)) nameStart += this.prefixLength;
    let node = predictedNode[this.lastNode]!;
    const length = names.nameLengths[node]!;
    const from = names.nameStarts[node]!;
    let nameEnd = nameStart + length;
    let isPredicted = node !== NO_NODE && nameEnd < end && nameClass[input[nameEnd]!] === NO_NAME_BYTE;
    for (let index = 0; isPredicted && index < length; index++) {
      isPredicted = input[nameStart + index] === nameBytes[from + index];
    }
    if (!isPredicted) {
      nameEnd = this.scanName(start + 1, firstByte);
      ({ nameStart } = this);
      node = names.nodeAt(input, nameStart, nameEnd);
      predictedNode[this.lastNode] = node;
    }
    const depth = elements.depth;
    if (depth === 0) this.checkRoot(nameEnd);
    const next = input[nameEnd]!;
    this.attributeCount = 0;
    let isEmpty = false;
    let position = nameEnd + 1;
    let hasDeclarations = false;
    if (next !== GREATER_THAN) {
      const { attributes } = this;
      if (next !== SLASH && !isWhitespace(next)) {
        cursor.rejectCharacter("disallowed character in tag name", nameEnd);
      }
      position = attributes.scan(nameEnd, depth + 1);
      cursor.checkTokenBytes(position);
      ({ hasDeclarations } = attributes);
      isEmpty = attributes.isEmptyElement;
    }
    if (hasDeclarations) this.prefixLength = 0;
    let namespace = this.namespaces.defaultId;
    if (nameStart !== start + 1) {
      if (!isPredicted || hasDeclarations) this.resolvePrefix(start + 1, nameStart, nameEnd);
      namespace = this.prefixNamespace;
    }
    if (next !== GREATER_THAN) {
      this.attributeCount = this.attributes.count;
      if (this.attributeCount > 0) this.attributes.resolve();
    }
    if (depth === MAX_DEPTH) cursor.rejectToken(`elements are nested more than ${MAX_DEPTH} levels deep`);
    this.symbol = names.symbolOfNode[node]!;
    this.qualifiedStart = start + 1;
    this.nameStart = nameStart;
    this.nameEnd = nameEnd;
    this.namespace = namespace;
    this.isEmpty = isEmpty;
    cursor.position = position;
    if (depth === 0) this.openRoot();
    if (isEmpty) {
      this.lastNode = names.nodeCount + node;
      if (hasDeclarations) this.leaveNamespaces(depth + 1);
    } else {
      this.lastNode = node;
      elements.nameStart[depth] = start + 1;
      elements.nameLength[depth] = nameEnd - start - 1;
      elements.prefixLength[depth] = nameStart - start - 1;
      elements.node[depth] = node;
      elements.namespace[depth] = namespace;
      elements.depth = depth + 1;
    }
    return START_TAG;
  }

  private matchesLastPrefix(offset: number): boolean {
    const { input, end } = this.cursor;
    const { prefixStart, prefixLength } = this;
    if (offset + prefixLength >= end) return false;
    for (let index = 0; index < prefixLength; index++) {
      if (input[offset + index] !== input[prefixStart + index]) return false;
    }
    return true;
  }

  /** Reads the name of a start tag and sets `nameStart`. Returns the offset after the name. */
  private scanName(start: number, firstByte: number): number {
    const { cursor } = this;
    const { input, end } = cursor;
    this.nameStart = start;
    let offset = start;
    if (nameClass[firstByte] === NAME_START_BYTE) {
      while (offset < end && letterCode[input[offset]!] !== 0) offset++;
      if (offset < end && nameClass[input[offset]!] === NO_NAME_BYTE) return offset;
    }
    offset = cursor.skipName(start);
    if (offset >= end) cursor.rejectEnd();
    if (offset === start) cursor.rejectCharacter("disallowed character in tag name", start);
    const colon = input.subarray(start, offset).indexOf(COLON);
    this.nameStart = start + colon + 1;
    return offset;
  }

  /** Sets the prefix and its namespace. */
  private resolvePrefix(start: number, nameStart: number, nameEnd: number): void {
    const { attributes, cursor } = this;
    attributes.checkQualifiedName(start, nameStart - 1, nameEnd);
    const id = attributes.resolvePrefix(start, nameStart - 1);
    if (id === XMLNS_NAMESPACE) cursor.rejectToken('not well-formed: tags may not have "xmlns" as prefix');
    this.prefixStart = start;
    this.prefixLength = nameStart - start;
    this.prefixNamespace = id;
  }

  private checkRoot(nameEnd: number): void {
    const { cursor } = this;
    if (!this.hasRoot) return;
    if (isForbiddenAt(cursor.input, nameEnd)) cursor.rejectCharacter("", nameEnd);
    cursor.rejectToken("not well-formed: a second root element");
  }

  private openRoot(): void {
    this.hasRoot = true;
    const { input } = this.cursor;
    this.documentContext = {
      rootName: utf8Text(input, this.qualifiedStart, this.nameEnd),
      namespaces: this.namespaces.inScope(),
    };
  }

  private leaveNamespaces(depth: number): void {
    this.namespaces.leave(depth);
    this.prefixLength = 0;
  }

  private scanEndTag(start: number): number {
    const { cursor, elements } = this;
    const { input, end } = cursor;
    const top = elements.depth - 1;
    const nameStart = start + 2;
    let nameEnd = nameStart;
    let isSame = false;
    if (top >= 0) {
      const length = elements.nameLength[top]!;
      const from = elements.nameStart[top]!;
      nameEnd += length;
      isSame = nameEnd < end && input[nameEnd] === GREATER_THAN;
      for (let index = 0; isSame && index < length; index++) {
        isSame = input[nameStart + index] === input[from + index];
      }
    }
    if (isSame) cursor.position = nameEnd + 1;
    else nameEnd = this.scanUnusualEndTag(nameStart);
    const node = elements.node[top]!;
    this.qualifiedStart = nameStart;
    this.nameStart = nameStart + elements.prefixLength[top]!;
    this.nameEnd = nameEnd;
    this.symbol = this.names.symbolOfNode[node]!;
    this.namespace = elements.namespace[top]!;
    this.lastNode = this.names.nodeCount + node;
    if (this.namespaces.innermostDepth === top + 1) this.leaveNamespaces(top + 1);
    elements.depth = top;
    return END_TAG;
  }

  /** Reads an end tag that has whitespace, or closes the root of an earlier chunk, or is wrong. Returns the end of its name. */
  private scanUnusualEndTag(nameStart: number): number {
    const { cursor, elements } = this;
    const { input, end } = cursor;
    const nameEnd = cursor.skipNameCharacters(nameStart);
    const offset = cursor.skipWhitespace(nameEnd);
    if (offset >= end) cursor.rejectEnd();
    if (input[offset] !== GREATER_THAN) cursor.rejectCharacter("disallowed character in closing tag", offset);
    const name = utf8Text(input, nameStart, nameEnd);
    if (name === "") cursor.rejectToken("not well-formed: weird empty close tag");
    if (elements.depth === 0) {
      cursor.rejectToken(`not well-formed: unmatched closing tag: ${printable(name)}`);
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

function splitName(qualified: string): [prefix: string, local: string] {
  const colon = qualified.indexOf(":");
  return colon < 0 ? ["", qualified] : [qualified.slice(0, colon), qualified.slice(colon + 1)];
}
