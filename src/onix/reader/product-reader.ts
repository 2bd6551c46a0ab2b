/** Turns the tree of a product into its record, and into what the catalog needs to import it. */
import type { Complaint } from "../complaint.ts";
import type { RecordVisitor, VisitedRecord } from "../fields/book-fields.ts";
import { latestDatestampIn } from "../fields/latest-datestamp.ts";
import { treeFields } from "../fields/tree-fields.ts";
import type { Isbn13 } from "../isbn.ts";
import type { MessageHeader } from "../message-header.ts";
import {
  correctedIdentifier,
  describeContradiction,
  describeUnusableIsbn,
  findIsbn,
  type Identifier,
  missingIdentifiers,
  usualIsbn,
} from "../product-identifiers.ts";
import { JsonOutput, jsonPart } from "../record/json-output.ts";
import type { Origin } from "../record/origin.ts";
import { RecordAdditions } from "../record/record-additions.ts";
import { RecordBuilder } from "../record/record-builder.ts";
import { recordId } from "../record/record-fields.ts";
import type { ProductAction, ScannedProduct } from "../scanned-product.ts";
import type { ElementTree } from "./element-tree.ts";
import { describeRejection, isWholeRecord, productComplaints } from "./product-complaints.ts";
import { ProductFacts } from "./product-facts.ts";

/** NotificationType, list 1. */
const BLOCK_UPDATE = "04";
const DELETION = "05";
const TEST_RECORDS: ReadonlySet<string> = new Set(["88", "89"]);

const NO_BODY = new Uint8Array(0);
const NO_COMPLAINTS: readonly Complaint[] = [];
/** Stands for the ISBN of an update that has none. */
const NO_ISBN = "0000000000000";

/** How a record begins. The ISBN is filled in at two offsets. */
const RECORD_START_TEXT = `{"_id":"${recordId(NO_ISBN)}","RecordReference":"${NO_ISBN}"`;
const RECORD_START = jsonPart(RECORD_START_TEXT);
const ID_OFFSET = RECORD_START_TEXT.indexOf(NO_ISBN, RECORD_START_TEXT.indexOf('","') - NO_ISBN.length);
const REFERENCE_OFFSET = RECORD_START_TEXT.lastIndexOf(NO_ISBN);

/** A product whose body is still in the output of the reader. */
type UnfinishedProduct = { -readonly [Member in keyof ScannedProduct]: ScannedProduct[Member] };

/** Assesses what a product has of what a shop needs. */
export interface RecordAssessor {
  /** Returns `ScannedProduct.completeness`. The fields are valid during the call; undefined without a record. */
  assess(action: ProductAction, record: VisitedRecord | undefined): number;
}

export class ProductReader {
  private readonly output = new JsonOutput();
  private readonly builder = new RecordBuilder(this.output);
  private readonly facts = new ProductFacts();
  private additions = new RecordAdditions({});
  private header: MessageHeader | undefined;
  private products: UnfinishedProduct[] = [];
  /** The ends of the bodies in the output. */
  private bodyEnds: number[] = [];
  /** The identifiers that the last record has and its product lacks. */
  private missing: readonly Identifier[] = [];
  private readonly originCache = new Map<string, string>();

  constructor(private readonly visitor?: RecordVisitor) {}

  /** Begins with the products of a message that has this header. */
  begin(header: MessageHeader): void {
    if (this.header === header) return;
    this.header = header;
    this.additions = new RecordAdditions(header.defaults);
    this.originCache.clear();
  }

  /** Reads a product. `checkComplaints` are results of other checks; the assessor may add to them. */
  read(tree: ElementTree, checkComplaints: readonly Complaint[], assessor?: RecordAssessor): void {
    const { facts } = this;
    facts.read(tree, this.header!.defaults);
    const usual = usualIsbn(facts.identifiers);
    const isbn = usual ?? findIsbn(facts.identifiers);
    const action = this.actionOf(isbn);
    const { line, column } = tree.positionOf(0);
    const hasBody = action === "record" || action === "update";
    const isWhole = action === "update" && isbn !== undefined && facts.hasRequiredBlocks;
    // A check reports everything about a rejected product. Its record is written for that, and dropped.
    const isWritten = hasBody || (action === "rejection" && assessor !== undefined);
    const bodyStart = this.output.end;
    let complaints = checkComplaints;
    let origin = "";
    if (isWritten) origin = this.writeBody(tree, isbn, usual !== undefined);
    const completeness = assessor
      ? assessor.assess(action, isWritten ? this.visited(tree, isbn ?? (NO_ISBN as Isbn13)) : undefined)
      : 0;
    if (!hasBody) this.output.end = bodyStart;
    if (isWritten) {
      const unsetFlags = this.additions.unset;
      const product = { action, isbn, isUsual: usual !== undefined, facts, unsetFlags };
      const ofProduct = productComplaints(product, { line, column });
      const ofElements = this.builder.complaints.complaints;
      if (ofProduct.length + ofElements.length > 0) {
        complaints = inOrder([...ofProduct, ...ofElements, ...checkComplaints]);
      }
    }
    if (action === "deletion" && usual === undefined) {
      const text = describeContradiction(facts.identifiers);
      if (text !== undefined)
        complaints = [{ kind: "contradicting-identifiers", text, line, column }, ...complaints];
    }
    this.products.push({
      action,
      isbn,
      reference: facts.reference,
      body: NO_BODY,
      index: facts.index,
      origin: hasBody ? origin : "",
      isWhole,
      rejection: action === "rejection" ? describeRejection(facts, isbn) : "",
      complaints: complaints.length === 0 ? NO_COMPLAINTS : complaints,
      completeness,
      line,
      column,
    });
    this.bodyEnds.push(this.output.end);
    // Other updates are merged into records that are not known here.
    if (this.visitor)
      this.visitor.visit(action === "record" || isWhole ? this.visited(tree, isbn!) : undefined);
  }

