import { expect, test } from "bun:test";
import fc from "fast-check";
import { EMPTY_REVISION, RevisionSum } from "./revision.ts";

const etags = fc.uniqueArray(
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).map((n) => n.toString(16).padStart(32, "0")),
);

test("equal records have equal revisions, whatever the order of the changes", () => {
  fc.assert(
    fc.property(etags, fc.infiniteStream(fc.nat()), (all, random) => {
      const straight = new RevisionSum(EMPTY_REVISION);
      for (const etag of all) straight.change(undefined, etag);
      const detour = new RevisionSum(EMPTY_REVISION);
      const shuffled = all
        .map((etag) => ({ etag, key: random.next().value as number }))
        .sort((a, b) => a.key - b.key);
      for (const _ of shuffled) detour.change(undefined, "f".repeat(32));
      for (const { etag } of shuffled) detour.change("f".repeat(32), etag);
      expect(detour.toString()).toBe(straight.toString());
      expect(straight.toString()).toMatch(/^[0-9a-f]{32}$/);
      const again = new RevisionSum(straight.toString());
      for (const etag of all) again.change(etag, undefined);
      expect(again.toString()).toBe(EMPTY_REVISION);
    }),
  );
});

test("an added record changes the revision", () => {
  const one = new RevisionSum(EMPTY_REVISION);
  one.change(undefined, "0123456789abcdef0123456789abcdef");
  expect(one.toString()).toBe("0123456789abcdef0123456789abcdef");
});
