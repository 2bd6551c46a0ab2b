import { expect, test } from "bun:test";
import { FacetCounter, type FacetRow } from "./facet-counts.ts";

const ROW: FacetRow = {
  id: "1",
  year: 2026,
  imprint: "zeta",
  language: "",
  form: "BC",
  availability: null,
  lacks: 0,
};
const BATCH_ROWS = 1000;

test.each([
  [99_999, 99_999, false],
  [100_000, 100_000, false],
  [100_001, 100_000, true],
  [250_000, 100_000, true],
])("of %d books, %d are counted", (books, counted, hasMore) => {
  const counter = new FacetCounter();
  for (let left = books; left > 0 && counter.missing > 0; ) {
    const rows = Array<FacetRow>(Math.min(left, counter.missing, BATCH_ROWS)).fill(ROW);
    counter.count(rows);
    left -= rows.length;
  }
  const result = counter.result();
  expect([result.counted, result.hasMore]).toEqual([counted, hasMore]);
  expect(result.facets.imprint.values).toEqual([{ value: "zeta", books: counted }]);
});
