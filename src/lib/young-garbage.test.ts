import { expect, test } from "bun:test";
import { noteGarbage } from "./young-garbage.ts";

function makeGarbage(): WeakRef<object>[] {
  return Array.from({ length: 100 }, (_, index) => new WeakRef({ index }));
}

/** The targets of new references live until the end of the tick. */
async function nextTicks(): Promise<void> {
  for (let tick = 0; tick < 3; tick++) await new Promise((resolve) => setImmediate(resolve));
}

test("collects young objects after so many bytes", async () => {
  const garbage = makeGarbage();
  await nextTicks();
  for (let count = 0; count < 8192; count++) noteGarbage(1024);
  await nextTicks();
  const left = garbage.filter((reference) => reference.deref() !== undefined);
  // The stack is scanned conservatively, and may hold some.
  expect(left.length).toBeLessThan(20);
});