  /** Returns the products since the last call. Their bodies are in one buffer of their own, in order. */
  take(): ScannedProduct[] {
    const { products, bodyEnds, output } = this;
    const bodies = new Uint8Array(output.bytes.subarray(0, output.end));
    let start = 0;
    products.forEach((product, index) => {
      const end = bodyEnds[index]!;
      product.body = start === end ? NO_BODY : bodies.subarray(start, end);
      start = end;
    });
    this.discard();
    return products;
  }

  /** Forgets the products since the last `take`. */
  discard(): void {
    this.products = [];
    this.bodyEnds = [];
    this.output.end = 0;
  }

  /** Expects that the body has just been written. */
  private visited(tree: ElementTree, isbn: Isbn13): VisitedRecord {
    const { facts, additions, output, builder, missing } = this;
    const { corrections } = builder;
    return {
      fields: treeFields({ tree, facts, additions, output, corrections, missingIdentifiers: missing, isbn }),
      literal: tree.literal,
      index: facts.index,
      updated: latestDatestampIn(tree),
    };
  }

  private actionOf(isbn: Isbn13 | undefined): ProductAction {
    const { notification, hasDeletionText, identifiers } = this.facts;
    if (TEST_RECORDS.has(notification)) return "test";
    // Its reference does not count: the product means a book by a number that cannot be right.
    if (isbn === undefined && describeUnusableIsbn(identifiers) !== undefined) return "rejection";
    if (notification === DELETION || hasDeletionText) return "deletion";
    if (notification === BLOCK_UPDATE) return "update";
    return isbn !== undefined && isWholeRecord(this.facts) ? "record" : "rejection";
  }

  /** Writes the record into the output. Returns its origin. */
  private writeBody(tree: ElementTree, isbn: Isbn13 | undefined, isUsual: boolean): string {
    const { output, builder, additions, facts } = this;
    const sent: Record<string, string> = {};
    builder.corrections.clear();
    const identifiers = isUsual ? facts.identifiers : this.correctedIdentifiers(sent);
    const missing = isbn === undefined ? [] : missingIdentifiers(identifiers, isbn);
    this.missing = missing;
    builder.missingIdentifiers = "";
    for (const { type, value } of missing) {
      builder.missingIdentifiers += `,{"ProductIDType":"${type}","IDValue":"${value}"}`;
    }
    additions.reset();
    this.writeStart(isbn ?? NO_ISBN);
    builder.writeProduct(tree, facts, additions);
    output.reserve(8);
    output.byte(0x7d);
    return this.originJson(missing.length, sent);
  }

  /** Notes the values that were sent. */
  private correctedIdentifiers(sent: Record<string, string>): readonly Identifier[] {
    return this.facts.identifiers.map((identifier, index) => {
      const corrected = correctedIdentifier(identifier);
      if (corrected === undefined) return identifier;
      sent[index] = identifier.value;
      this.builder.corrections.set(identifier.valueNode, corrected);
      return { type: identifier.type, value: corrected };
    });
  }

  private writeStart(isbn: string): void {
    const { output } = this;
    const start = output.end;
    output.write(RECORD_START);
    for (let index = 0; index < isbn.length; index++) {
      const digit = isbn.charCodeAt(index);
      output.bytes[start + ID_OFFSET + index] = digit;
      output.bytes[start + REFERENCE_OFFSET + index] = digit;
    }
  }

  /** Most products share a few origins, which are cached. */
  private originJson(completed: number, sent: Readonly<Record<string, string>>): string {
    const { builder, additions } = this;
    const { set, unset, defaults } = additions;
    const { exceptions } = builder.values;
    const { interleaved } = builder;
    const isCorrected = builder.corrections.size > 0;
    const isUnusual = isCorrected || unset.length > 0 || exceptions || interleaved || defaults;
    const key = isUnusual ? "" : completed + set.join();
    const cached = isUnusual ? undefined : this.originCache.get(key);
    if (cached !== undefined) return cached;
    const origin: Origin = {
      release: this.header!.release,
      ...(set.length > 0 && { set }),
      ...(unset.length > 0 && { unset }),
      ...(exceptions && { exceptions }),
      ...(interleaved && { interleaved }),
      ...(defaults && { defaults }),
      ...(completed > 0 && { completed }),
      ...(isCorrected && { sent }),
    };
    const json = JSON.stringify(origin);
    if (!isUnusual) this.originCache.set(key, json);
    return json;
  }
}

/** Sorts complaints by their positions. */
function inOrder(complaints: readonly Complaint[]): readonly Complaint[] {
  return complaints.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
