/**
 * A strict XML tokenizer on a buffer of UTF-8 bytes. `next` returns one token after the other; its members say where
 * it is in the buffer. Nothing is copied or decoded.
 *
 * A document may be cut into chunks between the children of its root element: each chunk is a buffer of its own, and
 * may be read by another tokenizer. Nothing is fetched, and no entity of a DTD is expanded.
 */
import { Attributes } from "./attributes.ts";
import { CharacterData } from "./character-data.ts";
import { CR, EXCLAMATION_MARK, LESS_THAN, QUESTION_MARK, SLASH } from "./characters.ts";
import { Cursor } from "./cursor.ts";
import { skipDoctype } from "./dtd/doctype.ts";
import type { NameTable } from "./names.ts";
import { Namespaces } from "./namespaces.ts";
import { type DocumentContext, OpenElements } from "./open-elements.ts";
import { skipComment, skipProcessingInstruction } from "./skipped-markup.ts";
import { Tags } from "./tags.ts";
import { isXmlDeclaration, skipXmlDeclaration } from "./xml-declaration.ts";

export { incomplete } from "./cursor.ts";
export { NO_NAMESPACE, XML_NAMESPACE, XMLNS_NAMESPACE } from "./namespaces.ts";
export type { DocumentContext } from "./open-elements.ts";

/** Tokens. */
export const END_OF_INPUT = 0;
export const START_TAG = 1;
export const END_TAG = 2;
export const TEXT = 3;
export const DOCTYPE = 4;

const COMMENT_START = "<!--";
const CDATA_START = "<![CDATA[";
const DOCTYPE_START = "<!DOCTYPE";

export class XmlTokenizer {
  /** The attributes of a start tag, up to `attributeCount`. They are valid until the next call; see `Attributes`. */
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
  private readonly data = new CharacterData(this.cursor);
  private readonly tags: Tags;
  private isDocumentStart = true;
  private hasDoctype = false;

  constructor(private readonly names: NameTable) {
    const { cursor, elements, namespaces } = this;
    const attributes = new Attributes(cursor, namespaces);
    this.tags = new Tags(names, cursor, elements, namespaces, attributes);
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
    const { namespaces } = this;
    this.isDocumentStart = context === undefined;
    this.hasDoctype = false;
    this.cursor.begin(input, end, isLast);
    this.tags.begin(context);
    namespaces.begin(context?.namespaces ?? []);
    const qualified = context?.rootName ?? "";
    const colon = qualified.indexOf(":");
    const namespace = colon < 0 ? namespaces.defaultId : namespaces.resolve(qualified.slice(0, colon));
    this.elements.begin(context?.rootName, namespace, this.names.nodeOf(qualified.slice(colon + 1)));
  }

  /** The number of open elements after this token, with the root. An empty element is not counted. */
  get depth(): number {
    return this.elements.depth;
  }

  /** The context for a chunk that begins between the children of the root element, once that is open. */
  get context(): DocumentContext {
    const { context } = this.tags;
    if (context === undefined) throw new Error("the root element has not been read");
    return context;
  }

  /** Where the token begins: its offset, its line, and the offset at which that line begins. */
  get tokenStart(): number {
    return this.cursor.tokenStart;
  }

  get tokenLine(): number {
    return this.cursor.tokenLine;
  }

  get tokenLineStart(): number {
    return this.cursor.tokenLineStart;
  }

  /** The same for the byte behind the token. */
  get position(): number {
    return this.cursor.position;
  }

  get line(): number {
    return this.cursor.line;
  }

  get lineStart(): number {
    return this.cursor.lineStart;
  }

  /** Of a tag: the symbol of its local name in the table of names, or -1. */
  get symbol(): number {
    return this.tags.symbol;
  }

  /** Of a tag: its name begins at `qualifiedStart` with its prefix, and at `nameStart` without it. */
  get qualifiedStart(): number {
    return this.tags.qualifiedStart;
  }

  get nameStart(): number {
    return this.tags.nameStart;
  }

  get nameEnd(): number {
    return this.tags.nameEnd;
  }

  /** Of a tag: the id of its namespace; see `namespaceUri`. */
  get namespace(): number {
    return this.tags.namespace;
  }

  /** Of a start tag: it ends with `/>`, and no END_TAG follows. */
  get isEmpty(): boolean {
    return this.tags.isEmpty;
  }

  get attributeCount(): number {
    return this.tags.attributeCount;
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
        else if (!this.skipsLayout || !this.data.skipLayout()) return this.scanText();
        continue;
      }
      const next = start + 1 < end ? input[start + 1]! : cursor.rejectEnd();
      if (next === SLASH) {
        this.tags.scanEnd(start);
        return END_TAG;
      }
      if (next === EXCLAMATION_MARK) {
        const token = this.scanDeclaration(start);
        if (token !== END_OF_INPUT) return token;
      } else if (next === QUESTION_MARK) {
        if (start === 0 && this.isDocumentStart && isXmlDeclaration(input, end)) skipXmlDeclaration(cursor);
        else skipProcessingInstruction(cursor);
      } else {
        this.tags.scanStart(start);
        return START_TAG;
      }
    }
  }

  private endOfInput(): number {
    const { cursor, elements } = this;
    if (cursor.isLast) {
      if (elements.depth > 0) cursor.rejectEnd();
      if (!elements.hasRoot) cursor.rejectToken("not well-formed: no root element");
    }
    return END_OF_INPUT;
  }

  private scanText(): number {
    const { cursor, data } = this;
    data.scanText();
    const { position } = cursor;
    if (position >= cursor.end) {
      // Whitespace between the children of the root may be cut anywhere, but not inside a CR LF.
      const mayEnd = data.isWhitespace && this.elements.depth === 1 && cursor.input[position - 1] !== CR;
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
    const { cursor, data, elements } = this;
    if (cursor.isMarkup(COMMENT_START)) {
      skipComment(cursor);
      return END_OF_INPUT;
    }
    if (cursor.isMarkup(CDATA_START)) {
      if (elements.depth === 0) cursor.rejectToken("not well-formed: text outside the root element");
      data.scanCdata();
      return TEXT;
    }
    if (!cursor.isMarkup(DOCTYPE_START))
      cursor.rejectToken("not well-formed: <! begins no comment, CDATA section or DOCTYPE");
    if (elements.hasRoot || this.hasDoctype) {
      cursor.rejectToken("not well-formed: a DOCTYPE is allowed once, before the root element");
    }
    this.hasDoctype = true;
    skipDoctype(cursor);
    data.start = start + DOCTYPE_START.length;
    data.end = cursor.position - 1;
    return DOCTYPE;
  }
}
