import { expect, test } from "bun:test";
import { CountChanges } from "./count-changes.ts";

test.each([
  ["20,000 counts", 20_001, (index: number) => `${index}`],
  ["2,000,000 characters", 21, (index: number) => `${index}`.padEnd(100_000)],
])("is full with more than %s, until they are taken", (_, count, nameOf) => {
  const changes = new CountChanges("imprint");
  for (let index = 0; index < count; index++) {
    expect(changes.isFull).toBe(false);
    changes.addImprint({ slug: "a", name: nameOf(index) }, 1);
  }
  expect(changes.isFull).toBe(true);
  expect(changes.take()).toHaveLength(count);
  expect([changes.isFull, changes.take()]).toEqual([false, []]);
});
