import { describe, expect, test } from "bun:test";
import { DiffSummary } from "../../catalog/diff/diff-summary.ts";
import type { FieldChange } from "../../catalog/diff/record-diff.ts";
import { isbn } from "../../stores/testing/books.ts";
import { formatDiff } from "./diff-output.ts";

const AMOUNT = "ProductSupply[0].SupplyDetail[0].Price[0].PriceAmount";

function summaryOf(...fields: readonly FieldChange[]): DiffSummary {
  const summary = new DiffSummary();
  summary.add({ isbn: isbn(1), change: "changed", title: "One", fields });
  return summary;
}

describe("formatDiff", () => {
  test("returns no line when nothing would change", () => {
    expect(formatDiff(new DiffSummary())).toEqual([]);
  });

  test("returns the counts, the fields and the first books of each kind", () => {
    const summary = new DiffSummary();
    for (let number = 1; number <= 7; number++) {
      const fields = [
        { path: AMOUNT, old: "9.90", new: "10.90" },
        ...(number === 2 ? [{ path: "DescriptiveDetail.NoEdition", old: [] }] : []),
      ];
      summary.add({ isbn: isbn(number), change: "changed", title: `Title ${number}`, fields });
    }
    summary.add({ isbn: isbn(8), change: "added", title: "New" });
    summary.add({ isbn: isbn(9), change: "deleted" });
    const book = (number: number) => [
      `  ${isbn(number)} Title ${number}`,
      `    ${AMOUNT}: 9.90 → 10.90`,
      ...(number === 2 ? ["    DescriptiveDetail.NoEdition: removed []"] : []),
    ];
    expect(formatDiff(summary)).toEqual([
      "The import would add 1 book, change 7 books, delete 1 book.",
      "Fields that change in the most books:",
      "        7  ProductSupply.SupplyDetail.Price.PriceAmount",
      "        1  DescriptiveDetail.NoEdition",
      "Changed:",
      ...[1, 2, 3, 4, 5].flatMap(book),
      "  … and 2 more books (--diff lists them all)",
      "Added:",
      `  ${isbn(8)} New`,
      "Deleted:",
      `  ${isbn(9)} (no title)`,
    ]);
  });

  test("counts a field once for each book, whichever elements of it change", () => {
    const summary = summaryOf(
      { path: "Subject[0].SubjectCode", old: "A", new: "B" },
      { path: "Subject[1].SubjectCode", old: "A", new: "B" },
    );
    expect(summary.mostChangedFields(5)).toEqual([{ field: "Subject.SubjectCode", books: 1 }]);
  });

  test("abbreviates long texts around their first difference", () => {
    const [start, end] = ["a".repeat(500), "z".repeat(500)];
    const lines = formatDiff(summaryOf({ path: "Text", old: `${start}1${end}`, new: `${start}2${end}` }));
    expect(lines.at(-1)).toBe(
      `    Text: …${"a".repeat(20)}1${"z".repeat(39)}… → …${"a".repeat(20)}2${"z".repeat(39)}…`,
    );
  });

  test("shows five fields of a book, and the number of the others", () => {
    const fields = Array.from({ length: 8 }, (_, index) => ({ path: `Field${index}`, new: "x" }));
    const lines = formatDiff(summaryOf(...fields));
    expect(lines.slice(-2)).toEqual(["    Field4: added x", "    … and 3 more fields"]);
  });

  test("escapes control characters of titles, paths and values", () => {
    const lines = formatDiff(summaryOf({ path: "Text", old: "a\u001b[31m", new: "b\nc" }));
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });

  test("counts at most 10,000 different fields", () => {
    const summary = new DiffSummary();
    for (let number = 0; number < 3; number++) {
      const fields = Array.from({ length: 10_000 }, (_, index) => ({ path: `F${number}_${index}`, new: "" }));
      summary.add({ isbn: isbn(number), change: "changed", fields });
    }
    expect(summary.mostChangedFields(Number.POSITIVE_INFINITY)).toHaveLength(10_000);
  });
});
