import { expect, test } from "bun:test";
import { ReferenceFilter } from "./reference-filter.ts";

test("finds every reference that was added, and hardly ever another one", () => {
  const filter = new ReferenceFilter();
  const count = 500_000;
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
