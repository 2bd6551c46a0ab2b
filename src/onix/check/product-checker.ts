/**
 * Checks a product against the standard, and for what a shop needs. The reader reports what it cannot store as it came
 * (unknown elements, unknown codes, …); these checks report the rest.
 */
import type { Complaint } from "../complaint.ts";
import { type Day, utcDay } from "../date.ts";
import {
  COMPOSITE,
  codesOf,
  DATA,
  describeUnknownCode,
  elementKind,
  elementName,
  elementNumber,
  packCode,
  placementOf,
  REPEATS,
} from "../element-numbers.ts";
import type { VisitedRecord } from "../fields/book-fields.ts";
import type { OnixRelease } from "../message-version.ts";
import type { TreeChecker } from "../reader/chunk-scanner.ts";
import { type ElementTree, UNKNOWN_ELEMENT } from "../reader/element-tree.ts";
import { textOf } from "../reader/tree-text.ts";
import type { ProductAction } from "../scanned-product.ts";
import { AttributeCheck } from "./attributes.ts";
import { ComplaintList } from "./complaint-list.ts";
import { CompletenessCheck } from "./completeness.ts";
import { NO_STATE, START } from "./content-model.ts";
import { ContradictionCheck } from "./contradictions.ts";
import { type Schema, type SchemaRow, schemaOf } from "./schema-rows.ts";
import { StructureDiagnosis } from "./structure.ts";
import { UniqueCheck } from "./unique.ts";
import { ValueCheck } from "./values.ts";

const NONE: readonly number[] = [];
const PRODUCT = elementNumber("Product");

export class ProductChecker implements TreeChecker {
  private tree!: ElementTree;
  private schema!: Schema;
  /** Elements of the current product whose absence has a complaint. */
  private missing: string[] = [];
  private readonly complaints = new ComplaintList();
  private readonly structure = new StructureDiagnosis(this.complaints, (names) =>
    this.missing.push(...names),
  );
  private readonly values = new ValueCheck(this.complaints);
  private readonly attributes = new AttributeCheck(this.complaints);
  private readonly unique = new UniqueCheck(this.complaints);
  private readonly completeness = new CompletenessCheck(this.complaints);
  private readonly contradictions: ContradictionCheck;
  private readonly header = new HeaderCheck(this.complaints);

  /** Statuses are compared with dates as of `today`. */
  constructor(today: Day = utcDay(new Date())) {
    this.contradictions = new ContradictionCheck(this.complaints, today);
  }

  /**
   * Adds complaints about a product (or a header, which is the root of its tree too). Completeness is assessed
   * afterwards, when the record of the product is there.
   */
  check(tree: ElementTree, release: OnixRelease, complaints: Complaint[]): void {
    this.tree = tree;
    this.schema = schemaOf(release);
    this.missing = [];
    this.complaints.begin(tree, complaints);
    const root = tree.kind[0]!;
    if (tree.attributes[0]! < tree.attributesEnd(0)) this.attributes.check(0, root, this.schema.row(root));
    this.checkComposite(0, root, this.schema.row(root));
    if (root === PRODUCT) this.contradictions.check();
    else this.header.check(0);
  }

  /** Adds complaints about what the product of the last check lacks; see `assessedNeeds` and `unmetNeeds`. */
  assess(action: ProductAction, record: VisitedRecord | undefined): number {
    return this.completeness.check(action, record, this.missing);
  }

  private checkComposite(node: number, element: number, row: SchemaRow): void {
    const { content } = row;
    if (content === undefined) return;
    const { kind, next, attributes } = this.tree;
    const { columns, columnCount, transitions } = content;
    const end = next[node]!;
    let state = START;
    let isBroken = false;
    let last = -1;
    let repeated: number[] | undefined;
    for (let child = node + 1; child < end; child = next[child]!) {
      const childElement = kind[child]!;
      if (childElement < 0) continue;
      if (childElement === last && row.uniqueChildren.has(last) && !repeated?.includes(last)) {
        repeated = [...(repeated ?? []), last];
      }
      last = childElement;
      const nextState = transitions[state * columnCount + columns[childElement]!]!;
      let childRow: SchemaRow;
      if (nextState === NO_STATE) {
        isBroken = true;
        childRow = this.schema.row(childElement);
      } else {
        state = nextState;
        childRow = content.rowOf(state);
      }
      const attributesEnd = this.tree.attributesEnd(child);
      if (attributes[child]! < attributesEnd) this.attributes.check(child, childElement, childRow);
      if (elementKind[childElement] === COMPOSITE) this.checkComposite(child, childElement, childRow);
      else if (elementKind[childElement] === DATA && childRow.datatype !== undefined) {
        this.values.check(child, childElement, childRow, node);
      }
    }
    if (isBroken || content.mayEnd[state] === 0) this.structure.explain(node, element, row, this.schema);
    for (const name of repeated ?? NONE) {
      for (const constraint of row.uniqueChildren.get(name)!) this.unique.check(node, constraint);
    }
    for (const constraint of row.uniqueNodes) this.unique.check(node, constraint);
  }
}

/** Reports in a header, of which no record is built, what the record builder reports in a product. */
class HeaderCheck {
  constructor(private readonly complaints: ComplaintList) {}

  /** Expects a composite. */
  check(composite: number): void {
    const { kind, next } = this.complaints.tree;
    const parent = kind[composite]!;
    const seen = new Set<number>();
    for (let node = composite + 1; node < next[composite]!; node = next[node]!) {
      const element = kind[node]!;
      if (element < UNKNOWN_ELEMENT) continue;
      const placement = element < 0 ? 0 : placementOf(parent, element);
      if (placement === 0) this.complaintUnexpected(node, element, parent);
      else {
        if ((placement & REPEATS) === 0 && seen.has(element)) this.complaintRepeated(node, element, parent);
        seen.add(element);
        this.checkCode(node, element);
        this.check(node);
      }
    }
  }

  private complaintUnexpected(node: number, element: number, parent: number): void {
    const text =
      element < 0
        ? `${this.complaints.tree.nameOf(node)} is not an element of ONIX 3.`
        : `${elementName(element)} is not allowed in ${elementName(parent)}.`;
    this.complaints.add("unknown-element", node, text);
  }

  private complaintRepeated(node: number, element: number, parent: number): void {
    const text = `${elementName(element)} may occur only once in ${elementName(parent)}.`;
    this.complaints.add("repeated-element", node, text);
  }

  private checkCode(node: number, element: number): void {
    const codes = codesOf[element];
    if (!codes) return;
    const code = textOf(this.complaints.tree, node);
    const bytes = Buffer.from(code);
    if (codes.has(packCode(bytes, 0, bytes.length))) return;
    this.complaints.add("unknown-code", node, describeUnknownCode(element, code), code);
  }
}
