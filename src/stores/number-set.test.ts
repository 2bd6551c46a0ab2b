import { expect, test } from "bun:test";
import { NumberSet, ReferenceSet } from "./number-set.ts";

const isbn = (index: number) => 9_780_000_000_000 + index * 10_007;

test("finds every number that was added, and no other one, while it grows", () => {
  const numbers = new NumberSet();
  const count = 300_000;
  let wrong = 0;
  for (let index = 0; index < count; index++) {
    if (numbers.has(isbn(index))) wrong++;
    if (numbers.add(isbn(index)) || !numbers.add(isbn(index))) wrong++;
  }
  for (let index = 0; index < count; index++) {
    if (!numbers.has(isbn(index)) || numbers.has(isbn(index) + 1)) wrong++;
  }
  expect(wrong).toBe(0);
});

test("takes every number for a known one when it is full", () => {
  const numbers = new NumberSet(64);
  const most = 64 * 64;
  let added = 0;
  for (let index = 0; index < 2 * most; index++) if (!numbers.add(isbn(index))) added++;
  expect(added).toBeWithin(0.8 * most, 0.9 * most);
  for (let index = 0; index < 4 * most; index++) expect(numbers.has(isbn(index))).toBe(true);
});

test("finds every reference that was added, and hardly ever another one", () => {
  const references = new ReferenceSet();
  const count = 200_000;
  let falsePositives = 0;
  for (let index = 0; index < count; index++) {
    if (references.mayContain("06:8400000000001", `com.example.${index}`)) falsePositives++;
    references.add("06:8400000000001", `com.example.${index}`);
  }
  let missed = 0;
  for (let index = 0; index < count; index++) {
    if (!references.mayContain("06:8400000000001", `com.example.${index}`)) missed++;
    if (references.mayContain("06:8400000000001", `com.example.${index}a`)) falsePositives++;
    if (references.mayContain("06:8400000000002", `com.example.${index}`)) falsePositives++;
  }
  expect(missed).toBe(0);
  expect(falsePositives).toBeLessThan(5);
});

test("finds a reference again after references of other senders", () => {
  const references = new ReferenceSet();
  const senders = ["", "a", "b"];
  for (const sender of senders) references.add(sender, "r");
  for (const sender of [...senders, ...senders]) expect(references.mayContain(sender, "r")).toBe(true);
  expect(references.mayContain("c", "r")).toBe(false);
});
