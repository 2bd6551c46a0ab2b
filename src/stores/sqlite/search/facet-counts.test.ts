import { expect, test } from "bun:test";
import { FacetCounter, type FacetRow } from "./facet-counts.ts";

const ROW: FacetRow = {
  id: "1",
  year: 2026,
  imprint: "zeta",
  price: " ·a·20 ·e·eur·15 ·e·usd·1·5 ",
};
const BATCH_ROWS = 1000;

test.each([
  [99_999, 99_999, false],
  [100_000, 100_000, false],
  [100_001, 100_000, true],
  [250_000, 100_000, true],
])("of %d books, %d are counted", (books, counted, hasMore) => {
  const counter = new FacetCounter({ facets: ["imprint", "price", "year"], filters: {} });
  for (let left = books; left > 0 && counter.missing > 0; ) {
    const rows = Array<FacetRow>(Math.min(left, counter.missing, BATCH_ROWS)).fill(ROW);
    counter.count(rows);
    left -= rows.length;
  }
  const facet = (...values: string[]) => ({
    counted,
    hasMore,
    distinct: values.length,
    values: values.map((value) => ({ value, books: counted })),
  });
  expect(counter.counted).toEqual({ counted, hasMore });
  expect(counter.facets).toEqual([
    ["imprint", facet("zeta")],
    ["price", facet("EUR 15", "USD 1.5")],
    ["year", facet("2026")],
  ]);
});
