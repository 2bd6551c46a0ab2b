import type { ReportedComplaint } from "../../catalog/report.ts";
import type { ComplaintKind } from "../../onix/complaint.ts";
import { escapeControls } from "../../telemetry/printable.ts";
import { formatCount } from "./format.ts";

const MAX_PRINTED_PER_KIND = 5;

/** Prints every rejected product at once, and the first few warnings of each kind at the end. */
export class ComplaintPrinter {
  private readonly warnings = new Map<ComplaintKind, { total: number; first: ReportedComplaint[] }>();

  constructor(private readonly printLine: (line: string) => void) {}

  add(complaint: ReportedComplaint): void {
    if (complaint.severity === "rejected") {
      this.printLine(`rejected: ${formatComplaint(complaint)}`);
      return;
    }
    const warnings = this.warnings.get(complaint.kind) ?? { total: 0, first: [] };
    this.warnings.set(complaint.kind, warnings);
    if (++warnings.total <= MAX_PRINTED_PER_KIND) warnings.first.push(complaint);
  }

  printWarnings(): void {
    for (const { total, first } of this.warnings.values()) {
      for (const complaint of first) this.printLine(`warning: ${formatComplaint(complaint)}`);
      const more = total - first.length;
      if (more > 0) {
        this.printLine(`warning: … and ${formatCount(more)} more of this kind (--report lists them all)`);
      }
    }
  }
}

function formatComplaint({ file, line, column, reference, isbn, text, advice }: ReportedComplaint): string {
  const product = [isbn, reference && reference !== isbn ? reference : ""].filter(Boolean).join(", ");
  return escapeControls(`${file}:${line}:${column}: ${product ? `[${product}] ` : ""}${text} ${advice}`);
}
