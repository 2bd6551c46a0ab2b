/**
 * Reads a chunk of a message: UTF-8 bytes that begin at the start of the document or between two children of the root
 * element. Chunks of a document can be scanned on different threads.
 */
import { validUtf8Length } from "../../feed/decoder.ts";
import { FeedError, printable } from "../../feed/feed-error.ts";
import { NameTable } from "../../xml/names.ts";
import { findPosition, type Position, positionOf } from "../../xml/position.ts";
import { utf8Text } from "../../xml/references.ts";
import {
  DOCTYPE,
  END_OF_INPUT,
  END_TAG,
  incomplete,
  START_TAG,
  TEXT,
  XmlTokenizer,
} from "../../xml/tokenizer.ts";
import type { Complaint } from "../complaint.ts";
import { elementNumber, elementOfSymbol, knownNames } from "../element-numbers.ts";
import type { RecordVisitor } from "../fields/book-fields.ts";
import type { MessageHeader } from "../message-header.ts";
import { viewOf } from "../record/json-output.ts";
import type { ChunkError, ChunkResult, MessageContext } from "./chunk-result.ts";
import { emptyHeader, readHeader, unknownDefaults } from "./header-reader.ts";
import { ProductReader, type RecordAssessor } from "./product-reader.ts";
import { OnixNamespaces, readVersion, rootNamespace } from "./root-element.ts";
import { TreeReader } from "./tree-reader.ts";
import { isWhitespaceToken, visiblePosition } from "./whitespace-token.ts";

/** Checks a product beyond what an import needs. */
export interface TreeChecker extends RecordAssessor {
  /** Adds complaints. `assess` may add further ones. */
  check(tree: TreeReader["tree"], release: MessageHeader["release"], complaints: Complaint[]): void;
}

const PRODUCT = elementNumber("Product");
const HEADER = elementNumber("Header");
const NO_PRODUCT = elementNumber("NoProduct");

/** The largest child of the root element. It bounds the memory that a hostile feed can use. */
export const MAX_PART_BYTES = 16 << 20;
/** Further complaints about the message as a whole are dropped. */
export const MAX_MESSAGE_COMPLAINTS = 100;

const NO_COMPLAINTS: readonly Complaint[] = [];
const names = new NameTable(knownNames);

export class ChunkScanner {
  private readonly tokenizer = new XmlTokenizer(names);
  private readonly namespaces = new OnixNamespaces(this.tokenizer);
  private readonly parts = new TreeReader(this.tokenizer, this.namespaces, () => this.partName);
  private readonly products: ProductReader;
  private input: Buffer = Buffer.alloc(0);
  private view = viewOf(this.input);
  private context: MessageContext | undefined;
  private isLast = false;
  private complaints: Complaint[] = [];
  private doctype = "";
  private partName = "";
  /** The offset of the child of the root that is being read, or of the tag that ends the root; -1 between children. */
  private partStart = -1;
  /** The last boundary between children of the root, and the complaints before it. */
  private boundary = { offset: 0, line: 1, lineStart: 0, complaintCount: 0 };

  /** With a checker, its complaints are among those of the products. A visitor gets the fields of their records. */
  constructor(
    private readonly checker?: TreeChecker,
    private readonly visitor?: RecordVisitor,
  ) {
    this.products = new ProductReader(visitor);
  }

  /** Without a context, the chunk is the beginning of the document. `isLast` says that no bytes follow. */
  scan(bytes: Uint8Array, context: MessageContext | undefined, isLast: boolean): ChunkResult {
    this.begin(bytes, context);
    this.isLast = isLast;
    const { input } = this;
    const validEnd = validUtf8Length(input);
    const isValid = validEnd === input.length;
    try {
      this.tokenizer.begin(input, validEnd, context?.document, isLast && isValid);
      this.readDocument();
      if (isValid) this.checkRest();
    } catch (error) {
      if (error instanceof FeedError) return this.failure(error);
      throw error;
    }
    if (!isValid) {
      return { kind: "error", message: "not valid as UTF-8", position: findPosition(input, validEnd) };
    }
    const { offset, line, lineStart, complaintCount } = this.boundary;
    return {
      kind: "scanned",
      products: this.products.take(),
      // A complaint on a part that is not consumed comes again with the next chunk.
      complaints: this.complaints.slice(0, complaintCount),
      // An empty root element is not consumed: nothing of it is a boundary.
      context: offset === 0 && !isLast ? context : this.context,
      consumed: offset,
      end: positionOf(input, line, lineStart, offset),
    };
  }

  private begin(bytes: Uint8Array, context: MessageContext | undefined): void {
    this.input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.view = viewOf(this.input);
    this.context = context;
    this.tokenizer.skipsLayout = true;
    this.complaints = [];
    this.doctype = "";
    this.partStart = -1;
    this.boundary = { offset: 0, line: 1, lineStart: 0, complaintCount: 0 };
    this.products.discard();
    this.visitor?.begin();
    if (!context) return;
    this.products.begin(context.header);
    this.namespaces.begin(rootNamespace(context.document));
  }

  private failure({ reason, line = 1, column = 1 }: FeedError): ChunkError {
    this.products.discard();
    return { kind: "error", message: reason, position: { line, column } };
  }

  /** The chunk may end inside a token or a part. */
  private readDocument(): void {
    try {
      this.readTokens();
    } catch (error) {
      if (error !== incomplete) throw error;
    }
  }

