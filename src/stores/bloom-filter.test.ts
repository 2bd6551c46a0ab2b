import { expect, test } from "bun:test";
import { BloomFilter } from "./bloom-filter.ts";

test("finds every number that was added, and hardly ever another one", () => {
  const filter = new BloomFilter();
  const isbn = (index: number) => 9_780_000_000_000 + index * 10_007;
  let falsePositives = 0;
  for (let index = 0; index < 1_000_000; index++) if (filter.add(isbn(index))) falsePositives++;
  let missed = 0;
  for (let index = 0; index < 1_000_000; index++) {
    if (!(filter.mayContain(isbn(index)) && filter.add(isbn(index)))) missed++;
  }
  expect(missed).toBe(0);
  for (let index = 0; index < 1_000_000; index++) if (filter.mayContain(isbn(index) + 1)) falsePositives++;
  // A full filter has a false positive rate of 0.09^6, so about 0.5 are expected; the numbers are fixed.
  expect(falsePositives).toBeLessThan(5);
});
