import type { Isbn13 } from "../../onix/isbn.ts";
import { formatCount, formatCountOf } from "./format.ts";

const MAX_PRINTED = 10;

/** Prints how many records `--replace` removes, and the first of them. */
export class RemovalPrinter {
  private readonly first: Isbn13[] = [];
  private total = 0;

  add(isbns: readonly Isbn13[]): void {
    this.first.push(...isbns.slice(0, MAX_PRINTED - this.first.length));
    this.total += isbns.length;
  }

  print(printLine: (line: string) => void, isApplied: boolean): void {
    if (this.total === 0) return;
    const more = this.total - this.first.length;
    const rest = more > 0 ? ` and ${formatCount(more)} more (--report lists them all)` : "";
    const verb = isApplied ? "removed" : "would remove";
    printLine(`--replace ${verb} ${formatCountOf(this.total, "record")}: ${this.first.join(", ")}${rest}`);
  }
}