  private readTokens(): void {
    const { tokenizer } = this;
    for (;;) {
      const token = tokenizer.next();
      if (token === END_OF_INPUT) break;
      if (token === START_TAG) {
        if (this.context) this.readPart();
        else this.readRoot();
      } else if (token === TEXT) this.readText();
      else if (token === DOCTYPE) {
        this.doctype = utf8Text(this.input, tokenizer.textStart, tokenizer.textEnd);
      } else if (token === END_TAG) this.partStart = tokenizer.tokenStart;
      if (tokenizer.depth === 1) this.setBoundary();
    }
    // Text or comments between products end with the chunk.
    if (tokenizer.depth === 1) this.setBoundary();
  }

  /** Text between products is not kept. A text that the chunk divides is read with the next chunk. */
  private readText(): void {
    const { tokenizer, input } = this;
    if (isWhitespaceToken(tokenizer, input)) return;
    if (!tokenizer.isCdata && !this.isLast && tokenizer.textEnd === input.length) throw incomplete;
    this.complaint("stray-text", "There is text between the products.", visiblePosition(tokenizer, input));
  }

  private setBoundary(): void {
    const { position, line, lineStart } = this.tokenizer;
    this.boundary = { offset: position, line, lineStart, complaintCount: this.complaints.length };
    this.partStart = -1;
  }

  private readRoot(): void {
    const { tokenizer, input } = this;
    const uri = tokenizer.namespaceUri(tokenizer.namespace);
    const version = readVersion(tokenizer, input, this.doctype);
    if (tokenizer.tokenStart > MAX_PART_BYTES) this.rejectOpening();
    if (tokenizer.isEmpty) this.partStart = tokenizer.tokenStart;
    this.namespaces.begin(uri);
    this.context = {
      document: tokenizer.context,
      header: emptyHeader(version),
      hasProducts: false,
      hasHeader: false,
    };
    this.products.begin(this.context.header);
  }

  private readPart(): void {
    const { tokenizer } = this;
    this.partStart = tokenizer.tokenStart;
    const element = this.elementOfPart();
    if (element === PRODUCT) {
      this.partName = "Product";
      this.parts.read(this.input, this.view);
      this.checkSize(tokenizer.position);
      this.readProduct();
    } else if (element === HEADER) {
      this.partName = "Header";
      if (this.context!.hasProducts) this.complaint("misplaced-element", "There is a Header after products.");
      else if (this.context!.hasHeader)
        this.complaint("repeated-element", "The message has more than one Header.");
      this.parts.read(this.input, this.view);
      this.checkSize(tokenizer.position);
      this.readHeader();
    } else {
      this.partName = printable(utf8Text(this.input, tokenizer.nameStart, tokenizer.nameEnd));
      if (element !== NO_PRODUCT) {
        this.complaint("unknown-element", `<${this.partName}> is not part of an ONIX message.`);
      }
      this.skipPart();
      this.checkSize(tokenizer.position);
    }
  }

  private readProduct(): void {
    const { tree } = this.parts;
    const context = this.context!;
    if (!context.hasProducts) this.context = { ...context, hasProducts: true };
    const { checker } = this;
    if (!checker) {
      this.products.read(tree, NO_COMPLAINTS);
      return;
    }
    const complaints: Complaint[] = [];
    checker.check(tree, context.header.release, complaints);
    this.products.read(tree, complaints, checker);
  }

  /** The first header counts. */
  private readHeader(): void {
    const context = this.context!;
    if (context.hasProducts || context.hasHeader) return;
    const { release, tags } = context.header;
    const { tree } = this.parts;
    this.context = { ...context, header: readHeader(tree, { release, tags }), hasHeader: true };
    this.products.begin(this.context.header);
    if (this.checker) this.checker.check(tree, release, this.complaints);
    else this.complaints.push(...unknownDefaults(tree));
  }

  private skipPart(): void {
    const { tokenizer } = this;
    while (tokenizer.depth > 1) if (tokenizer.next() === END_OF_INPUT) throw incomplete;
  }

  /** Returns undefined for an element of a foreign namespace, even when its name is that of an ONIX element. */
  private elementOfPart(): number | undefined {
    const { symbol, namespace } = this.tokenizer;
    return symbol >= 0 && this.namespaces.isOnix(namespace) ? elementOfSymbol[symbol] : undefined;
  }

  /** Checks the size of the part that is being read, up to `end`. */
  private checkSize(end: number): void {
    if (end - this.partStart <= MAX_PART_BYTES) return;
    const { line, column } = findPosition(this.input, this.partStart);
    throw new FeedError(`a ${this.partName} is larger than 16 MB`, line, column);
  }

  /** Checks the size of what the chunk ends with and does not finish: it has to be kept until more bytes come. */
  private checkRest(): void {
    const { tokenizer, input, partStart } = this;
    if (input.length - Math.max(partStart, 0) <= MAX_PART_BYTES) return;
    if (!this.context) this.rejectOpening();
    if (partStart < 0) return;
    if (tokenizer.depth > 0) this.checkSize(input.length);
    const { line, column } = findPosition(input, partStart);
    throw new FeedError("more than 16 MB follow the root element", line, column);
  }

  private rejectOpening(): never {
    throw new FeedError("the root element does not begin within 16 MB", 1, 1);
  }

  private complaint(kind: Complaint["kind"], text: string, position = this.tokenPosition): void {
    if (this.complaints.length < MAX_MESSAGE_COMPLAINTS) this.complaints.push({ kind, text, ...position });
  }

  private get tokenPosition(): Position {
    const { tokenLine, tokenLineStart, tokenStart } = this.tokenizer;
    return positionOf(this.input, tokenLine, tokenLineStart, tokenStart);
  }
}
