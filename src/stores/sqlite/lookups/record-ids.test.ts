import { expect, test } from "bun:test";
import fc from "fast-check";
import { FIRST_ISBN } from "../../../catalog/search/search-id.ts";
import { LAST_ISBN, RecordIds } from "./record-ids.ts";

function stateOf(generation: string, records = 100) {
  return { generation, records };
}

test("searches the index once for a record, and again for a book that the index does not have", () => {
  const ids = new RecordIds();
  ids.begin(stateOf("a"));
  expect(ids.find("a", FIRST_ISBN, () => 7)).toBe(7);
  expect(ids.find("a", FIRST_ISBN, () => 8)).toBe(7);
  expect(ids.find("a", LAST_ISBN, () => undefined)).toBeUndefined();
  expect(ids.find("a", LAST_ISBN, () => 9)).toBe(9);
});

test("forgets the ids of a state when another one begins, and remembers none of a third", () => {
  const ids = new RecordIds();
  ids.begin(stateOf("a"));
  expect(ids.find("a", FIRST_ISBN, () => 1)).toBe(1);
  ids.begin(stateOf("a"));
  expect(ids.find("a", FIRST_ISBN, () => 2)).toBe(1);
  expect(ids.find("b", FIRST_ISBN, () => 3)).toBe(3);
  ids.begin(stateOf("b"));
  expect(ids.find("b", FIRST_ISBN, () => 4)).toBe(4);
  expect(ids.find("a", FIRST_ISBN, () => 5)).toBe(5);
  expect(ids.find("b", FIRST_ISBN, () => 6)).toBe(4);
});

test("tells ISBNs apart whose lower 32 bits are the same", () => {
  const ids = new RecordIds(3);
  ids.begin(stateOf("a"));
  const isbns = [0, 1, 2, 3, 4]
    .map((step) => FIRST_ISBN + step * 2 ** 32)
    .filter((isbn) => isbn <= LAST_ISBN);
  expect(isbns.length).toBe(5);
  for (const [index, isbn] of isbns.entries()) expect(ids.find("a", isbn, () => index + 1)).toBe(index + 1);
  for (const [index, isbn] of isbns.entries()) expect(ids.find("a", isbn, () => 99)).toBe(index + 1);
});

test("returns no id of a book for 13 digits that are no ISBN", () => {
  const ids = new RecordIds(3);
  ids.begin(stateOf("a"));
  expect(ids.find("a", FIRST_ISBN, () => 1)).toBe(1);
  for (let isbn = FIRST_ISBN % 2 ** 32; isbn < 10 ** 13; isbn += 2 ** 32) {
    if (isbn !== FIRST_ISBN) expect(ids.find("a", isbn, () => undefined)).toBeUndefined();
  }
});

test("never returns the id of another record, however many records the table has no room for", () => {
  const isbn = fc.integer({ min: FIRST_ISBN, max: LAST_ISBN });
  fc.assert(
    fc.property(fc.array(isbn, { minLength: 1, maxLength: 300 }), fc.nat(), (isbns, seed) => {
      const ids = new RecordIds(3);
      ids.begin(stateOf("a"));
      const all = new Map(isbns.map((each, index) => [each, index + 1]));
      for (let step = 0; step < 600; step++) {
        const wanted = isbns[(step * 31 + seed) % isbns.length]!;
        expect(ids.find("a", wanted, (each) => all.get(each))).toBe(all.get(wanted)!);
      }
    }),
  );
});

test.each([
  [10, 10, 8],
  [1000, 1000, 950],
  // The table has no room for more.
  [40_000, 4096, 3600],
])("of a catalog with %d records, remembers most of %d ids", (records, count, atLeast) => {
  const ids = new RecordIds(10);
  ids.begin(stateOf("a", records));
  const isbns = Array.from({ length: count }, (_, index) => 9_788_000_000_000 + index * 10);
  for (const [index, isbn] of isbns.entries()) ids.find("a", isbn, () => index + 1);
  const known = isbns.filter((isbn, index) => ids.find("a", isbn, () => undefined) === index + 1);
  expect(known.length).toBeGreaterThanOrEqual(atLeast);
});

test("does not remember an id of more than 32 bits", () => {
  const ids = new RecordIds(3);
  ids.begin(stateOf("a"));
  const large = 2 ** 32 + 1;
  expect(ids.find("a", FIRST_ISBN, () => large)).toBe(large);
  expect(ids.find("a", FIRST_ISBN, () => 1)).toBe(1);
});
