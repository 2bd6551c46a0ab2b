import { expect, test } from "bun:test";
import { countFacets, type FacetRow } from "./facet-counts.ts";

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

/** Returns rows in batches as the index does: never more than the limit. */
function* rows(count: number, limit: number): Generator<FacetRow[]> {
  for (let left = Math.min(count, limit); left > 0; left -= BATCH_ROWS)
    yield Array.from({ length: Math.min(left, BATCH_ROWS) }, () => ROW);
}

test.each([
  [99_999, 99_999, false],
  [100_000, 100_000, false],
  [100_001, 100_000, true],
  [250_000, 100_000, true],
])("of %d books, %d are counted", (books, counted, hasMore) => {
  const limits: number[] = [];
  const result = countFacets((limit) => {
    limits.push(limit);
    return rows(books, limit);
  });
  // One row more than is counted tells whether there are more.
  expect(limits).toEqual([100_001]);
  expect([result.counted, result.hasMore]).toEqual([counted, hasMore]);
  expect(result.facets.imprint.values).toEqual([{ value: "zeta", books: counted }]);
});
