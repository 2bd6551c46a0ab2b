import { expect, test } from "bun:test";
import { BloomFilter, ReferenceFilter } from "./bloom-filter.ts";

const isbn = (index: number) => 9_780_000_000_000 + index * 10_007;

/** Adds that many numbers. Returns how many of them, and of as many others, the filter took for known ones. */
function countFalsePositives(filter: BloomFilter, count: number): number {
  let falsePositives = 0;
  for (let index = 0; index < count; index++) if (filter.add(isbn(index))) falsePositives++;
  for (let index = 0; index < count; index++) if (filter.mayContain(isbn(index) + 1)) falsePositives++;
  return falsePositives;
}

test("finds every number that was added, and no other one among three times as many as fill its first layer", () => {
  const filter = new BloomFilter(1 << 23);
  const count = 3 << 17;
  // About 0.004 are expected; the numbers are fixed. A filter that does not grow has more than 10.
  expect(countFalsePositives(filter, count)).toBe(0);
  let missed = 0;
  for (let index = 0; index < count; index++) {
    if (!(filter.mayContain(isbn(index)) && filter.add(isbn(index)))) missed++;
  }
  expect(missed).toBe(0);
});

test("finds every reference that was added, and hardly ever another one", () => {
  const filter = new ReferenceFilter();
  const count = 200_000;
  let falsePositives = 0;
  for (let index = 0; index < count; index++) {
    if (filter.mayContain("06:8400000000001", `com.example.${index}`)) falsePositives++;
    filter.add("06:8400000000001", `com.example.${index}`);
  }
  let missed = 0;
  for (let index = 0; index < count; index++) {
    if (!filter.mayContain("06:8400000000001", `com.example.${index}`)) missed++;
    if (filter.mayContain("06:8400000000001", `com.example.${index}a`)) falsePositives++;
    if (filter.mayContain("06:8400000000002", `com.example.${index}`)) falsePositives++;
  }
  expect(missed).toBe(0);
  expect(falsePositives).toBeLessThan(5);
});

test("finds a reference again after references of other senders", () => {
  const filter = new ReferenceFilter();
  const senders = ["", "a", "b"];
  for (const sender of senders) filter.add(sender, "r");
  for (const sender of [...senders, ...senders]) expect(filter.mayContain(sender, "r")).toBe(true);
  expect(filter.mayContain("c", "r")).toBe(false);
});
