/** Reports the complaints of an import with their place and with advice, and counts them. */
import type { Complaint } from "../../onix/complaint.ts";
import type { Isbn13 } from "../../onix/isbn.ts";
import type { PreparedProduct } from "../entry.ts";
import {
  adviceAboutMessage,
  adviceAboutUnstored,
  adviceFor,
  type Counts,
  type ReportedComplaint,
} from "../report.ts";
import type { TargetComplaint } from "./target-complaints.ts";

type ProductName = Pick<PreparedProduct, "reference" | "isbn">;
type Location = ProductName & Omit<Complaint, "kind" | "text">;

/** The location of a complaint about a whole message. */
export const MESSAGE_START: Location = { reference: "", isbn: undefined, line: 1, column: 1 };

const LEFT_OUT_ADVICE = "It was left out: an update replaces whole blocks; send it in its block.";

export class ComplaintReporter {
  constructor(
    private readonly counts: Counts,
    private readonly listener: { complaint(complaint: ReportedComplaint): void },
    private readonly reportsUnstored: boolean,
  ) {}

  report(found: TargetComplaint, location: Location, file: string): void {
    const { severity, kind, text, value = location.value, advice = adviceFor(kind) } = found;
    const { line, column, reference, isbn, element } = location;
    this.counts[severity === "rejected" ? "rejected" : "warnings"]++;
    this.listener.complaint({
      severity,
      kind,
      file,
      line,
      column,
      reference,
      isbn,
      text,
      advice,
      ...(element !== undefined && { element }),
      ...(value !== undefined && { value }),
    });
  }

  /** Reports complaints about a file as a whole, not about one of its products. */
  reportFile(complaints: readonly Complaint[], file: string): void {
    this.warn(complaints, MESSAGE_START, file, adviceAboutMessage);
  }

  /** `isMerged`: the product is an update, of which the blocks alone are stored. */
  reportStored(
    { complaints, reference }: PreparedProduct,
    isbn: Isbn13,
    file: string,
    isMerged: boolean,
  ): void {
    this.warn(complaints, { reference, isbn }, file, adviceFor, isMerged);
  }

  /** Reports that a deletion names other books, too. */
  reportDeleted(product: PreparedProduct, file: string): void {
    const { complaints, reference, isbn } = product;
    if (this.reportsUnstored) this.reportUnstored(product, file);
    else {
      const ofBook = complaints.filter(({ kind }) => kind === "contradicting-identifiers");
      this.warn(ofBook, { reference, isbn }, file, adviceFor);
    }
  }

  /** Reports the complaints about a product that is not stored, when they are wanted. */
  reportUnstored({ complaints, reference, isbn }: PreparedProduct, file: string): void {
    if (this.reportsUnstored) this.warn(complaints, { reference, isbn }, file, adviceAboutUnstored);
  }

  private warn(
    complaints: readonly Complaint[],
    name: ProductName,
    file: string,
    adviceOf: typeof adviceFor,
    isMerged = false,
  ): void {
    for (const { kind, text, isInNoBlock, ...location } of complaints) {
      const isLeftOut = isMerged && isInNoBlock === true;
      const advice = isLeftOut ? LEFT_OUT_ADVICE : adviceOf(kind, location.element, location.value);
      this.report({ severity: "warning", kind, text, advice }, { ...name, ...location }, file);
    }
  }
}
